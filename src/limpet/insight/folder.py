"""Open the folders `.claude/<name>/` of a repository, in which reports and stashes are written.

Each folder has a `.gitignore`, because its files quote sessions and must not be committed. A repository may come from a
stranger. So symlinks are refused, because they could point anywhere. A `.gitignore` with other content is also refused,
because git might then add the files.
"""

from __future__ import annotations

import os

from limpet import system
from limpet.errors import Refused, refuse_write
from limpet.lean.record import record
from limpet.workspace.files import read_file

AGENT_FOLDER = ".claude"
"""The folder in a repository that contains the folders below."""
STASH_FOLDER = "stash"
FRICTION_FOLDER = "friction"
MEMORY_FOLDER = "memory"
MEMORY = os.path.join(AGENT_FOLDER, MEMORY_FOLDER, "MEMORY.md")
MANIFEST = os.path.join(AGENT_FOLDER, MEMORY_FOLDER, ".processed")
"""The list of sources that `limpet distil` has read."""
MANIFEST_RULE = os.path.join(AGENT_FOLDER, MEMORY_FOLDER, ".gitignore")
"""The file that makes git ignore the manifest, which names sessions and stashes on this machine."""
BOOKKEEPING = (MANIFEST, MANIFEST_RULE)
CANDIDATES = "antigen_candidates.json"
"""The name of the file with the user's objections in a friction report."""
OTHER_FRICTION = os.path.join(".aurora", "friction")
"""The folder in which another tool writes reports in the same format."""
IGNORE = ".gitignore"
_RULE = b"# Written by Limpet: what sessions said is not for the repository.\n*\n"


@record
class Folder:
    """A folder that exists and may be written to."""

    path: str
    is_new: bool = False
    """Whether the folder was created when it was opened."""


def open_project_folder(root: str, name: str) -> Folder:
    """Return the folder `.claude/<name>` of a repository; create it, with a `.gitignore`, if it does not exist.

    Raise Refused if it is a symlink or not a folder, or if its `.gitignore` was not written by Limpet.
    """
    parent = os.path.join(root, AGENT_FOLDER)
    path = os.path.join(parent, name)
    for each in (parent, path):
        if system.is_link(each):
            raise Refused(f"{each} is a symlink; put a plain folder in its place")
        if os.path.lexists(each) and not os.path.isdir(each):
            raise Refused(f"{each} is not a folder; move it away and run it again")
    try:
        os.makedirs(parent, exist_ok=True)
        is_new = not os.path.isdir(path)
        system.private_directory(path)
        rule = os.path.join(path, IGNORE)
        if not os.path.lexists(rule):
            system.write_atomically(rule, _RULE, durable=False)
        elif not _is_our_rule(rule):
            raise Refused(
                f"{rule} was not written by Limpet, so git may take up what is written there; remove it and run it "
                "again, nothing was written"
            )
    except OSError as error:
        raise refuse_write(error, f"to {path}") from error
    return Folder(path=path, is_new=is_new)


def _is_our_rule(path: str) -> bool:
    """Tell whether a `.gitignore` was written by Limpet. Its line endings may differ, because git ignores them."""
    if system.is_link(path):
        return False
    return (read_file(path, 2 * len(_RULE)) or b"").replace(b"\r\n", b"\n") == _RULE


def open_private_folder(*parts: str) -> Folder:
    """Return the folder at the joined `parts`, which only its owner can access; create it if it does not exist."""
    path = os.path.join(*parts)
    is_new = not os.path.isdir(path)
    try:
        system.private_directory(path)
    except OSError as error:
        raise refuse_write(error, f"to {path}") from error
    return Folder(path=path, is_new=is_new)


def write_file(folder: Folder, name: str, text: str) -> str:
    """Write a file in a folder atomically, and return its path."""
    path = os.path.join(folder.path, name)
    try:
        system.write_atomically(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise refuse_write(error, path) from error
    return path
