"""The checker uses Python's standard library and nothing else: above all, nothing of faier."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

from checker_cases import CONTAGIOUS, claim, holds

import faier_check

PACKAGE = Path(faier_check.__file__).parent
ALLOWED = sys.stdlib_module_names | {"faier_check"}


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add((node.module or "").partition(".")[0])
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 1, f"{path.name} imports from outside its package"
        elif isinstance(node, ast.Name) and node.id in ("__import__", "eval", "exec", "compile"):
            raise AssertionError(f"{path.name} uses {node.id}")
    return found


def test_every_module_imports_the_standard_library_alone():
    modules = sorted(PACKAGE.glob("**/*.py"))
    assert len(modules) > 10
    for path in modules:
        assert imports(path) <= ALLOWED, path.name
        assert "importlib" not in imports(path)


def test_checking_loads_nothing_else(tmp_path):
    (tmp_path / "model.toml").write_bytes(CONTAGIOUS)
    certificate = holds(CONTAGIOUS, claim("4", 1), {"rule": "enumerate", "ratio": "4"})
    (tmp_path / "certificate.json").write_text(json.dumps(certificate))
    script = (
        f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); before = set(sys.modules)\n"
        "from faier_check.__main__ import main\n"
        "assert main(['certificate.json', 'model.toml']) == 0\n"
        "print(*sorted({m.partition('.')[0] for m in set(sys.modules) - before}))"
    )
    # -S and -I leave out site packages and their start-up files: only the standard library can be found.
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    verdict, loaded = run.stdout.strip().split("\n")
    assert verdict.startswith("valid: ")
    assert "faier" not in loaded.split()
    assert set(loaded.split()) <= ALLOWED
