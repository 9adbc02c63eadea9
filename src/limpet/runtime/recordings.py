"""Find the sessions that hosts (Claude Code, Codex, Gemini CLI) have recorded, and the project of each session."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import datetime

from limpet.capture.speech.spans import split_message
from limpet.environment import is_own_folder
from limpet.errors import Refused, SettingsError, UsageError, describe_error
from limpet.hosts import HOSTS, wiring
from limpet.hosts.sessions import RecordedSession, find_session_files, group_sessions
from limpet.insight.friction.conversations import Examination, examine_sessions
from limpet.learning.acts import ActFollower
from limpet.model.scope import Project
from limpet.runtime import Runtime
from limpet.runtime.identity import recognise_project
from limpet.workspace import locate
from limpet.workspace.files import clean_label, is_inside

_MOST_FILES = 500
"""The maximum number of files that are searched for the last session of a project, newest first."""


def find_session_folders(hosts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the name and the folder of each of these hosts that is installed."""
    found = []
    for host in hosts:
        try:
            folder = wiring.host_folder(host)
        except SettingsError:
            # The user has no home folder, so there are no sessions in it.
            continue
        if os.path.isdir(folder):
            found.append((host, folder))
    return found


def check_session_path(runtime: Runtime, path: str, hosts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the path paired with each host, because its files may come from any of them.

    Raise UsageError if the path does not exist, and Refused if a model names a path outside the hosts' folders.
    """
    # Prompts in a recording become memories in the user's own words. Files outside the hosts' folders may have been
    # written by anybody, so only a person may name them.
    place = os.path.abspath(os.path.expanduser(path))
    if not os.path.exists(place):
        raise UsageError(f"there is no file or folder {path[:200]!r}; give one that has sessions, or leave it out")
    own = [os.path.realpath(folder) for _, folder in find_session_folders(HOSTS)]
    real = os.path.realpath(place)
    if runtime.caller.is_agent and not any(real == folder or is_inside(real, folder) for folder in own):
        raise Refused("only a person can name files to read as sessions; ask the user to run this in a terminal")
    return [(host, place) for host in hosts]


def make_project_finder(runtime: Runtime) -> Callable[[RecordedSession], Project | None]:
    """Return a function that finds the project of a recorded session, from the store or else from the session's folder.

    The function returns None if the project is unknown, or if Limpet itself used the session to ask a model.
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
    """Return the recording of the caller's session or, if the caller has none, of the project's last active session.

    Return None if there is no such recording.
    """
    files = sorted(find_session_files(find_session_folders(HOSTS)), key=lambda each: -read_change_time(each[1]))
    project_at = make_project_finder(runtime)

    def group(chosen: Sequence[tuple[str, str]]) -> list[RecordedSession]:
        found = group_sessions(chosen, failed=lambda path, error: None)
        return [recorded for recorded in found if is_own_project(runtime, project_at(recorded))]

    wanted = runtime.session
    if wanted:
        named = group([each for each in files if wanted in each[1]])
        return next((recorded for recorded in named if recorded.session == wanted), None)
    for newest in files[:_MOST_FILES]:
        for recorded in group([newest]):
            whole = group([each for each in files if recorded.session in each[1]])
            return next((each for each in whole if each.session == recorded.session), recorded)
    return None


def read_change_time(path: str) -> float:
    """Return the time of the last change to a file, in seconds since the epoch; 0 if it cannot be read."""
    try:
        return os.path.getmtime(path)
    except OSError:
        return 0.0


def is_own_project(runtime: Runtime, project: Project | None) -> bool:
    """Tell whether a project is the caller's project, or was joined with it."""
    own = runtime.project
    return own is not None and project is not None and project.id in (own.id, *own.joined)


def name_project(recorded: RecordedSession, project: Project | None) -> str:
    """Return the name of a session's project or, if `project` is None, the name of the session's folder."""
    return project.name if project is not None else clean_label(os.path.basename(recorded.folder), 80) or "unknown"


def find_own_sessions(runtime: Runtime) -> list[RecordedSession]:
    """Return the recorded sessions of the caller's project, newest first."""
    project_of = make_project_finder(runtime)
    sessions = group_sessions(find_session_files(find_session_folders(HOSTS)), failed=lambda path, error: None)
    return [each for each in reversed(sessions) if is_own_project(runtime, project_of(each))]


def examine_recordings(
    runtime: Runtime,
    places: list[tuple[str, str]],
    *,
    earliest: datetime | None = None,
    all_projects: bool = False,
) -> tuple[Examination, int]:
    """Examine the recorded sessions of this project, or of all projects.

    `places` are pairs of a host and a folder or file that contains its sessions. Also return how many sessions were
    skipped, because they belong to another project or to none.
    """
    unreadable: list[tuple[str, str]] = []
    files = find_session_files(places, since=earliest)
    looked = iter(range(1, len(files) + 1))
    sessions = group_sessions(
        files,
        failed=lambda file, error: unreadable.append((file, describe_error(error))),
        tick=lambda: runtime.progress("looking for sessions", next(looked), len(files) + 1),
    )
    project_at = make_project_finder(runtime)
    projects = {recorded.session: project_at(recorded) for recorded in sessions}
    chosen: list[RecordedSession] = [
        recorded
        for recorded in sessions
        if (
            projects[recorded.session] is not None
            if all_projects
            else is_own_project(runtime, projects[recorded.session])
        )
    ]
    found = examine_sessions(
        chosen,
        own_words=lambda text: split_message(text).typed,
        follow=ActFollower,
        # Recordings may still contain purged texts in unknown places, so nothing older than the last purge is quoted.
        quotes_since=runtime.reading().last_purged(),
        project_of=lambda recorded: name_project(recorded, projects[recorded.session]),
        tick=lambda number: runtime.progress("reading sessions", number, len(chosen) + 1),
    )
    found.failed[:0] = unreadable
    return found, len(sessions) - len(chosen)
