"""Record and query purged items, the memories from which others were derived, and suspicions.

A subject is the id of the item that a change is about, such as a memory or a fact. A purge of a memory includes
everything derived from it, even items that arrive later. A suspicion is a defect in the changes of a subject, such as a
broken hash chain. Most stores have no purged and no derived memories. `refresh_flags` checks this once for each batch
of changes, so that it is not queried for each change.
"""

from __future__ import annotations

from collections.abc import Iterable

from limpet.model.change import Change
from limpet.store.view.open import View

ERASED = "a change was erased without a purge"
_AT_ONCE = 500
"""The number of subjects that are looked up by one statement."""


def refresh_flags(view: View) -> None:
    """Update the flags of the view (`any_purged`, `any_descent`, `any_vectors`) and clear its cached scope keys."""
    # A cached key may be of a scope that a transaction has added before it was rolled back.
    view.scopes.clear()
    view.any_purged = bool(view.run("SELECT 1 FROM purged LIMIT 1").get)
    view.any_descent = bool(view.run("SELECT 1 FROM descent LIMIT 1").get)
    # For an index without vectors, `discard_other_vectors` later lists all memories that need one.
    view.any_vectors = bool(view.run("SELECT 1 FROM meta WHERE name = 'vectors'").get)


def is_purged(view: View, subject: str) -> bool:
    """Tell whether a memory or other subject was purged, by its id or because it was derived from a purged one."""
    return view.any_purged and bool(view.run("SELECT 1 FROM purged WHERE subject = ?", (subject,)).get)


def drop_purged(view: View, subjects: Iterable[str]) -> list[str]:
    """Return those of the given subjects that were not purged."""
    return [subject for subject in subjects if not is_purged(view, subject)] if view.any_purged else list(subjects)


def is_reached_by_purge(view: View, change: Change) -> bool:
    """Tell whether a purge includes a change.

    A memory is purged with any memory from which it was derived, and a fact when all its sources are purged.
    """
    if not view.any_purged:
        return False
    subjects, gone = (change.subject, *change.lineage), set[object]()
    for at in range(0, len(subjects), _AT_ONCE):
        some = subjects[at : at + _AT_ONCE]
        asked = ",".join("?" * len(some))
        gone.update(row[0] for row in view.run(f"SELECT subject FROM purged WHERE subject IN ({asked})", some))
    if change.root.startswith("fact_"):
        return change.subject in gone or (bool(change.lineage) and gone.issuperset(change.lineage))
    return bool(gone)


def purged_subjects(view: View) -> set[str]:
    """Return the ids of all purged subjects."""
    return {str(row[0]) for row in view.run("SELECT subject FROM purged")}


def unfinished_purges(view: View) -> set[str]:
    """Return the ids of purged subjects whose text may still be in a file."""
    return {str(row[0]) for row in view.run("SELECT subject FROM purged WHERE done = 0")}


def reopen_purges(view: View) -> None:
    """Mark all purged subjects as not yet erased, because files may contain their texts again."""
    view.run("UPDATE purged SET done = 0")


def mark_purges_finished(view: View, subjects: Iterable[str]) -> None:
    """Record that no file contains a text of these subjects any more."""
    with view.connection:
        for subject in subjects:
            view.run("UPDATE purged SET done = 1 WHERE subject = ?", (subject,))


def note_purge(view: View, subject: str) -> None:
    """Record that a subject is purged, and remove the links, uses and suspicions that refer to it."""
    view.run("INSERT OR IGNORE INTO purged VALUES (?, 0)", (subject,))
    if view.connection.changes():
        # A text that was erased before the purge arrived is no longer suspicious.
        view.run("DELETE FROM suspicion WHERE subject = ? AND reason = ?", (subject, ERASED))
        view.run("DELETE FROM descent WHERE memory = ?", (subject,))
        view.run("DELETE FROM link WHERE target = ?", (subject,))
        view.run("DELETE FROM access WHERE memory = ?", (subject,))
        view.run("DELETE FROM shown WHERE memory = ?", (subject,))
    view.any_purged = True


def note_descent(view: View, subject: str, ancestors: Iterable[str]) -> None:
    """Record the ids from which a memory, a fact or another subject was derived."""
    for ancestor in ancestors:
        view.run("INSERT OR IGNORE INTO descent VALUES (?, ?)", (ancestor, subject))
        view.any_descent = True


def find_derived(view: View, subject: str) -> list[str]:
    """Return the ids of the memories, facts and other subjects that were derived from a subject."""
    return [str(row[0]) for row in view.run("SELECT memory FROM descent WHERE ancestor = ?", (subject,)).fetchall()]


def has_unpurged_source(view: View, fact: str) -> bool:
    """Tell whether a fact has a source that is not purged."""
    query = "SELECT 1 FROM descent WHERE memory = ? AND ancestor NOT IN (SELECT subject FROM purged) LIMIT 1"
    return bool(view.run(query, (fact,)).get)


def note_suspicion(view: View, subject: str, reason: str) -> None:
    """Record a defect in the changes of a subject; `reason` is a description for the user."""
    view.run("INSERT OR IGNORE INTO suspicion VALUES (?, ?)", (subject, reason))
