"""Print what the next session of a repository would be told, after learning from the sessions before it.

Takes a folder of recorded sessions of one project (transcripts of Claude Code, Codex or Gemini CLI), learns from all
but the last in a temporary home, and prints the block that the last session would have been given at its start, with
the time set to that start. `--first 31` uses the oldest 31 sessions only, so that the block is that of the
thirty-first. `--noted` also prints every memory, to judge the texts one by one. Nothing in the folder is changed.

    python -m benchmarks.thirty FOLDER [--first COUNT] [--noted]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence

from limpet.clock import to_ms
from limpet.hosts import HOSTS
from limpet.hosts.events import read_event
from limpet.hosts.sessions import RecordedSession, find_session_files, group_sessions
from limpet.learning.from_recordings import BackfillReport, learn_from_recordings
from limpet.learning.stages import TABLE, Bus, answering_handlers
from limpet.model.event import ContextReady
from limpet.model.memory import Memory, Origin
from limpet.model.query import Query
from limpet.runtime import Caller, Runtime, open_runtime

_MOST = 5000
"""How many memories are listed."""


def main() -> int:
    options = _parse_arguments()
    sessions = _find_sessions(options.folder)[: options.first]
    if len(sessions) < 2:
        print(
            f"{options.folder} holds {len(sessions)} sessions of one project; at least two are needed", file=sys.stderr
        )
        return 2
    *before, last = sessions
    with tempfile.TemporaryDirectory(prefix="limpet-thirty-") as home:
        runtime = open_runtime(
            home=home,
            cwd=home,
            caller=Caller(origin=Origin.USER, proof="terminal"),
            now_ms=lambda: to_ms(last.begins),
        )
        try:
            report = learn_from_recordings(before, BackfillReport(), context=runtime.context())
            there = runtime.open_elsewhere(last.folder, session=last.session, caller=Caller(is_agent=True))
            _print_block(report, _read_start(there, last))
            if options.noted:
                _print_memories(there)
        finally:
            runtime.close()
    return 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thirty", description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="a folder with recorded sessions of one project")
    parser.add_argument("--first", type=int, default=None, help="use the oldest COUNT sessions only", metavar="COUNT")
    parser.add_argument("--noted", action="store_true", help="also print every memory")
    return parser.parse_args()


def _find_sessions(folder: str) -> list[RecordedSession]:
    """Return the sessions of the folder's main project, the oldest first."""
    files = find_session_files([(host, folder) for host in HOSTS], since=None)
    sessions = group_sessions(files, failed=lambda path, error: print(f"{path}: {error}", file=sys.stderr))
    main_folder = Counter(each.folder for each in sessions).most_common(1)
    return [each for each in sessions if each.folder == main_folder[0][0]] if main_folder else []


def _read_start(runtime: Runtime, session: RecordedSession) -> str:
    """Return the text that the hook of the session's start gives to the model."""
    payload = {"session_id": session.session, "cwd": session.folder, "hook_event_name": "SessionStart"}
    happened = read_event({**payload, "source": "startup"}, host=session.files[0].host, at=runtime.now())
    assert happened is not None
    bus = Bus(TABLE, answering_handlers(runtime.context()), log=runtime.log)
    return next((each.text for each in bus.publish(happened) if isinstance(each, ContextReady)), "")


def _print_block(report: BackfillReport, block: str) -> None:
    print(f"{report.sessions} sessions, {report.events} events: {report.kept} memories, {report.summaries} summaries")
    print(block or "(The next session is told nothing.)")


def _print_memories(runtime: Runtime) -> None:
    query = Query(scope=runtime.scope(), now=runtime.now(), limit=_MOST)
    memories: Sequence[Memory] = [stored.memory for stored in runtime.reading().browse(query).items]
    for memory in sorted(memories, key=lambda each: each.created_at):
        print(f"\n{memory.created_at:%Y-%m-%d %H:%M} {memory.tier} {memory.origin} {memory.type} {memory.label}")
        print(f"  {memory.title}")
        print("  " + memory.content.replace("\n", "\n  "))


if __name__ == "__main__":
    sys.exit(main())
