"""Find the sessions that hosts have recorded, and tell which of them belong to the project of the caller."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from limpet.environment import is_own_folder
from limpet.errors import Refused, SettingsError, UsageError
from limpet.hosts import HOSTS, wiring
from limpet.hosts.sessions import RecordedSession, find_session_files, group_sessions
from limpet.model.scope import Project
from limpet.runtime import Runtime
from limpet.runtime.identity import recognise_project
from limpet.workspace import locate
from limpet.workspace.files import clean_label, is_inside

_MOST_FILES = 500
"""How many of the newest files are searched for the last session of a project."""


def find_places(hosts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the session folders of the hosts that are installed."""
    found = []
    for host in hosts:
        try:
            folder = wiring.host_folder(host)
        except SettingsError:  # a user without a home folder has no sessions in it
            continue
        if os.path.isdir(folder):
            found.append((host, folder))
    return found


def check_place(runtime: Runtime, path: str, hosts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the given place once for each host; refuse a place that only a person may give.

    Prompts in a transcript become memories of the user's own words. A host's folder holds sessions that the host has
    recorded. Files elsewhere may have been written by anybody, so only a person may give them.
    """
    place = os.path.abspath(os.path.expanduser(path))
    if not os.path.exists(place):
        raise UsageError(f"there is no file or folder {path[:200]!r}; give one that has sessions, or leave it out")
    own = [os.path.realpath(folder) for _, folder in find_places(HOSTS)]
    real = os.path.realpath(place)
    if runtime.caller.is_agent and not any(real == folder or is_inside(real, folder) for folder in own):
        raise Refused("only a person can name files to read as sessions; ask the user to run this in a terminal")
    return [(host, place) for host in hosts]


def find_project(runtime: Runtime) -> Callable[[RecordedSession], Project | None]:
    """Return a function that finds the project of a session, from the store or else from the session's folder.

    A session in which Limpet itself asked a model has no project.
    """
    reading, home = runtime.reading(), runtime.settings.home
    projects = {project.id: project for project in reading.projects()}
    found: dict[str, Project | None] = {}

    def find(recorded: RecordedSession) -> Project | None:
        folder = recorded.folder
        if not folder or is_own_folder(folder, home):
            return None
        known = reading.session(recorded.session)
        if known is not None and known.project in projects:
            return projects[known.project]
        if folder not in found:
            found[folder] = recognise_project(reading, locate(folder)).project
        return found[folder]

    return find


def find_last_session(runtime: Runtime) -> RecordedSession | None:
    """Return the current session of the caller, or else the last active session of this project, if there is one."""
    files = sorted(find_session_files(find_places(HOSTS)), key=lambda each: -changed_at(each[1]))
    project_at = find_project(runtime)

    def group(chosen: Sequence[tuple[str, str]]) -> list[RecordedSession]:
        found = group_sessions(chosen, failed=lambda path, error: None)
        return [recorded for recorded in found if is_own(runtime, project_at(recorded))]

    wanted = runtime.session
    if wanted:
        named = group([each for each in files if wanted in each[1]])
        return next((recorded for recorded in named if recorded.session == wanted), None)
    for newest in files[:_MOST_FILES]:
        for recorded in group([newest]):
            whole = group([each for each in files if recorded.session in each[1]])
            return next((each for each in whole if each.session == recorded.session), recorded)
    return None


def changed_at(path: str) -> float:
    """Return when a file was changed last, in seconds since the epoch; 0 if that cannot be read."""
    try:
        return os.path.getmtime(path)
    except OSError:
        return 0.0


def is_own(runtime: Runtime, project: Project | None) -> bool:
    """Tell whether a project is the caller's."""
    own = runtime.project
    return own is not None and project is not None and project.id in (own.id, *own.joined)


def name_project(recorded: RecordedSession, project: Project | None) -> str:
    """Return the name of the project of a session, for people."""
    return project.name if project is not None else clean_label(os.path.basename(recorded.folder), 80) or "unknown"


def find_own_sessions(runtime: Runtime) -> list[RecordedSession]:
    """Return the recorded sessions of the project, the newest first."""
    project_of = find_project(runtime)
    sessions = group_sessions(find_session_files(find_places(HOSTS)), failed=lambda path, error: None)
    return [each for each in reversed(sessions) if is_own(runtime, project_of(each))]
