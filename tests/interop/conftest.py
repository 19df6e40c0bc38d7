import sys
from pathlib import Path

# The reference and the small questions are plain modules beside the tests that use them.
_TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(_TESTS), str(_TESTS / "smt")]
