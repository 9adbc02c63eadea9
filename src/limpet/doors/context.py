"""The one bundle that stages and jobs receive: what they may use, bound to one caller in one place.

It is a record, so a caller can exchange single parts: a dry run replaces `write`, a test freezes `now`. `Runtime` makes
it.
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


def _extractive() -> Roles:
    # Loaded here: a hook that only reads has no use for it.
    from limpet.llm.extractive import Extractive

    return Extractive()


@record
class Context:
    """What a stage or a job may use."""

    home: str
    settings: Settings
    store: Store
    scope: Scope
    """Whose memories these are."""
    session: str
    """The session this is about; empty outside of one."""
    agent: str
    """The name of the agent, as a person reads it."""
    project: str | None
    """The name of the project, as a person reads it."""
    root: str | None
    """The folder of the project, against which citations are checked."""
    now: Callable[[], datetime]
    reading: Callable[[], Reading]
    """Return the state after everything that other processes have written."""
    recent: Callable[[], Reading]
    """Return the state as this process saw it last, with its own writes; cheap."""
    admission: Callable[..., Admission]
    """Open the door in; takes `reading`, `where`, `actor` and `now`."""
    judge: Callable[[Stored], Stored]
    """Return a memory with the verdict on its signature."""
    resign: Callable[[Stored, Memory], dict[str, object]]
    """Return the signature for a memory whose shown side changes, as the payload of the change carries it."""
    write: Callable[[Sequence[Change]], object]
    note: Callable[[Receipt], None]
    log: Callable[[str], None]
    progress: Progress
    open_session: Callable[[str, str], Context]
    """Return the context of a session that works, or has just worked, in a folder."""
    open_recorded: Callable[[RecordedSession], Context]
    """Return the context of a recorded session."""
    roles: Callable[[], Roles] = _extractive
    """Return who summarises and merges texts."""
