"""Define the context that each stage and each upkeep job receives: the values and functions that it may use.

`Runtime` makes the context. It is a record, so a caller can replace single fields: a dry run replaces `write`, and a
test replaces `now`.
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
    # Loaded here, because most hooks do not need it.
    from limpet.llm.extractive import ExtractiveRoles

    return ExtractiveRoles()


@record
class Context:
    """The values and functions that a stage or job may use. Each function field is documented by what it does."""

    home: str
    settings: Settings
    store: Store
    scope: Scope
    """The scope whose memories are read and written."""
    session: str
    """The id of the current session; an empty string outside of a session."""
    agent: str
    """The name of the agent, for display."""
    project: str | None
    """The name of the project, for display; None without a project."""
    root: str | None
    """The folder of the project, in which cited files are looked up; None if it is unknown."""
    now: Callable[[], datetime]
    """Return the current time."""
    reading: Callable[[], Reading]
    """Return the state of the store, with everything that other processes have written."""
    recent: Callable[[], Reading]
    """Return the state of the store that this process last saw, with its own changes. Faster than `reading`."""
    admission: Callable[..., Admission]
    """Return an `Admission`, given keyword arguments of that class, such as `reading` and `where`."""
    judge: Callable[[Stored], Stored]
    """Check the signature of a memory, and return the memory with a warning if the check fails."""
    sign_again: Callable[[Stored, Memory], dict[str, object]]
    """Return a new signature for a memory whose shown text changes, as an entry for the payload of a change."""
    write: Callable[[Sequence[Change]], object]
    """Write changes to the journal."""
    note: Callable[[Receipt], None]
    """Write a receipt to the journal."""
    log: Callable[[str], None]
    """Write a line to the log."""
    progress: Progress
    """Show the progress of a long task."""
    open_session: Callable[[str, str], Context]
    """Return the context of a session, given its folder and its id."""
    open_recorded: Callable[[RecordedSession], Context]
    """Return the context of a recorded session."""
    host: str = ""
    """The host that is waiting for the answer; an empty string if none is waiting."""
    roles: Callable[[], Roles] = _open_extractive
    """Return an object that summarises and merges texts, by rules or with a language model."""
    host_notes: Callable[[], str] = lambda: ""
    """Return the notes that the host itself gives to its model at the start of the session."""
