"""The corpus of the contract test serves the tests of single solvers too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "contracts"))
