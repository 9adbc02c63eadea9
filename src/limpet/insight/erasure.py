"""Erase purged texts from the files that Limpet has written into projects.

These are stashes, friction reports, MEMORY.md, and the memory blocks in instruction files such as CLAUDE.md. People and
agents edit these files. So only the parts that repeat a purged text are removed, and all other bytes are kept. Symlinks
are never followed.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Sequence
from typing import Any

from limpet import system
from limpet.errors import Refused
from limpet.hosts.instruction_files import FILES, find_block
from limpet.insight.distil.files import Edit, Manifest, write_edit
from limpet.insight.folder import AGENT_FOLDER, FRICTION_FOLDER, IGNORE, MANIFEST, MEMORY, STASH_FOLDER
from limpet.lean.digest import sha256
from limpet.lean.record import field, mutable, record
from limpet.text.traces import Traces
from limpet.text.words import split_words
from limpet.workspace.files import read_file

_LARGEST = 64 << 20
_STASHES = os.path.join(AGENT_FOLDER, STASH_FOLDER)
_KEYWORDS = "keywords"
_KEYWORD_LINE = "**Keywords:** "


@record
class Renaming:
    """The current and the new path of a file whose name repeats a purged text."""

    path: str
    target: str


@mutable
class Erasure:
    """The changes to files that erase purged texts."""

    edits: list[Edit] = field(default_factory=list)
    renamings: list[Renaming] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    """The paths of files that a person must change, each with the reason."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths of the files that are edited or renamed."""
        return tuple(dict.fromkeys((*(edit.path for edit in self.edits), *(each.path for each in self.renamings))))


def plan_erasure(roots: Iterable[str], home: str, texts: Iterable[str]) -> Erasure:
    """Return the changes that erase texts from the files of projects and of the home.

    `roots` are the root folders of the projects. Nothing is written.
    """
    found, traces = Erasure(), Traces(texts)
    for root in roots:
        for folder in (FRICTION_FOLDER, STASH_FOLDER):
            _plan_folder(found, root, os.path.join(AGENT_FOLDER, folder), traces)
        _plan_file(found, root, MEMORY, traces)
        for name in dict.fromkeys(name for names in FILES.values() for name in names):
            _plan_block(found, root, name, traces)
        _plan_manifest(found, root)
    for folder in (FRICTION_FOLDER, STASH_FOLDER):
        _plan_folder(found, home, folder, traces)
    return found


def erase_traces(erasure: Erasure) -> None:
    """Edit and rename the files; add those for which this fails to `erasure.failed`."""
    for edit in erasure.edits:
        try:
            write_edit(edit)
        except Refused as refusal:
            erasure.failed.append((edit.path, str(refusal)))
    for each in erasure.renamings:
        try:
            os.rename(each.path, each.target)
        except OSError as error:
            erasure.failed.append((each.path, f"it cannot be renamed: {error.strerror}"))


def _plan_folder(found: Erasure, root: str, name: str, traces: Traces) -> None:
    folder = os.path.join(root, name)
    if _is_behind_link(root, name):
        # Limpet never writes through a symlink, but the folder may have been moved and replaced by a link.
        for path in system.walk_files(os.path.realpath(folder)):
            if traces.finds_in((read_file(path, _LARGEST) or b"").decode("utf-8", "surrogateescape")):
                found.failed.append((path, f"{folder} is a symlink, which is not followed"))
        return
    for path in system.walk_files(folder):
        if os.path.basename(path) != IGNORE:
            _plan_file(found, root, os.path.relpath(path, root), traces)
            stem, suffix = os.path.splitext(os.path.basename(path))
            if traces.finds_in(stem):
                found.renamings.append(Renaming(path=path, target=_find_free_name(path, suffix, found.renamings)))


def _find_free_name(path: str, suffix: str, taken: Sequence[Renaming]) -> str:
    folder, targets = os.path.dirname(path), {each.target for each in taken}
    names = (os.path.join(folder, f"stash-{number}{suffix}") for number in range(1, 10_000))
    return next(name for name in names if not os.path.lexists(name) and name not in targets)


def _is_behind_link(root: str, name: str) -> bool:
    """Tell whether a file, or a folder between the root and the file, is a symlink."""
    path = root
    for part in name.split(os.sep):
        path = os.path.join(path, part)
        if system.is_link(path):
            return True
    return False


def _read_text(found: Erasure, root: str, name: str) -> str | None:
    """Return the text of a file; None if it does not exist or cannot be read.

    A file that cannot be read is added to `found.failed`.
    """
    path = os.path.join(root, name)
    if not os.path.lexists(path):
        return None
    if _is_behind_link(root, name):
        # A link from one instruction file to another need not be followed, because the other file is edited too.
        return None
    data = read_file(path, _LARGEST + 1)
    if data is None or len(data) > _LARGEST:
        found.failed.append((path, "it cannot be read" if data is None else f"it has more than {_LARGEST:,} bytes"))
        return None
    return data.decode("utf-8", "surrogateescape")


