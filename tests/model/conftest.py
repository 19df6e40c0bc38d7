import sys
from pathlib import Path

# The strategies that all tests share lie one folder up.
sys.path.insert(0, str(Path(__file__).parent.parent))
