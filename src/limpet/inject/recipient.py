"""Define the recipient of an injection: the session in which memories are shown to the model."""

from __future__ import annotations

from limpet.lean.record import record
from limpet.model.scope import Scope


@record
class Recipient:
    """A session in whose context memories are shown to the model: its scope, and the names of its agent and project."""

    scope: Scope
    agent: str
    project: str | None = None
    session: str | None = None
    host: str = ""
    """The host, if it loads its instruction files for this session; otherwise an empty string."""
    root: str | None = None
    """The project folder, in which cited files are looked up."""
