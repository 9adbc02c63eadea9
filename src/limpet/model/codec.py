"""Encode memories and facts as JSON, and decode them.

A memory has two forms. The full form, for people and programs, contains every field. The sparse form, for the journal,
omits fields that equal their default, and the hash that can be computed from the text. It replaces a title that is part
of the text by its position in the text. One decoder reads both forms, so older records remain readable if a field is
added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from limpet.lean.record import MISSING, fields, pick
from limpet.model.fact import Fact
from limpet.model.memory import (
    Citation,
    Concept,
    Impact,
    Kind,
    Memory,
    Origin,
    Phase,
    Region,
    Scale,
    Sensitivity,
    Source,
    Tier,
    Type,
    hash_plain_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.lean.enumeration import Enum

    Json = dict[str, Any]


def format_time(moment: datetime) -> str:
    """Return a time as ISO 8601 text in UTC, truncated to milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: str) -> datetime:
    """Return the UTC time in an ISO 8601 text, truncated to milliseconds. Without a time zone, UTC is assumed."""
    parsed = datetime.fromisoformat(text)
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=UTC)
    parsed = parsed.astimezone(UTC)
    return parsed.replace(microsecond=parsed.microsecond // 1000 * 1000)


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("must be text")
    return value


def _read_share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("must be a number")
    if not 0 <= value <= 1:
        raise ValueError("must lie between 0 and 1")
    return float(value)


def _read_integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("must be a whole number")
    return value


def _read_count(value: Any) -> int:
    if not -1 << 63 <= _read_integer(value) < 1 << 63:
        # SQLite has no larger numbers, and one that it refuses would keep the whole store from being opened.
        raise ValueError("must be a number of 64 bits")
    return int(value)


def _read_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("must be true or false")
    return value


def _read_texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError("must be a list of texts")
    return tuple(_read_text(item) for item in value)


def _member_reader(kind: type[Enum]) -> Callable[[Any], Any]:
    """Return a function that returns the enum member with a given value.

    It uses a table, which is faster than calling the enum. This matters because every memory has several enum fields.
    """
    members = kind._value2member_map_

    def read(value: Any) -> Any:
        try:
            return members[value]
        except (KeyError, TypeError):
            raise ValueError(f"{value!r} is not a valid {kind.__name__}") from None

    return read


def _read_citations(value: Any) -> tuple[Citation, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError("must be a list of citations")
    return tuple(Citation(**_read_fields(item, _CITATION)) for item in value)


def _read_fields(record: Any, readers: Mapping[str, Callable[[Any], Any]]) -> Json:
    """Return the decoded values of the known fields of a JSON object.

    Raise ValueError, with the name of the field, if a value is malformed.
    """
    if not isinstance(record, Mapping):
        raise ValueError("must be an object")
    values: Json = {}
    for name, value in record.items():
        read = readers.get(name)
        if read is None or value is None:
            continue
        try:
            values[name] = read(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{name}: {error}") from None
    return values


def _require(values: Json, required: tuple[str, ...]) -> Json:
    missing = [name for name in required if values.get(name) is None]
    if missing:
        raise ValueError(f"{missing[0]} is missing")
    return values


def _encode_set_fields(item: Citation | Source) -> Json:
    pairs = ((each.name, getattr(item, each.name)) for each in fields(item))
    return {name: value for name, value in pairs if value is not None}


_CITATION: dict[str, Callable[[Any], Any]] = {
    "path": _read_text,
    "start": _read_integer,
    "end": _read_integer,
    "span_hash": _read_text,
    "commit": _read_text,
}
_SOURCE: dict[str, Callable[[Any], Any]] = {
    "transcript": _read_text,
    "line": _read_integer,
    "commit": _read_text,
    "file": _read_text,
}
_CONCEPT, _PHASE = _member_reader(Concept), _member_reader(Phase)
_DECODERS: dict[str, Callable[[Any], Any]] = {
    "region": _member_reader(Region),
    "kind": _member_reader(Kind),
    "type": _member_reader(Type),
    "concepts": lambda value: tuple(map(_CONCEPT, _read_texts(value))),
    "tags": _read_texts,
    "impact": _member_reader(Impact),
    "importance": _read_share,
    "difficulty": _read_share,
    "confidence": _read_share,
    "sensitivity": _member_reader(Sensitivity),
    "origin": _member_reader(Origin),
    "confirmed": _read_flag,
    "tier": _member_reader(Tier),
    "phase": lambda value: _PHASE(_read_integer(value)),
    "scale": _member_reader(Scale),
    "pinned": _read_flag,
    "created_at": parse_time,
    "updated_at": parse_time,
    "expires_at": parse_time,
    "source": lambda value: Source(**_read_fields(value, _SOURCE)),
    "files_read": _read_texts,
    "files_modified": _read_texts,
    "citations": _read_citations,
    "version": _read_integer,
    "lineage": _read_texts,
    "token_count": _read_count,
}
_ENCODERS: dict[str, Callable[[Any], Any]] = {
    "created_at": format_time,
    "updated_at": format_time,
    "expires_at": format_time,
    "phase": int,
    "concepts": list,
    "tags": list,
    "files_read": list,
    "files_modified": list,
    "lineage": list,
    "source": _encode_set_fields,
    "citations": lambda value: [_encode_set_fields(item) for item in value],
}
_MEMORY: tuple[tuple[str, Any, Callable[[Any], Any] | None, Callable[[Any], Any]], ...] = tuple(
    (
        each.name,
        None if each.default is MISSING else each.default,
        _ENCODERS.get(each.name),
        _DECODERS.get(each.name, _read_text),
    )
    for each in fields(Memory)
)
_READERS = {name: decode for name, _, _, decode in _MEMORY}
_PARTS = ("title", "subtitle")
"""The fields whose value is usually part of the memory's text."""
_CUT = "…"
_SHORTEST = 16
"""The minimum length of a part that is replaced by its position in the text. Replacing a shorter one saves no space."""
REQUIRED = tuple(each.name for each in fields(Memory) if each.default is MISSING)


def encode_memory(memory: Memory, *, sparse: bool = False) -> Json:
    """Return a memory as a JSON object. If `sparse` is true, omit every value that the decoder can restore."""
    record: Json = {}
    for name, default, encode, _ in _MEMORY:
        value = getattr(memory, name)
        if sparse and value == default:
            continue
        record[name] = encode(value) if encode and value is not None else value
    if sparse and memory.original_content == memory.content:
        del record["original_content"]
    if sparse and memory.updated_at == memory.created_at:
        del record["updated_at"]
    if sparse and memory.content_hash == hash_plain_text(memory.original_content):
        del record["content_hash"]
    for name in _PARTS if sparse else ():
        place = _find_part(memory.original_content, record.get(name) or "")
        if place is not None:
            del record[name]
            record[f"{name}_at"] = place
    return record


def _find_part(text: str, part: str) -> list[int] | None:
    """Return the start and end of a part in a text, or None if the text does not contain it or it is too short.

    An ellipsis at the end of the part need not be in the text. A third number in the result shows that there was one.
    """
    bare = part.removesuffix(_CUT)
    start = text.find(bare) if len(bare) >= _SHORTEST else -1
    if start < 0:
        return None
    return [start, start + len(bare), 1] if bare != part else [start, start + len(bare)]


def _extract_part(text: Any, place: Any) -> str:
    """Return the part of a text at a position that `_find_part` returned.

    A position after the end of the text raises no error. The text may have been tampered with, which checking the
    signature will show.
    """
    if not isinstance(place, list) or len(place) not in (2, 3):
        raise TypeError("must be a start and an end")
    start, end = _read_integer(place[0]), _read_integer(place[1])
    if not 0 <= start < end:
        raise ValueError("must be a start and an end after it")
    return f"{_read_text(text)[start:end]}{_CUT if len(place) == 3 else ''}"


def decode_memory(record: Mapping[str, Any]) -> Memory:
    """Return the memory that a JSON object describes. Unknown fields are ignored.

    Raise ValueError, with the name of the field, if a field is missing or malformed.
    """
    values = _read_fields(record, _READERS)
    values.setdefault("original_content", values.get("content"))
    values.setdefault("updated_at", values.get("created_at"))
    for name in _PARTS:
        if (place := record.get(f"{name}_at")) is not None:
            try:
                values.setdefault(name, _extract_part(values["original_content"], place))
            except (TypeError, ValueError) as error:
                raise ValueError(f"{name}_at: {error}") from None
    return Memory(**_require(values, REQUIRED))


def encode_fact(fact: Fact) -> Json:
    """Return a fact as a JSON object."""
    return {
        **pick(fact),
        "sources": list(fact.sources),
        "valid_from": format_time(fact.valid_from),
        "valid_to": format_time(fact.valid_to) if fact.valid_to else None,
    }


def decode_fact(record: Mapping[str, Any]) -> Fact:
    """Return the fact that a JSON object describes. Unknown fields are ignored.

    Raise ValueError, with the name of the field, if a field is missing or malformed.
    """
    return Fact(**_require(_read_fields(record, _FACT), _FACT_REQUIRED))


_FACT: dict[str, Callable[[Any], Any]] = {
    **{each.name: _read_text for each in fields(Fact)},
    "confidence": _read_share,
    "sources": _read_texts,
    "origin": _member_reader(Origin),
    "sensitivity": _member_reader(Sensitivity),
    "valid_from": parse_time,
    "valid_to": parse_time,
}
_FACT_REQUIRED = tuple(each.name for each in fields(Fact) if each.default is MISSING)
