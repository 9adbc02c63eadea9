"""Read the memory block that a host loads from its instruction file at a start, so that it is not told twice."""

from __future__ import annotations

import os

from limpet.errors import Refused
from limpet.hosts.instructions import FILES, IMPORTING, read_block
from limpet.workspace.files import is_inside, read_file

_LIMIT = 1 << 18
"""The maximum number of bytes that are read of one file; a repository chooses its size, and a host is waiting."""


def read_host_block(root: str | None, host: str) -> str:
    """Return the memory blocks of the host's instruction files, and the file that a block imports.

    Only the first import of a block is read, and only if it is inside the root.
    """
    parts: list[str] = []
    for name in FILES.get(host, ()) if root else ():
        path = os.path.join(root or "", name)
        try:
            block = read_block(read_file(path, _LIMIT) or b"", name)
        except Refused:  # broken marks are reported by `limpet distil`
            continue
        parts.append(block)
        imported = next((line[1:].strip() for line in block.splitlines() if line.startswith("@")), "")
        if imported and host in IMPORTING:
            place = os.path.normpath(os.path.join(os.path.dirname(path), imported))
            if is_inside(place, root or ""):
                parts.append((read_file(place, _LIMIT) or b"").decode("utf-8", "replace"))
    return "\n".join(filter(None, parts))
