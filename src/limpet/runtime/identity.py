"""Who asks, as which agent, in which project and session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.environment import inside_agent, session_from_environment
from limpet.errors import AmbiguousId, UsageError
from limpet.lean.digest import sha256
from limpet.lean.record import record
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Origin
from limpet.model.scope import Project, Where
from limpet.settings import Settings
from limpet.store.protocol import Reading
from limpet.workspace import Place, read_agent_definition, slug, still_exists
from limpet.workspace.files import label

_LONGEST_SESSION = 200


@record
class Caller:
    """Who asks. `origin` is the most that what they store may claim; `is_agent` says that a model is typing."""

    origin: Origin = Origin.AGENT
    is_agent: bool = False
    has_terminal: bool = False

    @classmethod
    def at(cls, *, has_terminal: bool) -> Caller:
        """Return the caller of a process: the user at a terminal outside of an agent, else an agent."""
        agent = inside_agent()
        user = has_terminal and not agent
        return cls(origin=Origin.USER if user else Origin.AGENT, is_agent=agent, has_terminal=has_terminal)


def find_project(reading: Reading, place: Place, asked: str | None) -> Project | None:
    """Return the project that was asked for by name, the one known by any key of the place, or a new one for it."""
    if asked is not None:
        return _named_project(reading, asked)
    if not place.keys:
        return None
    for key in (*place.keys, *_key_before_git(place)):
        found = reading.project(key)
        if found is not None and _is_same_repository(found, key, place.keys):
            return found
    digest = sha256(place.keys[0].encode("utf-8", "surrogatepass")).hexdigest()
    return Project(id=f"prj_{digest[:24]}", name=place.name)


def _named_project(reading: Reading, asked: str) -> Project:
    known = reading.project(asked) if asked.isprintable() else None
    if known is not None:
        return known
    fits = [project for project in reading.projects() if project.name == asked]
    if len(fits) > 1:
        raise AmbiguousId(asked, tuple(project.id for project in fits))
    if not fits:
        raise UsageError(f"no project is called {asked!r}; `limpet stats --projects` lists them")
    return fits[0]


def _key_before_git(place: Place) -> tuple[str, ...]:
    """Return the key of the folder before `git init`; a clone that took its place has an origin and is not it."""
    kinds = {key.partition(":")[0] for key in place.keys}
    return (f"path:{place.root}",) if "dir" in kinds and "git" not in kinds else ()


def _is_same_repository(project: Project, key: str, keys_here: Sequence[str]) -> bool:
    """Tell whether a folder is still the project: not if it holds another repository now, nor if it is a copy."""
    origins = [each for each in keys_here if each.startswith("git:")]
    theirs = [each for each in project.keys if each.startswith("git:")]
    if origins and theirs and set(origins).isdisjoint(theirs):
        return False
    folders = [each for each in project.keys if each.startswith("dir:")]
    return not key.startswith("birth:") or not any(still_exists(folder) for folder in folders)


def find_agent(
    reading: Reading, settings: Settings, place: Place, project: Project | None, asked: str | None
) -> tuple[str, str]:
    """Return id and name of the agent: by flag, by settings, by an accepted AGENT.md, or the default."""
    if asked is not None:
        name = label(asked, 80)
        if not name:
            raise UsageError("the agent has no name; give one, or leave --agent away")
        known = reading.agent(slug(name))
        return slug(name), known.name if known else name
    own = settings.agent
    is_chosen = any(settings.origin_of(f"agent.{name}") != "default" for name in ("id", "name"))
    if not is_chosen and place.agent_file and project and project.agent:
        definition = read_agent_definition(place.agent_file)
        if definition is not None and definition.id == project.agent:
            return definition.id, definition.name
    return own.id or slug(own.name), own.name


def find_session(asked: str | None) -> str | None:
    """Return the id of the session that was asked for, or that the environment names."""
    session = (asked or "").strip()
    if not session.isprintable() or len(session) > _LONGEST_SESSION:
        raise UsageError("that is not the id of a session; give at most 200 printable characters")
    return session or session_from_environment()


def introductions(
    reading: Reading, *, agent: tuple[str, str], project: Project | None, place: Place, where: Where, actor: str
) -> Iterable[Change]:
    """Yield what the store does not know yet about the agent, the project and the session that write to it."""
    id, name = agent
    if reading.agent(id) is None:
        named: dict[str, object] = {"name": name}
        if place.agent_file:
            named["definition"] = place.agent_file
        yield Change(kind=ChangeKind.AGENT, subject=f"agent:{id}", actor=actor, payload=named)
    if project is not None:
        known = reading.project(project.id)
        keys = [key for key in place.keys if known is None or key not in known.keys]
        if keys:
            payload = {"name": project.name, "keys": keys}
            yield Change(kind=ChangeKind.PROJECT, subject=project.id, actor=actor, payload=payload)
    if where.session and reading.session(where.session) is None:
        met = {"agent": id, "project": where.project, "branch": where.branch, "commit": where.commit}
        payload = {key: value for key, value in met.items() if value is not None}
        yield Change(kind=ChangeKind.SESSION, subject=f"session:{where.session}", actor=actor, payload=payload)