def _plan_file(found: Erasure, root: str, name: str, traces: Traces) -> None:
    text = _read_text(found, root, name)
    if text is not None:
        _add_edit(found, root, name, text, _erase_from_file(text, name, traces))


def _plan_block(found: Erasure, root: str, name: str, traces: Traces) -> None:
    text = _read_text(found, root, name)
    if text is None:
        return
    data = text.encode("utf-8", "surrogateescape")
    try:
        span = find_block(data, name)
    except Refused as refusal:
        if traces.finds_in(text):
            found.failed.append((os.path.join(root, name), str(refusal)))
        return
    if span is not None:
        block = data[span.start : span.end].decode("utf-8", "surrogateescape")
        first, last = data[: span.start], data[span.end :]
        after = first + traces.erase(block).encode("utf-8", "surrogateescape") + last
        _add_edit(found, root, name, text, after.decode("utf-8", "surrogateescape"))


def _plan_manifest(found: Erasure, root: str) -> None:
    """Update the names and hashes of changed stashes in the manifest, so that they still count as distilled."""
    text = _read_text(found, root, MANIFEST)
    if text is None:
        return
    data = text.encode("utf-8", "surrogateescape")
    manifest = Manifest.parse(data)
    for edit in found.edits:
        name = _name_stash(edit.path)
        if edit.root == root and edit.name.startswith(_STASHES) and manifest.stashes.get(name) == _digest(edit.before):
            manifest.stashes[name] = _digest(edit.after)
    for each in found.renamings:
        if each.path.startswith(os.path.join(root, _STASHES, "")) and _name_stash(each.path) in manifest.stashes:
            manifest.stashes[_name_stash(each.target)] = manifest.stashes.pop(_name_stash(each.path))
    after = manifest.render()
    if after != Manifest.parse(data).render():
        found.edits.append(Edit(root=root, name=MANIFEST, before=data, after=after))


def _name_stash(path: str) -> str:
    return os.path.basename(path).removesuffix(".md")


def _digest(data: bytes | None) -> str:
    return sha256(data or b"").hexdigest()


def _add_edit(found: Erasure, root: str, name: str, before: str, after: str) -> None:
    if before == after:
        return
    old, new = (text.encode("utf-8", "surrogateescape") for text in (before, after))
    path = os.path.join(root, name)
    if not os.stat(path).st_mode & stat.S_IWUSR or not os.access(path, os.W_OK):
        found.failed.append((path, "it is write-protected"))
        return
    found.edits.append(Edit(root=root, name=name, before=old, after=new))


def _erase_from_file(text: str, name: str, traces: Traces) -> str:
    """Return the content of a file without purged texts; `name` determines its format."""
    if name.endswith(".jsonl"):
        return "".join(_erase_json(line, traces, indent=None) for line in text.splitlines(keepends=True))
    if name.endswith(".json"):
        return _erase_json(text, traces, indent=2)
    # Each section of a report has keywords from the quotes in it.
    parts: list[list[str]] = [[]]
    for line in text.splitlines(keepends=True):
        if line.startswith("## "):
            parts.append([])
        parts[-1].append(line)
    return "".join(_erase_section(section, traces) for section in map("".join, parts))


def _erase_section(text: str, traces: Traces) -> str:
    after = traces.erase(text)
    if after == text or _KEYWORD_LINE not in after:
        return after
    start, mark, rest = after.partition(_KEYWORD_LINE)
    line, end, rest = rest.partition("\n")
    kept = [word for word in line.split(", ") if traces.words.isdisjoint(split_words(word))]
    return f"{start}{mark}{', '.join(kept)}{end}{rest}"


def _erase_json(text: str, traces: Traces, *, indent: int | None) -> str:
    """Return a JSON text without purged texts; malformed JSON is treated as plain text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return traces.erase(text, is_escaped=True)
    after = _erase_value(value, traces)
    if after == value:
        return text
    return json.dumps(after, ensure_ascii=False, indent=indent) + text[len(text.rstrip()) :]


def _erase_value(value: Any, traces: Traces) -> Any:
    if isinstance(value, str):
        return traces.erase(value)
    if isinstance(value, list):
        return [_erase_value(each, traces) for each in value]
    if not isinstance(value, dict):
        return value
    after = {traces.erase(key): _erase_value(each, traces) for key, each in value.items()}
    keywords = after.get(_KEYWORDS)
    if after != value and isinstance(keywords, list):
        # The keywords come from the erased quotes beside them.
        after[_KEYWORDS] = [each for each in keywords if traces.words.isdisjoint(split_words(str(each)))]
    return after
