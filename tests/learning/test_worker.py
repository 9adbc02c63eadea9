"""The files show what waits, and apart from its memories nothing of a session is kept permanently."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet import clock, system
from limpet.errors import StoreError, SymlinkRefused
from limpet.learning import worker
from limpet.learning.backlog import has_backlog
from limpet.learning.from_queue import learn_from_queue
from limpet.queue import files as queue
from limpet.queue.tidy import hash_cut_texts, tidy_payload
from tests.operations.sandbox import DAY, SECOND, Sandbox, isolate_environment


class Worked(Sandbox):
    """A sandbox that reports sessions and learns from them."""

    def report(self, session: object, event: str, *, folder: Path | None = None, **fields: object) -> None:
        self.ms += SECOND
        there = str(folder or self.project)
        payload = {"session_id": session, "cwd": there, "hook_event_name": event, **fields}
        seen = {"at": self.ms, "host": "claude-code", "dir": there, "payload": tidy_payload(payload)}
        seen["left_out"] = hash_cut_texts(payload)
        queue.append(str(self.home), str(session), seen, now_ms=self.ms)

    def session(self, name: str = "s1") -> None:
        """Report a session that ends without an end event."""
        self.report(name, "SessionStart", source="startup")
        self.report(name, "UserPromptSubmit", prompt="The login test fails on CI, please fix it.")
        self.report(name, "UserPromptSubmit", prompt="From now on always use pnpm instead of npm in this repository.")
        self.report(name, "Stop", last_assistant_message="Done.")

    def learn(self) -> None:
        self.ms += SECOND
        with self.open() as runtime:
            learn_from_queue(runtime.context())

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
    lock = system.try_lock(str(sandbox.home / "locks" / "capture"))
    assert lock is not None
    held_meanwhile = []

    def pause(milliseconds: int) -> None:
        held_meanwhile.append(sandbox.files_with("pnpm instead of npm") != [])
        system.unlock(lock)

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


@pytest.fixture
def other(tmp_path: Path) -> Path:
    folder = tmp_path / "other"
    folder.mkdir()
    return folder


def test_a_session_that_moved_between_two_runs_takes_nothing_along(sandbox: Worked, other: Path) -> None:
    sandbox.report("s1", "UserPromptSubmit", prompt="The login test of the HERON project fails, please fix it.")
    sandbox.learn()
    sandbox.report("s1", "UserPromptSubmit", folder=other, prompt="The export of the billing job fails, please fix it.")
    rule = "From now on always use yarn instead of npm in this repository."
    sandbox.report("s1", "UserPromptSubmit", folder=other, prompt=rule)
    sandbox.report("s1", "Stop", folder=other, last_assistant_message="Done.")
    sandbox.report("s1", "SessionEnd", folder=other, reason="other")
    sandbox.learn()
    there = [each["content"] for each in sandbox.json("list", cwd=other)["memories"]]
    assert there and not any("HERON" in text for text in there)


def test_the_summary_of_a_quiet_session_stays_where_it_worked_last(sandbox: Worked, other: Path) -> None:
    sandbox.session("s1")
    sandbox.report("s1", "UserPromptSubmit", folder=other, prompt="Now mend the HERON project's billing job, please.")
    sandbox.report("s1", "Stop", folder=other, last_assistant_message="Done.")
    sandbox.learn()
    sandbox.ms += 4 * DAY
    sandbox.learn()
    assert not any("HERON" in each["content"] for each in sandbox.json("list")["memories"])


def test_a_state_that_cannot_be_written_holds_up_no_session(sandbox: Worked) -> None:
    for name in ("s1", "s2", "s3"):
        sandbox.session(name)
    (sandbox.home / "queue" / "state" / f"{queue.key_of('s1')}.json").mkdir(parents=True)
    sandbox.learn()
    assert not sandbox.waits()


@pytest.mark.parametrize("session", [12345, "", ["s"], None])
def test_an_event_without_a_session_waits_for_nobody(sandbox: Worked, session: object) -> None:
    sandbox.report(session, "UserPromptSubmit", prompt="From now on always use pnpm instead of npm here.")
    sandbox.learn()
    before = sandbox.journal()
    sandbox.learn()
    assert not sandbox.waits()
    assert sandbox.journal() == before
    sandbox.ms += 4 * DAY
    sandbox.learn()
    assert queue.names(str(sandbox.home)) == []


def test_a_quiet_session_is_not_summarised_where_learning_was_switched_off(
    sandbox: Worked, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.session()
    sandbox.learn()
    monkeypatch.setenv("LIMPET_CAPTURE__ENABLED", "false")
    sandbox.ms += 4 * DAY
    sandbox.learn()
    assert sandbox.json("list", type="session_summary")["memories"] == []


@pytest.mark.parametrize("verb", ["purge", "forget"])
def test_nothing_is_erased_while_a_worker_would_bring_it_back(
    sandbox: Worked, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    sandbox.session()
    sandbox.learn()
    [rule] = [each for each in sandbox.json("list")["memories"] if "pnpm" in each["content"]]
    monkeypatch.setattr(worker, "WAIT_MS", 0)
    options = {"yes": True} if verb == "purge" else {}
    with (
        system.lock(str(sandbox.home / "locks" / "capture")) as is_held,
        pytest.raises(StoreError, match="nothing was changed"),
    ):
        assert is_held
        sandbox.ask(verb, ids=[rule["id"]], **options)
    assert rule["id"] in [each["id"] for each in sandbox.json("list")["memories"]]
    sandbox.ask(verb, ids=[rule["id"]], **options)
    assert rule["id"] not in [each["id"] for each in sandbox.json("list")["memories"]]
