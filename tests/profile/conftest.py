import sys
from pathlib import Path

# The strategies are a plain module above these tests.
sys.path.insert(0, str(Path(__file__).parent.parent))
