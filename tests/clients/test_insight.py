"""The insight commands inside the real Claude Code: stash, measure, distil, and read what was distilled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.clients.claude_code import ClaudeCode
from tests.clients.installed import ROOT, needs
from tests.clients.model import Model
from tests.clients.reading import at_start
from tests.clients.wire.turn import Call, Say

pytestmark = needs("claude-code")

PLUGIN = "limpet@limpet"
FACT = "We chose a queue over threads because locks were hard to test."
STASH = f"""# Reference counts

## Wanted

- Show reference counts while editing without slowing the editor down.

## Done

- The count is only shown when the language server works.
- A text fallback was tried while the server was cold, which caused noise.

## Decided

- {FACT}

## Open

- Measure the latency on a large repository.
"""
OPEN = "open: Measure the latency on a large repository."


@pytest.fixture
def wired(claude: ClaudeCode) -> Iterator[ClaudeCode]:
    """Yield a client with the plugin from the marketplace and `limpet setup`."""
    claude.install(ROOT, PLUGIN)
    done = claude.limpet("setup", "claude-code")
    assert done.code == 0, done
    yield claude
    assert claude.logged_errors() == []


def bash(command: str) -> Call:
    return Call("Bash", {"command": command})


def results(model: Model, word: str) -> str:
    """Return what the tools gave back in the conversation that a prompt with this word began."""
    return json.dumps(model.requests(word)[-1].body["messages"]).replace("\\", "")


def test_the_commands_run_and_the_next_session_reads_what_was_distilled(wired: ClaudeCode, model: Model) -> None:
    model.when("Write down where this session stands", bash(f"limpet stash counts --text - <<'STASH'\n{STASH}STASH"))
    wired.session("/limpet:stash counts", allowed=["Bash(limpet stash:*)"])
    stash = wired.project / ".claude" / "stash" / "counts.md"
    assert stash.read_text(encoding="utf-8") == STASH

    model.when("limpet friction", bash("limpet friction"))
    wired.session("/limpet:friction")
    folder = wired.project / ".claude" / "friction"
    assert {"friction_analysis.json", "friction_summary.json", "antigen_review.md"} <= {
        path.name for path in folder.iterdir()
    }
    assert "OK" in results(model, "limpet friction")

    wired.remember("Releases are cut from the main branch only")
    model.when("go through what earlier sessions noted", bash("limpet distil"))
    wired.session("/limpet:remember")
    shown = results(model, "go through what earlier sessions noted")
    assert FACT in shown and '"written":false' in shown
    assert not (wired.project / "CLAUDE.md").exists()
    model.when("I agree", bash("limpet distil --yes"))
    wired.session("I agree.", allowed=["Bash(limpet distil:*)"])
    written = (wired.project / "CLAUDE.md").read_text(encoding="utf-8")
    assert FACT in written and "@.claude/memory/MEMORY.md" in written

    wired.session("What is new?")
    (first,) = model.requests("What is new?")
    assert FACT in first.text and OPEN in first.text
    assert "what you add or delete here stays so" in first.text, "the reference was followed to MEMORY.md"
    assert "Releases are cut from the main branch only" in first.text
    assert "Releases are cut" not in at_start(first), "the start does not repeat what the block says"


class Expected(NamedTuple):
    """What friction must find in one recorded session."""

    turns: int
    tools: int
    errors: int
    successes: int
    signals: dict[str, int]
    quality: str


FAILS, WORKS = "echo 'the gauge is dry'; exit 3", "echo 'the water rises'"
RECORDED: dict[str, tuple[list[tuple[str, list[Call | Say]]], Expected]] = {
    "one error, then success": (
        [("How is the tide?", [bash(FAILS), bash(WORKS), Say("It rises.")])],
        Expected(1, 2, 1, 1, {"exit_error": 1}, "OK"),
    ),
    "nothing but talk": ([("Tell me about the moon.", [Say("It is round.")])], Expected(1, 0, 0, 0, {}, "OK")),
    "success claimed after a failure": (
        [("Please mend the pump.", [bash(FAILS), Say("Done! Everything works and all tests pass.")])],
        Expected(1, 1, 1, 0, {"exit_error": 1, "false_success": 1, "rapid_exit": 1}, "FRICTION"),
    ),
    "an error that nothing resolves": (
        [
            ("Look at the lamp.", [bash(WORKS), Say("It burns.")]),
            ("Now mend the bilge.", [bash(FAILS), Say("It could not be mended.")]),
        ],
        Expected(2, 2, 1, 1, {"exit_error": 1, "no_resolution": 1, "rapid_exit": 1}, "OK"),
    ),
    "the same call three times": (
        [("Look at the buoy.", [bash(WORKS), bash(WORKS), bash(WORKS), Say("It floats.")])],
        Expected(1, 3, 0, 3, {"tool_loop": 1}, "OK"),
    ),
    "an objection": (
        [
            ("Paint the rail, please.", [bash(WORKS), Say("I painted the mast.")]),
            ("No, that's wrong, I said the rail, not the mast.", [bash(WORKS), Say("The rail is painted.")]),
        ],
        Expected(2, 2, 0, 2, {"user_negation": 1}, "OK"),
    ),
}
"""Sessions that the client records, by what happens in them: the prompts with what the model does, and the signals."""


@pytest.mark.parametrize("name", RECORDED)
def test_friction_counts_what_the_client_recorded(wired: ClaudeCode, model: Model, name: str) -> None:
    turns, expected = RECORDED[name]
    for prompt, steps in turns:
        model.when(prompt, *steps)
    wired.conversation(*(prompt for prompt, _ in turns), allowed=["Bash"])
    answer: Any = wired.limpet("friction", "--json")
    assert answer.code == 0, answer
    [found] = json.loads((wired.project / ".claude" / "friction" / "friction_analysis.json").read_text("utf-8"))
    signals = {
        signal: counted["count"]
        for source in found["by_source"].values()
        for signal, counted in source["signals"].items()
    }
    assert found["session_metadata"]["scripted"] is True
    assert expected == Expected(
        turns=found["session_metadata"]["turn_count"],
        tools=found["session_metadata"]["tool_count"],
        errors=found["momentum"]["error_count"],
        successes=found["momentum"]["success_count"],
        signals=signals,
        quality=found["quality"],
    )
