"""`limpet hook`: the hook program by its name, for those who wire a host by hand; `setup` starts the file itself."""

from __future__ import annotations

from limpet.hosts import HOSTS
from limpet.operations.catalogue import Param, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(*, what: str | None = None, host: str = "claude-code", **opening: Any) -> int:
    from limpet.cli.hook import main

    return main([*([what] if what else []), "--host", host])


VERB = Verb(
    run=run,
    to_json=lambda answer, now: {},
    params=(
        Param(name="what", help="`upkeep` for the asynchronous half.", positional=True),
        Param(name="host", help="Who reports.", kind="choice", choices=HOSTS, default=HOSTS[0]),
    ),
    details="Reads one event as JSON from standard input, and prints one JSON object or nothing; it never fails.",
    examples=("limpet hook < payload.json",),
)
