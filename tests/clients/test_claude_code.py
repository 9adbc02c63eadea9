"""Limpet inside the real Claude Code: what is stored in one session is given to the model in the next."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from limpet import clock
from limpet.learning.marks import write_marks
from limpet.learning.nudge import LINE
from limpet.model.antigen import antigen_id
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import Change, ChangeKind
from limpet.model.outcome import Admitted
from limpet.operations import remember
from limpet.runtime import open_runtime
from tests.clients.claude_code import ClaudeCode
from tests.clients.installed import ROOT, needs, program
from tests.clients.model import SUMMARY, Model
from tests.clients.reading import at_prompt, at_start, changed_blocks
from tests.clients.test_harness import FULL
from tests.clients.wire.turn import Call, Say
from tests.operations.sandbox import USER

pytestmark = needs("claude-code")

PLUGIN = "limpet@limpet"
STORE = "mcp__plugin_limpet_limpet__store_memory"
RECALL = "mcp__plugin_limpet_limpet__recall"
STATED = "We always use pnpm in this repository, never npm."
RULE = "Use the echo sounder here, never the lead line."
DECISION = "We release on Tuesdays because the harbour office is closed on Mondays"


@pytest.fixture
def wired(claude: ClaudeCode) -> Iterator[ClaudeCode]:
    """As the readme says: the plugin from the marketplace, then `limpet setup`."""
    claude.install(ROOT, PLUGIN)
    done = claude.limpet("setup", "claude-code")
    assert done.code == 0, done
    yield claude
    assert claude.logged_errors() == []


# The plugin


@pytest.mark.parametrize("folder", [".", "plugin"])
def test_the_plugin_is_valid_in_the_strictest_sense(claude: ClaudeCode, folder: str) -> None:
    done = claude.run("plugin", "validate", "--strict", str(ROOT / folder))
    assert done.code == 0, done.out


def test_the_plugin_meets_what_the_directory_asks_of_plugins(claude: ClaudeCode) -> None:
    done = claude.run("plugin", "validate", "--profile", "directory", str(ROOT / "plugin"))
    assert done.code == 0, done.out


def test_the_plugin_is_installed_from_this_repository_and_its_server_connects(wired: ClaudeCode) -> None:
    listed = wired.run("plugin", "list").out
    assert PLUGIN in listed
    assert "enabled" in listed
    servers = wired.run("mcp", "list").out
    assert [line for line in servers.splitlines() if "limpet" in line and "Connected" in line], servers


# From one session to the next


def store(claude: ClaudeCode, model: Model) -> None:
    model.when("settle", Call(STORE, {"content": DECISION, "impact": "HIGH"}), Say("Noted."))
    assert claude.session("Let us settle when to release.", allowed=[STORE])["result"] == "Noted."


def test_the_core_tools_are_there_without_being_looked_for(wired: ClaudeCode, model: Model) -> None:
    wired.session("Hello.")
    assert {STORE, RECALL} <= set(model.asked[0].tools)


def test_a_memory_stored_in_one_session_is_in_the_first_request_of_the_next(wired: ClaudeCode, model: Model) -> None:
    store(wired, model)
    _, answered = model.requests("settle")
    assert "mem_" in answered.text
    wired.session("What is new?")
    (first,) = model.requests("What is new?")
    assert DECISION in at_start(first)


def test_a_session_in_another_folder_is_given_nothing_of_it(wired: ClaudeCode, model: Model) -> None:
    store(wired, model)
    wired.session("What is new?")
    wired.session("What is new?", cwd=wired.make_project("boat"))
    here, there = model.requests("What is new?")
    assert "harbour office" in here.text
    assert "harbour office" not in there.text


def test_a_memory_is_found_through_the_tool(wired: ClaudeCode, model: Model) -> None:
    wired.remember(DECISION)
    model.when("Which day", Call(RECALL, {"query": "release day"}), Say("Tuesday."))
    wired.session("Which day was it?", allowed=[RECALL])
    _, answered = model.requests("Which day")
    results = [message for message in answered.body["messages"] if "tool_result" in json.dumps(message)]
    assert "harbour office" in json.dumps(results)


def test_settings_do_what_the_plugin_does(claude: ClaudeCode, model: Model) -> None:
    """For those who want no plugin, `limpet setup` is enough."""
    assert claude.limpet("setup", "claude-code").code == 0
    tool = STORE.replace("plugin_limpet_", "")
    model.when("settle", Call(tool, {"content": DECISION, "impact": "HIGH"}), Say("Noted."))
    claude.session("Let us settle when to release.", allowed=[tool])
    claude.session("What is new?")
    (first,) = model.requests("What is new?")
    assert DECISION in at_start(first)
    assert claude.logged_errors() == []


def test_wired_by_settings_and_by_the_plugin_it_speaks_once(claude: ClaudeCode, model: Model) -> None:
    assert claude.limpet("setup", "claude-code").code == 0
    claude.install(ROOT, PLUGIN)
    claude.remember(DECISION)
    claude.session("What is new?")
    (first,) = model.requests("What is new?")
    assert first.text.count("[LTM:") == 1


# At a prompt


PARTS = (
    "hull keel mast boom deck rail hatch anchor buoy oar rudder tiller cabin galley bow stern jib cleat winch bilge "
    "ladder locker"
)
ORDINARY = [f"Always paint the {part} before the season" for part in PARTS.split()]
LITTLE = "Currency amounts are rounded half to even in invoice.py"


def test_a_prompt_brings_the_memory_that_it_is_about(wired: ClaudeCode, model: Model) -> None:
    """The start of a session has room for what matters most; the rest waits for a prompt that asks for it."""
    wired.remember(*ORDINARY)
    wired.remember(LITTLE, impact="LOW")
    wired.session("How do we round currency amounts in an invoice?")
    (first,) = model.requests("round currency")
    assert LITTLE not in at_start(first)
    assert LITTLE in at_prompt(first)
    assert "season" not in at_prompt(first)


def test_a_prompt_about_nothing_known_brings_nothing(wired: ClaudeCode, model: Model) -> None:
    wired.remember(DECISION)
    wired.session("Translate the greeting on the login page into Finnish.")
    (first,) = model.requests("Finnish")
    assert at_prompt(first) == ""


# What a person asks for


def test_what_a_person_asks_to_remember_is_stored_word_for_word(wired: ClaudeCode, model: Model) -> None:
    wired.session(f"/limpet:please-remember {DECISION}")
    (kept,) = json.loads(wired.limpet("list", "--json").out)["memories"]
    assert kept["content"] == DECISION
    for _ in range(20):
        # It counts as the user's word once the client's transcript shows that it was typed.
        assert wired.limpet("upkeep").code == 0
        (kept,) = json.loads(wired.limpet("list", "--json").out)["memories"]
        if kept["origin"] == "user":
            break
    assert (kept["content"], kept["origin"], kept["tier"]) == (DECISION, "user", "kept")


def test_what_a_prompt_asks_for_is_told_at_once_in_the_next_session(wired: ClaudeCode, model: Model) -> None:
    """Headless, one session right after the other: the client's transcript proves that the prompt was typed."""
    wired.session("Please remember: deploys go through the jump host only.")
    wired.session("What is new?")
    (first,) = model.requests("What is new?")
    assert "| Deploys go through the jump host only." in at_start(first)


