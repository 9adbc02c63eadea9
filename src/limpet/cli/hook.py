"""The hook program: queue what a host reports, answer if the event needs an answer, and never disturb the host.

The program is started for every event, by path and with `-I -S`, so every module it loads is paid for at every tool
call: until an answer is due it loads the standard library and the few modules that write. Whatever happens inside, it
ends with status 0 within its time limit and prints one answer or nothing. Failures go to `hook.log`, which `limpet
doctor` reads.
"""

from __future__ import annotations

import gc
import os
import sys

if __name__ == "__main__":
    # The program ends before there is anything worth collecting, and looking for it costs a twentieth of its time.
    gc.disable()
    _package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    _bin = os.path.dirname(sys.executable)
    _version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    # The package lies above this file; its dependencies lie beside the package, or where Python keeps them.
    sys.path += [
        os.path.dirname(_package),
        os.path.join(os.path.dirname(_bin), "lib", _version, "site-packages"),
        os.path.join(_bin, "Lib", "site-packages"),
        os.path.join(os.path.dirname(_bin), "Lib", "site-packages"),
    ]

import _thread

from limpet import clock, system
from limpet.environment import QUIET, environment, home_path, is_own_folder, project_from_environment
from limpet.errors import LimpetError
from limpet.lean import quickjson
from limpet.lean.limits import LIMITS, limit_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

UPKEEP_MS = 60_000
_TELL_MS = 100
_MOST_BYTES = 8 << 20
# Opening a pipe must not block. Windows has no such flag.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

ANSWERED = frozenset(
    ("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostToolUseFailure", "PreCompact", "SubagentStart")
)
QUEUED = frozenset(
    (
        "SessionStart",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "PostToolUse",
        "PostToolUseFailure",
        "PostCompact",
        "Stop",
        "SessionEnd",
    )
)


def main(arguments: Sequence[str] = ()) -> int:
    """Handle one event; always return 0, because a host treats any other status as an error or as an order."""
    started = clock.monotonic_ms()
    doing = "start"
    if environment().get(QUIET):
        # A client that Limpet itself has started, to ask its model: there is nothing to learn from it.
        return 0
    try:
        # Until the payload is read, the event and so its limit are unknown.
        watch = _Watch(started, UPKEEP_MS if "upkeep" in arguments else max(LIMITS.values()))
        payload = _read()
        doing = str(payload.get("hook_event_name", ""))[:40]
        host = arguments[arguments.index("--host") + 1] if "--host" in arguments[:-1] else "claude-code"
        event = _event_name(doing, host)
        answer = ""
        limit = 0
        if "upkeep" in arguments:
            _tend(payload)
        elif _names_session(payload) and (event in QUEUED or event in ANSWERED):
            limit = limit_for(event)
            watch.limit(doing, limit)
            _write_down(payload, event, host)
            if event in ANSWERED and _may(event, payload):
                answer = _answer(payload, doing, host)
            if event == "SessionEnd" and host == "claude-code":
                # This host does not wait for the end, so what the session taught is learnt before the next one starts.
                limit = 0
                watch.limit(doing, UPKEEP_MS)
                _tend(payload)
        watch.stop()
        if answer:
            os.write(1, answer.encode("utf-8", "replace"))
        spent = clock.monotonic_ms() - started
        if limit and spent > limit // 2:
            _log(doing, spent)
    except BaseException as error:  # noqa: BLE001
        # The last-resort handler: a failure of ours must never disturb the host.
        _log(doing, clock.monotonic_ms() - started, error=f"{type(error).__name__}: {error}"[:300])
    return 0


def limit_for(event: str) -> int:
    """Return the milliseconds that an event may take."""
    name = limit_name(event)
    if _is_set("hooks"):
        from limpet.settings import load

        try:
            limit: int = getattr(load().hooks, name)
            return limit
        except LimpetError:
            # Whatever is wrong with the settings, every command says it; here it must not cost the event.
            pass
    return LIMITS[name]


class _Watch:
    """A watchdog that ends the program when its time limit is reached, even if a system call hangs."""

    def __init__(self, started: int, milliseconds: int) -> None:
        self._lock = _thread.allocate_lock()
        self._lock.acquire()
        self._main = _thread.get_ident()
        self._started = started
        self._limit = milliseconds
        self._event = ""
        _thread.start_new_thread(self._wait, ())

    def limit(self, event: str, milliseconds: int) -> None:
        self._event, self._limit = event, milliseconds

    def stop(self) -> None:
        self._lock.release()

    def _wait(self) -> None:
        while (left := self._started + self._limit - clock.monotonic_ms()) > 0:
            if self._lock.acquire(timeout=min(left, 50) / 1000):
                return
        # Writing the log may hang too.
        told = _thread.allocate_lock()
        told.acquire()
        _thread.start_new_thread(self._give_up, (told,))
        told.acquire(timeout=_TELL_MS / 1000)
        os._exit(0)

    def _give_up(self, told: _thread.LockType) -> None:
        _log(self._event, self._limit, late=_place_of(self._main))
        told.release()


