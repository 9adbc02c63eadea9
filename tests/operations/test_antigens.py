"""`limpet antigens`: what is proposed, what a person may adopt, and what comes of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from limpet.clock import to_ms
from limpet.curating.antigens import AntigenRow, AntigensAnswer
from limpet.errors import InvalidId, Refused, UsageError
from limpet.forms.model import render_for_model
from limpet.model.antigen import AntigenDecision, AntigenStatus
from tests.operations.recordings import Step, record_session
from tests.operations.sandbox import DAY, MODEL, PROGRAM, Sandbox, git_folder

PIP: tuple[Step, ...] = (("user", "add requests"), ("runs", "pip install requests"), ("user", "no, don't use pip here"))
AFTER: tuple[Step, ...] = (("runs", "uv add requests"), ("user", "good, next"))


@pytest.fixture(autouse=True)
def no_folders_of_the_tester(monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    sandbox.ms = to_ms(datetime(2026, 11, 20, tzinfo=UTC))


def ask(sandbox: Sandbox, *words: str, **values: Any) -> AntigensAnswer:
    given = dict(zip(("action", "id"), words, strict=False))
    answer: AntigensAnswer = sandbox.ask("antigens", **given, **values)
    return answer


def only(answer: AntigensAnswer) -> AntigenRow:
    [row] = answer.rows
    return row


def record_hot(sandbox: Sandbox, *, times: int = 5) -> None:
    for day in range(1, times + 1):
        record_session(sandbox, f"s-{day}", *PIP, *AFTER, day=day)


def adopted(sandbox: Sandbox, **values: Any) -> AntigenRow:
    record_hot(sandbox)
    return only(ask(sandbox, "adopt", only(ask(sandbox)).antigen.id, **values))


def test_an_objection_in_five_conversations_makes_an_antigen_hot(sandbox: Sandbox) -> None:
    record_hot(sandbox, times=4)
    assert only(ask(sandbox)).status is AntigenStatus.OBSERVING
    record_session(sandbox, "s-5", *PIP, *AFTER, day=5)
    row = only(ask(sandbox))
    assert (row.status, row.antigen.conversations, row.antigen.pattern.describe()) == (AntigenStatus.HOT, 5, "`pip`")
    assert row.is_proven


def test_a_conversation_counts_once_and_names_its_transcript_and_line(sandbox: Sandbox) -> None:
    record_session(sandbox, "s-1", *PIP, *PIP, *PIP)
    [incident] = only(ask(sandbox)).antigen.incidents
    assert (incident.conversation, incident.transcript, incident.line) == ("s-1", "s-1.jsonl", 4)
    assert (incident.quote, incident.call) == ("no, don't use pip here", "pip install")


def test_what_is_inferred_from_tools_starts_no_antigen(sandbox: Sandbox) -> None:
    failing = (("user", "test it"), *(("fails", "pytest -x"),) * 4, ("user", "and now?"))
    for day in range(1, 7):
        record_session(sandbox, f"s-{day}", *failing, day=day)
    assert ask(sandbox).rows == ()


def test_a_rule_or_a_program_s_conversation_starts_no_antigen(sandbox: Sandbox) -> None:
    for day in range(1, 7):
        record_session(sandbox, f"s-{day}", ("user", "go"), ("runs", "make"), ("user", "don't use pip here"), day=day)
        record_session(sandbox, f"p-{day}", *PIP, day=day, entrypoint="sdk-py")
    assert ask(sandbox).rows == ()


def test_the_ledger_outlives_the_transcripts(sandbox: Sandbox) -> None:
    record_hot(sandbox, times=3)
    ask(sandbox)
    for path in (sandbox.folder / "nobody").rglob("*.jsonl"):
        path.unlink()
    for day in (8, 9):
        record_session(sandbox, f"t-{day}", *PIP, day=day)
    row = only(ask(sandbox))
    assert (row.status, row.antigen.conversations) == (AntigenStatus.HOT, 5)


def test_reading_again_writes_nothing(sandbox: Sandbox) -> None:
    record_hot(sandbox)
    ask(sandbox)
    before = _journal(sandbox)
    ask(sandbox)
    assert _journal(sandbox) == before


def _journal(sandbox: Sandbox) -> bytes:
    return b"".join(path.read_bytes() for path in sorted((sandbox.home / "journal").rglob("*.jsonl")))


def test_the_journal_keeps_no_words_and_no_arguments(sandbox: Sandbox) -> None:
    record_session(sandbox, "s-1", ("user", "go"), ("runs", "pip install heron-7"), ("user", "no, not pip, I am Zoe"))
    ask(sandbox)
    assert b"pip" in _journal(sandbox)
    assert b"heron-7" not in _journal(sandbox) and b"Zoe" not in _journal(sandbox)


def test_an_adopted_rule_is_a_memory_of_the_user(sandbox: Sandbox) -> None:
    row = adopted(sandbox, rule="Use uv in this repository, never pip.")
    assert row.antigen.decision is AntigenDecision.ADOPTED and row.antigen.memory
    stored = sandbox.ask("show", id=row.antigen.memory).stored
    assert stored.memory.content == "Use uv in this repository, never pip."
    assert stored.memory.origin == "user" and stored.memory.tier == "kept" and "antigen" in stored.memory.tags


def test_the_rule_is_made_of_the_calls_if_none_is_given(sandbox: Sandbox) -> None:
    row = adopted(sandbox)
    assert row.antigen.memory
    content = sandbox.ask("show", id=row.antigen.memory).stored.memory.content
    assert content.startswith("Do not run `pip`.") and "5 conversations" in content


@pytest.mark.parametrize("caller", [MODEL, PROGRAM])
@pytest.mark.parametrize("action", ["adopt", "reject"])
def test_only_a_person_decides(sandbox: Sandbox, caller: Any, action: str) -> None:
    record_hot(sandbox)
    id = only(ask(sandbox)).antigen.id
    with pytest.raises(Refused, match="only a person can"):
        ask(sandbox, action, id, as_=caller, yes=True)
    assert only(ask(sandbox)).antigen.decision is None


def test_what_is_not_hot_cannot_be_adopted(sandbox: Sandbox) -> None:
    record_hot(sandbox, times=4)
    with pytest.raises(Refused, match="4 of 5 conversations"):
        ask(sandbox, "adopt", only(ask(sandbox)).antigen.id)


def test_what_would_hit_an_accepted_call_cannot_be_adopted(sandbox: Sandbox) -> None:
    record_hot(sandbox)
    record_session(sandbox, "s-9", ("user", "go"), ("runs", "pip install x"), ("user", "thanks, next"), day=9)
    row = only(ask(sandbox))
    assert row.accepted == ("pip install x",) and not row.is_proven
    with pytest.raises(Refused, match="calls that you accepted, such as `pip install x`"):
        ask(sandbox, "adopt", row.antigen.id)
    assert only(ask(sandbox)).antigen.decision is None


def test_a_pattern_becomes_narrower_until_it_hits_no_accepted_call(sandbox: Sandbox) -> None:
    push = (("user", "push"), ("runs", "git push --force origin main"), ("user", "no, never force push"))
    for day in range(1, 6):
        record_session(sandbox, f"s-{day}", *push, day=day)
        record_session(sandbox, f"t-{day}", ("user", "push"), ("runs", "git push"), ("user", "next"), day=day)
    row = only(ask(sandbox))
    assert row.antigen.pattern.describe() == "`git push --force`" and row.is_proven


def test_calls_that_were_accepted_before_the_first_objection_say_nothing(sandbox: Sandbox) -> None:
    record_session(sandbox, "s-0", ("user", "go"), ("runs", "pip install x"), ("user", "good"), day=1)
    for day in range(2, 7):
        record_session(sandbox, f"s-{day}", *PIP, *AFTER, day=day)
    assert only(ask(sandbox)).is_proven


def test_an_adopted_one_shows_how_often_it_recurred_since(sandbox: Sandbox) -> None:
    adopted(sandbox)
    for day in (21, 22):
        record_session(sandbox, f"s-{day}", *PIP, day=day)
    sandbox.ms += 5 * DAY
    row = only(ask(sandbox))
    assert (row.status, row.before, row.since) == (AntigenStatus.ADOPTED, (5, 5), (2, 2))


def test_what_is_not_seen_for_eight_weeks_expires_and_comes_back(sandbox: Sandbox) -> None:
    record_session(sandbox, "s-1", *PIP, day=1)
    ask(sandbox)
    sandbox.ms += 60 * DAY
    assert only(ask(sandbox)).status is AntigenStatus.EXPIRED
    sandbox.ms -= 60 * DAY
    record_session(sandbox, "s-2", *PIP, day=18)
    assert only(ask(sandbox)).status is AntigenStatus.OBSERVING


def test_a_rejected_one_stays_rejected(sandbox: Sandbox) -> None:
    record_hot(sandbox)
    row = only(ask(sandbox, "reject", only(ask(sandbox)).antigen.id[:8]))
    assert row.status is AntigenStatus.REJECTED
    record_session(sandbox, "s-9", *PIP, day=9)
    row = only(ask(sandbox))
    assert row.status is AntigenStatus.REJECTED


def test_rejecting_an_adopted_one_names_the_rule_that_sessions_are_still_told(sandbox: Sandbox) -> None:
    antigen = adopted(sandbox).antigen
    assert ask(sandbox, "reject", antigen.id).left_memory == antigen.memory
    sandbox.ask("forget", ids=[antigen.memory])
    assert ask(sandbox, "reject", antigen.id).left_memory is None


def test_wrong_words_are_refused(sandbox: Sandbox) -> None:
    for words, values in ((("show",), {}), (("list", "ag_1"), {}), (("show", "ag_1"), {"rule": "x"})):
        with pytest.raises(UsageError):
            ask(sandbox, *words, **values)
    with pytest.raises(InvalidId):
        ask(sandbox, "show", "ag_zz")
    with pytest.raises(InvalidId):
        ask(sandbox, "show", "../x")


def test_a_model_is_told_no_words_of_the_user(sandbox: Sandbox) -> None:
    record_hot(sandbox)
    with sandbox.open(MODEL) as runtime:
        shown = render_for_model("antigens", runtime, sandbox.ask("antigens", as_=MODEL))
    assert "pip" in str(shown) and "don't use pip here" not in str(shown)


def test_without_any_recording_there_is_nothing(sandbox: Sandbox) -> None:
    assert ask(sandbox).rows == () and ask(sandbox).conversations == 0


def test_the_client_s_own_rule_is_written_on_request_and_taken_out(sandbox: Sandbox) -> None:
    git_folder(sandbox.project, branch="main", born="x")
    id = adopted(sandbox).antigen.id
    path = sandbox.project / ".claude" / "settings.local.json"
    answer = ask(sandbox, "write", id, dry_run=True)
    assert (answer.rule, answer.is_written, path.exists()) == ("Bash(pip:*)", False, False)
    assert answer.outcome == "would be added"
    with pytest.raises(Refused, match="only a person can"):
        ask(sandbox, "write", id, as_=MODEL)
    assert ask(sandbox, "write", id).is_written
    assert json.loads(path.read_text("utf-8")) == {"permissions": {"deny": ["Bash(pip:*)"]}}
    again = ask(sandbox, "write", id)
    assert (again.is_written, again.outcome) == (False, "nothing changed, the rule is there already")
    assert ask(sandbox, "unwrite", id, dry_run=True).outcome == "would be removed"
    removed = ask(sandbox, "unwrite", id)
    assert (removed.is_written, removed.outcome) == (True, "removed")
    assert "pip" not in path.read_text("utf-8")
    assert ask(sandbox, "unwrite", id).outcome == "nothing changed, the rule is not there"


def test_a_rule_is_written_only_for_an_adopted_antigen_and_never_through_a_link(sandbox: Sandbox) -> None:
    git_folder(sandbox.project, branch="main", born="x")
    record_hot(sandbox)
    id = only(ask(sandbox)).antigen.id
    with pytest.raises(Refused, match="adopt it first"):
        ask(sandbox, "write", id)
    ask(sandbox, "adopt", id)
    elsewhere = sandbox.folder / "elsewhere"
    elsewhere.mkdir()
    (sandbox.project / ".claude").symlink_to(elsewhere)
    with pytest.raises(Refused, match="is a symlink"):
        ask(sandbox, "write", id)
    assert list(elsewhere.iterdir()) == []


def test_a_purged_session_leaves_no_incident_and_makes_none_later(sandbox: Sandbox) -> None:
    record_hot(sandbox, times=3)
    ask(sandbox)
    assert sandbox.files_with("s-2.jsonl") != []
    sandbox.ask("purge", source="session:s-2", yes=True)
    for _ in range(2):
        assert [each.conversation for each in only(ask(sandbox)).antigen.incidents] == ["s-1", "s-3"]
        assert sandbox.files_with("s-2.jsonl") == []
    sandbox.ask("purge", source="session:s-4", yes=True)
    record_session(sandbox, "s-4", *PIP, *AFTER, day=4)
    assert only(ask(sandbox)).antigen.conversations == 2, "a session may be purged before anybody looked at it"
    assert sandbox.ask("verify").problems == ()


def test_an_adopted_antigen_stays_when_its_sessions_are_purged(sandbox: Sandbox) -> None:
    row = adopted(sandbox, rule="Use uv, never pip.")
    for day in range(1, 6):
        sandbox.ask("purge", source=f"session:s-{day}", yes=True)
    after = only(ask(sandbox)).antigen
    assert (after.id, after.pattern, after.incidents) == (row.antigen.id, row.antigen.pattern, ())
    assert (after.decision, after.memory) == (AntigenDecision.ADOPTED, row.antigen.memory)


def test_a_purged_memory_takes_the_incidents_of_its_session_with_it(sandbox: Sandbox) -> None:
    record_hot(sandbox, times=2)
    ask(sandbox)
    memory = sandbox.remember("pip is not used here", session="s-1")
    sandbox.ask("purge", ids=[memory.id], yes=True)
    [left] = only(ask(sandbox)).antigen.incidents
    assert (left.conversation, left.quote) == ("s-2", ""), "the words of that time may repeat what was purged"
