"""Check, for `doctor`, that the settings of each host call Limpet exactly once, and that the hooks work."""

from __future__ import annotations

import contextlib
import glob
import json
import os
from collections import Counter

from limpet import __version__, clock
from limpet.environment import environment
from limpet.errors import NotWirable, Refused, Untouchable
from limpet.hosts import HOSTS, wiring
from limpet.hosts.claude_code import wiring as claude_code
from limpet.hosts.wiring import TITLES, Launcher, SettingsFile
from limpet.lean.record import field, mutable
from limpet.runtime import LOG
from limpet.store.protocol import Problem
from limpet.wiring.launcher import RUNTIME, read_runtime
from limpet.wiring.ledger import LEDGER, WiringLedger
from limpet.workspace.replacing import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

HOOK_LOG = "hook.log"
_LOG_LIMIT = 1 << 20
_RECENT_MS = 7 * clock.DAY_MS
"""The maximum age of the log entries that are reported. Older problems may have been solved since."""
_AGAIN = "run: limpet setup"


@mutable
class WiringReport:
    """The result of checking the hosts' settings: which hosts call Limpet and how, and what is wrong.

    `runtime` is the content of `runtime.json`, which names the programs that hosts start.
    """

    facts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    runtime: dict[str, Any] = field(default_factory=dict)


def inspect_wiring(home: str, *, now_ms: int) -> WiringReport:
    """Check the settings of every host, the programs that they start, the ledger of changed files, and the logs."""
    found = WiringReport(runtime=read_runtime(home))
    called = []
    plugin = claude_code.plugin_state()
    for host in HOSTS:
        ways = _inspect_host(found, host)
        if host == "claude-code" and plugin == "enabled":
            ways.append("its plugin")
            found.warnings += _check_search_path()
            if len(ways) > 1:
                found.problems.append(Problem(what=f"Claude Code is wired twice, by settings and plugin; {_AGAIN}"))
        if ways:
            called.append(f"{TITLES[host]} by {' and '.join(ways)}")
    with contextlib.suppress(Refused):
        entries = {(each.host, each.project) for each in WiringLedger(home).entries.values() if each.project}
        called += [f"{TITLES[host]} in {project}" for host, project in sorted(entries)]
    found.facts["agents"] = ", ".join(called) or "none"
    if not called:
        found.warnings.append("no agent calls Limpet, so nothing is recorded or recalled by itself; run: limpet setup")
    else:
        found.problems += _check_launcher(found, home)
        if note := claude_code.describe_notes():
            found.notes.append(note)
    try:
        WiringLedger(home)
    except Refused as error:
        found.problems.append(Problem(what=str(error)))
    found.problems += [
        Problem(what="left over from an interrupted write", where=path, fixable=True) for path in find_leftovers(home)
    ]
    _read_logs(found, home, now_ms)
    return found


def _check_search_path() -> list[str]:
    """Return a warning if PATH has a relative entry: the plugin may then start the `python3` of a repository."""
    folders = environment().get("PATH", "").split(os.pathsep)
    if all(os.path.isabs(folder) for folder in folders):
        return []
    return [
        "your PATH has an entry that is not an absolute folder, so Claude Code may start the `python3` of a repository "
        "as our plugin's server; remove that entry, or use `limpet setup` instead of the plugin"
    ]


def list_host_files(host: str) -> tuple[SettingsFile, ...]:
    """Return the settings files that `setup` changes for a host, with the entries that it adds.

    The entries name a placeholder interpreter, because only the files and the number of entries are needed here.
    """
    return wiring.list_settings_files(
        host, Launcher(python="python", hook="limpet/cli/run_hook.py", path=(), version=__version__)
    )


def _inspect_host(found: WiringReport, host: str) -> list[str]:
    """Add the problems in a host's settings to `found`.

    Return a list with the phrase "its settings" if they call Limpet, else an empty list.
    """
    hooks: list[tuple[str, str]] = []
    server = None
    wanted = 0
    for file in list_host_files(host):
        wanted += len(file.groups)
        try:
            text = read(file.path)
            here, entry = wiring.find_wired(text, file.syntax) if text else ([], None)
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
        found.problems.append(Problem(what=f"{title} has the same Limpet hook twice; {_AGAIN}"))
    elif len(hooks) < wanted or server is None:
        missing = "the MCP server is" if server is None else f"{wanted - len(hooks)} hooks are"
        found.problems.append(Problem(what=f"{missing} missing in the settings of {title}; {_AGAIN}"))
    programs = {_parse_program(command) for _, command in hooks} | {str(server["command"]) if server else ""}
    found.problems += [
        Problem(what=f"{title} calls a Python that is gone; {_AGAIN}", where=program)
        for program in sorted(programs - {""})
        if not os.path.isfile(program)
    ]
    return ["its settings"]