def starts(wired: ClaudeCode, model: Model, number: int) -> list[str]:
    """Run further sessions, and return what the model of each reads at its first request."""
    for _ in range(number):
        wired.session("What is new?")
    return [each.text for each in model.requests("What is new?")]


def test_what_the_user_states_and_the_model_stores_is_told_from_then_on(wired: ClaudeCode, model: Model) -> None:
    model.when("always use pnpm", Call(STORE, {"content": "This repository uses pnpm, never npm."}), Say("Noted."))
    wired.session(STATED, allowed=[STORE])
    assert LINE in model.requests("always use pnpm")[0].text
    told = starts(wired, model, 5)
    assert ["| This repository uses pnpm, never npm." in each for each in told] == [True] * 5
    assert not any("Undecided" in each for each in told), "both are one memory"


def test_what_the_user_states_and_the_model_ignores_is_told_at_three_starts(wired: ClaudeCode, model: Model) -> None:
    wired.session(STATED, allowed=[STORE])
    told = starts(wired, model, 4)
    assert [f"“{STATED.rstrip('.')}" in each for each in told] == [True] * 3 + [False]


# What the hooks see


def test_a_failing_command_is_written_down(wired: ClaudeCode, model: Model) -> None:
    model.when("tide", Call("Bash", {"command": "echo 'the gauge is dry'; exit 3"}), Say("It failed."))
    wired.session("How is the tide?", allowed=["Bash"])
    wired.wait_for_queue("PostToolUseFailure", "Exit code 3", "the gauge is dry")


