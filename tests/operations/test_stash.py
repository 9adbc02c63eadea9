"""`limpet stash`: an extract of the right session, or the agent's own text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from limpet.errors import UsageError
from limpet.operations.stash import StashAnswer
from tests.hosts.recorded import call, entry, result, write_lines
from tests.operations.sandbox import MODEL, Sandbox


@pytest.fixture(autouse=True)
def no_folders_of_the_tester(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "CLAUDE_CODE_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)


def record(folder: Path, home: Path, session: str, wish: str) -> None:
    about: dict[str, Any] = {"sessionId": session, "cwd": str(folder)}
    commit = "git commit -m 'Add a retry to the payment client'"
    todos = [{"content": "Write the test", "status": "pending"}, {"content": "Add the retry", "status": "completed"}]
    lines = [
        entry("user", wish, second=0, **about),
        call("Edit", {"file_path": f"{folder}/client.py", "new_string": "retry()"}, id="a", second=1, **about),
        result("ok", id="a", second=2, **about),
        call("Bash", {"command": commit}, id="b", second=3, **about),
        result("[main 1a2b3c4] Add a retry to the payment client", id="b", second=4, **about),
        call("TodoWrite", {"todos": todos}, id="c", second=5, **about),
        result("ok", id="c", second=6, **about),
        entry(
            "user", "We decided to use exponential backoff because the provider bans fixed delays.", second=7, **about
        ),
        entry("assistant", [{"type": "text", "text": "Noted."}], second=8, **about),
    ]
    write_lines(home / ".claude" / "projects" / "-p" / f"{session}.jsonl", lines)


def stash(sandbox: Sandbox, **values: Any) -> StashAnswer:
    name = values.pop("called", None)
    with sandbox.open(values.pop("as_", MODEL), session=values.pop("session", None)) as runtime:
        from limpet.operations.stash import run

        return run(runtime, name=name, **values)


def test_what_was_wanted_done_decided_and_open_is_extracted(sandbox: Sandbox) -> None:
    record(sandbox.project, sandbox.folder / "nobody", "s-1", "Add a retry to the payment client, please")
    answer = stash(sandbox, called="Payment retry")
    assert answer.path == str(sandbox.project / ".claude" / "stash" / "payment-retry.md") and answer.is_new
    text = Path(answer.path).read_text("utf-8")
    assert "## Wanted\n\n- Add a retry to the payment client" in text
    assert "- Add the retry" in text.partition("## Done")[2].partition("##")[0]
    assert "backoff" in text.partition("## Decided")[2].partition("##")[0]
    assert "- Write the test" in text.partition("## Open")[2].partition("##")[0]
    assert "client.py" in text
    assert "*" in (sandbox.project / ".claude" / "stash" / ".gitignore").read_text("utf-8").splitlines()


def test_the_current_session_is_stashed_and_no_other(sandbox: Sandbox) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    home = sandbox.folder / "nobody"
    record(sandbox.project, home, "session-one", "Add a retry to the first payment client")
    record(sandbox.project, home, "session-two", "Add a retry to the second payment client")
    record(other, home, "session-three", "Add a retry to the client of another project")
    answer = stash(sandbox, session="session-one")
    assert answer.session == "session-one" and "first payment" in Path(answer.path).read_text("utf-8")
    assert stash(sandbox).session == "session-two"
    with pytest.raises(UsageError, match="no recorded session of this project"):
        stash(sandbox, session="session-three")


def test_a_text_of_the_agent_is_written_as_it_is(sandbox: Sandbox) -> None:
    answer = stash(sandbox, called="handover", text="# Handover\n\n## Open\n\n- the test\n")
    assert Path(answer.path).read_text("utf-8") == "# Handover\n\n## Open\n\n- the test\n"
    again = stash(sandbox, text="# Handover\n\nmore\n")
    assert Path(again.path).name == "handover-2.md"


def test_without_a_session_it_says_what_to_do(sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="give the text"):
        stash(sandbox)
    assert not (sandbox.project / ".claude").exists()


AWS = "AKIAQ3EGRLV7WPXNJ2KD"


@pytest.mark.parametrize(
    ("called", "text"),
    [
        (None, f"AWS key {AWS} rotates; <private>salary 91234</private> done"),
        (None, f"<private>salary\n91234</private>\n{AWS} rotates, then we are done"),
        (AWS, "done"),
        (f"rotate {AWS} <private>salary 91234</private>", "done"),
    ],
)
def test_a_file_name_holds_no_secret_and_no_private_part(sandbox: Sandbox, called: str | None, text: str) -> None:
    name = Path(stash(sandbox, called=called, text=text).path).name
    assert AWS.lower() not in name and "91234" not in name and "salary" not in name
