"""Recorded sessions become memories once, however often a backfill runs and wherever it is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from limpet import system
from limpet.clock import to_ms
from limpet.hosts.sessions import Replay, find_session_files, group_sessions, read_session, source_of
from limpet.learning import from_recordings
from limpet.learning.from_recordings import BackfillReport
from limpet.learning.recorded import HOOKS
from limpet.learning.worker import learn_from_queue
from limpet.model.change import Change, ChangeKind
from limpet.model.event import PromptSubmitted, ToolFinished
from limpet.queue import files as queue
from tests.learning.sessions import SECRET, Session, endless, make, story, subagent, write
from tests.operations.sandbox import HOST_VARIABLES, Sandbox, files_with, isolate_environment

SIGINT_OR_KILL = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts jobs in the background without it
from limpet.learning.session import SessionLearner
left, when, with_ = int(sys.argv[1]), sys.argv[2], signal.Signals[sys.argv[3]]
finish = SessionLearner.finish
def dying(self, cursor):
    global left
    left -= 1
    if left == 0 and when == "before":
        os.kill(os.getpid(), with_)
    found = finish(self, cursor)
    if left == 0 and when == "after":
        os.kill(os.getpid(), with_)
    return found
SessionLearner.finish = dying
from limpet.cli.program import run
sys.exit(run(sys.argv[4:]))
"""


