"""`python -m apennine` is the command line."""

import sys

from apennine.cli import main

# Processes of a pool import this module again under another name.
if __name__ == "__main__":
    sys.exit(main())
