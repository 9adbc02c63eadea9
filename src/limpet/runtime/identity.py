"""Determine the caller, the agent, the project and the session of an operation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.environment import LONGEST_SESSION, session_from_environment
from limpet.errors import AmbiguousId, UsageError
from limpet.hosts.client_processes import is_inside_agent
from limpet.lean.digest import sha256
from limpet.lean.record import record
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Origin
from limpet.model.scope import Project, Where
from limpet.settings import Settings
from limpet.store.protocol import Reading
from limpet.workspace import Place, decode_path, make_slug, read_agent_definition, still_exists
from limpet.workspace.files import clean_label

TERMINAL, CODE = "terminal", "code"
"""The ways to prove that the caller is a person, by their names in the journal."""

_MOST_COMMITS = 32
"""The maximum number of a project's commits that are searched for in a folder."""

UNPROVEN = (
    "this folder says that it is a project which Limpet knows from another folder, but has no recorded commit of it; "
    "nothing is told here until the user runs `limpet confirm --project` in this folder, in a terminal"
)
"""The message for a folder that claims to be a known project and cannot prove it.

It does not quote the project's name, because the folder chooses that name and could put instructions in it.
"""


@record
class Caller:
    """The person or program that requests an operation.

    `origin` is the most trusted origin that this caller's memories may have. `is_agent` is true if a model makes the
    request.
    """

    origin: Origin = Origin.AGENT
    is_agent: bool = False
    proof: str = ""
    """How the caller has proven to be a person: `TERMINAL` or `CODE`; an empty string without a proof."""

    @classmethod
    def at(cls, *, has_terminal: bool, is_typing: bool = False) -> Caller:
        """Return the caller of this process: the user if it has a terminal that no agent has started, else an agent.

        `is_typing` is true if both the input and the output are on a terminal, so that the user can be asked.
        """
        agent = is_inside_agent()
        user = has_terminal and not agent
        proof = TERMINAL if user and is_typing else ""
        return cls(origin=Origin.USER if user else Origin.AGENT, is_agent=agent, proof=proof)


@record
class Recognition:
    """The project that a folder belongs to.

    `keys` contains the keys of the folder (such as its path) that are recorded with the project at the next write.
    `claimed` is a known project that the folder claims to be without proof. In that case, `project` is a separate
    project for this folder alone, and no memory may be shown.
    """

    project: Project | None = None
    keys: tuple[str, ...] = ()
    claimed: Project | None = None


def recognise_project(
    reading: Reading, place: Place, asked: str | None = None, *, is_accepted: bool = False
) -> Recognition:
    """Return the project named `asked`, else the known project with a key of this folder, else a new project.

    Keys are read from the repository and could be forged. So a key counts only if the project was accepted in this
    folder before, or if the folder contains one of the project's commits. `is_accepted` is true if a person vouches for
    the folder.
    """
    if asked is not None:
        return Recognition(project=_named_project(reading, asked))
    if not place.keys:
        return Recognition()
    claimed: Project | None = None
    for key in (*place.keys, *_key_before_git(place)):
        found = reading.project(key)
        if found is None or not _is_same_repository(found, key, place.keys):
            continue
        # The key of a plain folder is its path, which nothing in the folder can change.
        if is_accepted or key.startswith("path:") or _was_seen(found, place) or _holds_commit(reading, found, place):
            return Recognition(project=found, keys=_keys_to_claim(reading, found, place))
        claimed = claimed or found
    if claimed or not place.is_linked:
        held = _held_key(place)
        project = reading.project(held) or Project(id=_project_id(held), name=place.name)
        return Recognition(project=project, keys=(held,), claimed=claimed)
    project = Project(id=_project_id(place.keys[0]), name=place.name)
    return Recognition(project=project, keys=_keys_to_claim(reading, project, place))


def _project_id(key: str) -> str:
    return f"prj_{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def _held_key(place: Place) -> str:
    """Return the key of the separate project for a folder.

    The folder has one if it was not accepted as the project it claims to be.
    """
    return f"held:{_digest(place.root, *place.marks[:1])}"