def test_a_succeeding_command_is_written_down(wired: ClaudeCode, model: Model) -> None:
    model.when("tide", Call("Bash", {"command": "echo 'the water rises'"}), Say("It rises."))
    wired.session("How is the tide?", allowed=["Bash"])
    wired.wait_for_queue("PostToolUse", "the water rises")


def test_the_end_of_a_session_is_seen_and_not_cut_off(wired: ClaudeCode, model: Model) -> None:
    ended = wired.session("Hello.")
    wired.wait_for_queue("SessionEnd", ended["session_id"])
    assert "cancelled" not in ended["stderr"]


def test_no_hook_of_ours_fails_in_a_session(wired: ClaudeCode, model: Model) -> None:
    wired.remember(DECISION)
    model.when("tide", Call("Bash", {"command": "false"}), Call("Bash", {"command": "true"}), Say("Low."))
    ended = wired.session("How is the tide?", allowed=["Bash"])
    assert ended["stderr"] == ""
    records = [json.loads(line) for line in wired.transcript(ended["session_id"]).splitlines()]
    fates = {record["attachment"]["type"] for record in records if record.get("type") == "attachment"}
    hooked = {fate for fate in fates if fate.startswith("hook_")}
    assert hooked == {"hook_success", "hook_additional_context", "hook_system_message"}
    # The person sees the line, the model does not.
    assert "Limpet: 1 memory told" in wired.transcript(ended["session_id"])
    assert not any("memory told" in request.text for request in model.requests("tide"))
    assert [record["hookErrors"] for record in records if record.get("subtype") == "stop_hook_summary"] == [[]]


def test_a_home_that_cannot_be_used_does_not_disturb_the_session(wired: ClaudeCode, model: Model) -> None:
    shutil.rmtree(wired.limpet_home)
    wired.limpet_home.write_text("A file where a folder should be.", encoding="utf-8")
    model.when("tide", Call("Bash", {"command": "false"}), Say("Low."))
    ended = wired.session("How is the tide?", allowed=["Bash"])
    assert ended["result"] == "Low."
    assert ended["stderr"] == ""


def test_without_limpet_the_plugin_says_how_to_install_it(claude: ClaudeCode, model: Model) -> None:
    claude.install(ROOT, PLUGIN)
    claude.environment["PATH"] = os.defpath
    assert claude.session("Hello.")["stderr"] == ""
    assert "uv tool install limpet" in model.asked[0].text


# What a person types


def test_what_follows_the_command_is_the_users_word(wired: ClaudeCode) -> None:
    """A client records the command after its hook has run; then the worker believes it."""
    wired.session(f"/limpet:please-remember {DECISION}")
    wired.limpet("upkeep")
    memories = wired.limpet("list", "--json").json["memories"]
    assert (DECISION, "user") in [(memory["content"], memory["origin"]) for memory in memories]
    assert not [memory for memory in memories if memory["content"].startswith("/limpet:")]


# After a compaction


def test_a_compaction_brings_the_memories_back(wired: ClaudeCode, model: Model) -> None:
    wired.remember(DECISION)
    model.when("tide", Call("Bash", {"command": "true"}, reads=FULL), Say("Never said."))
    wired.session("How is the tide?", allowed=["Bash"])
    last = model.asked[-1]
    assert SUMMARY in last.text
    assert DECISION in at_start(last)