def _parse_program(command: str) -> str:
    """Return the path of the interpreter in a command line that `setup` has written."""
    command = command.removeprefix("& ")
    if not command.startswith('"'):
        return command.partition(" ")[0]
    path, at = "", 1
    while at < len(command) and command[at] != '"':
        at += command[at] == "\\" and command[at + 1 : at + 2] in ("\\", '"', "$", "`")
        path += command[at : at + 1]
        at += 1
    return path


def _check_launcher(found: WiringReport, home: str) -> Iterator[Problem]:
    """Yield a problem for each program in `runtime.json` that does not exist or may not be the right one."""
    where = os.path.join(home, RUNTIME)
    python, hook = found.runtime.get("python"), found.runtime.get("hook")
    if not isinstance(python, str) or not isinstance(hook, str):
        yield Problem(what=f"the file that says what to start is missing or damaged; {_AGAIN}", where=where)
        return
    if not os.path.isfile(python):
        yield Problem(what=f"the Python of the hooks is gone; {_AGAIN}", where=python)
    elif is_shim(python):
        yield Problem(
            what=f"the Python of the hooks is a shim, which may choose another Python; {_AGAIN}", where=python
        )
    folders = found.runtime.get("path") or []
    if not os.path.isfile(hook) or not any(os.path.isdir(os.path.join(str(each), "limpet")) for each in folders):
        yield Problem(what=f"Limpet is not where the hooks look for it; {_AGAIN}", where=hook)
    if found.runtime.get("version") != __version__:
        found.notes.append(f"the agents were wired by version {found.runtime.get('version')}; {_AGAIN}")


def is_shim(path: str) -> bool:
    """Tell whether a program is a script that chooses an interpreter at each start, which may be one without Limpet."""
    if "shims" in path.replace("\\", "/").split("/"):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def find_leftovers(home: str) -> list[str]:
    """Return the paths of temporary files that interrupted writes have left beside settings files."""
    ours = [file.path for host in HOSTS for file in list_host_files(host)]
    with contextlib.suppress(Refused):
        ours += [entry.path for entry in WiringLedger(home).entries.values()]
    ours += [os.path.join(home, name) for name in (RUNTIME, LEDGER)]
    patterns = [f"{glob.escape(os.path.realpath(path))}.*.*.tmp" for path in ours]
    return sorted({path for pattern in patterns for path in glob.glob(pattern)})


def clear_leftovers(home: str) -> list[str]:
    """Delete the temporary files that interrupted writes have left, and return a sentence about each."""
    mended = []
    for path in find_leftovers(home):
        with contextlib.suppress(OSError):
            os.unlink(path)
            mended.append(f"removed {path}, left over from an interrupted write")
    return mended


def _read_logs(found: WiringReport, home: str, now_ms: int) -> None:
    """Add the failed, late and slow hooks of the last few days to `found`, as the logs record them."""
    recent = range(now_ms - _RECENT_MS, now_ms + clock.DAY_MS)
    rows = [row for row in map(_parse_row, _read_lines(home, HOOK_LOG)) if row and row["at"] in recent]
    late = [row for row in rows if row.get("late")]
    failed = [row for row in rows if row.get("error")]
    slow = len(rows) - len(late) - len(failed)
    if rows:
        longest = max((row["ms"] for row in rows if isinstance(row.get("ms"), int)), default=0)
        found.facts["hooks"] = f"{len(failed)} failed, {len(late)} late, {slow} slow, the longest {longest} ms"
    if late:
        last, counts = late[-1], Counter(row.get("event") or "before the event was read" for row in late)
        found.warnings.append(
            f"hooks were too late {_format_times(late)} and gave no answer: "
            f"{', '.join(f'{name} {count}' for name, count in counts.items())}; "
            f"the last had {last.get('ms')} ms and was in {last['late']}; "
            "the limits are settings: limpet config"
        )
    if failed:
        last = failed[-1]
        found.warnings.append(f"hooks failed {_format_times(failed)}, last {last.get('event')!r}: {last['error']}")
    # A stage of learning that fails is skipped, so that the others run. Only this log records that.
    skipped = [text for at, text in map(_parse_entry, _read_lines(home, LOG)) if at in recent]
    if skipped:
        found.warnings.append(
            f"{len(skipped)} steps of learning or answering failed and were skipped, last: {skipped[-1]}"
        )


def _format_times(rows: list[dict[str, Any]]) -> str:
    return f"{len(rows)} time{'s' if len(rows) > 1 else ''} since {clock.from_ms(rows[0]['at']):%Y-%m-%d %H:%M} UTC"


def _read_lines(home: str, name: str) -> list[bytes]:
    try:
        with open(os.path.join(home, name), "rb") as file:
            return file.read(_LOG_LIMIT).splitlines()
    except OSError:
        return []


def _parse_row(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object in a line of the hook log, or None if the line is damaged."""
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) and isinstance(row.get("at"), int) else None


def _parse_entry(line: bytes) -> tuple[int, str]:
    """Return the time in milliseconds and the text of a log line; the time is 0 if the line is damaged."""
    at, _, text = line.decode("utf-8", "replace").partition(" ")
    return (int(at) if at.isascii() and at.isdigit() else 0), text
