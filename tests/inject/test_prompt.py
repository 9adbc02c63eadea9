"""What is injected with a prompt: at most a few memories that answer it, each once."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from benchmarks.recall.sets import coding

from limpet.clock import DAY_MS
from limpet.lean.record import replace
from limpet.model.memory import LEAST_ON_TRIAL, Draft, Origin, Tier, Type
from limpet.text.tokens import count_tokens
from tests.inject.injecting import inject
from tests.operations.sandbox import Sandbox
from tests.recall.searching import told


def test_a_prompt_gets_at_most_five_and_each_only_once_a_session(sandbox: Sandbox) -> None:
    for number in range(8):
        sandbox.remember(f"The staging database has replica number {number} in rack {number}")
    text = inject(sandbox, "prompt", text="which replicas does the staging database have?")
    shown = re.findall(r'<memory id="(mem_\w+)" type="\w+" importance="[\d.]+" age="\w+"', text)
    assert len(shown) == 5
    again = inject(sandbox, "prompt", text="which replicas does the staging database have?")
    assert not set(shown).intersection(re.findall(r'id="(mem_\w+)"', again))
    assert text.startswith("<memory-context>\n")
    assert text.endswith("\n</memory-context>")
    assert "\nTitle: " in text
    assert "\nContent: " in text


def test_a_corrected_memory_is_shown_again(sandbox: Sandbox) -> None:
    first = sandbox.remember("The staging database is called heron-7")
    asked = "what is the staging database called?"
    assert "heron-7" in inject(sandbox, "prompt", text=asked)
    sandbox.ask("correct", id=first.id, text="The staging database is called egret-9")
    assert "egret-9" in inject(sandbox, "prompt", text=asked)


def test_a_prompt_that_nothing_matches_gets_nothing(sandbox: Sandbox) -> None:
    sandbox.remember("The staging database is called heron-7")
    for text in ("ok", "continue", "", "   ", "yes please", "what is the weather in Bergen today?", "👍"):
        assert inject(sandbox, "prompt", text=text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "yes, go ahead and continue",
        "Sounds good, proceed",
        "great, keep going!",
        "looks great, ship it",
        "lgtm, merge it",
        "ja, mach weiter",
        "sí, continúa",
    ],
)
def test_a_prompt_that_only_nods_gets_nothing_though_a_memory_shares_its_words(sandbox: Sandbox, text: str) -> None:
    sandbox.remember(
        "If all sounds good, say ja and proceed: mach weiter, go ahead, keep going, continue, continúa, a great start. "
        "If it looks great and says lgtm, ship it and merge it"
    )
    assert inject(sandbox, "prompt", text=text) == ""


def test_a_word_of_assent_does_not_silence_the_rest_of_a_prompt(sandbox: Sandbox) -> None:
    sandbox.remember("The staging database is called heron-7")
    assert "heron-7" in inject(sandbox, "prompt", text="great! what is the staging database called?")


def test_prompts_of_one_session_share_a_budget(sandbox: Sandbox) -> None:
    for number in range(6):
        sandbox.remember(f"The gearbox number {number} of the crane " + f"has {number} teeth and a spring " * 40)
    flags = {"inject.session_tokens": 400, "inject.prompt_memories": 1}
    spent = 0
    for number in range(6):
        text = inject(sandbox, "prompt", text=f"tell me about gearbox number {number} of the crane", flags=flags)
        spent += count_tokens(text)
    assert 0 < spent <= 400


BARE = (
    *("make it faster", "fix the tests please", "clean this up", "add a button", "can you improve this"),
    *("run the tests again", "write tests for this", "there is an error", "add error handling", "check the logs"),
    *("mach das schneller", "corrige les tests", "arregla las pruebas por favor", "исправь тесты пожалуйста"),
    *("请修复测试", "添加一个按钮"),
)


def test_bare_prompts_of_common_words_get_nothing_from_a_filled_store(sandbox: Sandbox) -> None:
    memories, _ = coding(Path("benchmarks/recall/coding"))
    with sandbox.open() as runtime:
        door = runtime.admission(actor="test")
        for each in memories[:250]:
            door.admit(Draft(text=each["text"], origin=Origin.USER, tier=Tier.KEPT))
        runtime.write(door.changes)
    answered = [text for text in BARE if told(sandbox, text)]
    assert len(answered) <= len(BARE) // 10, answered


def test_nearness_alone_does_not_tell_a_note(sandbox: Sandbox) -> None:
    """Texts in a language that the embedding table hardly knows are all near to each other."""
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima")
        door.admit(
            Draft(
                text="Логотип всегда стоит слева, потому что так просил заказчик.", origin=Origin.USER, importance=0.65
            )
        )
        runtime.write(door.changes)
    assert inject(sandbox, "prompt", text="покупатель жалуется, что квитанция приходит пустой") == ""
    assert "заказчик" in inject(sandbox, "prompt", text="заказчик просил логотип, где он стоит?")


def test_what_is_only_noted_needs_a_strong_match(sandbox: Sandbox) -> None:
    asked = "how many workers does the import queue of the warehouse have?"
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima")
        said = Draft(text="The import queue of the warehouse has 12 workers.", origin=Origin.USER, session="s0")
        door.admit(replace(said, importance=0.65))
        door.admit(Draft(text="The queue was slow on Monday.", origin=Origin.USER, session="s0"))
        runtime.write(door.changes)
    told = inject(sandbox, "prompt", text=asked)
    assert "12 workers" in told and "slow on Monday" not in told


def test_a_rule_that_no_start_may_tell_is_not_told_beside_a_prompt_either(sandbox: Sandbox) -> None:
    def ask(importance: float, session: str) -> str:
        rule = Draft(text="Use the warehouse import queue for nightly orders.", type=Type.DECISION, origin=Origin.USER)
        with sandbox.open() as runtime:
            door = runtime.admission(actor="capture:anima")
            door.admit(replace(rule, importance=importance, session="s0"))
            runtime.write(door.changes)
        return inject(sandbox, "prompt", text="should nightly orders use the warehouse import queue?", session=session)

    assert ask(LEAST_ON_TRIAL - 0.01, "s1") == ""


def test_a_summary_is_told_with_a_prompt_that_names_its_time_only(sandbox: Sandbox) -> None:
    text = (
        "Wanted: Import the orders of the warehouse nightly. Reported done: Import of orders from the warehouse queue."
    )
    summary = Draft(text=text, type=Type.SESSION_SUMMARY, origin=Origin.TOOL, session="s0", created_at=sandbox.now)
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima")
        door.admit(summary)
        runtime.write(door.changes)
    sandbox.ms += DAY_MS
    assert inject(sandbox, "prompt", text="import the orders of the warehouse queue nightly", session="s1") == ""
    assert "Reported done" in inject(
        sandbox, "prompt", text="what did we import from the warehouse yesterday?", session="s2"
    )
    when = f"{sandbox.now - timedelta(days=1):%Y-%m-%d}"
    error = f"the warehouse page says: {when} 19:47:37 value does not match type :date in Payment.changeset"
    assert inject(sandbox, "prompt", text=error, session="s3") == "", "a date in pasted text asks for no summary"


def test_nothing_of_the_session_itself_is_told_in_it(sandbox: Sandbox) -> None:
    sandbox.remember("The import queue has 12 workers", session="s1")
    asked = "how many workers does the import queue have?"
    assert inject(sandbox, "prompt", text=asked, session="s1") == ""
    assert "12 workers" in inject(sandbox, "prompt", text=asked, session="s2")