def test_a_compaction_by_hand_brings_the_memories_back_once(wired: ClaudeCode, model: Model) -> None:
    wired.remember(DECISION)
    model.when("tide", Call("Bash", {"command": "true"}), Say("Low."))
    session = wired.session("How is the tide?", allowed=["Bash"])["session_id"]
    wired.session("/compact", options=["--resume", session])
    wired.session("And now?", options=["--resume", session])
    last = model.requests("And now?")[-1]
    assert SUMMARY in last.text
    assert last.text.count(DECISION) == 1


# Sub-agents


def test_a_sub_agent_is_given_the_memories_too(wired: ClaudeCode, model: Model) -> None:
    wired.remember(DECISION)
    errand = {"description": "Look", "prompt": "Sound the depth.", "subagent_type": "general-purpose"}
    model.when("tide", Call("Agent", errand), Say("Low."))
    wired.session("How is the tide?", allowed=["Agent"])
    assert DECISION in at_start(model.requests("Sound the depth.")[0])


# What was learnt the hard way


GAUGE = """\
import pathlib, sys
if not pathlib.Path("depth.txt").exists():
    sys.exit("GaugeError: the depth was never sounded")
print("ten fathoms")
"""


def test_a_fix_found_in_one_session_is_given_when_the_error_is_met_again(wired: ClaudeCode, model: Model) -> None:
    (wired.project / "gauge.py").write_text(GAUGE, encoding="utf-8")
    read, sound = Call("Bash", {"command": "python3 gauge.py"}), Call("Bash", {"command": "touch depth.txt"})
    model.when("tide", read, sound, read, Say("Ten fathoms."))
    wired.session("How is the tide?", allowed=["Bash"])
    (wired.project / "depth.txt").unlink()
    # The next session's second hook would do this while that session goes on; here nothing is left to who is faster.
    wired.limpet("upkeep")
    model.when("depth today", read, Say("It failed."))
    wired.session("What is the depth today?", allowed=["Bash"])
    _, after = model.requests("depth today")
    assert "GaugeError" in after.text
    assert "touch depth.txt" in after.text


# The prompt cache


def test_nothing_that_is_told_changes_what_was_sent_before(wired: ClaudeCode, model: Model) -> None:
    """Start, failed tool, prompt and typed command: each request of the four turns begins with the one before."""
    (wired.project / "gauge.py").write_text(GAUGE, encoding="utf-8")
    read, sound = Call("Bash", {"command": "python3 gauge.py"}), Call("Bash", {"command": "touch depth.txt"})
    model.when("tide", read, sound, read, Say("Ten fathoms."))
    wired.session("How is the tide?", allowed=["Bash"])
    (wired.project / "depth.txt").unlink()
    wired.remember(*ORDINARY)
    wired.remember(LITTLE, impact="LOW")
    wired.limpet("upkeep")
    before = len(model.asked)
    model.when("morning", read, Say("It failed."))
    prompts = ("Good morning, please begin.", "How do we round currency amounts in an invoice?", STATED)
    wired.conversation(*prompts, f"/limpet:please-remember {DECISION}", "What is new?", allowed=["Bash"])
    asked = [each for each in model.asked[before:] if each.tools]
    last = asked[-1]
    assert "[LTM:" in last.text, "the start was answered"
    assert "touch depth.txt" in last.text.partition("PostToolUseFailure")[2], "the failure was answered"
    assert LITTLE in last.text.partition("UserPromptSubmit")[2], "the prompt was answered"
    assert "Limpet has stored" in last.text, "the typed command was answered"
    assert last.text.count(LINE) == 1, "the statement was answered"
    assert (len(asked), changed_blocks(asked)) == (6, [])


