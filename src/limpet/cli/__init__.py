"""The entry point of the command line."""

from __future__ import annotations

import sys


def main() -> int:
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
    # `run` has flushed the output.
    os._exit(status)
