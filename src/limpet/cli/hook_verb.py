"""Declare the command `limpet hook`, for users who configure the hooks of a host by hand.

`limpet setup` does not use this command: it makes hosts start `run_hook.py`, which is faster.
"""

from __future__ import annotations

from typing import Any

from limpet.hosts import HOSTS
from limpet.operations.catalogue import Param, Verb


def run(*, what: str | None = None, host: str = "claude-code", **opening: Any) -> int:
    from limpet.cli.hook import main

    return main([*([what] if what else []), "--host", host])


VERB = Verb(
    run=run,
    params=(
        Param(name="what", help="`upkeep`: learn from the queue instead of taking an event.", positional=True),
        Param(name="host", help="The host that reports the event.", kind="choice", choices=HOSTS, default=HOSTS[0]),
    ),
    details="Reads one event as JSON from standard input and prints one JSON object or nothing. Always exits with 0.",
    examples=("limpet hook < payload.json",),
)
