"""What every stage and job receives: the functions and values it may use, bound to one caller in one place.

The context is a record, so a caller can exchange single parts: a dry run replaces `write`, a test freezes `now`.
`Runtime` makes it.
"""

from __future__ import annotations

from limpet.lean.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from limpet.doors.admit import Admission
    from limpet.hosts.sessions import RecordedSession
    from limpet.llm.protocol import Roles
    from limpet.model.change import Change
    from limpet.model.memory import Memory
    from limpet.model.query import Stored
    from limpet.model.receipt import Receipt
    from limpet.model.scope import Scope
    from limpet.settings import Settings
    from limpet.store.protocol import Progress, Reading, Store


def _open_extractive() -> Roles:
    # Loaded here: a hook that only reads has no use for it.
    from limpet.llm.extractive import ExtractiveRoles

    return ExtractiveRoles()


@record
class Context:
    """The functions and values that a stage or a job may use."""

    home: str
    settings: Settings
    store: Store
    scope: Scope
    """The scope whose memories are read and written."""
    session: str
    """The current session; empty outside of a session."""
    agent: str
    """The name of the agent for people."""
    project: str | None
    """The name of the project for people."""
    root: str | None
    """The folder of the project, against which citations are checked."""
    now: Callable[[], datetime]
    reading: Callable[[], Reading]
    """Return the state with everything that other processes have written."""
    recent: Callable[[], Reading]
    """Return the state that this process saw last, with its own writes; this is cheap."""
    admission: Callable[..., Admission]
    """Return an `Admission`; takes `reading`, `where`, `actor` and `now`."""
    judge: Callable[[Stored], Stored]
    """Return a memory with the verdict on its signature."""
    sign_again: Callable[[Stored, Memory], dict[str, object]]
    """Return the new signature of a memory whose shown text changes, in the form of the payload of a change."""
    write: Callable[[Sequence[Change]], object]
    note: Callable[[Receipt], None]
    log: Callable[[str], None]
    progress: Progress
    open_session: Callable[[str, str], Context]
    """Return the context of a session that works, or has just worked, in a folder."""
    open_recorded: Callable[[RecordedSession], Context]
    """Return the context of a recorded session."""
    host: str = ""
    """The host that waits for the answer; empty if none does."""
    roles: Callable[[], Roles] = _open_extractive
    """Return the implementation that summarises and merges texts."""
    host_notes: Callable[[], str] = lambda: ""
    """Return what the host of the session tells its model from its own notes at a start."""
