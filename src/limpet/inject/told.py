"""Read what a host loads at a start from the memory block of its instruction file; it is not told a second time."""

from __future__ import annotations

import os

from limpet.errors import Refused
from limpet.hosts.instructions import FILES, IMPORTING, read_block
from limpet.workspace.files import read_file

_LIMIT = 1 << 20


def read_told(root: str | None, host: str) -> str:
    """Return the memory block of the host's instruction file, with the file that the block imports."""
    parts: list[str] = []
    for name in FILES.get(host, ()) if root else ():
        path = os.path.join(root or "", name)
        try:
            block = read_block(read_file(path, _LIMIT) or b"", name)
        except Refused:  # broken marks are reported by `limpet distil`
            continue
        parts.append(block)
        for line in block.splitlines() if host in IMPORTING else ():
            if line.startswith("@"):
                imported = read_file(os.path.join(os.path.dirname(path), line[1:].strip()), _LIMIT) or b""
                parts.append(imported.decode("utf-8", "replace"))
    return "\n".join(filter(None, parts))
