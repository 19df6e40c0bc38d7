import sys
from pathlib import Path

# Mutations, written certificates and chains are plain modules beside the tests that use them.
here = Path(__file__).parent
sys.path[:0] = [str(here), str(here.parent / "engine"), str(here.parent)]
