"""The command line. `--version` is answered before any other module is loaded."""

from __future__ import annotations

import sys


def main() -> int:
    if sys.argv[1:] in (["--version"], ["-V"]):
        from limpet import __version__

        print(f"limpet {__version__}")
        return 0
    from limpet.lean.bundle import use_bundle

    # Commands use most of the modules that hooks use.
    use_bundle()
    from limpet.cli.program import run

    return run(sys.argv[1:])