def _seen_keys(project: Project, place: Place) -> tuple[str, ...]:
    """Return the keys that record that a project was accepted in this folder. Any one of them is sufficient."""
    return tuple(f"seen:{_digest(project.id, mark)}" for mark in place.marks)


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _keys_to_claim(reading: Reading, project: Project, place: Place) -> tuple[str, ...]:
    """Return the keys to record for a project in a folder that was accepted as belonging to it."""
    # A folder that only points at a repository must not take the place of the repository's own folder.
    keys = (*(place.keys if place.is_linked else ()), *_seen_keys(project, place)[:1])
    if not place.marks or _was_seen(project, place):
        return keys
    held = reading.project(_held_key(place))
    return keys if held is None else (*keys, f"join:{held.id}")


def _was_seen(project: Project, place: Place) -> bool:
    """Tell whether the project was accepted in this folder before."""
    return not set(_seen_keys(project, place)).isdisjoint(project.keys)


def _holds_commit(reading: Reading, project: Project, place: Place) -> bool:
    """Tell whether the folder's git objects include a commit that was recorded with the project."""
    if not place.is_linked or place.git_directory is None:
        return False
    # Loaded here, because it is needed once a folder.
    from limpet.workspace.objects import has_any_commit

    return has_any_commit(place.git_directory, reading.commits(project.id, limit=_MOST_COMMITS))


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
    """Return the key that the folder had before `git init`, or an empty tuple if the repository has an origin.

    A repository with an origin may be a clone of another project that was put at the same path.
    """
    kinds = {key.partition(":")[0] for key in place.keys}
    return (f"path:{decode_path(place.root)}",) if "dir" in kinds and "git" not in kinds else ()


def _is_same_repository(project: Project, key: str, keys_here: Sequence[str]) -> bool:
    """Tell whether a folder with a project's key is still that project.

    A copy of the folder is a different project, and so is a folder that now contains another repository.
    """
    origins = [each for each in keys_here if each.startswith("git:")]
    theirs = [each for each in project.keys if each.startswith("git:")]
    if origins and theirs and set(origins).isdisjoint(theirs):
        return False
    folders = [each for each in project.keys if each.startswith("dir:")]
    return not key.startswith("birth:") or not any(still_exists(folder) for folder in folders)


def find_agent(
    reading: Reading, settings: Settings, place: Place, project: Project | None, asked: str | None
) -> tuple[str, str]:
    """Return the agent's id and name.

    They come from the flag `asked`, the settings, an accepted AGENT.md, or the default, in this order.
    """
    if asked is not None:
        name = clean_label(asked, 80)
        if not name:
            raise UsageError("the agent has no name; give one, or leave out --agent")
        known = reading.agent(make_slug(name))
        return make_slug(name), known.name if known else name
    own = settings.agent
    is_chosen = not settings.origins.keys().isdisjoint(("agent.id", "agent.name"))
    if not is_chosen and place.agent_file and project and project.agent:
        definition = read_agent_definition(place.agent_file)
        if definition is not None and definition.id == project.agent:
            return definition.id, definition.name
    return own.id or make_slug(own.name), own.name


def find_session(asked: str | None) -> str | None:
    """Return the session id: `asked`, else the one in the environment, or None outside of a session."""
    session = (asked or "").strip()
    if not session.isprintable() or len(session) > LONGEST_SESSION:
        raise UsageError("that is not the id of a session; give at most 200 printable characters")
    return session or session_from_environment()


def introduce(
    reading: Reading,
    *,
    agent: tuple[str, str],
    found: Recognition,
    place: Place,
    where: Where,
    actor: str,
    key_id: str = "",
) -> Iterable[Change]:
    """Yield the changes that record the agent, the project and the session, if they are not in the store yet."""
    id, name = agent
    if reading.agent(id) is None:
        named: dict[str, object] = {"name": name}
        if place.agent_file:
            named["definition"] = place.agent_file
        if key_id:
            named["key_id"] = key_id
        yield Change(kind=ChangeKind.AGENT, subject=f"agent:{id}", actor=actor, payload=named)
    project = found.project
    # A key belongs to the first project that claimed it.
    keys = [key for key in found.keys if project and key not in project.keys and reading.project(key) is None]
    if project is not None and keys:
        payload: dict[str, object] = {"name": project.name, "keys": keys}
        if place.head and place.is_linked and not found.claimed:
            payload["commit"] = place.head
        yield Change(kind=ChangeKind.PROJECT, subject=project.id, actor=actor, payload=payload)
    if where.session and reading.session(where.session) is None:
        met = {"agent": id, "project": where.project, "branch": where.branch, "commit": where.commit}
        known = {key: value for key, value in met.items() if value is not None}
        yield Change(kind=ChangeKind.SESSION, subject=f"session:{where.session}", actor=actor, payload=known)
