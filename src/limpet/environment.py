"""The only module that reads the environment; what it says about the user, the host and us is asked here.

Hooks need it and little else, so it loads nothing.
"""

from __future__ import annotations

import os
import sys

from limpet.errors import SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def home_path(environ: Mapping[str, str] | None = None) -> str:
    """Where everything of Limpet's lives: LIMPET_HOME, else `~/.limpet`."""
    env = environment(environ)
    return absolute(env.get("LIMPET_HOME", "").strip() or os.path.join("~", ".limpet"), env)


def absolute(path: str, env: Mapping[str, str]) -> str:
    if path == "~" or path.startswith(("~/", "~" + os.sep)):
        own = _own_folder(env)
        if own is None:
            raise SettingsError("there is no home folder for this user; set LIMPET_HOME to a folder of your own")
        path = os.path.join(own, path[2:]) if path[2:] else own
    try:
        if "\0" in path:
            raise ValueError("a zero byte in the path")
        return os.path.abspath(os.path.expanduser(path))
    except (OSError, ValueError) as error:
        raise SettingsError(f"cannot use {path[:80]!r} as home ({error}); set LIMPET_HOME") from error


def _own_folder(env: Mapping[str, str]) -> str | None:
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


# A variable that each client sets for the commands it runs, one that a person's own shell does not have.
_AGENT_MARKS = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "CURSOR_AGENT",
    "GEMINI_CLI",
)


def inside_agent(environ: Mapping[str, str] | None = None) -> bool:
    """Whether an agent client started us, so that who speaks is not the user."""
    env = environment(environ)
    return any(env.get(mark, "") not in ("", "0") for mark in _AGENT_MARKS)


def session_from_environment(environ: Mapping[str, str] | None = None) -> str | None:
    """The host's session that we were started in; hooks rather take it from their payload."""
    session = environment(environ).get("CLAUDE_CODE_SESSION_ID", "").strip()
    return session if session.isprintable() and 0 < len(session) <= 200 else None


def project_from_environment(environ: Mapping[str, str] | None = None) -> str | None:
    """The folder that the host was started in, which is not always where its servers run."""
    folder = environment(environ).get("CLAUDE_PROJECT_DIR", "")
    return folder if os.path.isabs(folder) else None


def debug_wanted(environ: Mapping[str, str] | None = None) -> bool:
    """Whether an error inside Limpet should show where it happened."""
    return bool(environment(environ).get("LIMPET_DEBUG"))


def no_colour(environ: Mapping[str, str] | None = None) -> bool:
    env = environment(environ)
    return bool(env.get("NO_COLOR")) or env.get("TERM") == "dumb"


def environment(environ: Mapping[str, str] | None = None) -> Mapping[str, str]:
    return os.environ if environ is None else environ
