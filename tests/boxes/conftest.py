import sys
from pathlib import Path

# The judge and the strategies are plain modules that several folders of tests use.
tests = Path(__file__).parent.parent
sys.path[:0] = [str(tests / "engine"), str(tests)]
