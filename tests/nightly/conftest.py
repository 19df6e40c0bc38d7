import sys
from pathlib import Path

# Models and checks are plain modules beside the tests that use them.
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]
