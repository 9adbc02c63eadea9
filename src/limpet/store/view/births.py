"""Add new memories to the index, many at a time.

A root is the id under which changes are folded together: for a memory and its corrections, the id of the first version.
Most roots are new and have a single change, which introduces a memory. Such a memory has no rows in the index yet, so
no rows need to be read or replaced. The rows of many such memories are inserted table by table, which takes half as
long as inserting one memory after the other. All other roots are folded by `refold`. The resulting rows are the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from limpet.model.change import Change
from limpet.model.fold import MemoryState, fold_birth
from limpet.model.scope import token_of
from limpet.store.view.folded_rows import mark_twins, refold
from limpet.store.view.open import View, find_known, key_of_scope
from limpet.store.view.purged import is_purged
from limpet.store.view.rows import COLUMNS, encode_row
from limpet.store.view.search_rows import Searchable, put_search_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_VALUES = ", ".join("(SELECT key FROM change WHERE id = ?)" if name == "birth" else "?" for name in COLUMNS)
_INSERT = f"INSERT INTO memory (key, id, {', '.join(COLUMNS)}) VALUES (?, ?, {_VALUES})"
_SCOPE, _HASH, _SIMHASH = (COLUMNS.index(name) for name in ("scope", "content_hash", "simhash"))


def refold_all(view: View, touched: Mapping[str, list[Change] | None]) -> None:
    """Compute the rows of some roots from their changes, and replace them in the index.

    `touched` maps a new root to all its changes, and any other root to None.
    """
    waiting: list[tuple[MemoryState, Change]] = []
    for root, gathered in touched.items():
        folded = None if gathered is None or len(gathered) > 1 else _fold_single(view, root, gathered[0])
        if folded is not None and gathered is not None:
            waiting.append((folded, gathered[0]))
            continue
        # This root may depend on the memories that wait.
        _insert_memories(view, waiting)
        waiting = []
        refold(view, root, gathered)
    _insert_memories(view, waiting)


def _fold_single(view: View, root: str, change: Change) -> MemoryState | None:
    """Return the memory that the only change of a root introduces.

    Return None if the change introduces no memory, or one that was purged or made from other memories.
    """
    folded = fold_birth(change) if root == change.subject and root.startswith("mem_") else None
    # The memory is live, so memories that were made from it need no new rows.
    return None if folded is None or folded.memory.made_of or is_purged(view, root) else folded


def _insert_memories(view: View, waiting: list[tuple[MemoryState, Change]]) -> None:
    """Insert new memories into the index.

    A memory that is in the index already, because somebody has tampered with the journal, is folded again.
    """
    there = find_known(view, "memory", "id", [change.subject for _, change in waiting])
    fresh = [pair for pair in waiting if pair[1].subject not in there]
    first = 1 + int(view.run("SELECT max(key) FROM memory").get or 0)
    rows: list[tuple[Any, ...]] = []
    found: list[Searchable] = []
    for key, (folded, change) in enumerate(fresh, start=first):
        memory, scope = folded.memory, key_of_scope(view, token_of(folded.memory))
        values = encode_row(folded, folded.status, (change,))
        rows.append((key, memory.id, *values[:_SCOPE], scope, *values[_SCOPE + 1 :]))
        found.append(Searchable(key=key, scope=scope, memory=memory, status=folded.status, simhash=values[_SIMHASH]))
    seen = find_known(view, "memory", "content_hash", [row[_HASH + 2] for row in rows])
    repeated: dict[tuple[bytes, int], None] = {}
    for row in rows:
        if row[_HASH + 2] in seen:
            repeated[row[_HASH + 2], row[_SCOPE + 2]] = None
        seen.add(row[_HASH + 2])
    view.connection.executemany(_INSERT, rows)
    for content_hash, scope in repeated:
        mark_twins(view, content_hash, scope)
    put_search_rows(view, found)
    links = [
        (folded.memory.id, relation, target)
        for folded, _ in fresh
        for relation, target in folded.links
        if not is_purged(view, target)
    ]
    view.connection.executemany("INSERT OR IGNORE INTO link VALUES (?, ?, ?)", links)
    for _, change in waiting:
        if change.subject in there:
            refold(view, change.subject, [change])
