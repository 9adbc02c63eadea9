"""Track what a session has read from outside, and find texts that repeat it.

An agent may repeat what it has just read: a page, another server's answer, or somebody else's file. So hashes of a
session's outside sources are kept until it ends (see `text.shingles`). A memory that repeats words from sources gets
the least trusted of their origins. Words belong to the first person or source that used them: what the user or the
agent said before it was read does not count as read.

No comparison recognises a text in other words. So the taint also names what was read from outside since the user's last
prompt: whatever an agent stores in such a turn may be what it was told there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from limpet.lean.record import record, replace
from limpet.model.memory import Origin
from limpet.text.shingles import decode_block, encode_block, hash_blocks, hash_sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHARE = 0.25
"""The share of a sentence's word pairs that a passage must contain to be repeated. Fitted with `benchmarks.taint`."""
LEAST = 5
"""The minimum number of word pairs in a sentence that is compared. A shorter one is likely to be a common phrase."""
_LEAST_THINNED = 3
_MOST_CHARACTERS = 256_000
_THINNEST = 64
_MOST_OWN = 100
_COMPARED = 60_000
_NAME = 80
_MOST_OUTSIDE = 8


@record
class ReadSource:
    """An outside source that was read: its name and the hashes of its passages."""

    origin: Origin
    name: str
    blocks: tuple[str, ...] = ()
    rate: int = 1
    """The sampling rate: only hashes that are divisible by `rate` are kept."""


@record
class Taint:
    """Hashes of what a session has read from outside, and of what the user or the agent had said before."""

    sources: tuple[ReadSource, ...] = ()
    own: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    """The names of the external sources that were read since the user's last prompt."""
    outside_ms: int = 0
    """The time at which the last of them was read, in milliseconds."""
    typed: tuple[str, ...] = ()
    """What the user typed in a session in which `outside` was read. It is looked up when needed and not saved."""

    def add_source(self, origin: Origin, name: str, text: str, more: Sequence[str] = ()) -> Taint:
        """Return the taint with a source added.

        `more` contains hashes of parts of the source that were not kept as text.
        """
        own = frozenset[int]().union(*map(decode_block, self.own))
        blocks = [encode_block(decode_block(block) - own) for block in (*hash_blocks(text), *more)]
        name = _clean_name(name)
        same = next((each for each in self.sources if (each.origin, each.name, each.rate) == (origin, name, 1)), None)
        known = same.blocks if same else ()
        source = ReadSource(origin=origin, name=name, blocks=tuple(dict.fromkeys((*known, *filter(None, blocks)))))
        others = tuple(each for each in self.sources if each is not same)
        return _limit_size(replace(self, sources=(*others, source)))

    def add_outside(self, name: str, at_ms: int) -> Taint:
        """Return the taint with the name of an external source that was read in this turn."""
        outside = tuple(dict.fromkeys((*self.outside, _clean_name(name))))[:_MOST_OUTSIDE]
        return replace(self, outside=outside, outside_ms=at_ms)

    def start_turn(self) -> Taint:
        """Return the taint at the beginning of a turn, in which nothing from outside was read yet."""
        return replace(self, outside=(), outside_ms=0) if self.outside else self

    def add_own(self, text: str) -> Taint:
        """Return the taint with words of the user or the agent added. Sentences that repeat a source are ignored."""
        sentences = [hashes for hashes in hash_sentences(text[:_COMPARED]) if hashes]
        read = set(self._matches(sentences)) if self.sources else set()
        fresh = [hashes for at, hashes in enumerate(sentences) if not any(at == found for found, _ in read)]
        if not fresh:
            return self
        return replace(self, own=(*self.own, encode_block(frozenset().union(*fresh)))[-_MOST_OWN:])

    def find(self, text: str, *, share: float = SHARE) -> tuple[ReadSource, ...]:
        """Return the sources whose words are repeated by a text or by one of its sentences."""
        if not self.sources:
            return ()
        found = {number for _, number in self._matches(list(hash_sentences(text[:_COMPARED])), share)}
        return tuple(self.sources[number] for number in sorted(found))

    def lower(self, origin: Origin, text: str) -> tuple[Origin, tuple[str, ...]]:
        """Return the origin of a text, lowered to the least trusted source that it repeats, and these sources' names.

        Text that the user typed keeps its origin, whatever was read before.
        """
        if origin is Origin.USER:
            return origin, ()
        found = [source for source in self.find(text) if source.origin.ceiling < origin.ceiling]
        lowest = Origin.lowest((origin, *(source.origin for source in found)))
        return lowest, tuple(source.name for source in found)

    def without_names(self) -> Taint:
        """Return the taint without its sources' names, which must not be revealed in another project."""
        nameless = tuple(replace(source, name="another project's session") for source in self.sources)
        outside = ("another project's session",) if self.outside else ()
        return Taint(sources=nameless, own=self.own, outside=outside, outside_ms=self.outside_ms)

    def merge(self, other: Taint) -> Taint:
        """Return the combined taint of this session and another one, without what was read in this turn of either."""
        return _limit_size(Taint(sources=(*self.sources, *other.sources), own=(*self.own, *other.own)[-_MOST_OWN:]))

    def _matches(self, sentences: Sequence[frozenset[int]], share: float = SHARE) -> Iterator[tuple[int, int]]:
        """Yield the indexes of a sentence and a source for each source that contains the sentence's words."""
        for number, source in enumerate(self.sources):
            least = LEAST if source.rate == 1 else _LEAST_THINNED
            samples = [{each for each in hashes if each % source.rate == 0} for hashes in sentences]
            asked = [(at, sample, share * len(sample)) for at, sample in enumerate(samples) if len(sample) >= least]
            for block in source.blocks if asked else ():
                hashes = decode_block(block)
                yield from ((at, number) for at, sample, needed in asked if len(sample & hashes) >= needed)


