"""Open a home: load its settings, open its store, and determine the agent, the project and the session."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property

from limpet import clock, system
from limpet.errors import Refused, StoreError, UsageError
from limpet.lean.record import replace
from limpet.model.change import CAPTURE, Change, ChangeKind, change_memory
from limpet.model.memory import Memory, Origin
from limpet.model.query import Stored
from limpet.model.receipt import Receipt
from limpet.model.scope import Project, Scope, Where
from limpet.runtime.identity import (
    UNPROVEN,
    Caller,
    Recognition,
    find_agent,
    find_session,
    introduce,
    recognise_project,
)
from limpet.runtime.keys import KeyFolder
from limpet.runtime.signer import Signer
from limpet.settings import Settings, load
from limpet.store.open import open_store
from limpet.store.protocol import Progress, Reading, Store, no_progress
from limpet.workspace import Place, locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.admit import Admission
    from limpet.doors.context import Context
    from limpet.hosts.sessions import RecordedSession
    from limpet.model.taint import Taint

LOG = "limpet.log"


class Runtime:
    """An open home, with everything that an operation needs: settings, store, keys, project folder and caller."""

    def __init__(
        self,
        *,
        settings: Settings,
        store: Store,
        keys: KeyFolder,
        place: Place,
        caller: Caller,
        agent: str | None = None,
        project: str | None = None,
        session: str | None = None,
        now_ms: Callable[[], int] = clock.now_ms,
        progress: Progress = no_progress,
    ) -> None:
        self.settings = settings
        self.progress = progress
        self.store = store
        self.keys = keys
        self.place = place
        self.caller = caller
        self._asked_agent = agent
        self._asked_project = project
        self._asked_session = session
        self._now_ms = now_ms
        self.signer = Signer(keys, recent=self.recent)
        self._is_introduced = False
        self._is_accepted = False
        self._has_read = False
        self._held_receipts: list[Change] | None = None

    def now_ms(self) -> int:
        return self._now_ms()

    def now(self) -> datetime:
        return clock.from_ms(self._now_ms())

    def open_elsewhere(
        self, folder: str, *, session: str, caller: Caller, keep_agent: bool = False, project: str | None = None
    ) -> Runtime:
        """Return a runtime with the same store for another folder and session. `keep_agent` keeps the agent too."""
        place = locate(folder)
        there = Runtime(
            settings=load(home=self.settings.home, project_dir=place.root),
            store=self.store,
            keys=self.keys,
            place=place,
            caller=caller,
            agent=self._asked_agent if keep_agent else None,
            project=project,
            session=session,
            now_ms=self._now_ms,
        )
        there._has_read = self._has_read
        return there

    def reading(self, at: datetime | None = None) -> Reading:
        """Return the current state of the store, or its state at the past moment `at`."""
        self.signer.look_again()
        self._has_read = self._has_read or at is None
        return self.store.reading(at)

    def recent(self) -> Reading:
        """Return the state of the store as this process last read it, with its own later writes.

        This skips what other processes have written since, and is sufficient to find the agent, the project and the
        session.
        """
        return self.store.reading(latest=False) if self._has_read else self.reading()

    def close(self) -> None:
        """Finish the deferred work of the store, and close the store."""
        self.store.rest()
        self.store.close()

    # Who and where

    @cached_property
    def _identity(self) -> tuple[Recognition, tuple[str, str]]:
        reading = self.recent()
        found = recognise_project(reading, self.place, self._asked_project, is_accepted=self._is_accepted)
        return found, find_agent(reading, self.settings, self.place, found.project, self._asked_agent)

    @property
    def project(self) -> Project | None:
        """Return the project of this folder, which may be new, or None outside of any project."""
        return self._identity[0].project

    @property
    def claimed_project(self) -> Project | None:
        """Return the known project that this folder claims to be without proof, or None if it claims none."""
        return self._identity[0].claimed

    def accept_folder(self) -> Project | None:
        """Accept that this folder is the project it claims to be, at a person's request, and return that project."""
        claimed = self.claimed_project
        if claimed is not None:
            self._is_accepted = True
            self.reset_identity()
            self.store.append(self._introductions())
            self.reset_identity()
        return claimed

    @property
    def agent(self) -> tuple[str, str]:
        """Return the id and the name of the agent."""
        return self._identity[1]

    @property
    def agent_id(self) -> str:
        return self.agent[0]

    @cached_property
    def session(self) -> str | None:
        """Return the id of the session, or None outside of a session."""
        return find_session(self._asked_session)

    def where(self) -> Where:
        """Return the circumstances to record with a new memory: agent, project, session, branch and commit."""
        project = self.project
        if self._asked_project is not None:
            # This folder belongs to another project, so its branch and commit say nothing about the requested one.
            return Where(agent=self.agent_id, project=project.id if project else None, session=self.session)
        return Where(
            agent=self.agent_id,
            project=project.id if project else None,
            session=self.session,
            root=self.place.root,
            branch=self.place.branch,
            commit=self.place.commit,
        )

    def scope(self, *, app: str | None = None, every_project: bool = False) -> Scope:
        """Return the scope whose memories the caller may see.

        Raise Refused if an agent asks for every project, or if the folder only claims to be a known project.
        """
        if every_project and self.caller.is_agent:
            raise Refused("only a person can look across projects; ask the user to run this in a terminal")
        if self.claimed_project and not every_project:
            raise Refused(UNPROVEN)
        own = self._own_scope()
        return replace(own, app=app, every_project=every_project) if app is not None or every_project else own

    def _own_scope(self) -> Scope:
        """Return the scope in which this caller writes."""
        project = self.project
        return Scope(
            agent=self.agent_id,
            project=project.id if project else None,
            joined=project.joined if project else (),
        )

    def reset_identity(self) -> None:
        """Discard the agent, the project and the keys, so that they are determined again on next use."""
        self.signer.forget_keys()
        self._is_introduced = self._has_read = False
        self.__dict__.pop("_identity", None)

    # Writing

    def admission(
        self,
        *,
        reading: Reading | None = None,
        where: Where | None = None,
        actor: str | None = None,
        now: datetime | None = None,
        taint: Callable[[], Taint] | None = None,
    ) -> Admission:
        """Return an `Admission`. Without `taint`, drafts are compared with what the session has read from outside."""
        # Loaded here, because reading does not need the modules that analyse texts.
        from limpet.doors.admit import Admission

        return Admission(
            reading=reading or self.reading(),
            where=where or self.where(),
            settings=self.settings.admit,
            now=now or self.now(),
            actor=actor or self.actor,
            sign=self.signer.sign,
            sign_again=self.signer.sign_again,
            taint=taint or self.find_taint,
            # The result of what the worker or a job stores is shown to no caller.
            sees_private=actor is not None or not self.caller.is_agent,
        )

    def find_taint(self) -> Taint:
        """Return the taint of the session: hashes of the outside texts that it has read."""
        # Loaded here, because a person's own words are never compared.
        from limpet.learning.taint import find_taint

        return find_taint(self.settings.home, session=self.session, root=self.place.root, now_ms=self.now_ms())

    @property
    def actor(self) -> str:
        """Return the name under which the journal records this caller."""
        return f"{self.caller.origin}:{self.agent_id}"

    def write(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Append changes to the journal and return them as stored.

        If the agent, the project or the session is new, changes that record it are written first.
        """
        if not changes:
            return ()
        signed = [change if change.actor else replace(change, actor=self.actor) for change in changes]
        first = [] if self._is_introduced else self._introductions()
        kept = self.store.append([*first, *signed])[len(first) :]
        self._is_introduced = True
        return kept

    def _introductions(self) -> list[Change]:
        return list(
            introduce(
                self.recent(),
                agent=self.agent,
                found=self._identity[0],
                place=self.place,
                where=self.where(),
                actor=self.actor,
                key_id=self.keys.ring().newest,
            )
        )

    def change(self, kind: ChangeKind, memory: Memory, payload: dict[str, object] | None = None) -> Change:
        """Return a change to a memory with this caller as its actor."""
        return change_memory(kind, memory, payload, actor=self.actor)

    def note(self, receipt: Receipt) -> None:
        """Write a receipt. Ignore an error, because an answer must not fail if a receipt is lost."""
        change = Change(
            kind=ChangeKind.RECEIPT, subject=f"receipt:{receipt.way}", actor=self.actor, payload=receipt.encode()
        )
        if self._held_receipts is not None:
            self._held_receipts.append(change)
            return
        self.write_receipts([change])

    def hold_receipts(self) -> list[Change]:
        """Return a new list to which `note` adds receipts from now on, instead of writing them.

        The caller passes the list to `write_receipts` once its answer has been delivered. Otherwise it discards the
        list.
        """
        self._held_receipts = []
        return self._held_receipts

    def write_receipts(self, changes: Sequence[Change]) -> None:
        """Write the receipts that `hold_receipts` has collected. Ignore an error, as `note` does."""
        if changes:
            with contextlib.suppress(StoreError):
                self.store.append(list(changes), durable=False)

    def log(self, text: str) -> None:
        """Append a line to the log that `limpet doctor` shows. `text` must not contain text from a memory."""
        with contextlib.suppress(OSError):
            system.append_line(os.path.join(self.settings.home, LOG), f"{clock.now_ms()} {text[:300]}")

    def reload(self, stored: Stored) -> Stored:
        """Read a memory from the store again, after it was changed, and return it."""
        return self.signer.judge(self.reading().get(stored.memory.id) or stored)

    def context(self, *, actor: str | None = None) -> Context:
        """Return the context for capture stages and upkeep jobs. `actor` is recorded with their changes."""
        from limpet.doors.context import Context

        def admission(**values: object) -> Admission:
            return self.admission(**{"actor": actor, **values})  # type: ignore[arg-type]

        project = self.project
        return Context(
            home=self.settings.home,
            settings=self.settings,
            store=self.store,
            scope=self._own_scope(),
            session=self.session or "",
            agent=self.agent[1],
            project=project.name if project else None,
            root=self.place.root if self._asked_project is None else None,
            now=self.now,
            reading=self.reading,
            recent=self.recent,
            admission=admission,
            judge=self.signer.judge,
            sign_again=self.signer.sign_again,
            write=self.write,
            note=self.note,
            log=self.log,
            progress=self.progress,
            open_session=self._open_session,
            open_recorded=self._open_recorded,
        )

    def _open_session(self, folder: str, session: str) -> Context:
        # A folder that was deleted, such as a temporary work tree, does not tell its project; the session may.
        known = None if os.path.isdir(folder) else self.recent().session(session)
        project = known.project if known else None
        place = folder or os.path.abspath(os.sep)
        return self.open_elsewhere(
            place, session=session, caller=Caller(origin=Origin.TOOL), project=project
        )._capture_context()

    def _open_recorded(self, recorded: RecordedSession) -> Context:
        caller = Caller(origin=Origin.TOOL)
        there = self.open_elsewhere(recorded.folder, session=recorded.session, caller=caller, keep_agent=True)
        # The session may be old, so the commit that is checked out now says nothing about it.
        there.place = replace(there.place, branch=recorded.files[0].branch, commit=None)
        return there._capture_context()

    def _capture_context(self) -> Context:
        return self.context(actor=f"{CAPTURE}:{self.agent_id}")


def open_runtime(
    *,
    home: str | None = None,
    agent: str | None = None,
    project: str | None = None,
    session: str | None = None,
    cwd: str | None = None,
    caller: Caller | None = None,
    flags: dict[str, object] | None = None,
    now_ms: Callable[[], int] = clock.now_ms,
    progress: Progress = no_progress,
    hurried: bool = False,
) -> Runtime:
    """Open a home for an agent in the project of `cwd`. If `hurried` is true, the store's time is limited."""
    place = locate(cwd or _current_folder())
    settings = load(home=home, project_dir=place.root, flags=flags)
    keys = KeyFolder(settings.home)
    store = open_store(
        settings.home, settings=settings.store, now_ms=now_ms, progress=progress, hurried=hurried, keys=keys.ring
    )
    return Runtime(
        settings=settings,
        store=store,
        keys=keys,
        place=place,
        caller=caller or Caller.at(has_terminal=False),
        agent=agent,
        project=project,
        session=session,
        now_ms=now_ms,
        progress=progress,
    )


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        raise UsageError("the folder you are in no longer exists; go to another one") from None
