"""Make the small helpers beside the tests importable."""

import os
import sys
from pathlib import Path

# A proof of ours that the attack refutes is a failure of the test, not a note in its report.
os.environ["SYMCRETE_REFUTED"] = "raise"

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "explore"), str(HERE.parent)]
