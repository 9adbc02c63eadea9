"""Describe a session for the status line of its host: what it was told, and how many notes wait for a decision.

A host runs the command again and again while a person works, so it only reads, and loads no more than a hook does.
"""

from __future__ import annotations

import os

from limpet.environment import home_path, project_from_environment
from limpet.errors import LimpetError
from limpet.hosts.payload import mapping_of, text_of
from limpet.inject.notice import describe_session
from limpet.model.receipt import TRIAL, UNASKED
from limpet.runtime import Caller, open_runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_MOST_RECEIPTS = 500
_WAIT_MS = 20
"""How many milliseconds are waited for the lock of the index; the last known numbers are shown after that."""


def describe_status(payload: Mapping[str, Any]) -> str:
    """Return the line for the session in a payload, or an empty string if there is nothing to say."""
    if not os.path.exists(os.path.join(home_path(), "index.db")):
        return ""
    try:
        runtime = open_runtime(
            cwd=_find_folder(payload),
            session=text_of(payload.get("session_id")).strip() or None,
            caller=Caller.at(has_terminal=False),
            hurried=True,
            flags={"store.apply_wait_ms": _WAIT_MS},
        )
    except LimpetError:
        # The settings may be invalid, for example. Every command says so.
        return ""
    try:
        if not (runtime.settings.inject.enabled and runtime.settings.inject.seen) or runtime.claimed_project:
            return ""
        reading = runtime.reading()
        session = runtime.session
        receipts = reading.receipts(session=session, limit=_MOST_RECEIPTS) if session else ()
        shown = [receipt for receipt in receipts if receipt.way in UNASKED]
        on_trial = {id for receipt in shown for id, note in receipt.notes.items() if note == TRIAL}
        told = {id for receipt in shown for id in receipt.ids} - on_trial
        return describe_session(len(told), len(on_trial), reading.count_notes(runtime.scope(), now=runtime.now()))
    except LimpetError:
        return ""
    finally:
        runtime.store.close()


def _find_folder(payload: Mapping[str, Any]) -> str | None:
    """Return the folder in which the client was started, or None if the payload does not name one that exists."""
    workspace = mapping_of(payload.get("workspace"))
    named = (project_from_environment(), workspace.get("project_dir"), workspace.get("current_dir"), payload.get("cwd"))
    return next((text for each in named if (text := text_of(each)) and os.path.isdir(text)), None)