def _clean_name(name: str) -> str:
    return "".join(char for char in " ".join(name.split()) if char.isprintable())[:_NAME]


def _limit_size(taint: Taint) -> Taint:
    """Return the taint, reduced to its size limit.

    Hashes are dropped from every source first. If that is not enough, the oldest sources are removed.
    """
    while (size := sum(len(block) for each in taint.sources for block in each.blocks)) > _MOST_CHARACTERS:
        densest = min(each.rate for each in taint.sources)
        if densest < _THINNEST:
            thinned = (_thin(each) if each.rate == densest else each for each in taint.sources)
            taint = replace(taint, sources=tuple(thinned))
        elif len(taint.sources) > 1:
            taint = replace(taint, sources=taint.sources[1:])
        else:
            only = taint.sources[0]
            kept = replace(only, blocks=only.blocks[len(only.blocks) // 2 :])
            taint = replace(taint, sources=(kept,))
            if len(only.blocks) < 2 or size <= _MOST_CHARACTERS:
                break
    return taint


def _thin(source: ReadSource) -> ReadSource:
    rate = source.rate * 2
    blocks = (encode_block(each for each in decode_block(block) if each % rate == 0) for block in source.blocks)
    return replace(source, blocks=tuple(filter(None, blocks)), rate=rate)


def encode_taint(taint: Taint) -> dict[str, Any]:
    """Return the taint as a JSON object."""
    sources = [[each.origin.value, each.name, each.rate, list(each.blocks)] for each in taint.sources]
    turn = {"outside": list(taint.outside), "outside_ms": taint.outside_ms} if taint.outside else {}
    return {"sources": sources, "own": list(taint.own), **turn}


def decode_taint(found: object) -> Taint:
    """Return the taint that a JSON object describes. Malformed values are ignored."""
    given = found if isinstance(found, dict) else {}
    rows, own, outside, at = (given.get(name) for name in ("sources", "own", "outside", "outside_ms"))
    return Taint(
        sources=tuple(filter(None, map(_decode_source, rows if isinstance(rows, list) else []))),
        own=tuple(each for each in own if isinstance(each, str)) if isinstance(own, list) else (),
        outside=tuple(each for each in outside if isinstance(each, str)) if isinstance(outside, list) else (),
        outside_ms=at if isinstance(at, int) else 0,
    )


def _decode_source(row: object) -> ReadSource | None:
    match row:
        case [str(origin), str(name), int(rate), list(blocks)] if origin in Origin.__members__.values() and rate > 0:
            kept = tuple(block for block in blocks if isinstance(block, str))
            return ReadSource(origin=Origin(origin), name=name, blocks=kept, rate=rate)
        case _:
            return None
