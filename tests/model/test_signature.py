"""Signatures: every change to what was signed is seen, and honest memories raise no alarm."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given

from limpet.lean.record import fields, replace
from limpet.model.change import Change, ChangeKind
from limpet.model.codec import decode_memory, encode_memory
from limpet.model.fold import fold_memories
from limpet.model.keyring import ALGORITHM, key_id
from limpet.model.memory import (
    Citation,
    Impact,
    Kind,
    Memory,
    Origin,
    Phase,
    Region,
    Sensitivity,
    Source,
    Type,
)
from limpet.model.signature import Verdict, check_signature, sign
from tests.model import strategies
from tests.model.making import START, admit, condensed, correction, in_sequence, memory, on

KEY = bytes(range(32))
OTHER = bytes(range(1, 33))
KEYS = {key_id(KEY): KEY}

# These change by changes of their own that need no key, or are derived; everything else must be covered.
UNSIGNED = {
    *("concepts", "tags", "files_read", "files_modified", "confidence", "scale", "superseded_by", "signature"),
    *("tier", "earned"),
}


def signed(one: Memory, key: bytes = KEY) -> Memory:
    return replace(one, signature=sign(one, key))


def verdict(one: Memory) -> Verdict:
    return check_signature(one, KEYS, signing=True)


def whole() -> Memory:
    """Return a memory with a value in every field."""
    first = memory("The port was 80")
    return correction(
        first,
        "The port is 8080 because 80 was taken",
        title="Port",
        subtitle="of the api",
        session="s1",
        conversation="c1",
        source=Source(transcript="t.jsonl", line=7, commit="abc", file="a.py"),
        branch="main",
        commit="abc",
        citations=(Citation(path="a.py", start=1, end=3, span_hash="h", commit="abc"),),
        expires_at=START + timedelta(days=900),
        previous_memory_id=first.id,
        tags=("net",),
    )


MUTATIONS: dict[str, list[Callable[[Any], Any]]] = {
    "id": [lambda m: m.id[:-1] + ("0" if m.id[-1] != "0" else "1")],
    "agent": [lambda m: "other", lambda m: m.agent + "\0", lambda m: ""],
    "region": [lambda m: Region.AGENT],
    "project": [lambda m: "prj_other", lambda m: None, lambda m: ""],
    "app": [lambda m: "notes", lambda m: ""],
    "kind": [lambda m: Kind.EMOTIONAL],
    "type": [lambda m: Type.DECISION],
    "title": [lambda m: "", lambda m: m.title + m.subtitle],
    "cues": [lambda m: "other", lambda m: m.cues + "x"],
    "subtitle": [lambda m: "other"],
    "content": [lambda m: m.content + " ", lambda m: "", lambda m: m.content.upper()],
    "original_content": [lambda m: m.original_content + "!", lambda m: ""],
    "impact": [lambda m: Impact.CRITICAL],
    "importance": [lambda m: 0.9],
    "difficulty": [lambda m: 0.51],
    "sensitivity": [lambda m: Sensitivity.SECRET, lambda m: Sensitivity.UNKNOWN],
    "origin": [lambda m: Origin.EXTERNAL, lambda m: Origin.AGENT],
    "confirmed": [lambda m: not m.confirmed],
    "phase": [lambda m: Phase.HINT, lambda m: Phase.ARCHIVED],
    "pinned": [lambda m: not m.pinned],
    "created_at": [lambda m: m.created_at + timedelta(milliseconds=1)],
    "updated_at": [lambda m: m.updated_at - timedelta(milliseconds=1)],
    "expires_at": [lambda m: None, lambda m: m.expires_at + timedelta(days=1)],
    "session": [lambda m: "s2", lambda m: None, lambda m: ""],
    "conversation": [lambda m: "c2", lambda m: None],
    "source": [
        lambda m: None,
        lambda m: Source(),
        lambda m: replace(m.source, line=8),
        lambda m: replace(m.source, line=None),
        lambda m: replace(m.source, transcript="t.jsonl', 7, 'abc"),
        lambda m: replace(m.source, commit=None),
        lambda m: replace(m.source, file="b.py"),
    ],
    "branch": [lambda m: "dev", lambda m: None],
    "commit": [lambda m: "abd", lambda m: None],
    "citations": [
        lambda m: (),
        lambda m: m.citations * 2,
        lambda m: (replace(m.citations[0], path="b.py"),),
        lambda m: (replace(m.citations[0], start=2),),
        lambda m: (replace(m.citations[0], end=13),),
        lambda m: (replace(m.citations[0], span_hash="g"),),
        lambda m: (replace(m.citations[0], commit=None),),
    ],
    "previous_memory_id": [lambda m: None, lambda m: m.id],
    "version": [lambda m: 1, lambda m: 3],
    "corrects": [lambda m: None, lambda m: m.id],
    "lineage": [lambda m: (), lambda m: (*m.lineage, m.id), lambda m: m.lineage * 2],
    "content_hash": [lambda m: "0" * 64, lambda m: ""],
    "token_count": [lambda m: m.token_count + 1],
}
CASES = [(name, number) for name, found in MUTATIONS.items() for number in range(len(found))]


def test_every_field_is_either_signed_or_known_not_to_be() -> None:
    assert set(MUTATIONS) | UNSIGNED == {each.name for each in fields(Memory)}


def test_what_changes_without_a_key_is_not_covered() -> None:
    one = signed(whole())
    assert verdict(replace(one, tags=("x",), confidence=0.1, files_read=("y",), superseded_by="mem_x")) is Verdict.GOOD


@pytest.mark.parametrize(("name", "number"), CASES)
def test_editing_a_signed_field_is_seen(name: str, number: int) -> None:
    honest = signed(whole())
    assert verdict(honest) is Verdict.GOOD
    value = MUTATIONS[name][number](honest)
    assert value != getattr(honest, name)
    edited = replace(honest, **{name: value})
    assert verdict(edited).is_warning
    read = decode_memory(json.loads(json.dumps(encode_memory(edited))))
    assert verdict(read).is_warning


def test_taking_the_signature_away_is_seen_where_the_agent_signs() -> None:
    for stripped in (None, ""):
        one = replace(signed(whole()), signature=stripped)
        assert check_signature(one, KEYS, signing=True) is Verdict.MISSING
        assert check_signature(one, {}, signing=False) is Verdict.NOT_SIGNING


def test_swapping_the_signatures_of_two_memories_is_seen() -> None:
    one, other = signed(memory("one")), signed(memory("one"))
    assert verdict(replace(one, signature=other.signature)) is Verdict.WRONG
    assert verdict(replace(other, signature=one.signature)) is Verdict.WRONG


def test_swapping_the_shown_halves_of_two_signatures_is_seen() -> None:
    one, other = signed(memory("one")), signed(memory("other"))
    assert one.signature is not None and other.signature is not None
    mixed = ":".join((*one.signature.split(":")[:3], other.signature.split(":")[3]))
    assert verdict(replace(one, signature=mixed)) is Verdict.ALTERED


def test_an_altered_text_and_an_altered_record_are_told_apart() -> None:
    one = signed(whole())
    assert verdict(replace(one, content="other")) is Verdict.ALTERED
    assert verdict(replace(one, original_content="other")) is Verdict.WRONG


def test_a_key_that_is_not_here_is_named_as_such() -> None:
    assert verdict(signed(whole(), OTHER)) is Verdict.FOREIGN
    assert check_signature(signed(whole()), {}, signing=True) is Verdict.FOREIGN


def test_a_signature_may_not_borrow_the_name_of_another_key() -> None:
    one = signed(whole(), OTHER)
    assert one.signature is not None
    renamed = one.signature.replace(key_id(OTHER), key_id(KEY))
    assert verdict(replace(one, signature=renamed)) is Verdict.WRONG


@pytest.mark.parametrize("name", ["none", "md5", "hmac-md5", "HMAC-SHA256", "hmac-sha1", "", "hmac-sha256 "])
def test_another_algorithm_is_never_accepted(name: str) -> None:
    one = signed(whole())
    assert one.signature is not None
    assert verdict(replace(one, signature=one.signature.replace(ALGORITHM, name))) is Verdict.MALFORMED


@pytest.mark.parametrize("seed", range(25))
def test_a_truncated_or_garbled_signature_is_seen(seed: int) -> None:
    chance = random.Random(seed)
    one = signed(whole())
    assert one.signature is not None
    cut = one.signature[: chance.randrange(1, len(one.signature))]
    place = chance.randrange(len(one.signature))
    letter = chance.choice([each for each in "0aé:\0\ud800 " if each != one.signature[place]])
    changed = one.signature[:place] + letter + one.signature[place + 1 :]
    noise = "".join(chr(chance.randrange(1, 0x2FF)) for _ in range(chance.randrange(1, 200)))
    tails = (":" * chance.randrange(1, 9), f"{ALGORITHM}:{key_id(KEY)}:é:ü", f"{ALGORITHM}:{key_id(KEY)}::")
    for broken in (cut, changed, noise, one.signature + "0", one.signature + ":", one.signature.upper(), *tails):
        assert verdict(replace(one, signature=broken)).is_warning


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"title": "ab", "subtitle": "c"}, {"title": "a", "subtitle": "bc"}),
        ({"session": None}, {"session": ""}),
        ({"app": None, "project": "x"}, {"app": "x", "project": None}),
        ({"session": "x", "conversation": None}, {"session": None, "conversation": "x"}),
        ({"branch": "1:a", "commit": ""}, {"branch": "1", "commit": ":a"}),
        (
            {"citations": (Citation(path="a", start=1, end=2, span_hash="h", commit=None),)},
            {"citations": (Citation(path="a", start=1, end=2, span_hash="h", commit="None"),)},
        ),
        (
            {"citations": (Citation(path="a", start=1, end=2, span_hash="h\0x", commit="c"),)},
            {"citations": (Citation(path="a", start=1, end=2, span_hash="h", commit="x\0c"),)},
        ),
        (
            {"citations": (Citation(path="a\x001", start=2, end=3, span_hash="4", commit="5"),)},
            {"citations": (Citation(path="a", start=1, end=2, span_hash="3\x004", commit="5"),)},
        ),
        ({"lineage": ("mem_a", "mem_b")}, {"lineage": ("mem_amem_b",)}),
        ({"lineage": ("mem_a",), "previous_memory_id": None}, {"lineage": (), "previous_memory_id": "mem_a"}),
        ({"source": Source(transcript="None")}, {"source": Source()}),
        ({"source": None}, {"source": Source()}),
    ],
)
def test_no_two_ways_of_joining_fields_give_the_same_bytes(one: dict[str, Any], other: dict[str, Any]) -> None:
    base = memory("text")
    first = signed(replace(base, **one))
    second = replace(base, **other)
    assert sign(second, KEY) != first.signature
    assert verdict(replace(second, signature=first.signature)).is_warning


def test_a_thousand_honest_memories_raise_no_alarm() -> None:
    chance = random.Random(20260301)
    for number in range(1000):
        one = memory(
            f"fact {number} " + "".join(chance.choices("abc é🐚\n\t\"'", k=chance.randrange(60))),
            importance=chance.choice([0, 1, 0.3, chance.random()]),
            difficulty=chance.choice([0, 1, chance.random()]),
            session=chance.choice([None, "s"]),
            citations=(Citation(path="a b", start=1, end=2, span_hash="h"),) if chance.random() < 0.3 else (),
        )
        history = [admit(signed(one))]
        after = one
        for _ in range(chance.randrange(4)):
            after, change = _next_step(chance, after)
            history.append(change)
        (found,) = fold_memories(in_sequence(history))
        assert verdict(found.memory) is Verdict.GOOD
        read = decode_memory(json.loads(json.dumps(encode_memory(found.memory, sparse=True))))
        assert verdict(read) is Verdict.GOOD


def _next_step(chance: random.Random, one: Memory) -> tuple[Memory, Change]:
    """Return the memory after a step that signs it again, and the change of that step."""
    match chance.choice(["condense", "pin", "confirm", "refresh", "doubt"]):
        case "condense":
            phase = chance.choice(list(Phase))
            one = replace(one, content=one.original_content[: 30 - phase], phase=phase)
            change = condensed(one, one.content, phase)
            one = replace(one, token_count=change.payload["token_count"])
            return one, replace(change, payload={**change.payload, "signature": sign(one, KEY)})
        case "pin":
            one = replace(one, pinned=not one.pinned)
            return one, on(one, ChangeKind.PIN, pinned=one.pinned, signature=sign(one, KEY))
        case "confirm":
            one = replace(one, confirmed=True)
            return one, on(one, ChangeKind.CONFIRM, signature=sign(one, KEY))
        case "refresh":
            return one, on(one, ChangeKind.REFRESH, tags=["more"])
        case _:
            return one, on(one, ChangeKind.DOUBT, confidence=0.4)


@given(strategies.memories)
def test_a_signature_survives_being_written_and_read(one: Memory) -> None:
    honest = signed(one)
    for sparse in (False, True):
        assert verdict(decode_memory(json.loads(json.dumps(encode_memory(honest, sparse=sparse))))) is Verdict.GOOD


def test_condensing_without_signing_anew_is_seen() -> None:
    one = signed(memory("The port is 8080 because 80 was taken"))
    (found,) = fold_memories(in_sequence([admit(one), condensed(one, "Port 8080", 1)]))
    assert verdict(found.memory) is Verdict.ALTERED


def test_a_key_id_does_not_reveal_the_key() -> None:
    assert len(key_id(KEY)) == 16
    assert KEY.hex()[:16] not in key_id(KEY)
    assert key_id(KEY) != key_id(OTHER)
