"""Determine what a diff removes: paths, commands, versions and symbols that statements may name."""

from __future__ import annotations

import re
from functools import cached_property

from limpet.insight.drift.manifests import is_manifest, list_commands, list_mentioned, list_pinned_versions
from limpet.lean.pattern import lazy
from limpet.workspace.tree_changes import FileChange, compare_trees, find_renames
from limpet.workspace.trees import Tree

CODE = (
    *(".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".rb", ".php", ".c"),
    *(".h", ".cc", ".cpp", ".hpp", ".cs", ".swift", ".scala", ".ex", ".exs", ".lua", ".sh", ".vue", ".svelte", ".sql"),
)
_DEFINITION = lazy(
    r"(?:^|[ \t])(?:def|class|function|fn|func|struct|enum|interface|trait|type|const|let|var|module|object|protocol|"
    r"macro_rules!)[ \t]++(?:\([^)\n]{0,100}\)[ \t]*+)?([A-Za-z_$][\w$]{2,80})",
    re.MULTILINE,
)
_CONSTANT = lazy(r"^([A-Z][A-Z0-9_]{3,80})[ \t]*+(?::[^=\n]{1,100})?=", re.MULTILINE)
_MOST_SCANNED = 20_000
_MAX_SOURCE = 400_000
"""The maximum size, in characters, of a source file that is searched for symbols; larger files are mostly generated."""


class Difference:
    """The difference between two trees of a repository: the `base` and the `head` of a diff."""

    def __init__(self, base: Tree, head: Tree) -> None:
        self.base, self.head = base, head
        self.changes: list[FileChange] = compare_trees(base, head)

    @cached_property
    def renamed(self) -> dict[str, str]:
        """Return the new paths of renamed files by their old paths."""
        return find_renames(self.base, self.head, self.changes)

    def find_new_name(self, path: str) -> str:
        """Return the new path of a renamed file or folder, or an empty string if it was not renamed.

        A folder counts as renamed if all of its renamed files are now in one other folder.
        """
        if path in self.renamed:
            return self.renamed[path]
        inside = f"{path.rstrip('/')}/"
        moved = {
            new.removesuffix(old.removeprefix(inside)).rstrip("/")
            for old, new in self.renamed.items()
            if old.startswith(inside) and new.endswith(old.removeprefix(inside))
        }
        return moved.pop() if len(moved) == 1 else ""

    @cached_property
    def removed_commands(self) -> dict[str, frozenset[str]]:
        """Return the removed commands by their runner, such as "make" or "npm"."""
        before, after = list_commands(self.base), list_commands(self.head)
        return {runner: names - after.get(runner, frozenset()) for runner, names in before.items()}

    @cached_property
    def changed_versions(self) -> dict[str, tuple[str, str]]:
        """Return the old and the new version of each dependency whose pinned version has changed.

        The new version is an empty string if the dependency was removed, that is, if no manifest in the head mentions
        it.
        """
        paths = [change.path for change in self.changes if is_manifest(change.path) and change.before]
        before, after = list_pinned_versions(self.base, paths), list_pinned_versions(self.head, paths)
        missing = before.keys() - after.keys()
        gone = missing - list_mentioned(self.head, missing)
        changed = {name: (old, after[name]) for name, old in before.items() if name in after and old != after[name]}
        return changed | {name: (before[name], "") for name in gone}

    @cached_property
    def removed_symbols(self) -> dict[str, str]:
        """Return the symbols that changed files no longer define, each with the path of its file."""
        gone: dict[str, str] = {}
        for change in self.changes:
            if change.before and change.path.endswith(CODE):
                old = self._read(self.base, change.before)
                new = self._read(self.head, change.after) if change.after else ""
                if max(len(old), len(new)) > _MAX_SOURCE:
                    continue
                for name in _find_definitions(old) - _find_definitions(new):
                    gone.setdefault(name, change.path)
        return gone

    def is_unknown(self, symbol: str) -> bool:
        """Tell whether no source file in the head contains a removed symbol."""
        return symbol not in self._known_words

    @cached_property
    def _known_words(self) -> frozenset[str]:
        """Return the removed symbols that source files in the head still contain."""
        left = {name: name.encode() for name in self.removed_symbols}
        found: set[str] = set()
        for count, (path, entry) in enumerate(self.head.walk()):
            if count > _MOST_SCANNED or not left:
                # The rest of the files is not read, so the remaining symbols may still be in them.
                found.update(left)
                break
            if path.endswith(CODE):
                data = self.head.read_id(entry.id)
                if data is None:
                    continue
                seen = [name for name, word in left.items() if word in data]
                found.update(seen)
                for name in seen:
                    del left[name]
        return frozenset(found)

    @staticmethod
    def _read(tree: Tree, id: str) -> str:
        return (tree.read_id(id) or b"").decode("utf-8", "replace")


def _find_definitions(text: str) -> set[str]:
    return {*_DEFINITION.findall(text), *_CONSTANT.findall(text)}
