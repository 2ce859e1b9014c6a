"""`python -m symcrete`: the command, where no script is on the path."""

import sys

from symcrete.cli import main

if __name__ == "__main__":
    sys.exit(main())
