"""`limpet friction`: which sessions it measures, where it writes, and what it never touches."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from limpet.clock import to_ms
from limpet.errors import Refused, UsageError
from limpet.forms.model import render_for_model
from limpet.operations.friction import FrictionAnswer
from tests.hosts.recorded import call, entry, result, write_lines
from tests.operations.recordings import record_session
from tests.operations.sandbox import MODEL, Sandbox, files_with, git_folder

FILES = {
    "friction_analysis.json",
    "friction_summary.json",
    "friction_raw.jsonl",
    "antigen_candidates.json",
    "antigen_review.md",
}
TOKEN = "ghp_" + "a1B2c3D4e5" * 4


@pytest.fixture(autouse=True)
def no_folders_of_the_tester(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)


def record(
    sandbox: Sandbox, session: str, *prompts: str, folder: Path | None = None, day: int = 15, **more: Any
) -> None:
    """Record a session of Claude Code with these prompts, each answered by a call that succeeds."""
    about: dict[str, Any] = {"sessionId": session, "cwd": str(folder or sandbox.project), "entrypoint": "cli", **more}
    lines = []
    for number, text in enumerate(prompts):
        second = number * 60
        lines.append(entry("user", text, second=second, **about))
        lines.append(call("Bash", {"command": f"make {number}"}, id=f"c{number}", second=second + 1, **about))
        lines.append(result("ok", id=f"c{number}", second=second + 2, **about))
    for line in lines:
        line["timestamp"] = line["timestamp"].replace("11-15", f"11-{day:02}")
    write_lines(sandbox.folder / "nobody" / ".claude" / "projects" / "-p" / f"{session}.jsonl", lines)


def measure(sandbox: Sandbox, **values: Any) -> FrictionAnswer:
    answer: FrictionAnswer = sandbox.ask("friction", **values)
    return answer


def out_of(sandbox: Sandbox) -> Path:
    return sandbox.project / ".claude" / "friction"


def test_the_sessions_of_this_project_are_measured_and_no_others(sandbox: Sandbox) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    record(sandbox, "s-1", "add a retry", "no, use the other file", "good")
    record(sandbox, "s-2", "something else entirely", "no, wrong", folder=other)
    answer = measure(sandbox)
    assert [each.session for each in answer.report.conversations] == ["s-1"]
    assert answer.others == 1
    written = "".join(path.read_text("utf-8") for path in out_of(sandbox).rglob("*") if path.is_file())
    assert "use the other file" in written and "something else" not in written


def test_the_five_files_and_a_dated_copy_are_written(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", "no, use the other file", "good")
    measure(sandbox)
    folder = out_of(sandbox)
    assert FILES.issubset(os.listdir(folder))
    summary = json.loads((folder / "friction_summary.json").read_text("utf-8"))
    assert summary["overall"]["total_sessions"] == 1 and summary["verdict"]["status"] == "INCONCLUSIVE"
    [copy] = (folder / "reports").iterdir()
    assert json.loads(copy.read_text("utf-8")) == summary
    raw = [json.loads(line) for line in (folder / "friction_raw.jsonl").read_text("utf-8").splitlines()]
    assert [(each["signal"], each["source"]) for each in raw] == [("user_negation", "user")]
    [candidate] = json.loads((folder / "antigen_candidates.json").read_text("utf-8"))
    assert candidate["anchor_signal"] == "user_negation" and candidate["tool_sequence"] == ["Bash:ok"]
    assert "> no, use the other file" in (folder / "antigen_review.md").read_text("utf-8")
    measure(sandbox)
    assert len(list((folder / "reports").iterdir())) == 2


def test_git_ignores_the_folder_and_the_user_is_told_once(sandbox: Sandbox) -> None:
    git_folder(sandbox.project, branch="main", born="x")
    record(sandbox, "s-1", "add a retry", "thanks")
    assert measure(sandbox).is_new
    assert "*" in (out_of(sandbox) / ".gitignore").read_text("utf-8").splitlines()
    assert not measure(sandbox).is_new
    (out_of(sandbox) / ".gitignore").write_text("!mine\n", "utf-8")
    with pytest.raises(Refused, match="was not written by Limpet"):
        measure(sandbox)
    assert (out_of(sandbox) / ".gitignore").read_text("utf-8") == "!mine\n"


def test_without_sessions_nothing_is_overwritten(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", "thanks")
    measure(sandbox)
    before = {path: path.read_bytes() for path in out_of(sandbox).rglob("*") if path.is_file()}
    with pytest.raises(UsageError, match="nothing was written") as caught:
        measure(sandbox, since="2027-01-01")
    assert caught.value.exit_code == 2
    assert {path: path.read_bytes() for path in out_of(sandbox).rglob("*") if path.is_file()} == before


def test_a_period_is_chosen_and_compared_with_another(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", "no, wrong", "no, stop that", day=2)
    record(sandbox, "s-2", "add a retry to b", "thanks", day=12)
    answer = measure(sandbox, since="2026-11-10", compare="2026-11-01..2026-11-10")
    assert [each.session for each in answer.report.conversations] == ["s-2"]
    assert answer.compared is not None and answer.compared.troubled_rate == 1.0
    assert [each.session for each in measure(sandbox, until="2026-11-10").report.conversations] == ["s-1"]


@pytest.mark.parametrize("text", ["2026-11-01", "..", "x..y", "2026-11-02..2026-11-01"])
def test_a_period_that_is_none_is_refused(sandbox: Sandbox, text: str) -> None:
    with pytest.raises(UsageError, match="compare is"):
        measure(sandbox, compare=text)


def test_across_projects_the_report_stays_out_of_every_repository(sandbox: Sandbox) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    record(sandbox, "s-1", "add a retry", "thanks")
    record(sandbox, "s-2", "something else", "thanks", folder=other, day=16)
    answer = measure(sandbox, all_projects=True)
    assert {each.project for each in answer.report.conversations} == {"shop", "other"}
    assert answer.folder == str(sandbox.home / "friction")
    assert not out_of(sandbox).exists() and not (other / ".claude").exists()


def test_a_model_may_not_look_across_projects_or_read_other_files(sandbox: Sandbox, tmp_path: Path) -> None:
    record(sandbox, "s-1", "add a retry", "thanks")
    with pytest.raises(Refused):
        measure(sandbox, as_=MODEL, all_projects=True)
    with pytest.raises(Refused):
        measure(sandbox, as_=MODEL, path=str(tmp_path))
    assert not out_of(sandbox).exists()


def test_a_model_is_told_numbers_and_no_words_of_sessions(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", "no, use the zebra file")
    with sandbox.open(MODEL) as runtime:
        from limpet.operations.friction import run

        said = render_for_model("friction", runtime, run(runtime))
    assert "zebra" not in said and '"user_negation":1' in said


def test_sessions_of_programs_are_counted_apart(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", "thanks")
    record(sandbox, "s-2", "review this", "no, wrong", entrypoint="sdk-py")
    report = measure(sandbox).report
    assert [each.session for each in report.conversations] == ["s-1"]
    assert [each.session for each in report.scripted] == ["s-2"]
    assert report.signals == {}


def test_nothing_that_is_written_holds_a_secret(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", f"no, use {TOKEN} <private>my salary</private>")
    measure(sandbox, html=True)
    written = "".join(path.read_text("utf-8") for path in out_of(sandbox).rglob("*") if path.is_file())
    assert TOKEN not in written and "salary" not in written and "REDACTED" in written


def test_a_symlink_in_the_repository_is_refused(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", "thanks")
    elsewhere = sandbox.folder / "elsewhere"
    elsewhere.mkdir()
    (sandbox.project / ".claude").symlink_to(elsewhere)
    with pytest.raises(Refused, match="symlink"):
        measure(sandbox)
    assert list(elsewhere.iterdir()) == []


def test_a_report_of_another_tool_is_the_one_before(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", "thanks")
    folder = sandbox.project / ".aurora" / "friction"
    folder.mkdir(parents=True)
    overall = {"total_sessions": 9, "interactive_sessions": 7, "bad_sessions": 3}
    summary = {"analyzed_at": "2026-02-11T10:00:00Z", "overall": overall}
    (folder / "friction_summary.json").write_text(json.dumps(summary), "utf-8")
    earlier = measure(sandbox).earlier
    assert earlier is not None and (earlier.interactive, earlier.bad) == (7, 3)
    again = measure(sandbox).earlier
    assert again is not None and (again.interactive, again.bad) == (1, 0)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"overall": 1}', "\x00", '{"overall":{"total_sessions":"x"}}'])
def test_a_broken_report_of_another_tool_is_ignored(sandbox: Sandbox, text: str) -> None:
    record(sandbox, "s-1", "add a retry", "thanks")
    folder = sandbox.project / ".aurora" / "friction"
    folder.mkdir(parents=True)
    (folder / "friction_summary.json").write_text(text, "utf-8")
    assert measure(sandbox).earlier is None


def test_in_the_home_folder_of_the_user_the_report_goes_to_limpets_home(sandbox: Sandbox) -> None:
    home = sandbox.folder / "nobody"
    record(sandbox, "s-1", "add a retry", "thanks", folder=home)
    answer = measure(sandbox, cwd=home)
    assert answer.folder.startswith(str(sandbox.home))
    assert not (home / ".claude" / "friction").exists()


def test_the_page_needs_nothing_else_and_escapes_what_was_said(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", 'no, <script>alert("x")</script> is wrong')
    answer = measure(sandbox, html=True)
    [page] = [path for path in answer.files if path.endswith(".html")]
    text = Path(page).read_text("utf-8")
    assert "<script" not in text and "http://" not in text and "https://" not in text and "<svg" in text
    assert "prefers-color-scheme: dark" in text


def test_a_project_that_is_named_is_measured_from_anywhere(sandbox: Sandbox) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    record(sandbox, "s-1", "add a retry", "thanks")
    record(sandbox, "s-2", "something else", "thanks", folder=other, day=16)
    sandbox.remember("The shop speaks JSON")
    answer = measure(sandbox, cwd=other, within="shop")
    assert [each.session for each in answer.report.conversations] == ["s-1"]
    assert answer.folder.startswith(str(sandbox.home / "friction"))
    assert not (other / ".claude").exists() and not out_of(sandbox).exists()


def test_control_characters_of_a_session_reach_no_file(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", "no, \x1b[2J\u202ewrong\u200b file\x07")
    measure(sandbox, html=True)
    written = "".join(path.read_text("utf-8") for path in out_of(sandbox).rglob("*") if path.is_file())
    assert "wrong" in written
    assert not any(mark in written for mark in ("\x1b", "\u202e", "\u200b", "\x07", "\\u001b"))


def test_a_session_that_cannot_be_read_is_named(sandbox: Sandbox) -> None:
    folder = sandbox.folder / "nobody" / ".claude" / "projects" / "-p"
    path = write_lines(folder / "long.jsonl", [entry("user", "x" * (5 << 20), cwd=str(sandbox.project))])
    with pytest.raises(UsageError, match="1 file could not be read") as caught:
        measure(sandbox)
    assert str(path) in str(caught.value)
    record(sandbox, "s-1", "add a retry", "thanks")
    assert [failed for failed, _ in measure(sandbox).failed] == [str(path)]


def test_a_period_is_mentioned_only_if_one_was_given(sandbox: Sandbox) -> None:
    record(sandbox, "s-1", "add a retry", "thanks")
    with pytest.raises(UsageError, match="in that period"):
        measure(sandbox, since="2027-01-01")
    other = sandbox.folder / "other"
    other.mkdir()
    record(sandbox, "s-1", "add a retry", "thanks", folder=other)
    with pytest.raises(UsageError, match="no recorded session of this project was found"):
        measure(sandbox)


def test_a_standing_rule_is_measured_before_and_since_it_was_learnt(sandbox: Sandbox) -> None:
    sandbox.ms = to_ms(datetime(2026, 11, 10, tzinfo=UTC))
    sandbox.ask("remember", text="Use uv in this repository, never pip.")
    sandbox.ask("remember", text="The API speaks <b>JSON</b> only.")
    for day, command in ((1, "pip install a"), (2, "pip install b"), (3, "make"), (12, "uv add c"), (13, "pip list")):
        record_session(sandbox, f"s-{day}", ("user", f"go {day}"), ("runs", command), ("user", "thanks"), day=day)
    answer = measure(sandbox, rules=True, html=True)
    [rule] = answer.rules
    counted = [(each.followed, each.broken, each.unknown) for each in (rule.before, rule.since)]
    assert counted == [(0, 2, 1), (1, 1, 0)]
    page = (out_of(sandbox) / "friction.html").read_text("utf-8")
    assert "<h2>Standing rules</h2>" in page and "Use uv in this repository, never pip." in page


def test_without_the_flag_no_rule_is_shown(sandbox: Sandbox) -> None:
    sandbox.ask("remember", text="Use uv in this repository, never pip.")
    record_session(sandbox, "s-1", ("user", "go"), ("runs", "pip install a"), ("user", "thanks"))
    assert measure(sandbox).rules == ()


def test_a_report_after_a_purge_quotes_nothing_said_before(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The wedding cake is a surprise for Jonathan")
    record(sandbox, "s-1", "order it", "no, the wedding cake is a surprise for Jonathan", "good")
    record(sandbox, "s-2", "add a retry", "no, use the other file", "good", day=19)
    measure(sandbox)
    assert files_with("wedding", out_of(sandbox)) != []
    sandbox.ms = to_ms(datetime(2026, 11, 17, tzinfo=UTC))
    sandbox.ask("purge", ids=[memory.id], yes=True)
    sandbox.ms = to_ms(datetime(2026, 11, 20, tzinfo=UTC))
    answer = measure(sandbox, html=True)
    assert [each.incidents for each in answer.report.conversations] == [1, 1], "what went wrong still counts"
    assert files_with("wedding", out_of(sandbox)) == []
    assert files_with("use the other file", out_of(sandbox)) != [], "what was said since may be quoted"
