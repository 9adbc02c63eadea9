"""Ids may be shortened as long as they name one memory; what is not an id is refused and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from limpet.curating.writing import build_draft, run_many
from limpet.errors import AmbiguousId, InvalidId, UsageError
from limpet.model.outcome import Admitted
from limpet.operations.catalogue import load_verb
from limpet.operations.parameters import check_path
from tests.operations.sandbox import Sandbox

BY_ID: dict[str, Callable[[str], dict[str, Any]]] = {
    "show": lambda id: {"id": id},
    "related": lambda id: {"id": id},
    "timeline": lambda id: {"around": id},
    "graph": lambda id: {"id": id},
    "blame": lambda id: {"id": id},
    "correct": lambda id: {"id": id, "text": "Something better"},
    "restore": lambda id: {"id": id},
    "pin": lambda id: {"id": id},
    "forget": lambda id: {"ids": [id]},
    "confirm": lambda id: {"ids": [id]},
    "purge": lambda id: {"ids": [id], "yes": True},
}


NOT_IDS = (
    *("../../x", "/etc/passwd", "a/b", "..%2f", "%2e%2e/", "．．／x", "a∕b", "CON", "nul.md", "\0", "mem_\0"),
    *("' OR 1=1 --", '"; DROP TABLE memory; --', "mem_%", "mem_*", "NEAR(a b)", "title:x"),
    *("", " ", "mem_", "-", "--help", "mem_01jz4\n", "mem_01jz4\x1b[2J", "\ud800", "x" * 4096, "mem_" + "0" * 27),
    *("prj_0123456789abcdef01234567", "agent:anima", "session:s", "fact_01jz4"),
)  # fmt: skip


@pytest.mark.parametrize("name", BY_ID)
def test_a_beginning_that_fits_one_memory_is_enough(sandbox: Sandbox, name: str) -> None:
    memory = sandbox.remember("The only one there is")
    for short in (memory.id[:12], memory.id[4:14], f" {memory.id.upper()} "):
        sandbox.ask(name, **BY_ID[name](short)) if name != "purge" else sandbox.ask(name, ids=[short], dry_run=True)


@pytest.mark.parametrize("name", BY_ID)
def test_an_ambiguous_beginning_lists_the_candidates_and_changes_nothing(sandbox: Sandbox, name: str) -> None:
    first, second = sandbox.remember("One of them"), sandbox.remember("Another of them")
    before = sandbox.journal()
    with pytest.raises(AmbiguousId) as caught:
        sandbox.ask(name, **BY_ID[name](first.id[:9]))
    assert set(caught.value.candidates) == {first.id, second.id}
    assert first.id in str(caught.value) and second.id in str(caught.value)
    assert "give more characters" in str(caught.value)
    assert sandbox.journal() == before
    assert len(sandbox.texts()) == 2


def test_an_ambiguous_id_among_several_changes_none_of_them(sandbox: Sandbox) -> None:
    first = sandbox.remember("One of them")
    sandbox.remember("Another of them")
    with pytest.raises(AmbiguousId):
        sandbox.ask("forget", ids=[first.id, first.id[:8]])
    assert len(sandbox.texts()) == 2


def test_many_candidates_are_counted_and_a_few_are_named(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        outcomes = run_many(runtime, [build_draft(runtime, text=f"Thing number {number}") for number in range(30)])
    assert isinstance(outcomes[0], Admitted)
    with pytest.raises(AmbiguousId, match=r"fits 30 ids: mem_.* and 25 more; give more characters"):
        sandbox.ask("show", id=outcomes[0].memory.id[:9])


@pytest.mark.parametrize("name", BY_ID)
def test_a_number_or_a_few_characters_are_not_the_beginning_of_the_only_memory(sandbox: Sandbox, name: str) -> None:
    id = sandbox.remember("The only one there is").id
    assert id.startswith("mem_0")
    before = sandbox.journal()
    for text in ("0", "mem_0", id[4:7], id[:7]):
        with pytest.raises(InvalidId, match="at least 4 characters after mem_"):
            sandbox.ask(name, **BY_ID[name](text))
    assert sandbox.journal() == before


@pytest.mark.parametrize("name", BY_ID)
def test_what_is_not_an_id_is_said_to_be_none_and_touches_nothing(sandbox: Sandbox, name: str) -> None:
    sandbox.remember("The only one there is")
    before = sandbox.journal()
    with sandbox.open() as runtime:
        for text in NOT_IDS:
            with pytest.raises(InvalidId) as caught:
                load_verb(name).run(runtime, **BY_ID[name](text))
            said = str(caught.value)
            assert "\n" not in said and "\x1b" not in said and len(said) < 200
            assert "limpet list" in said
    assert sandbox.journal() == before


@pytest.mark.parametrize("name", BY_ID)
def test_an_id_that_nothing_has_is_said_to_be_unknown(sandbox: Sandbox, name: str) -> None:
    sandbox.remember("The only one there is")
    with pytest.raises(InvalidId, match="no memory here has the id"):
        sandbox.ask(name, **BY_ID[name]("mem_7zzzzzzzzzzzzzzzzzzzzzzzzz"))


def test_the_id_of_a_fact_may_be_shortened_too(sandbox: Sandbox) -> None:
    first = sandbox.ask("facts", action="add", words=["api", "port", "8080"]).facts[0]
    assert sandbox.ask("facts", action="close", words=[first.id[:13].upper()]).facts[0].valid_to is not None
    sandbox.ask("facts", action="add", words=["api", "host", "a"])
    with pytest.raises(AmbiguousId):
        sandbox.ask("facts", action="close", words=[first.id[:9]])
    for text in ("../x", "", "fact_", "0", "fact_0", "mem_01jz4", "x" * 4096, "\0", "fact_%"):
        with pytest.raises(InvalidId):
            sandbox.ask("facts", action="close", words=[text])


def test_ids_of_memories_sort_by_the_time_they_were_made(sandbox: Sandbox) -> None:
    ids = [sandbox.remember(f"Thing number {number}").id for number in range(5)]
    assert ids == sorted(ids)


def test_a_source_of_a_fact_may_be_shortened(sandbox: Sandbox) -> None:
    outcome = sandbox.ask("remember", text="The API listens on 8080")
    assert isinstance(outcome, Admitted)
    fact = sandbox.ask("facts", action="add", words=["api", "port", "8080"], sources=[outcome.memory.id[:14]]).facts[0]
    assert fact.sources == (outcome.memory.id,)


@pytest.mark.parametrize("path", ["", "a\0b", "a\ud800b", "x" * 4096])
def test_a_text_that_cannot_be_a_path_is_refused(path: str) -> None:
    with pytest.raises(UsageError, match=r"is not the name of a folder; give one$"):
        check_path(path, what="folder")
    check_path("x" * 4095)