class Yard(Sandbox):
    """A sandbox, the folder of a host, and projects in which sessions were held."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.config = self.folder / "nobody" / ".claude"
        self.projects = [self.folder / name for name in ("shop", "bakery", "garage")]
        for project in self.projects:
            project.mkdir(exist_ok=True)

    def fill(self, **values: Any) -> BackfillReport:
        filled: BackfillReport = self.ask("backfill", **values).filled
        return filled

    def kept(self, home: Path | None = None) -> list[tuple[object, ...]]:
        """Return all memories of every project, without the fields that differ between two equal runs."""
        found = []
        with self.open(home=home or self.home) as runtime:
            names = {project.id: project.name for project in runtime.reading().projects()}
        page = self.json("list", all_projects=True, limit=1000, home=home or self.home)
        assert not page["has_more"]
        for memory in page["memories"]:
            told = ("content", "created_at", "type", "title", "session", "scale", "origin", "version", "branch")
            found.append((names[memory["project"]], *(memory[name] for name in told)))
        return sorted(found, key=str)

    def taken(self, session: str) -> dict[str, int]:
        with self.open() as runtime:
            known = runtime.reading().session(session)
            return dict(known.taken) if known else {}


@pytest.fixture
def yard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Yard:
    isolate_environment(monkeypatch, tmp_path)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    return Yard(tmp_path)


def test_sessions_on_disk_become_memories_with_their_original_dates(yard: Yard) -> None:
    sessions = make(yard.config, yard.projects, 6)
    filled = yard.fill()
    assert (filled.found, filled.done, filled.sessions) == (6, 6, 6)
    assert filled.kept >= 12 and filled.summaries == 6 and not filled.failed
    ends = {session.id: session.at for session in sessions}
    for memory in yard.json("list", all_projects=True, limit=500)["memories"]:
        created = datetime.fromisoformat(memory["created_at"])
        assert timedelta() <= ends[memory["session"]] - created + timedelta(seconds=1) < timedelta(hours=7)
        assert (memory["branch"], memory["commit"]) == ("main", None)
        assert memory["scale"] == ("session" if memory["type"] == "session_summary" else "project")


def test_what_failed_and_was_mended_what_was_decided_and_committed_is_kept(yard: Yard) -> None:
    make(yard.config, yard.projects, 3)
    yard.fill()
    types = {memory["type"] for memory in yard.json("list", all_projects=True, limit=500)["memories"]}
    assert {"bugfix", "decision", "session_summary"} <= types


def test_each_project_has_its_own_and_nothing_else(yard: Yard) -> None:
    sessions = make(yard.config, yard.projects, 6)
    yard.fill()
    for project in yard.projects:
        own = {session.id for session in sessions if session.project == project}
        found = yard.json("list", cwd=project, limit=500)["memories"]
        assert {memory["session"] for memory in found} == own


def test_a_second_run_adds_nothing(yard: Yard) -> None:
    make(yard.config, yard.projects, 6)
    yard.fill()
    before = yard.journal()
    again = yard.fill()
    assert (again.found, again.done, again.sessions, again.events, again.kept) == (6, 6, 0, 0, 0)
    assert yard.journal() == before


def test_pointing_at_a_part_of_the_folder_or_a_copy_of_it_adds_nothing(yard: Yard) -> None:
    [session] = make(yard.config, yard.projects[:1], 1)
    yard.fill()
    [path] = yard.config.rglob("*.jsonl")
    copy = yard.folder / "backup" / path.parent.name / path.name
    copy.parent.mkdir(parents=True)
    copy.write_bytes(path.read_bytes())
    for place in (path, path.parent, yard.config / "projects", copy.parent.parent):
        assert yard.fill(path=str(place)).sessions == 0
    assert yard.taken(session.id).keys() == {source_of(str(path))}


def test_a_session_that_went_on_is_read_from_where_it_was_left(yard: Yard) -> None:
    [session] = make(yard.config, yard.projects[:1], 1)
    first = yard.fill()
    session.prompt("We decided to use argparse instead of click because start-up counts.")
    session.says("Understood.")
    write(session, yard.config)
    second = yard.fill()
    assert 0 < second.events < first.events and second.kept == 1
    [summary] = yard.json("list", type="session_summary")["memories"]
    assert "argparse" in summary["content"]


# The files of one session


def test_a_reading_that_is_cut_anywhere_goes_on_as_if_it_were_not(yard: Yard) -> None:
    session = Session(4, yard.project)
    story(session)
    write(session, yard.config), subagent(session, yard.config)
    [recorded] = group_sessions(find_session_files([("claude-code", str(yard.config))]), failed=_unexpected)
    whole = [each.event for each in Replay(recorded, {})]
    for cut in range(1, len(whole)):
        replay = Replay(recorded, {})
        seen = [each.event for _, each in zip(range(cut), replay, strict=False)]
        if replay.is_between:
            assert seen + [each.event for each in Replay(recorded, replay.places)] == whole, cut


def _unexpected(path: str, error: OSError) -> None:
    raise AssertionError(path) from error


# Being stopped


def environment(yard: Yard, home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in HOST_VARIABLES}
    return {**kept, "LIMPET_HOME": str(home), "HOME": str(yard.folder / "nobody")}


def run_until_stopped(yard: Yard, home: Path, batches: int, when: str, how: str) -> subprocess.CompletedProcess[str]:
    """Run a process that a signal ends at a certain batch."""
    return subprocess.run(
        [sys.executable, "-c", SIGINT_OR_KILL, str(batches), when, how, "backfill"],
        env=environment(yard, home),
        cwd=yard.project,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_again_and_again_it_ends_where_an_undisturbed_run_does(yard: Yard, when: str) -> None:
    sessions = make(yard.config, yard.projects, 7)
    calm = yard.folder / "calm"
    assert run_until_stopped(yard, calm, 0, when, "SIGKILL").returncode == 0
    deaths = 0
    while (done := run_until_stopped(yard, yard.home, 3, when, "SIGKILL")).returncode == -signal.SIGKILL:
        deaths += 1
        assert deaths < 50
        assert files_with(SECRET, yard.home) == []
    assert done.returncode == 0 and deaths >= 3
    assert yard.kept() == yard.kept(calm)
    assert yard.json("verify")["ok"]
    assert list((yard.home / "queue").rglob("*.json")) == []
    with yard.open() as one, yard.open(home=calm) as other:
        for session in sessions:
            found, expected = one.reading().session(session.id), other.reading().session(session.id)
            assert found is not None and expected is not None and found.ended
            assert (found.successes, found.failures, found.taken, found.days) == (
                expected.successes,
                expected.failures,
                expected.taken,
                expected.days,
            )


def test_a_state_that_was_lost_is_made_again_from_the_events(yard: Yard) -> None:
    session = Session(7, yard.project)
    while len(session.records) < 400:
        story(session)
    write(session, yard.config)
    calm = yard.folder / "calm"
    assert run_until_stopped(yard, calm, 0, "after", "SIGKILL").returncode == 0
    assert run_until_stopped(yard, yard.home, 1, "after", "SIGKILL").returncode == -signal.SIGKILL
    [state] = (yard.home / "queue" / "state").iterdir()
    state.write_text("no JSON", encoding="ascii")
    assert yard.fill().sessions == 1
    assert yard.kept() == yard.kept(calm)


def test_interrupted_it_says_how_far_it_came_and_goes_on_when_run_again(yard: Yard) -> None:
    make(yard.config, yard.projects, 5)
    done = run_until_stopped(yard, yard.home, 3, "before", "SIGINT")
    assert done.returncode == 130
    assert "of 5 sessions are done; run it again to continue" in done.stderr
    assert "Traceback" not in done.stderr
    again = yard.fill()
    assert again.done == again.found == 5 and 0 < again.sessions < 5


def test_two_at_once_share_the_work_and_learn_nothing_twice(yard: Yard) -> None:
    sessions = make(yard.config, yard.projects, 6)
    command = [sys.executable, "-m", "limpet", "backfill", "--json"]
    told = environment(yard, yard.home)
    pair = [subprocess.Popen(command, env=told, cwd=yard.project, stdout=subprocess.PIPE) for _ in range(2)]
    answers = [json.loads(each.communicate(timeout=120)[0]) for each in pair]
    assert [each.returncode for each in pair] == [0, 0]
    assert sum(answer["sessions"] for answer in answers) == len(sessions)
    texts = [(project, text) for project, text, *_ in yard.kept()]
    assert len(texts) == len(set(texts)) == sum(answer["kept"] + answer["summaries"] for answer in answers)


def test_a_worker_who_has_the_lock_is_waited_for_and_then_left_alone(yard: Yard) -> None:
    make(yard.config, yard.projects, 2)
    sessions = group_sessions(find_session_files([("claude-code", str(yard.config))]), failed=_unexpected)
    with yard.open() as runtime:
        runtime.store.append([Change(kind=ChangeKind.AGENT, subject="agent:anima", payload={"name": "Anima"})])
        lock = system.try_lock(str(yard.home / "locks" / "capture"))
        assert lock is not None

        def work() -> BackfillReport:
            return from_recordings.learn_from_recordings(
                sessions,
                BackfillReport(),
                context=runtime.context(),
                wait_ms=0,
            )

        refused = work()
        assert refused.busy and refused.done == 0
        system.unlock(lock)
        assert work().done == 2


# What hooks have seen


def report(yard: Yard, path: Path, *, since: datetime | None = None) -> None:
    """Queue the events of a transcript as hooks would have when they happened."""
    for seen in read_session(path):
        event = seen.event
        if since is not None and event.at < since:
            continue
        told: dict[str, Any] = {"session_id": event.session, "cwd": seen.cwd, "transcript_path": str(path)}
        if isinstance(event, PromptSubmitted):
            told |= {"hook_event_name": "UserPromptSubmit", "prompt": event.text}
        elif isinstance(event, ToolFinished):
            name = "PostToolUseFailure" if event.failed else "PostToolUse"
            told |= {"hook_event_name": name, "tool_name": event.tool, "tool_input": dict(event.input)}
            told |= {"error": event.output} if event.failed else {"tool_response": {"stdout": event.output}}
        else:
            continue
        at = to_ms(event.at)
        record = {"payload": told, "at": at, "host": "claude-code", "dir": seen.cwd}
        queue.append(str(yard.home), event.session, record, now_ms=at)


@pytest.mark.parametrize("learnt_first", [True, False])
def test_a_session_that_hooks_have_reported_is_not_learnt_twice(yard: Yard, learnt_first: bool) -> None:
    session = Session(3, yard.project)
    story(session)
    report(yard, write(session, yard.config))
    if learnt_first:
        _learn(yard)
    before = yard.kept()
    filled = yard.fill()
    assert (filled.live, filled.sessions, filled.done) == (1, 0, 1)
    assert yard.kept() == before
    _learn(yard)
    texts = yard.texts(limit=500)
    assert len(texts) == len(set(texts)) >= 2
    assert yard.fill().live == 1


def _learn(yard: Yard) -> None:
    yard.ms = to_ms(datetime.fromisoformat("2026-03-01T12:00:00+00:00"))
    with yard.open() as runtime:
        assert learn_from_queue(runtime.context()).finished


@pytest.mark.parametrize("learnt_first", [True, False])
def test_what_happened_before_the_hooks_were_there_is_learnt(yard: Yard, learnt_first: bool) -> None:
    session = Session(3, yard.project)
    story(session)
    installed = session.at + timedelta(hours=1)
    session.at = installed + timedelta(minutes=5)
    session.prompt("We decided to use argparse instead of click because start-up counts.")
    path = write(session, yard.config)
    report(yard, path, since=installed)
    if learnt_first:
        _learn(yard)
    filled = yard.fill()
    assert (filled.live, filled.sessions) == (0, 1) and filled.kept >= 2
    _learn(yard)
    assert HOOKS in yard.taken(session.id)
    texts = yard.texts(limit=500)
    assert sum("argparse instead of click" in text and not text.startswith("Session") for text in texts) == 1
    before = yard.journal()
    assert yard.fill().sessions == 0
    assert yard.journal() == before


# What must not happen


@pytest.mark.parametrize("verb", ["forget", "purge"])
@pytest.mark.parametrize("said_again", [False, True])
def test_what_was_taken_back_is_not_brought_back_by_a_session_that_goes_on(
    yard: Yard, said_again: bool, verb: str
) -> None:
    """The state of a session is judged again from what was said in it before, in whichever session that was."""
    sessions = [Session(number, yard.project) for number in (1, 2)]
    for session in sessions[: 1 + said_again]:
        session.prompt("From now on always call the release branch okapi, because the old name is taken.")
        session.says("Understood.")
        write(session, yard.config)
    yard.fill()
    found = yard.json("list", all_projects=True, limit=500, cwd=yard.project)["memories"]
    yard.ask(verb, ids=[each["id"] for each in found if "okapi" in each["content"]], cwd=yard.project)
    before = yard.journal()
    for session in sessions:
        session.at = yard.now + timedelta(hours=session.number)
        session.prompt("We decided to use argparse instead of click because start-up counts.")
        session.says("Understood.")
        write(session, yard.config)
    assert yard.fill().kept
    for name, data in yard.journal().items():
        assert b"okapi" not in data[len(before.get(name, b"")) :]
    assert verb == "forget" or yard.files_with("okapi") == []
    assert any("argparse" in text for text in yard.texts(cwd=yard.project))


def test_a_session_without_a_folder_belongs_to_no_project(yard: Yard) -> None:
    for number, cwd in enumerate(("", "C:\\Users\\ann\\shop", "/home/ann\0/shop")):
        session = Session(number, yard.project)
        story(session)
        for record in session.records:
            record["cwd"] = cwd
        write(session, yard.config)
    filled = yard.fill()
    assert (filled.nowhere, filled.sessions, filled.kept) == (3, 0, 0)


def test_where_capture_is_off_nothing_is_learnt(yard: Yard) -> None:
    make(yard.config, yard.projects, 3)
    yard.home.mkdir()
    (yard.home / "config.toml").write_text("[capture]\nenabled = false\n", encoding="utf-8")
    filled = yard.fill()
    assert (filled.off, filled.sessions, filled.kept) == (3, 0, 0)


def test_memory_does_not_grow_with_the_transcript(yard: Yard) -> None:
    peaks = []
    for number, size in enumerate((1 << 20, 32 << 20)):
        session = Session(900 + number, yard.project)
        path = yard.folder / f"huge{number}" / f"{session.id}.jsonl"
        path.parent.mkdir()
        with path.open("w", encoding="utf-8") as file:
            file.writelines(endless(session, size))
        peaks.append(_peak(yard, path))
    assert peaks[1] - peaks[0] < 12 << 10, peaks


def _peak(yard: Yard, path: Path) -> int:
    """Return the peak memory of a run in kilobytes."""
    home = yard.folder / f"home of {path.name}"
    command = [sys.executable, "-m", "limpet", "backfill", str(path), "--json"]
    with open(yard.folder / "out.json", "w+b") as out:
        process = subprocess.Popen(command, env=environment(yard, home), cwd=yard.project, stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        answer = json.load(out)
    assert (process.returncode, answer["sessions"]) == (0, 1)
    return used.ru_maxrss // (1024 if sys.platform == "darwin" else 1)


def test_files_that_are_no_sessions_are_left_alone(yard: Yard) -> None:
    folder = yard.config / "projects" / "x"
    folder.mkdir(parents=True)
    for name, text in _odd_files():
        (folder / name).write_text(text, encoding="utf-8")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.jsonl")
    filled = yard.fill()
    assert (filled.found, filled.kept, filled.failed) == (0, 0, [])


def _odd_files() -> Iterator[tuple[str, str]]:
    yield "empty.jsonl", ""
    yield "numbers.jsonl", "1\n2\n3\n"
    yield "other.jsonl", '{"type":"metric","value":1}\n'
    yield "torn.jsonl", '{"type":"user","message":{"role":"user","cont'
