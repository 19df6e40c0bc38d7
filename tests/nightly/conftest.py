import sys
from pathlib import Path

# Models, checks and definitions are plain modules beside the tests that use them.
_TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(Path(__file__).parent), str(_TESTS), str(_TESTS / "streams")]