def _place_of(thread: int) -> str:
    """Return the function of Limpet that a thread is in, so that the log shows what a late hook was waiting for."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith("limpet.") or module == "__main__":
            return f"{module.replace('__main__', 'limpet.cli.hook')}.{frame.f_code.co_name}"
        frame = frame.f_back
    return "limpet"


def _read() -> dict[str, Any]:
    """Return the payload; if it is too large, only its first fields, which name the session and the folder."""
    chunks, size = [], 0
    while size <= _MOST_BYTES and (chunk := os.read(0, 1 << 20)):
        chunks.append(chunk)
        size += len(chunk)
    text = b"".join(chunks).decode("utf-8", "replace")
    if size > _MOST_BYTES:
        # The host must be able to finish writing, or it would report a broken pipe.
        while os.read(0, 1 << 20):
            pass
        return _read_first_fields(text[:65536])
    found = quickjson.loads(text) if text.strip() else {}
    return found if isinstance(found, dict) else {}


def _read_first_fields(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("session_id", "cwd", "hook_event_name", "transcript_path", "tool_name"):
        _, mark, rest = text.partition(f'"{name}"')
        value = rest.lstrip(" :")
        if mark and value.startswith('"'):
            try:
                found[name] = quickjson.load_first(value)
            except ValueError:
                continue
    return found


def _may(event: str, payload: Mapping[str, Any]) -> bool:
    if event != "UserPromptSubmit":
        return True
    from limpet.hosts.prompts import is_machine_made

    prompt = payload.get("prompt")
    return isinstance(prompt, str) and not is_machine_made(prompt)


def _event_name(name: str, host: str) -> str:
    """Return Limpet's name for an event; the table of a host is loaded only if the host uses another name."""
    if name in QUEUED or name in ANSWERED:
        return name
    from limpet.hosts import names_of

    return str(names_of(host).EVENTS.get(name, name))


def _is_our_tool(tool: str) -> bool:
    if not tool.startswith("mcp_"):
        return False
    from limpet.hosts.ours import is_our_tool

    return is_our_tool(tool)


def _names_session(payload: Mapping[str, Any]) -> bool:
    """Tell whether a payload names a session, and not one that Limpet itself has started."""
    session, folder = payload.get("session_id"), payload.get("cwd")
    if not isinstance(session, str) or not session.strip():
        return False
    return not (isinstance(folder, str) and is_own_folder(folder, home_path()))


def _write_down(payload: Mapping[str, Any], event: str, host: str) -> None:
    tool = str(payload.get("tool_name", ""))
    if event not in QUEUED or _is_our_tool(tool) or not _captures():
        return
    from limpet.hosts import names_of
    from limpet.queue import files as queue
    from limpet.queue.tidy import hash_cut_texts, tidy_payload

    brief = bool(tool) and tool in names_of(host).CONTENT_TOOLS
    now = clock.now_ms()
    seen: dict[str, Any] = {
        "at": now,
        "host": host,
        "dir": project_from_environment(),
        "payload": tidy_payload(payload, brief=brief),
        "left_out": hash_cut_texts(payload, brief=brief),
    }
    if event == "UserPromptExpansion" or "remember" in str(payload.get("prompt", "")).lower():
        # Loaded here, because only a request to remember is worth the look at the processes.
        from limpet.hosts.processes import is_nested_agent

        if is_nested_agent():
            seen["nested"] = True
    queue.append(home_path(), str(payload["session_id"]), seen, now_ms=now)


def _captures() -> bool:
    """Tell whether events are queued, as the settings say."""
    if not _is_set("capture"):
        return True
    from limpet.settings import load

    return load().capture.enabled


def _is_set(section: str) -> bool:
    """Tell whether the user may have changed a setting of a section; otherwise the settings need not be loaded."""
    prefix = f"LIMPET_{section.upper()}__"
    if any(name.startswith(prefix) for name in environment()):
        return True
    try:
        fd = os.open(os.path.join(home_path(), "config.toml"), _READ)
    except (OSError, LimpetError):
        return False
    try:
        return section.encode() in os.read(fd, 1 << 18)
    except OSError:
        return False
    finally:
        os.close(fd)


def _answer(payload: Mapping[str, Any], event: str, host: str) -> str:
    from limpet.hooks.answer import answer

    return answer(payload, event, host)


def _tend(payload: Mapping[str, Any]) -> None:
    from limpet.hooks.tend import tend_store

    gc.enable()
    # Learning and upkeep get a third each and may end a little late: a worker that is cut off looks like a failure.
    tend_store(payload, budget_ms=UPKEEP_MS // 3, model_ms=UPKEEP_MS // 2)


def _log(event: str, spent: int, *, error: str = "", late: str = "") -> None:
    """Write a log line for `doctor`: a failure, a slow answer, or a late answer with the place where it waited."""
    try:
        path = os.path.join(home_path(), "hook.log")
        row = {"at": clock.now_ms(), "event": event, "ms": spent, "error": error, "late": late}
        system.append_line(path, quickjson.dumps(row))
    except (OSError, ValueError, LimpetError):
        # There is nowhere left to report this.
        return


if __name__ == "__main__":
    main(sys.argv[1:])
    # Exit at once: this saves the time of tearing everything down.
    os._exit(0)
