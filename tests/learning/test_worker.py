"""The files show what waits, and apart from its memories nothing of a session is kept permanently."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet import clock, system
from limpet.errors import SymlinkRefused
from limpet.learning.backlog import has_backlog
from limpet.queue import files as queue
from limpet.queue.tidy import tidy_payload
from limpet.runtime.learn import learn_from_queue
from tests.operations.sandbox import DAY, SECOND, Sandbox, isolate_environment


class Worked(Sandbox):
    """A sandbox that reports sessions and learns from them."""

    def report(self, session: str, event: str, **fields: object) -> None:
        self.ms += SECOND
        payload = {"session_id": session, "cwd": str(self.project), "hook_event_name": event, **fields}
        seen = {"at": self.ms, "host": "claude-code", "dir": str(self.project), "payload": tidy_payload(payload)}
        queue.append(str(self.home), session, seen, now_ms=self.ms)

    def session(self, name: str = "s1") -> None:
        """Report a session that ends without an end event."""
        self.report(name, "SessionStart", source="startup")
        self.report(name, "UserPromptSubmit", prompt="The login test fails on CI, please fix it.")
        self.report(name, "UserPromptSubmit", prompt="From now on always use pnpm instead of npm in this repository.")
        self.report(name, "Stop", last_assistant_message="Done.")

    def learn(self) -> None:
        self.ms += SECOND
        with self.open() as runtime:
            learn_from_queue(runtime)

    def waits(self) -> bool:
        with self.open() as runtime:
            return has_backlog(str(self.home), runtime.reading())

    def files(self) -> list[Path]:
        return sorted(path for path in (self.home / "queue").rglob("*") if path.is_file())


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Worked:
    isolate_environment(monkeypatch, tmp_path)
    return Worked(tmp_path)


def test_a_torn_last_line_is_not_waited_for(sandbox: Worked) -> None:
    sandbox.session()
    with open(queue.path_of(str(sandbox.home), queue.name_of("s1", sandbox.ms)), "ab") as file:
        file.write(b'\n1234abcd {"at":1,"payl')
    assert sandbox.waits()
    sandbox.learn()
    assert not sandbox.waits()
    sandbox.ms += 4 * DAY
    sandbox.learn()
    assert queue.names(str(sandbox.home)) == []


def test_what_a_purge_has_blanked_is_not_waited_for(sandbox: Worked) -> None:
    sandbox.session()
    sandbox.learn()
    [rule] = [each for each in sandbox.json("list")["memories"] if "pnpm" in each["content"]]
    sandbox.ask("purge", ids=[rule["id"]], yes=True)
    assert not sandbox.waits()


def test_a_purge_waits_for_whoever_is_learning(sandbox: Worked, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.session()
    sandbox.learn()
    [rule] = [each for each in sandbox.json("list")["memories"] if "pnpm" in each["content"]]
    worker = system.try_lock(str(sandbox.home / "locks" / "capture"))
    assert worker is not None
    held_meanwhile = []

    def pause(milliseconds: int) -> None:
        held_meanwhile.append(sandbox.files_with("pnpm instead of npm") != [])
        system.unlock(worker)

    monkeypatch.setattr(clock, "pause", pause)
    sandbox.ask("purge", ids=[rule["id"]], yes=True)
    assert held_meanwhile == [True]
    assert sandbox.files_with("pnpm instead of npm") == []


def test_a_session_that_stopped_days_ago_is_summarised_before_it_goes(sandbox: Worked) -> None:
    sandbox.session()
    sandbox.learn()
    assert sandbox.json("list", type="session_summary")["memories"] == []
    sandbox.ms += 4 * DAY
    sandbox.learn()
    [summary] = sandbox.json("list", type="session_summary")["memories"]
    assert "login test" in summary["content"]
    assert queue.names(str(sandbox.home)) == []


def test_the_state_of_a_session_is_removed_when_it_was_not_resumed_for_long(sandbox: Worked) -> None:
    sandbox.session("s1")
    sandbox.learn()
    sandbox.ms += 4 * DAY
    sandbox.learn()
    [state] = sandbox.files()
    state.with_name("half.json.1.ab.tmp").write_bytes(b'{"na')
    sandbox.session("s2")
    sandbox.learn()
    sandbox.ms += 40 * DAY
    sandbox.learn()
    assert sandbox.files() == []


def test_a_session_that_cannot_be_worked_on_holds_up_no_other(sandbox: Worked) -> None:
    for name in ("s1", "x" * 500, "s2", "s3"):
        sandbox.report(
            name, "UserPromptSubmit", prompt=f"Always use port {len(name)}{name[-1]}80 for the {name[:2]} service."
        )
    sandbox.learn()
    assert {"s1", "s2", "s3"} == {each["session"] for each in sandbox.json("list")["memories"]}


@pytest.mark.parametrize("page", ["", "Also: "])
def test_a_page_that_says_the_same_does_not_keep_the_users_rule_away(sandbox: Worked, page: str) -> None:
    rule = "We decided to use pnpm 9 instead of npm in this repository because the workspace protocol is needed."
    given = {"url": "https://pages.example/pnpm"}
    sandbox.report("s1", "PostToolUse", tool_name="WebFetch", tool_input=given, tool_response={"result": page + rule})
    sandbox.learn()
    assert [each["origin"] for each in sandbox.json("list")["memories"]] == ["external"]
    for name in ("s2", "s3"):
        sandbox.report(name, "UserPromptSubmit", prompt=rule)
        sandbox.learn()
    rules = [each["content"] for each in sandbox.json("list")["memories"] if each["origin"] == "user"]
    assert rules.count(rule) == 1


@pytest.mark.skipif(system.WINDOWS, reason="symlinks are POSIX")
@pytest.mark.parametrize("place", ["queue", "queue/state", "damaged"])
def test_nothing_is_removed_or_blanked_through_a_symlink(sandbox: Worked, tmp_path: Path, place: str) -> None:
    theirs = tmp_path / "theirs"
    (theirs / "20200101").mkdir(parents=True)
    for name in ("20200101/precious.jsonl", "precious.json", "index.db"):
        (theirs / name).write_text("precious\n")
    id = sandbox.json("remember", text="The staging database is called heron-7")["memory"]["id"]
    (sandbox.home / place).parent.mkdir(exist_ok=True)
    (sandbox.home / place).symlink_to(theirs)
    sandbox.learn()
    sandbox.ask("purge", ids=[id], yes=True)
    assert [path.read_text() for path in sorted(theirs.rglob("*")) if path.is_file()] == ["precious\n"] * 3


@pytest.mark.skipif(system.WINDOWS, reason="symlinks are POSIX")
def test_nothing_is_written_down_through_a_symlink(sandbox: Worked, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    day = queue.name_of("s1", sandbox.ms).partition("/")[0]
    (theirs / day).mkdir(parents=True)
    sandbox.home.mkdir(exist_ok=True)
    (sandbox.home / "queue").symlink_to(theirs)
    with pytest.raises(SymlinkRefused):
        sandbox.session()
    assert list((theirs / day).iterdir()) == []
