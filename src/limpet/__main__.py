"""Run the command line as `python -m limpet`."""

import sys

from limpet.cli import main

sys.exit(main())
