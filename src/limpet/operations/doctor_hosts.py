"""What the doctor asks about the agents: are they wired, once, to a program that is there, and did their hooks work."""

from __future__ import annotations

import contextlib
import glob
import json
import os

from limpet import __version__
from limpet.errors import Refused
from limpet.hosts import HOSTS, wiring
from limpet.hosts.claude_code import wiring as claude_code
from limpet.hosts.wiring import TITLES, Launcher, NotWirable, SettingsFile
from limpet.lean.record import field, mutable
from limpet.operations.ledger import LEDGER, Ledger, Untouchable, read
from limpet.operations.setup import RUNTIME
from limpet.runtime import LOG
from limpet.store.protocol import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

HOOK_LOG = "hook.log"
_LOG_LIMIT = 1 << 20
_AGAIN = "run: limpet setup"


@mutable
class Wiring:
    """What was found: who calls us, what is wrong, what is worth knowing."""

    facts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    runtime: dict[str, Any] = field(default_factory=dict)


def examine(home: str) -> Wiring:
    found = Wiring(runtime=read_runtime(home))
    called = []
    plugin = claude_code.plugin()
    for host in HOSTS:
        ways = _examine_host(found, host)
        if host == "claude-code" and plugin == "enabled":
            ways.append("its plugin")
            if len(ways) > 1:
                found.problems.append(Problem(what=f"Claude Code is wired twice, by settings and plugin; {_AGAIN}"))
        if ways:
            called.append(f"{TITLES[host]} by {' and '.join(ways)}")
    if called:
        found.facts["agents"] = ", ".join(called)
        found.problems += _program(found, home)
        if note := claude_code.native_memory():
            found.notes.append(note)
    try:
        Ledger(home)
    except Refused as error:
        found.problems.append(Problem(what=str(error)))
    found.problems += [
        Problem(what="left over from an interrupted write", where=path, fixable=True) for path in leftovers(home)
    ]
    _read_log(found, home)
    return found


def read_runtime(home: str) -> dict[str, Any]:
    try:
        with open(os.path.join(home, RUNTIME), encoding="utf-8") as file:
            known = json.load(file)
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def settings_files(host: str) -> tuple[SettingsFile, ...]:
    """The files that would wire a host, with what belongs into them for some interpreter."""
    return wiring.files(host, Launcher(python="python", hook="limpet/cli/hook.py", path=(), version=__version__))


def _examine_host(found: Wiring, host: str) -> list[str]:
    hooks: list[tuple[str, str]] = []
    server = None
    wanted = 0
    for file in settings_files(host):
        wanted += len(file.groups)
        try:
            text = read(file.path)
            here, entry = wiring.wired(text, file.syntax) if text else ([], None)
        except Untouchable:
            continue
        except NotWirable as error:
            found.problems.append(Problem(what=f"settings of {TITLES[host]} cannot be read: {error}", where=file.path))
            continue
        hooks += here
        server = server or entry
    if not hooks and server is None:
        return []
    title = TITLES[host]
    if len(hooks) != len(set(hooks)):
        found.problems.append(Problem(what=f"{title} has a hook of ours twice; {_AGAIN}"))
    elif len(hooks) < wanted or server is None:
        missing = "the MCP server is" if server is None else f"{wanted - len(hooks)} hooks are"
        found.problems.append(Problem(what=f"{missing} missing in the settings of {title}; {_AGAIN}"))
    programs = {_program_in(command) for _, command in hooks} | {str(server["command"]) if server else ""}
    found.problems += [
        Problem(what=f"{title} calls a Python that is gone; {_AGAIN}", where=program)
        for program in sorted(programs - {""})
        if not os.path.isfile(program)
    ]
    return ["its settings"]


def _program_in(command: str) -> str:
    """The interpreter of a command line that we wrote."""
    command = command.removeprefix("& ")
    if not command.startswith('"'):
        return command.partition(" ")[0]
    path, at = "", 1
    while at < len(command) and command[at] != '"':
        at += command[at] == "\\" and command[at + 1 : at + 2] in ("\\", '"', "$", "`")
        path += command[at : at + 1]
        at += 1
    return path


def _program(found: Wiring, home: str) -> Iterator[Problem]:
    """Whether what setup wrote down still holds."""
    where = os.path.join(home, RUNTIME)
    python, hook = found.runtime.get("python"), found.runtime.get("hook")
    if not isinstance(python, str) or not isinstance(hook, str):
        yield Problem(what=f"it is not written down what to start; {_AGAIN}", where=where)
        return
    if not os.path.isfile(python):
        yield Problem(what=f"the Python of the hooks is gone; {_AGAIN}", where=python)
    elif is_shim(python):
        yield Problem(what=f"the Python of the hooks is a shim, which may become another one; {_AGAIN}", where=python)
    folders = found.runtime.get("path") or []
    if not os.path.isfile(hook) or not any(os.path.isdir(os.path.join(str(each), "limpet")) for each in folders):
        yield Problem(what=f"Limpet is not where the hooks look for it; {_AGAIN}", where=hook)
    if found.runtime.get("version") != __version__:
        found.notes.append(f"the agents were wired by version {found.runtime.get('version')}; {_AGAIN}")


def is_shim(path: str) -> bool:
    """A script that chooses an interpreter anew each time: what it chooses need not have Limpet."""
    if "shims" in path.replace("\\", "/").split("/"):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def leftovers(home: str) -> list[str]:
    """Temporary files of ours beside files that we write: somebody stopped us between writing and renaming."""
    ours = [file.path for host in HOSTS for file in settings_files(host)]
    with contextlib.suppress(Refused):
        ours += [entry.path for entry in Ledger(home).entries.values()]
    ours += [os.path.join(home, name) for name in (RUNTIME, LEDGER)]
    patterns = [f"{glob.escape(os.path.realpath(path))}.*.*.tmp" for path in ours]
    return sorted({path for pattern in patterns for path in glob.glob(pattern)})


def clear_leftovers(home: str) -> list[str]:
    mended = []
    for path in leftovers(home):
        with contextlib.suppress(OSError):
            os.unlink(path)
            mended.append(f"removed {path}, left over from an interrupted write")
    return mended


def _read_log(found: Wiring, home: str) -> None:
    """The hooks' own notes of what failed or took long; a line that is damaged is passed over."""
    rows = [row for row in map(_row, _lines(home, HOOK_LOG)) if row]
    failed = [row for row in rows if row.get("error")]
    slow = [row for row in rows if not row.get("error")]
    if rows:
        longest = max((row["ms"] for row in rows if isinstance(row.get("ms"), int)), default=0)
        found.facts["hooks"] = f"{len(failed)} failed, {len(slow)} slow, the longest {longest} ms"
    if failed:
        last = failed[-1]
        found.notes.append(f"hooks failed {len(failed)} times, last {last.get('event')!r}: {last['error']}")
    # A stage that fails is passed over, so that the others run; nobody else tells of it.
    passed_over = _lines(home, LOG)
    if passed_over:
        last_of_them = passed_over[-1].decode("utf-8", "replace").partition(" ")[2]
        found.notes.append(f"{len(passed_over)} steps of learning or answering were passed over, last: {last_of_them}")


def _lines(home: str, name: str) -> list[bytes]:
    try:
        with open(os.path.join(home, name), "rb") as file:
            return file.read(_LOG_LIMIT).splitlines()
    except OSError:
        return []


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) else None
