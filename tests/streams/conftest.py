import sys
from pathlib import Path

# The definitions are plain modules beside the tests that use them.
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]
