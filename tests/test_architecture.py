"""The walls of the package: who may import whom, read off the source."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import faier

PACKAGE = Path(faier.__file__).parent

# Each part may import those before it. Parts of one line know nothing of one another.
LAYERS = [
    {"errors"},
    {"workers"},
    {"number"},
    {"model"},
    {"mechanisms"},
    {"noise"},
    {"scenario"},
    {"knowledge"},
    {"library"},
    {"trace", "families", "explanation", "large_steps"},
    {"verdict", "exact_steps", "evidence"},
    {"approximate", "calibration", "combined", "measures", "partition"},
    {"definition", "comparison"},
    {"engine", "certificate", "report", "auditing"},
    {"interop", "targets"},
    {"together"},
    {"api"},
    {"testing", "paper"},
    {"cli"},
    {"__init__", "__main__"},
]
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

FORWARD = {
    ("approximate", "report"): "a result shows itself: str(), to_dict() and notebooks; imported when asked for",
    ("combined", "report"): "a result shows itself: str() and to_dict(); imported when asked for",
    ("errors", "evidence"): "a sampler that fails keeps what it gave; for types",
    ("evidence", "report"): "a result shows itself: str() and to_dict(); imported when asked for",
    ("calibration", "report"): "a result shows itself: str(), to_dict() and notebooks; imported when asked for",
    ("measures", "report"): "a result shows itself: str(), to_dict() and notebooks; imported when asked for",
    ("partition", "report"): "a result shows itself: str(), to_dict() and notebooks; imported when asked for",
    ("verdict", "report"): "a result shows itself: str(), to_dict() and notebooks; imported when asked for",
    ("scenario.named", "knowledge"): "a file may name a mechanism, and say which of its inputs are neighbours",
    ("scenario.named_stream", "knowledge"): "a file may name a mechanism, and say which of its inputs are neighbours",
    ("scenario.library_entry", "library"): "a file may name a mechanism, which is imported when that is so",
    ("model.toml_write", "scenario"): "writing a file writes the whole question; types, imported when asked for",
}
"""Imports that point forward, with the reason; only inside functions or for types."""

# The package's own __init__ and __version__ are names without weight, which any part may read.
NO_PART = {"__version__"}
HEAVY = {"numpy", "flint", "scipy", "rich", "z3", "cvc5", "highspy"}


def modules() -> list[Path]:
    found = sorted(PACKAGE.rglob("*.py"))
    assert len(found) > 80
    return found


def name_of(path: Path) -> str:
    """The module's name below faier, as in "engine.tree.search"; a package's own file counts as the package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imports(path: Path) -> Iterator[tuple[str, ast.stmt]]:
    """Every absolute module name that a file imports anywhere, with the statement."""
    package = ["faier", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                yield f"{module}.{alias.name}", node


def part_of(module: str) -> str | None:
    """The part of faier that an imported name belongs to."""
    root, _, rest = module.partition(".")
    part = rest.partition(".")[0]
    return part if root == "faier" and part not in NO_PART else None


def at_once(path: Path) -> set[str]:
    """What a file imports as soon as it is imported itself: not inside functions, not for types alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lazy: set[ast.AST] = set()
    for node in ast.walk(tree):
        is_lazy = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
            isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        )
        if is_lazy:
            lazy |= set(ast.walk(node))
    kept = {(n.lineno, n.col_offset) for n in ast.walk(tree) if isinstance(n, ast.stmt) and n not in lazy}
    return {module for module, node in imports(path) if (node.lineno, node.col_offset) in kept}


def test_every_part_has_its_layer():
    assert {name_of(path).partition(".")[0] for path in modules()} == set(LEVEL)


def test_imports_point_backwards():
    used = set()
    for path in modules():
        name = name_of(path)
        here = name.partition(".")[0]
        for module, _ in imports(path):
            there = part_of(module)
            if there is None or there == here or LEVEL[there] < LEVEL[here]:
                continue
            exceptions = {(name, there), (here, there)} & set(FORWARD)
            assert exceptions, f"{name} imports {module}, which is not behind it"
            assert module not in at_once(path), f"{name} imports {module} at once"
            used |= exceptions
    assert used == set(FORWARD), "an exception that is not needed any more"


def test_engine_certificate_and_report_do_not_know_one_another():
    assert LEVEL["engine"] == LEVEL["certificate"] == LEVEL["report"]
    assert not any({part, other} <= {"engine", "certificate", "report"} for part, other in FORWARD)


def test_the_definition_knows_no_engine():
    assert LEVEL["definition"] < LEVEL["engine"]


def test_faier_reaches_its_checker_by_its_surface_alone():
    for path in modules():
        for module, _ in imports(path):
            if module.startswith("faier_check"):
                # The command line of the checker is `faier check` as well.
                assert name_of(path) in ("api", "cli.check", "cli.failure"), name_of(path)


def test_the_checker_imports_nothing_but_the_standard_library():
    for path in sorted((PACKAGE.parent / "faier_check").glob("**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                roots = {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level <= 1, path.name
                roots = set() if node.level else {(node.module or "").partition(".")[0]}
            else:
                continue
            assert roots <= sys.stdlib_module_names | {"faier_check"}, path.name


def test_one_file_imports_each_solver():
    for solver in ("z3", "cvc5"):
        found = [name_of(p) for p in modules() if any(m.partition(".")[0] == solver for m, _ in imports(p))]
        assert found == [f"engine.smt.{solver}_backend"]
    found = [name_of(p) for p in modules() if any(m.partition(".")[0] == "highspy" for m, _ in imports(p))]
    assert found == ["engine.simulation.highs"]


def test_the_command_line_starts_without_anything_heavy():
    # A failed import of something heavy would stay unseen in a process that has it loaded already.
    script = (
        "import sys\nimport faier.cli.group\nimport faier\n"
        f"print(*sorted(m for m in sys.modules if m.partition('.')[0] in {sorted(HEAVY)!r}))\n"
        "print(*sorted(m for m in sys.modules if m.startswith('faier.')))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    heavy, own = run.stdout.split("\n")[:2]
    assert heavy == ""
    assert {m.split(".")[1] for m in own.split()} <= {"cli", "errors"}
