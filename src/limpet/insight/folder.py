"""The folders for reports and stashes in a repository: `.claude/<name>/`, which git is told to ignore.

A repository may come from anybody, so a symlink on the way is refused: it could lead the files to any other place. A
rule for git that is not ours is refused too: it could let git take up the files.
"""

from __future__ import annotations

import os

from limpet import system
from limpet.errors import Refused, refuse_write
from limpet.lean.record import record
from limpet.workspace.files import read_file

AGENT_FOLDER = ".claude"
"""The folder of a repository in which the folders below are kept."""
STASH_FOLDER = "stash"
FRICTION_FOLDER = "friction"
MEMORY_FOLDER = "memory"
MEMORY = os.path.join(AGENT_FOLDER, MEMORY_FOLDER, "MEMORY.md")
MANIFEST = os.path.join(AGENT_FOLDER, MEMORY_FOLDER, ".processed")
"""The list of what `limpet distil` has read."""
MANIFEST_RULE = os.path.join(AGENT_FOLDER, MEMORY_FOLDER, ".gitignore")
"""The rule for git to ignore that list: it names sessions and stashes, which only this machine has."""
CANDIDATES = "antigen_candidates.json"
"""The file with the user's objections in a report of friction."""
OTHER_FRICTION = os.path.join(".aurora", "friction")
"""The folder in which another tool leaves reports of the same form."""
IGNORE = ".gitignore"
_RULE = b"# Written by Limpet: what sessions said is not for the repository.\n*\n"


@record
class Folder:
    """A folder `.claude/<name>` that may be written into."""

    path: str
    is_new: bool = False
    """Whether the call that returned it has made it."""


def open_project_folder(root: str, name: str) -> Folder:
    """Return the folder `.claude/<name>` of a repository; on first use it is made, with a rule for git to ignore it."""
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
    """Tell whether a plain file holds our rule; git itself ignores how its lines end."""
    if system.is_link(path):
        return False
    return (read_file(path, 2 * len(_RULE)) or b"").replace(b"\r\n", b"\n") == _RULE


def open_private_folder(*parts: str) -> Folder:
    """Return a folder with access for its owner only; it is made on first use."""
    path = os.path.join(*parts)
    is_new = not os.path.isdir(path)
    try:
        system.private_directory(path)
    except OSError as error:
        raise refuse_write(error, f"to {path}") from error
    return Folder(path=path, is_new=is_new)


def write_file(folder: Folder, name: str, text: str) -> str:
    """Write one file of a folder as a whole, and return its path."""
    path = os.path.join(folder.path, name)
    try:
        system.write_atomically(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise refuse_write(error, path) from error
    return path
