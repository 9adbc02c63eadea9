"""Recorded sessions, measured: exact counts for every recording, and each conversation once."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from limpet.hosts.sessions import RecordedSession, find_session_files, group_sessions
from limpet.hosts.transcript import LONGEST_LINE
from limpet.insight.friction.conversations import Examination, examine_sessions
from limpet.learning.acts import ActFollower
from tests.hosts.recorded import HERE, call, config_folder, entry, result, write_lines
from tests.insight.friction.stories import own_words


def examine_folder(folder: Path, host: str = "claude-code") -> Examination:
    sessions = group_sessions(find_session_files([(host, str(folder))]), failed=lambda path, error: None)
    return examine_sessions(sessions, own_words=own_words, follow=ActFollower, project_of=lambda recorded: "shop")


def counts(found: Examination) -> list[tuple[Any, ...]]:
    return [
        (each.is_scripted, each.turns, each.tools, each.errors, " ".join(event.signal for event in each.signals))
        for each in found.conversations
    ]


# What was recorded from real clients: scripted or not, prompts, calls, errors, signals.
RECORDED = {
    "codex": (True, 1, 1, 0, ""),
    "codex_failed": (True, 1, 1, 1, "exit_error false_success rapid_exit"),
    "gemini": (False, 1, 1, 0, ""),
}


def test_the_recordings_of_claude_code_have_these_counts(tmp_path: Path) -> None:
    config_folder(tmp_path)
    assert counts(examine_folder(tmp_path)) == [(True, 1, 2, 0, ""), (True, 2, 1, 0, "compaction")]


@pytest.mark.parametrize("name", RECORDED)
def test_the_recordings_of_other_hosts_have_these_counts(tmp_path: Path, name: str) -> None:
    host = name.partition("_")[0]
    inner, file = (
        ("sessions", "rollout-2026-11-15T05-00-00-x.jsonl") if host == "codex" else ("chats", "session-1.jsonl")
    )
    (tmp_path / inner).mkdir()
    shutil.copy(HERE / f"{name}.jsonl", tmp_path / inner / file)
    assert counts(examine_folder(tmp_path, host)) == [RECORDED[name]]


def conversation(*, session: str, seconds: range) -> list[dict[str, Any]]:
    """Return the records of a conversation, of which every third is an objection."""
    lines = []
    for second in seconds:
        text = f"do step {second} of the plan, please" if second % 3 else f"no, step {second} is wrong"
        lines.append(entry("user", text, second=second * 60, sessionId=session, entrypoint="cli"))
        lines.append(
            call("Bash", {"command": f"make {second}"}, id=f"c{second}", second=second * 60 + 1, sessionId=session)
        )
        lines.append(result("ok", id=f"c{second}", second=second * 60 + 2, sessionId=session))
    return lines


def test_a_resumed_conversation_that_was_copied_counts_once(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", conversation(session="a", seconds=range(1, 5)))
    write_lines(tmp_path / "b.jsonl", conversation(session="b", seconds=range(1, 8)))
    [found] = examine_folder(tmp_path).conversations
    assert (found.turns, found.tools, found.copies) == (7, 7, 1)
    assert [each.signal.value for each in found.signals] == ["user_negation"] * 2


def test_forks_of_forks_are_one_conversation(tmp_path: Path) -> None:
    first = conversation(session="b", seconds=range(1, 4))
    write_lines(tmp_path / "a.jsonl", conversation(session="a", seconds=range(1, 4)))
    write_lines(tmp_path / "b.jsonl", [*first, *conversation(session="b", seconds=range(10, 12))])
    write_lines(tmp_path / "c.jsonl", conversation(session="c", seconds=range(10, 12)))
    write_lines(tmp_path / "d.jsonl", conversation(session="d", seconds=range(30, 32)))
    found = examine_folder(tmp_path).conversations
    assert [(each.session, each.turns, each.copies) for each in found] == [("a", 5, 2), ("d", 2, 0)]


def test_a_copy_that_kept_the_old_id_counts_once_too(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", conversation(session="a", seconds=range(1, 4)))
    write_lines(tmp_path / "b.jsonl", conversation(session="a", seconds=range(1, 6)))
    [found] = examine_folder(tmp_path).conversations
    assert (found.turns, found.tools) == (5, 5)


def test_the_same_words_at_another_time_are_another_conversation(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", [entry("user", "add a test for the parser", sessionId="a", second=1)])
    write_lines(tmp_path / "b.jsonl", [entry("user", "add a test for the parser", sessionId="b", second=2)])
    assert len(examine_folder(tmp_path).conversations) == 2


def test_notifications_and_expanded_commands_are_not_the_user(tmp_path: Path) -> None:
    lines = [
        entry("user", "start the build", second=1),
        call("Bash", {"command": "make"}, id="a", second=2),
        result("ok", id="a", second=3),
        entry("user", "<task-notification>no, wrong, fuck</task-notification>", second=4),
        entry("user", "[SYSTEM NOTIFICATION] no, that is wrong", second=5),
        entry("user", "no, don't do that (a template)", second=6, isMeta=True),
        entry("user", "no, wrong", second=7, isSidechain=True),
    ]
    write_lines(tmp_path / "s-1.jsonl", lines)
    assert counts(examine_folder(tmp_path)) == [(False, 1, 1, 0, "")]


def test_success_is_what_the_host_says_and_not_an_exit_code_in_the_text(tmp_path: Path) -> None:
    lines = [
        entry("user", "run it", second=1),
        call("Bash", {"command": "cat log"}, id="a", second=2),
        result("Exit code 1\nTraceback (most recent call last)", id="a", second=3),
        call("Edit", {"file_path": "/p/a.py"}, id="b", second=4),
        result("String to replace not found", id="b", second=5, failed=True),
        call("Bash", {"command": "make"}, id="c", second=6),
        result("done", id="c", second=7),
    ]
    write_lines(tmp_path / "s-1.jsonl", lines)
    assert counts(examine_folder(tmp_path)) == [(False, 1, 3, 1, "exit_error")]


def prompts(session: str, *texts: str, second: int = 1) -> list[Any]:
    return [
        entry("user", text, second=second + number, sessionId=session, entrypoint="cli")
        for number, text in enumerate(texts)
    ]


BROKEN = '{"type":"user", broken'


def test_broken_lines_are_counted(tmp_path: Path) -> None:
    [first, last] = prompts("s-1", "run it", "again")
    write_lines(tmp_path / "s-1.jsonl", [first, BROKEN, last])
    found = examine_folder(tmp_path)
    assert found.unread == 1 and len(found.conversations) == 1


def test_lines_that_are_too_long_are_counted(tmp_path: Path) -> None:
    write_lines(tmp_path / "s-1.jsonl", prompts("s-1", "run it", "x" * LONGEST_LINE, "again"))
    found = examine_folder(tmp_path)
    assert found.unread == 1 and [each.turns for each in found.conversations] == [2]


def test_lines_that_could_not_be_read_are_counted_once_for_a_copied_conversation(tmp_path: Path) -> None:
    [first, last] = prompts("a", "add a retry to the client", "and a test of it")
    write_lines(tmp_path / "a.jsonl", [first, BROKEN, last])
    write_lines(tmp_path / "b.jsonl", prompts("b", "add a retry to the client", "and a test of it", "thanks"))
    found = examine_folder(tmp_path)
    assert found.unread == 1 and [(each.turns, each.copies) for each in found.conversations] == [(3, 1)]


def find_sessions(folder: Path) -> list[RecordedSession]:
    return group_sessions(find_session_files([("claude-code", str(folder))]), failed=lambda path, error: None)


def test_a_file_that_cannot_be_read_any_more_is_named_and_the_others_are_examined(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", prompts("a", "add a retry to the client"))
    write_lines(tmp_path / "b.jsonl", prompts("b", "add a test for the parser"))
    sessions = find_sessions(tmp_path)
    (tmp_path / "a.jsonl").unlink()
    found = examine_sessions(sessions, own_words=own_words, follow=ActFollower, project_of=lambda recorded: "shop")
    assert found.failed == [(str(tmp_path / "a.jsonl"), "No such file or directory")]
    assert [each.session for each in found.conversations] == ["b"]


def test_a_file_that_is_deleted_between_its_two_readings_is_named_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_lines(tmp_path / f"{name}.jsonl", prompts(name, "add a retry to the client"))
    write_lines(tmp_path / "c.jsonl", prompts("c", "add a test for the parser", second=60))
    sessions = find_sessions(tmp_path)

    def tick(number: int) -> None:
        # The last session is about to be read, so the group of the first two will be read again.
        if number == len(sessions):
            (tmp_path / "b.jsonl").unlink()

    found = examine_sessions(
        sessions, own_words=own_words, follow=ActFollower, project_of=lambda recorded: "shop", tick=tick
    )
    assert found.failed == [(str(tmp_path / "b.jsonl"), "No such file or directory")]
    assert [each.session for each in found.conversations] == ["c"]


def test_conversations_are_sorted_by_their_beginning(tmp_path: Path) -> None:
    # The groups are found in the order of their first sessions, but a begins with a file that has no prompt.
    write_lines(tmp_path / "z.jsonl", prompts("z", "add a test for the parser", second=5))
    write_lines(tmp_path / "y.jsonl", prompts("y", "add a retry to the client", second=1))
    write_lines(tmp_path / "x.jsonl", prompts("x", "add a retry to the server", second=5))
    sessions = list(reversed(find_sessions(tmp_path)))
    found = examine_sessions(sessions, own_words=own_words, follow=ActFollower, project_of=lambda recorded: "shop")
    assert [each.session for each in found.conversations] == ["y", "x", "z"]
