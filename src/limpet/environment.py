"""Read environment variables, for example to find the home folder and the agent client that started this process.

Other modules get environment variables only from here. Hooks need this module, so it imports few others.
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
"""The maximum length of a path on Linux, in bytes. Other systems allow less."""


def home_path(environ: Mapping[str, str] | None = None) -> str:
    """Return the path of the home, the folder with all of Limpet's data: LIMPET_HOME, or else `~/.limpet`."""
    env = environment(environ)
    path = make_absolute(env.get("LIMPET_HOME", "").strip() or os.path.join("~", ".limpet"), env)
    try:
        path.encode()
    except UnicodeEncodeError as error:
        # SQLite opens no other path.
        raise SettingsError(f"cannot use {path[:80]!r} as home (the path is not UTF-8); set LIMPET_HOME") from error
    return path


def make_absolute(path: str, env: Mapping[str, str]) -> str:
    """Return a path as an absolute one, with `~` replaced by the user's home folder.

    Raise SettingsError if the path is not usable.
    """
    if path == "~" or path.startswith(("~/", "~" + os.sep)):
        own = _find_user_folder(env)
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


def _find_user_folder(env: Mapping[str, str]) -> str | None:
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
    """Tell whether a folder is inside Limpet's home.

    If so, Limpet itself started the agent client that works there, to use the client's model.
    """
    inside = os.path.join(folder, "")
    # A client resolves symlinks in the path of its folder.
    return inside.startswith((os.path.join(home, ""), os.path.join(os.path.realpath(home), "")))


SERVER_SOCKET, SERVER_TOKEN = ("http", "socket"), ("http", "token")
"""The paths of a server's socket and token, relative to the home. They are here because every hook needs them."""

LONGEST_SESSION = 200
"""The maximum length of a session id, in characters. It is here because every hook checks it."""

QUIET = "LIMPET_QUIET"
"""The variable that makes Limpet's hooks do nothing. Limpet sets it for agent clients that it starts."""

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
    """Tell whether the environment variables show that an agent client started this process.

    If `environs` is given, the environments of other processes are searched for these variables instead.
    """
    found = (os.environ,) if environs is None else environs
    return any(env.get(name, "") not in ("", "0") for env in found for name in _CLIENT_VARIABLES)


def session_from_environment(environ: Mapping[str, str] | None = None) -> str | None:
    """Return the id of the agent client's session in which this process was started, or None if it is unknown.

    Hooks do not use this function, because their payload contains the id.
    """
    session = environment(environ).get("CLAUDE_CODE_SESSION_ID", "").strip()
    return session if session.isprintable() and 0 < len(session) <= LONGEST_SESSION else None


def project_from_environment(environ: Mapping[str, str] | None = None) -> str | None:
    """Return the folder in which the agent client was started, or None if it is unknown.

    An MCP server may run in a different folder from its client.
    """
    folder = environment(environ).get("CLAUDE_PROJECT_DIR", "")
    return folder if os.path.isabs(folder) else None


def remove_client_variables() -> None:
    """Remove the agent client's variables from the environment of this process.

    A server does this, because it continues to run after the client's session.
    """
    for name in (*_CLIENT_VARIABLES, "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR"):
        os.environ.pop(name, None)


def shows_traceback(environ: Mapping[str, str] | None = None) -> bool:
    """Tell whether the traceback of an internal error should be shown, which is the case if LIMPET_DEBUG is set."""
    return bool(environment(environ).get("LIMPET_DEBUG"))


def find_editor(environ: Mapping[str, str] | None = None) -> str:
    """Return the editor command in VISUAL or EDITOR, or an empty string if neither is set."""
    env = environment(environ)
    return env.get("VISUAL", "").strip() or env.get("EDITOR", "").strip()


def wants_no_colour(environ: Mapping[str, str] | None = None) -> bool:
    """Tell whether output should have no colour, because NO_COLOR is set or the terminal does not support colour."""
    env = environment(environ)
    return bool(env.get("NO_COLOR")) or env.get("TERM") == "dumb"


def environment(environ: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """Return the given variables, or the environment variables of this process if `environ` is None."""
    return os.environ if environ is None else environ


def import_numpy() -> Any:
    """Import numpy, limited to one thread, and return it.

    With small matrices, several threads would spend most of their time waiting for each other.
    """
    # The libraries that numpy uses read the number of threads from these variables when they are loaded.
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
