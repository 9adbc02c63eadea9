"""Over the cap, the memories that matter least step down first."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.model.change import ChangeKind
from limpet.model.memory import Impact, Phase, Region
from limpet.model.query import Stored
from limpet.model.scope import Scope, token_of
from limpet.model.standing import priority
from limpet.store.protocol import Store
from limpet.store.view.reading import Reading
from tests.model.making import PROJECT, admit, condensed, memory, on
from tests.store.acting import receipt

HERE = Scope(agent="anima", project=PROJECT)


def test_under_the_cap_nobody_steps_down(store: Store) -> None:
    many = [memory(f"number {number}") for number in range(5)]
    store.append([admit(each) for each in many])
    assert store.reading().over_cap(token_of(many[0]), "anima", 5) == ()
    assert len(store.reading().over_cap(token_of(many[0]), "anima", 4)) == 5


def test_over_the_cap_the_lowest_priority_comes_first(store: Store) -> None:
    many = [memory(f"number {number}", difficulty=round(0.9 - number / 10, 1)) for number in range(6)]
    store.append([admit(each) for each in many])
    store.append([receipt(many[5].id) for _ in range(10)], durable=False)
    listed = store.reading().over_cap(token_of(many[0]), "anima", 3)
    assert [stored.memory.id for stored in listed] == [each.id for each in (*reversed(many[:5]), many[5])]
    ranks = [priority(stored.memory, stored.standing) for stored in listed]
    assert ranks == sorted(ranks)


def test_only_the_memories_that_are_returned_are_decoded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [memory(f"number {number}", difficulty=round(number / 10, 1)) for number in range(8)]
    store.append([admit(each) for each in many])
    decode, decoded = Reading.decode, []

    def note(self: Reading, row: Any) -> Stored:
        decoded.append(row[2])
        return decode(self, row)

    monkeypatch.setattr(Reading, "decode", note)
    reading, token = store.reading(), token_of(many[0])
    lowest = reading.over_cap(token, "anima", 5, keep={many[1].id}, at_least=1)
    assert [stored.memory.id for stored in lowest] == decoded == [many[0].id, many[2].id, many[3].id]
    assert len(reading.over_cap(token, "anima", 7, at_least=4)) == 4


def test_critical_and_pinned_memories_count_but_never_step_down(store: Store) -> None:
    critical, pinned, plain = memory("a", impact=Impact.CRITICAL), memory("b", pinned=True), memory("c")
    late = memory("d")
    store.append([admit(each) for each in (critical, pinned, plain, late)])
    store.append([on(late, ChangeKind.PIN, pinned=True)])
    listed = store.reading().over_cap(token_of(plain), "anima", 1)
    assert [stored.memory.id for stored in listed] == [plain.id]


def test_caps_count_what_is_live_and_at_full_length_in_their_own_scope(store: Store) -> None:
    full, short, hidden = memory("full"), memory("short", phase=Phase.HINT), memory("hidden")
    condensed_later = memory("a text that was condensed")
    elsewhere, wide = memory("elsewhere", project="prj_elsewhere"), memory("wide", region=Region.AGENT)
    app, foreign = memory("app", app="notes"), memory("foreign", agent="other")
    every = (full, short, hidden, condensed_later, elsewhere, wide, app, foreign)
    store.append([admit(each) for each in every])
    store.append([on(hidden, ChangeKind.FORGET), condensed(condensed_later, "short", 1)])
    reading = store.reading()
    assert [each.memory.id for each in reading.over_cap(token_of(full), "anima", 0)] == [full.id]
    assert reading.over_cap(token_of(full), "anima", 1) == ()
    whole = {each.memory.id for each in reading.over_cap(None, "anima", 2)}
    assert whole == {full.id, elsewhere.id, wide.id}
    assert reading.over_cap(None, "anima", 3) == ()
