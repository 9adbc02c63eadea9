"""Read the memory blocks in a host's instruction files, such as CLAUDE.md.

The host loads these files itself at the start of a session, so a memory in such a block need not be shown again.
"""

from __future__ import annotations

import os

from limpet.errors import Refused
from limpet.hosts.instruction_files import FILES, IMPORTING, read_block
from limpet.workspace.files import is_inside, read_file

_LIMIT = 1 << 18
"""The maximum number of bytes that are read from a file, because a host is waiting."""


def read_host_block(root: str | None, host: str) -> str:
    """Return the memory blocks of a host's instruction files in the folder `root`, and the files that they import.

    Only the first import in each block is followed, and only if the file is inside `root`.
    """
    parts: list[str] = []
    for name in FILES.get(host, ()) if root else ():
        path = os.path.join(root or "", name)
        try:
            block = read_block(read_file(path, _LIMIT) or b"", name)
        except Refused:
            # Damaged marks are reported by `limpet distil`.
            continue
        parts.append(block)
        imported = next((line[1:].strip() for line in block.splitlines() if line.startswith("@")), "")
        if imported and host in IMPORTING:
            place = os.path.normpath(os.path.join(os.path.dirname(path), imported))
            if is_inside(place, root or ""):
                parts.append((read_file(place, _LIMIT) or b"").decode("utf-8", "replace"))
    return "\n".join(filter(None, parts))