def test_an_antigen_at_a_call_changes_nothing_that_was_sent_before(wired: ClaudeCode, model: Model) -> None:
    """The rule reaches the model at the call, the call runs, and each request begins with the one before."""
    adopt(wired, RULE, "sounding")
    probe = Call("Bash", {"command": "sounding --lead || true"})
    before = len(model.asked)
    model.when("tide", Call("Bash", {"command": "true"}), probe, Say("Low."))
    wired.conversation("How is the tide?", "What is new?", "And now?", allowed=["Bash"])
    asked = [each for each in model.asked[before:] if each.tools]
    assert RULE in asked[-1].text.partition("PreToolUse")[2], "the call was answered"
    assert (len(asked), changed_blocks(asked)) == (5, [])


def adopt(claude: ClaudeCode, rule: str, program: str) -> None:
    """Adopt an antigen about a program."""
    runtime = open_runtime(home=str(claude.limpet_home), cwd=str(claude.project), caller=USER)
    try:
        memory = remember.run(runtime, text=rule)
        assert isinstance(memory, Admitted)
        pattern = CallPattern(kind=PatternKind.COMMAND, words=(program,))
        scope = runtime.scope()
        payload = {
            "agent": scope.agent,
            "project": scope.project,
            "pattern": pattern.encode(),
            "decision": "adopted",
            "memory": memory.memory.id,
        }
        id = antigen_id(scope.agent, scope.project, pattern)
        runtime.write([Change(kind=ChangeKind.ANTIGEN, subject=id, payload=payload)])
        write_marks(runtime.context())
    finally:
        runtime.close()


def test_nothing_that_a_sub_agent_is_told_changes_what_it_was_sent_before(wired: ClaudeCode, model: Model) -> None:
    wired.remember(DECISION)
    errand = {"description": "Look", "prompt": "Sound the depth.", "subagent_type": "general-purpose"}
    model.when("tide", Call("Agent", errand), Say("Low."))
    model.when("Sound", Call("Bash", {"command": "true"}), Call("Bash", {"command": "false"}), Say("Sand."))
    wired.session("How is the tide?", allowed=["Agent", "Bash"], options=["--strict-mcp-config"])
    asked = model.requests("Sound the depth.")
    assert DECISION in at_start(asked[0])
    assert (len(asked), changed_blocks(asked)) == (3, [])


# Curation


def test_the_clients_own_model_curates_a_session_and_leaves_no_trace(wired: ClaudeCode, model: Model) -> None:
    said = "Deploys go through the jump host only, because the old script skips the migrations."
    quote = "Deploys go through the jump host only"
    proposal = {"do": "keep", "id": "u1", "quote": quote, "kind": "rule", "text": said, "lasting": 3}
    marks = {"marks": {"u1": "rule 90"}}
    model.when("<session>", Say("\n".join(map(json.dumps, (marks, proposal)))))
    allow_own_model(wired)
    wired.session(said)
    transcripts = sorted(wired.config.glob("projects/*/*.jsonl"))
    kept: list[str] = []
    for _ in range(40):
        # The hook at the session's end outlives the client; whoever comes first asks the model.
        assert wired.limpet("upkeep").code == 0
        memories = wired.limpet("list", "--json").json["memories"]
        kept = [each["content"] for each in memories if each["earned"] == "curated by claude"]
        if kept:
            break
    assert kept == [said]
    (asked,) = model.requests("<session>")
    assert asked.tools == []
    assert said in asked.text and "[LTM:" not in asked.text
    assert sorted(wired.config.glob("projects/*/*.jsonl")) == transcripts, "the client keeps no record of the call"
    assert "You curate" not in wired.queue_text()
    assert [day["calls"] for day in wired.limpet("cost", "--json").json["days"]] == [1]


