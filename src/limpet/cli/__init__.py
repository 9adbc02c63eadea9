"""The entry point of the command line. It answers `--version` without loading any other module."""

from __future__ import annotations

import sys


def main() -> int:
    if sys.argv[1:] in (["--version"], ["-V"]):
        from limpet import __version__

        print(f"limpet {__version__}")
        return 0
    import gc

    from limpet.lean.bundle import use_bundle

    if sys.argv[1:2] not in (["mcp"], ["serve"]):
        # A command ends before there is much garbage to collect; looking for garbage took a tenth of its time.
        gc.set_threshold(50_000)
    # Commands use most of the modules that hooks use.
    use_bundle()
    from limpet.cli.program import run

    status = run(sys.argv[1:])
    _exit_at_once(status)
    return status


def _exit_at_once(status: int) -> None:
    """End the process without the interpreter's clean-up, unless a thread or an exit handler needs the clean-up."""
    import atexit
    import os

    if "threading" in sys.modules or atexit._ncallbacks():
        return
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        # The interpreter reports the error when it ends in the ordinary way.
        return
    os._exit(status)
