"""Record and query what was purged, which memories were derived from which, and what is suspicious.

A purge includes a memory and everything derived from it, whenever either arrives. Most stores have no purged and no
derived memory; `note_rarities` finds that out once for a batch, so that it is not queried for each change.
"""

from __future__ import annotations

from collections.abc import Iterable

from limpet.model.change import Change
from limpet.store.view.open import View

ERASED = "a change was erased without a purge"
_AT_ONCE = 500
"""How many subjects are looked up by one statement."""


def note_rarities(view: View) -> None:
    """Find out whether the store has purged or derived memories, and vectors; clear the cached keys of scopes."""
    # A transaction that was rolled back may have taken a new scope with it.
    view.scopes.clear()
    view.any_purged = bool(view.run("SELECT 1 FROM purged LIMIT 1").get)
    view.any_descent = bool(view.run("SELECT 1 FROM descent LIMIT 1").get)
    # A new index has none: `use_vectors_of` then lists all memories as without one.
    view.any_vectors = bool(view.run("SELECT 1 FROM meta WHERE name = 'vectors'").get)


def is_purged(view: View, subject: str) -> bool:
    """Tell whether a subject was purged, by name or because it was derived from a purged one."""
    return view.any_purged and bool(view.run("SELECT 1 FROM purged WHERE subject = ?", (subject,)).get)


def drop_purged(view: View, subjects: Iterable[str]) -> list[str]:
    """Return the subjects that were not purged."""
    return [subject for subject in subjects if not is_purged(view, subject)] if view.any_purged else list(subjects)


def is_reached_by_purge(view: View, change: Change) -> bool:
    """Tell whether a purge includes a change.

    A memory is purged with any memory that it was derived from; a fact is purged when all its sources are.
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
    """Return all subjects that were ever purged."""
    return {str(row[0]) for row in view.run("SELECT subject FROM purged")}


def unfinished_purges(view: View) -> set[str]:
    """Return the purged subjects whose text may still be in some file."""
    return {str(row[0]) for row in view.run("SELECT subject FROM purged WHERE done = 0")}


def reopen_purges(view: View) -> None:
    """Mark all purged subjects as not yet erased, because files have come back that may hold their texts."""
    view.run("UPDATE purged SET done = 0")


def mark_purges_finished(view: View, subjects: Iterable[str]) -> None:
    """Record that no file holds a text of these subjects any more."""
    with view.connection:
        for subject in subjects:
            view.run("UPDATE purged SET done = 1 WHERE subject = ?", (subject,))


def note_purge(view: View, subject: str) -> None:
    """Record that a subject is purged, and remove its rows from the other tables."""
    view.run("INSERT OR IGNORE INTO purged VALUES (?, 0)", (subject,))
    if view.connection.changes():
        # What was erased before we heard of the purge is no longer suspicious.
        view.run("DELETE FROM suspicion WHERE subject = ? AND reason = ?", (subject, ERASED))
        view.run("DELETE FROM descent WHERE memory = ?", (subject,))
        view.run("DELETE FROM link WHERE target = ?", (subject,))
        view.run("DELETE FROM access WHERE memory = ?", (subject,))
        view.run("DELETE FROM shown WHERE memory = ?", (subject,))
    view.any_purged = True


def note_descent(view: View, subject: str, ancestors: Iterable[str]) -> None:
    """Record the sources of a memory or of a fact."""
    for ancestor in ancestors:
        view.run("INSERT OR IGNORE INTO descent VALUES (?, ?)", (ancestor, subject))
        view.any_descent = True


def heirs_of(view: View, subject: str) -> list[str]:
    """Return the memories and facts that were derived from a subject."""
    return [str(row[0]) for row in view.run("SELECT memory FROM descent WHERE ancestor = ?", (subject,)).fetchall()]


def rests_on_more(view: View, fact: str) -> bool:
    """Tell whether a fact has a source that is not purged."""
    query = "SELECT 1 FROM descent WHERE memory = ? AND ancestor NOT IN (SELECT subject FROM purged) LIMIT 1"
    return bool(view.run(query, (fact,)).get)


def note_suspicion(view: View, subject: str, reason: str) -> None:
    """Record that something is wrong with the changes of a subject."""
    view.run("INSERT OR IGNORE INTO suspicion VALUES (?, ?)", (subject, reason))
