"""Declare the command `limpet statusline`, which prints a line for the status line of a host.

`limpet setup` does not use this command: it makes the host start `run_hook.py statusline`, which is faster.
"""

from __future__ import annotations

import sys
from typing import Any

from limpet.operations.catalogue import Verb


def run(**opening: Any) -> int:
    from limpet.cli.hook import STATUS, main
    from limpet.forms.terminal import is_terminal
    from limpet.hooks.handover import Handover

    # A person who types the command gives it no session.
    return main([STATUS], Handover(b"{}") if sys.stdin is None or is_terminal(sys.stdin) else None)


VERB = Verb(
    run=run,
    details=(
        "Reads the session from standard input, as JSON with the fields session_id and cwd, and prints at most 40 "
        "characters: how many memories were told in this session, how many of them on trial, and how many notes wait "
        "for a decision. Prints nothing if there is nothing to say. Always exits with 0. `limpet setup` offers to put "
        "it in the status line of Claude Code; the setting inject.seen switches it off."
    ),
    examples=("limpet statusline < status.json", "limpet statusline"),
)
