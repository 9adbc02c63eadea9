"""Remember which files of a project Limpet has written, since anybody could have put a file there.

Stashes, friction reports and the manifest of `limpet distil` are in the folder of the project, which may come from a
stranger. So the home has a list with the hash of each that was written on this machine. A file that is not in the list,
or that was edited later, is trusted like any other file of the project.

A stash may also repeat what its author has read outside. The list has the numbers of these lines, which are not its
author's own words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from limpet import system
from limpet.errors import refuse_write
from limpet.lean.digest import sha256
from limpet.lean.pattern import lazy
from limpet.workspace.files import read_file

LIST = "written.txt"
"""The name of the list in the home."""
_MOST = 4000
_LARGEST = 4 << 20
_POINT = lazy(r"\s*+(?:[-*+•#>|]|\d{1,3}[.)]\s)")


def record_file(home: str, data: bytes, *, repeated: Iterable[int] = ()) -> None:
    """Add a file with the content `data` to the list. `repeated` are the numbers of the lines that repeat others."""
    known = _read_list(home)
    entry = " ".join((_hash(data), ",".join(map(str, sorted(repeated))))).rstrip()
    if entry in known:
        return
    path = os.path.join(home, LIST)
    try:
        system.private_directory(home)
        system.write_atomically(path, "".join(f"{each}\n" for each in [*known, entry][-_MOST:]).encode(), durable=False)
    except OSError as error:
        raise refuse_write(error, path) from error


def find_repeated(home: str, data: bytes) -> frozenset[int] | None:
    """Return the numbers of the lines of a file that repeat others; None if Limpet has not written the file here."""
    digest = _hash(data)
    found = next((entry for entry in reversed(_read_list(home)) if entry.startswith(digest)), None)
    return None if found is None else frozenset(map(int, filter(None, found[len(digest) :].strip().split(","))))


def keep_authorship(home: str, before: bytes | None, after: bytes) -> None:
    """Add a file that Limpet has edited to the list, if it was there with its old content."""
    if before is not None and find_repeated(home, before) == frozenset():
        record_file(home, after)


def find_repeated_lines(text: str, is_repeated: Callable[[str], bool]) -> set[int]:
    """Return the numbers of the lines of a text that repeat others, from 0 on.

    Each paragraph and each list item is judged as a whole, because a sentence may continue on the next line.
    """
    blocks: list[list[int]] = [[]]
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line.strip() or _POINT.match(line):
            blocks.append([])
        if line.strip():
            blocks[-1].append(number)
    joined = ((block, " ".join(lines[number].strip() for number in block)) for block in blocks if block)
    return {number for block, said in joined if is_repeated(said) for number in block}


def drop_lines(text: str, numbers: Iterable[int]) -> str:
    """Return a text without the lines with these numbers."""
    gone = frozenset(numbers)
    return "\n".join(line for number, line in enumerate(text.split("\n")) if number not in gone) if gone else text


def _read_list(home: str) -> list[str]:
    return (read_file(os.path.join(home, LIST), _LARGEST) or b"").decode("ascii", "replace").split("\n")[:-1]


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()
