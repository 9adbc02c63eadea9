"""Store which parts of the journal earlier sync rounds have compared, so that a round reads only what is new.

The file contains no memory texts, and only its owner can read it. It may be lost or damaged at any time: the next round
then compares everything and writes it again. Each entry has the content hash of a shared copy, so an outdated entry is
noticed.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from typing import Any

from limpet import system
from limpet.lean.digest import sha256
from limpet.lean.record import record
from limpet.store.protocol import ComparedSegment

_LONGEST = 64 << 20


@record
class RememberedCopy:
    """The state of a journal segment's copy in a shared folder at the end of a round."""

    compared: ComparedSegment
    digest: str
    """The content hash of the copy."""
    stamp: str = ""
    """The file's stamp (size, times and so on); an empty string if the stamp might not show the next write."""


class RememberedRounds:
    """A file in this machine's home that records what its syncs through one shared folder have compared."""

    def __init__(self, home: str, place: str) -> None:
        self._path = os.path.join(home, "sync", f"{sha256(place.encode()).hexdigest()[:16]}.json")

    def load(self, conditions: str) -> dict[str, RememberedCopy]:
        """Return the recorded copies by segment name.

        Return an empty dictionary if the file is missing or damaged, or if it was saved under different `conditions`,
        such as with different keys.
        """
        try:
            if os.lstat(self._path).st_size > _LONGEST:
                return {}
            with os.fdopen(system.open_private(self._path, os.O_RDONLY), "rb") as file:
                digest, _, data = file.read(_LONGEST).partition(b"\n")
            if digest.decode("ascii") != sha256(data).hexdigest():
                return {}
            found = json.loads(data)
            if found["conditions"] != conditions:
                return {}
            return {name: _decode_copy(values) for name, values in found["copies"].items()}
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return {}

    def save(self, conditions: str, copies: Mapping[str, RememberedCopy]) -> None:
        """Save the copies. A failure is ignored, because it only makes the next round slower."""
        values = {"conditions": conditions, "copies": {name: _encode_copy(each) for name, each in copies.items()}}
        data = json.dumps(values).encode()
        with contextlib.suppress(OSError):
            system.private_directory(os.path.dirname(self._path))
            system.write_atomically(self._path, sha256(data).hexdigest().encode() + b"\n" + data, durable=False)


def _encode_copy(one: RememberedCopy) -> list[Any]:
    known = one.compared
    numbers = [known.records, known.size, known.last, known.is_proven, known.withheld]
    return [one.digest, one.stamp, *numbers, *map(list, known.parts)]


def _decode_copy(values: list[Any]) -> RememberedCopy:
    digest, stamp, records, size, last, is_proven, withheld, *parts = values
    texts = (digest, stamp, last, *(part[place] for part in parts for place in (0, 4)))
    numbers = (records, size, withheld, *(part[place] for part in parts for place in (1, 2, 3, 5)))
    if not parts or not all(isinstance(each, str) for each in texts) or min(numbers) < 0:
        raise ValueError("another version has written this entry")
    compared = ComparedSegment(
        parts=tuple((part[0], part[1], part[2], part[3], part[4], part[5]) for part in parts),
        records=records,
        size=size,
        last=last,
        is_proven=is_proven,
        withheld=withheld,
    )
    return RememberedCopy(compared=compared, digest=digest, stamp=stamp)
