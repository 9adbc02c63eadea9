"""The only module that reads environment variables: the home folder, and the agent client that started this process.

Hooks need this module, so it imports next to nothing.
"""

from __future__ import annotations

import os
import sys

from limpet.errors import SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

LONGEST_PATH = 4095
"""The length of the longest path that Linux accepts, in bytes; other systems accept less."""


def home_path(environ: Mapping[str, str] | None = None) -> str:
    """Return the folder that holds all of Limpet's files: LIMPET_HOME, else `~/.limpet`."""
    env = environment(environ)
    return make_absolute(env.get("LIMPET_HOME", "").strip() or os.path.join("~", ".limpet"), env)


def make_absolute(path: str, env: Mapping[str, str]) -> str:
    """Return the path made absolute; `~` stands for the user's folder that the environment names."""
    if path == "~" or path.startswith(("~/", "~" + os.sep)):
        own = _user_folder(env)
        if own is None:
            raise SettingsError("there is no home folder for this user; set LIMPET_HOME to a folder of your own")
        path = os.path.join(own, path[2:]) if path[2:] else own
    try:
        if "\0" in path:
            raise ValueError("a zero byte in the path")
        if len(os.fsencode(path)) > LONGEST_PATH:
            raise ValueError("too long for a path")
        return os.path.abspath(os.path.expanduser(path))
    except (OSError, ValueError) as error:
        raise SettingsError(f"cannot use {path[:80]!r} as home ({error}); set LIMPET_HOME") from error


def _user_folder(env: Mapping[str, str]) -> str | None:
    for name in ("USERPROFILE", "HOME") if sys.platform == "win32" else ("HOME",):
        if env.get(name):
            return env[name]
    if sys.platform == "win32":
        return None
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir or None
    except KeyError:
        return None


def is_own_folder(folder: str, home: str) -> bool:
    """Tell whether a folder is in Limpet's home: a client that works there was started by Limpet, to ask its model."""
    inside = os.path.join(folder, "")
    # A client names its folder without links.
    return inside.startswith((os.path.join(home, ""), os.path.join(os.path.realpath(home), "")))


SERVER_SOCKET, SERVER_TOKEN = ("http", "socket"), ("http", "token")
"""The socket of a server and its token, below the home; they are defined here, because every hook looks for them."""

LONGEST_SESSION = 200
"""The maximum number of characters of a session id; it is defined here, because every hook checks it."""

QUIET = "LIMPET_QUIET"
"""The variable that silences Limpet's hooks; Limpet sets it for the programs that it starts."""

# Variables that agent clients set for the commands they run, and that a person's shell does not have.
_CLIENT_VARIABLES = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "CURSOR_AGENT",
    "GEMINI_CLI",
)


def has_client_variables(environs: Iterable[Mapping[str, str]] | None = None) -> bool:
    """Tell whether this process has variables that only agent clients set; its caller is then an agent, not the user.

    If `environs`, the variables of other processes, are given, tell whether one of those processes has them.
    """
    found = (os.environ,) if environs is None else environs
    return any(env.get(name, "") not in ("", "0") for env in found for name in _CLIENT_VARIABLES)


def session_from_environment(environ: Mapping[str, str] | None = None) -> str | None:
    """Return the id of the host's session that started this process, if the environment names it.

    Hooks take the id from their payload instead.
    """
    session = environment(environ).get("CLAUDE_CODE_SESSION_ID", "").strip()
    return session if session.isprintable() and 0 < len(session) <= LONGEST_SESSION else None


def project_from_environment(environ: Mapping[str, str] | None = None) -> str | None:
    """Return the folder in which the host was started, or None; the host's MCP servers may run in another folder."""
    folder = environment(environ).get("CLAUDE_PROJECT_DIR", "")
    return folder if os.path.isabs(folder) else None


def leave_client() -> None:
    """Remove the variables of the agent client from this process, because a server outlives the client's session."""
    for name in (*_CLIENT_VARIABLES, "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR"):
        os.environ.pop(name, None)


def shows_traceback(environ: Mapping[str, str] | None = None) -> bool:
    """Tell whether an error inside Limpet should show its traceback."""
    return bool(environment(environ).get("LIMPET_DEBUG"))


def find_editor(environ: Mapping[str, str] | None = None) -> str:
    """Return the command of the editor that the user has chosen; empty if there is none."""
    env = environment(environ)
    return env.get("VISUAL", "").strip() or env.get("EDITOR", "").strip()


def wants_no_colour(environ: Mapping[str, str] | None = None) -> bool:
    """Tell whether the user wants output without colour."""
    env = environment(environ)
    return bool(env.get("NO_COLOR")) or env.get("TERM") == "dumb"


def environment(environ: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """Return the given variables, or the variables of this process if none were given."""
    return os.environ if environ is None else environ


def import_numpy() -> Any:
    """Return numpy, limited to one thread: with small matrices, threads mostly wait for each other.

    The libraries below numpy read the number of threads from variables when they are loaded.
    """
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        import numpy
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
    return numpy
