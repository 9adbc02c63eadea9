"""The session that an injection is for."""

from __future__ import annotations

from limpet.lean.record import record
from limpet.model.scope import Scope


@record
class Recipient:
    """The session that an injection is for: its scope, and the names and the folder of its agent and project."""

    scope: Scope
    agent: str
    project: str | None = None
    session: str | None = None
    host: str = ""
    """The host that loads its own instruction files; empty if it is not known, or loads none for this session."""
    root: str | None = None
    """The project's folder, in which cited files are looked up."""