def test_the_clients_own_model_sums_a_session_up_for_the_next_one(wired: ClaudeCode, model: Model) -> None:
    wanted = "The import of the bank's CSV fails since Monday, please find out why and mend the reader of the bank."
    report = (
        "The import failed because the CSV of Sparkasse is in latin-1. The reader of the bank decodes it now, and no "
        "other reader was changed. Two tests of umlauts still fail, because their fixture is saved as utf-8. "
    )
    decided = "Good. From now on we decode as latin-1 only for this bank, because the others send utf-8."
    answer = (
        "Understood: the reader of this bank alone decodes latin-1, and the readers of the other banks stay as they "
        "are. The two tests of umlauts are not mended yet, so the branch is not ready to be merged into main. "
        "The export of the bank was looked at too: it writes utf-8 already, and nothing has to be changed there."
    )
    model.when("] recorded: ", Say('{"chosen": [1, 2]}'))
    model.when("<session>", Say('{"do": "nothing"}'))
    model.when("find out why", Say(report))
    model.when("only for this bank", Say(answer))
    allow_own_model(wired)
    wired.conversation(wanted, decided)
    for _ in range(40):
        assert wired.limpet("upkeep").code == 0
        if model.requests("] recorded: "):
            break
    wired.session("What is new?")
    (first,) = model.requests("What is new?")
    (asked,) = model.requests("] recorded: ")
    told = [line.partition(": ")[2] for line in asked.text.splitlines() if line.startswith(("[1] ", "[2] "))]
    assert told[0].startswith("Reported done: ") and told[1].startswith("Decided: ")
    # What the user stated is told on trial, and not a second time in the paragraph.
    assert f"“{told[0]}”" in at_start(first)
    assert first.text.count("we decode as latin-1 only for this bank") == 1
    assert asked.tools == [] and "Two tests of umlauts still fail" in asked.text
    days = wired.limpet("cost", "--json").json["days"]
    assert sum(day["calls"] for day in days) == 2


def allow_own_model(wired: ClaudeCode) -> None:
    """Let the client's own program be asked, as `limpet setup` does after a yes."""
    folder = wired.home / "programs"
    folder.mkdir()
    (folder / "claude").symlink_to(program("claude-code"))
    wired.environment["PATH"] = f"{folder}:{wired.environment['PATH']}"
    for name, value in (("llm.provider", "claude"), ("llm.daily_tokens", "50000")):
        assert wired.limpet("config", name, value).code == 0


# With a server


def test_hooks_and_tools_go_through_a_server(claude: ClaudeCode, model: Model) -> None:
    assert claude.limpet("setup", "claude-code").code == 0
    # A hook with this variable knows more than the server, so it does not hand over.
    claude.environment.pop("CLAUDE_CODE_DISABLE_AUTO_MEMORY")
    with start_server(claude) as (url, token):
        headers = ("--header", f"Authorization: Bearer {token}", "--header", f"Limpet-Folder: {claude.project}")
        added = claude.run("mcp", "add", "--transport", "http", "served", f"{url}/mcp", *headers)
        assert added.code == 0, added
        tool = "mcp__served__store_memory"
        model.when("settle when to release", Call(tool, {"content": DECISION, "impact": "HIGH"}), Say("Noted."))
        claude.session("Let us settle when to release.", allowed=[tool])
        claude.session("What is new?")
        request = urllib.request.Request(f"{url}/metrics", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            counted = answer.read().decode()
    (first,) = model.requests("What is new?")
    assert DECISION in at_start(first)
    taken = {path: float(number) for path, number in re.findall(r'_total{path="(.*?)",status="200"} (\S+)', counted)}
    assert taken["/hook/{event}"] >= 4
    assert taken["/mcp"] >= 1
    assert claude.logged_errors() == []


@contextmanager
def start_server(claude: ClaudeCode) -> Iterator[tuple[str, str]]:
    """Start `limpet serve` as the person would, and yield its address and its token."""
    command = [sys.executable, "-m", "limpet", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=claude.project, env=claude.environment, stderr=subprocess.DEVNULL) as server:
        try:
            info = claude.limpet_home / "server.json"
            for _ in clock.attempts(60_000, every_ms=50):
                if info.exists():
                    break
            port = json.loads(info.read_text(encoding="utf-8"))["hooks_port"]
            yield f"http://127.0.0.1:{port}", (claude.limpet_home / "http" / "token").read_text().strip()
        finally:
            server.terminate()
