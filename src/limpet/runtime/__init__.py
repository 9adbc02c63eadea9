"""The composition root: settings to store, place, agent, project and keys; the only module that picks a backend."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property

from limpet import clock, system
from limpet.environment import inside_agent, session_from_environment
from limpet.errors import AmbiguousId, InvalidId, Refused, StoreError, UsageError
from limpet.lean.digest import sha256
from limpet.lean.record import record, replace
from limpet.model.change import Change, ChangeKind
from limpet.model.ids import is_prefix_of_id
from limpet.model.memory import Memory, Origin
from limpet.model.query import Stored
from limpet.model.receipt import Receipt
from limpet.model.scope import Project, Scope, Where
from limpet.model.signature import Verdict, check, sign
from limpet.runtime import keys
from limpet.settings import Settings, load
from limpet.store.open import FileStore
from limpet.store.protocol import Progress, Reading, Store, no_progress
from limpet.workspace import Place, locate, read_agent_definition, slug, still_exists
from limpet.workspace.files import label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.admit import Admission

LOG = "limpet.log"


@record
class Caller:
    """Who asks. `origin` is the most that what they store may claim; `is_agent` says a model is at the keyboard."""

    origin: Origin = Origin.AGENT
    is_agent: bool = False
    has_terminal: bool = False

    @classmethod
    def at(cls, *, has_terminal: bool) -> Caller:
        agent = inside_agent()
        user = has_terminal and not agent
        return cls(origin=Origin.USER if user else Origin.AGENT, is_agent=agent, has_terminal=has_terminal)


@record
class _Keys:
    files: frozenset[str]
    found: Mapping[str, tuple[str, bytes]]
    holders: frozenset[str]
    noted: Mapping[str, str]
    """The newest key id of each agent, as far as the store has noted it."""

    def of(self, agent: str) -> dict[str, bytes]:
        return {name: key for name, (owner, key) in self.found.items() if owner == agent}

    def newest(self, agent: str) -> bytes | None:
        own = self.of(agent)
        return own.get(self.noted.get(agent, ""), next(iter(own.values()), None))

    def signs(self, agent: str) -> bool:
        return agent in self.holders or agent in self.noted


class Runtime:
    """What an operation needs: opened once by a surface, closed when it is done."""

    def __init__(
        self,
        *,
        settings: Settings,
        store: Store,
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
        self.place = place
        self.caller = caller
        self._asked_agent = agent
        self._asked_project = project
        self._session = session
        self._now_ms = now_ms
        self._known_keys: _Keys | None = None

    def now_ms(self) -> int:
        return self._now_ms()

    def now(self) -> datetime:
        return clock.from_ms(self._now_ms())

    def elsewhere(
        self, folder: str, *, session: str, caller: Caller, as_asked: bool = False, project: str | None = None
    ) -> Runtime:
        """The same store seen from another folder, by another session; `as_asked` by the agent asked for here."""
        place = locate(folder)
        return Runtime(
            settings=load(home=self.settings.home, project_dir=place.root),
            store=self.store,
            place=place,
            caller=caller,
            agent=self._asked_agent if as_asked else None,
            project=project,
            session=session,
            now_ms=self._now_ms,
        )

    def reading(self, at: datetime | None = None) -> Reading:
        return self.store.reading(at)

    def close(self) -> None:
        self.store.rest()
        self.store.close()

    # Who and where

    @cached_property
    def project(self) -> Project | None:
        """The project we are in: one that is known by any of its keys, or the one that these keys will name."""
        reading = self.reading()
        if self._asked_project is not None:
            return self._named_project(reading, self._asked_project)
        keys_here = self.place.keys
        if not keys_here:
            return None
        for key in (*keys_here, *self._key_before_git()):
            found = reading.project(key)
            if found is not None and _is_same_repository(found, key, keys_here):
                return found
        digest = sha256(keys_here[0].encode("utf-8", "surrogatepass"))
        return Project(id=f"prj_{digest[:24]}", name=self.place.name)

    def _key_before_git(self) -> tuple[str, ...]:
        """What the folder was known by before `git init`; a clone that took its place has an origin and is not it."""
        kinds = {key.partition(":")[0] for key in self.place.keys}
        return (f"path:{self.place.root}",) if "dir" in kinds and "git" not in kinds else ()

    def _named_project(self, reading: Reading, asked: str) -> Project:
        known = reading.project(asked) if asked.isprintable() else None
        if known is not None:
            return known
        fits = [project for project in reading.projects() if project.name == asked]
        if len(fits) > 1:
            raise AmbiguousId(asked, tuple(project.id for project in fits))
        if not fits:
            raise UsageError(f"no project is called {asked!r}; `limpet stats --projects` lists them")
        return fits[0]

    @cached_property
    def agent(self) -> tuple[str, str]:
        """Id and name of the agent: by flag, by settings, by an accepted AGENT.md, or the default."""
        if self._asked_agent is not None:
            asked = label(self._asked_agent, 80)
            if not asked:
                raise UsageError("the agent has no name; give one, or leave --agent away")
            known = self.reading().agent(slug(asked))
            return slug(asked), known.name if known else asked
        own = self.settings.agent
        chosen = any(self.settings.origin_of(f"agent.{name}") != "default" for name in ("id", "name"))
        if not chosen and self.place.agent_file and self.project and self.project.agent:
            definition = read_agent_definition(self.place.agent_file)
            if definition is not None and definition.id == self.project.agent:
                return definition.id, definition.name
        return own.id or slug(own.name), own.name

    @property
    def agent_id(self) -> str:
        return self.agent[0]

    @cached_property
    def session(self) -> str | None:
        asked = (self._session or "").strip()
        if not asked.isprintable() or len(asked) > 200:
            raise UsageError("that is not the id of a session; give at most 200 printable characters")
        return asked or session_from_environment()

    def where(self) -> Where:
        project = self.project
        if self._asked_project is not None:
            # Then this folder is another project's: its files, branch and commit say nothing here.
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
        if every_project and self.caller.is_agent:
            raise Refused("only a person can look across projects; ask the user to run this in a terminal")
        project = self.project
        return Scope(agent=self.agent_id, project=project.id if project else None, app=app, every_project=every_project)

    # Signing

    @property
    def _keys(self) -> _Keys:
        """The keys of this machine, read again when another process has made one."""
        home = self.settings.home
        files = _names_in(os.path.join(home, "keys"))
        if self._known_keys is None or self._known_keys.files != files:
            noted = {agent.id: agent.key_id for agent in self.reading().agents() if agent.key_id}
            self._known_keys = _Keys(
                files=files, found=keys.load(home), holders=keys.agents_that_sign(home), noted=noted
            )
        return self._known_keys

    def look_again(self) -> None:
        """After a key was made or an agent accepted: who we are is found out anew."""
        self._known_keys = None
        for name in ("project", "agent"):
            self.__dict__.pop(name, None)

    def signs(self, agent: str) -> bool:
        return self._keys.signs(agent)

    def signature_for(self, memory: Memory) -> str | None:
        """The memory's signature by its agent's newest key; none if the agent does not sign or the key is elsewhere."""
        key = self._keys.newest(memory.agent)
        return sign(memory, key) if key else None

    def judged(self, stored: Stored) -> Stored:
        """The memory with the verdict on its signature, as everything that is shown must have."""
        agent, known = stored.memory.agent, self._keys
        return replace(stored, verdict=check(stored.memory, known.of(agent), signs=known.signs(agent)))

    def signed_again(self, stored: Stored, memory: Memory) -> dict[str, object]:
        """What a change of a memory's shown side says about its signature: a new one only if the old one was good.

        To sign anything else would make tampering look honest.
        """
        if self.judged(stored).verdict is not Verdict.GOOD:
            return {}
        signature = self.signature_for(memory)
        return {"signature": signature} if signature else {}

    # Writing

    def admission(
        self,
        *,
        reading: Reading | None = None,
        where: Where | None = None,
        actor: str | None = None,
        now: datetime | None = None,
    ) -> Admission:
        # Loaded here, as reading needs none of what the door knows about texts.
        from limpet.doors.admit import Admission

        return Admission(
            reading=reading or self.reading(),
            where=where or self.where(),
            settings=self.settings.admit,
            now=now or self.now(),
            actor=actor or self.actor,
            sign=self.signature_for,
        )

    @property
    def actor(self) -> str:
        return f"{self.caller.origin}:{self.agent_id}"

    def write(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Keep changes, together with what the store does not know yet about who and where."""
        if not changes:
            return ()
        signed = [change if change.actor else replace(change, actor=self.actor) for change in changes]
        introductions = self._introductions()
        return self.store.append([*introductions, *signed])[len(introductions) :]

    def _introductions(self) -> list[Change]:
        reading = self.reading()
        made = []
        agent, name = self.agent
        if reading.agent(agent) is None:
            definition = self.place.agent_file
            payload: dict[str, object] = {"name": name}
            if definition:
                payload["definition"] = definition
            made.append(Change(kind=ChangeKind.AGENT, subject=f"agent:{agent}", actor=self.actor, payload=payload))
        project = self.project
        if project is not None and self._asked_project is None:
            known = reading.project(project.id)
            new_keys = [key for key in self.place.keys if known is None or key not in known.keys]
            if new_keys:
                payload = {"name": project.name, "keys": new_keys}
                made.append(Change(kind=ChangeKind.PROJECT, subject=project.id, actor=self.actor, payload=payload))
        session = self.session
        if session and reading.session(session) is None:
            where = self.where()
            known_of_it = {"agent": agent, "project": where.project, "branch": where.branch, "commit": where.commit}
            payload = {key: value for key, value in known_of_it.items() if value is not None}
            made.append(
                Change(kind=ChangeKind.SESSION, subject=f"session:{session}", actor=self.actor, payload=payload)
            )
        return made

    def change(self, verb: ChangeKind, memory: Memory, payload: dict[str, object] | None = None) -> Change:
        """A change of one memory by this caller."""
        return Change(
            kind=verb,
            subject=memory.id,
            root=memory.root,
            lineage=memory.lineage,
            actor=self.actor,
            payload=payload or {},
        )

    # Noting

    def note(self, receipt: Receipt) -> None:
        """Receipts are counts, not memories: losing one must not fail an answer."""
        change = Change(
            kind=ChangeKind.RECEIPT, subject=f"receipt:{receipt.way}", actor=self.actor, payload=receipt.encode()
        )
        with contextlib.suppress(StoreError):
            self.store.append([change], durable=False)

    def log(self, text: str) -> None:
        """For `doctor` to tell; it never holds what a memory says."""
        with contextlib.suppress(OSError):
            system.append_line(os.path.join(self.settings.home, LOG), f"{clock.now_ms()} {text[:300]}")

    # Finding one memory

    def find(self, text: str, *, every_project: bool = False, reading: Reading | None = None) -> Stored:
        """The memory an id or an unambiguous prefix names, if this caller's scope sees it."""
        asked = text.strip().lower()
        if not is_prefix_of_id(asked):
            raise InvalidId(f"{text[:60]!r} is not a memory id; ids look like mem_01jz… and `limpet list` shows them")
        prefix = asked if asked.startswith("mem_") else f"mem_{asked}"
        reading = reading or self.reading()
        scope = self.scope(every_project=every_project)
        candidates = reading.ids_with_prefix(prefix, scope=scope, limit=1000)
        if len(candidates) > 1:
            raise AmbiguousId(text, candidates)
        stored = reading.get(candidates[0]) if candidates else None
        if stored is None:
            raise InvalidId(f"no memory here has the id {text[:60]!r}; `limpet list --all` shows those of this project")
        return self.judged(stored)

    def again(self, stored: Stored) -> Stored:
        """The same memory as it is now, after a change."""
        return self.judged(self.reading().get(stored.memory.id) or stored)


def _names_in(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def _is_same_repository(project: Project, key: str, keys_here: Sequence[str]) -> bool:
    """A folder that now holds another repository is not the project it was, and a copy is not the original."""
    origins = [each for each in keys_here if each.startswith("git:")]
    theirs = [each for each in project.keys if each.startswith("git:")]
    if origins and theirs and set(origins).isdisjoint(theirs):
        return False
    folders = [each for each in project.keys if each.startswith("dir:")]
    return not key.startswith("birth:") or not any(still_exists(folder) for folder in folders)


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        raise UsageError("the folder you are in no longer exists; go to another one") from None


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
    place = locate(cwd or _current_folder())
    settings = load(home=home, project_dir=place.root, flags=flags)
    store = FileStore(settings.home, settings=settings.store, now_ms=now_ms, progress=progress, hurried=hurried)
    return Runtime(
        settings=settings,
        store=store,
        place=place,
        caller=caller or Caller.at(has_terminal=False),
        agent=agent,
        project=project,
        session=session,
        now_ms=now_ms,
        progress=progress,
    )
