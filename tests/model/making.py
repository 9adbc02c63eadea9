"""Memories, facts and changes for tests, with ids that are the same in every run."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from limpet.clock import from_ms, to_ms
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind
from limpet.model.codec import encode_fact, encode_memory, format_time
from limpet.model.fact import Fact
from limpet.model.ids import ALPHABET, lowest_after
from limpet.model.memory import Impact, Kind, Memory, Origin, Region, Sensitivity, Type
from limpet.text.similarity import content_hash, simhash
from limpet.text.tokens import count_tokens

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
START_MS = to_ms(START)
PROJECT = "prj_0123456789abcdef01234567"

_numbers = itertools.count(1)


def body(ms: int, number: int = 0) -> str:
    """Return a valid id body for a time, with the number in place of random bits."""
    letters = "".join(ALPHABET[number >> shift & 31] for shift in range(45, -1, -5))
    return lowest_after(ms - 1)[:-10] + letters


def memory(text: str = "Tests run with pytest, never with unittest", **fields: Any) -> Memory:
    """Return a public memory of the project; any field can be given."""
    number = next(_numbers)
    created = fields.pop("created_at", START + timedelta(seconds=number))
    defaults: dict[str, Any] = {
        "id": f"mem_{body(to_ms(created), number)}",
        "agent": "anima",
        "region": Region.PROJECT,
        "project": PROJECT,
        "kind": Kind.LEARNINGS,
        "type": Type.DISCOVERY,
        "content": text,
        "original_content": text,
        "impact": Impact.MEDIUM,
        "sensitivity": Sensitivity.PUBLIC,
        "origin": Origin.USER,
        "created_at": created,
        "updated_at": created,
        "content_hash": content_hash(text),
        "token_count": count_tokens(text),
    }
    if fields.get("region") is Region.AGENT or fields.get("app"):
        defaults["project"] = None
    return Memory(**{**defaults, **fields})


def correction(old: Memory, text: str, **fields: Any) -> Memory:
    return memory(
        text,
        **{
            "agent": old.agent,
            "region": old.region,
            "project": old.project,
            "app": old.app,
            "kind": old.kind,
            "version": old.version + 1,
            "corrects": old.id,
            "lineage": (old.id, *old.lineage),
            **fields,
        },
    )


def admit(what: Memory, *, kind: ChangeKind | None = None, links: Sequence[tuple[str, str]] = ()) -> Change:
    payload: dict[str, Any] = {
        "memory": encode_memory(what, sparse=True),
        "simhash": simhash(what.original_content),
    }
    if links:
        payload["links"] = [list(link) for link in links]
    return on(what, kind or (ChangeKind.CORRECT if what.corrects else ChangeKind.ADMIT), **payload)


def on(what: Memory, kind: ChangeKind | str, **payload: Any) -> Change:
    return Change(kind=kind, subject=what.id, root=what.root, lineage=what.lineage, actor="user:anima", payload=payload)


def condensed(what: Memory, text: str, phase: int, signature: str | None = None) -> Change:
    payload: dict[str, Any] = {"content": text, "phase": phase, "token_count": count_tokens(text)}
    if signature is not None:
        payload["signature"] = signature
    return on(what, ChangeKind.CONDENSE, **payload)


def fact(subject: str = "api", predicate: str = "port", object: str = "8080", **fields: Any) -> Fact:
    number = next(_numbers)
    begins = fields.pop("valid_from", START + timedelta(seconds=number))
    defaults: dict[str, Any] = {
        "id": f"fact_{body(to_ms(begins), number)}",
        "agent": "anima",
        "project": PROJECT,
        "subject": subject,
        "predicate": predicate,
        "object": object,
        "valid_from": begins,
    }
    return Fact(**{**defaults, **fields})


def state(what: Fact) -> Change:
    return Change(
        kind=ChangeKind.FACT,
        subject=what.id,
        lineage=what.sources,
        actor="user:anima",
        payload={"fact": encode_fact(what)},
    )


def close(what: Fact, at: datetime, **payload: Any) -> Change:
    return Change(
        kind=ChangeKind.CLOSE, subject=what.id, actor="user:anima", payload={"valid_to": format_time(at), **payload}
    )


def stamped(change: Change, ms: int, number: int | None = None) -> Change:
    """Return the change as a store would have written it at that time."""
    return replace(change, id=body(ms, next(_numbers) if number is None else number), device="d000000000000")


def in_sequence(changes: Sequence[Change]) -> list[Change]:
    """Return the changes, stamped one after the other."""
    return [stamped(change, START_MS + number, number) for number, change in enumerate(changes)]


def at(seconds: float) -> datetime:
    return from_ms(START_MS + round(seconds * 1000))
