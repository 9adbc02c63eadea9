"""Ask and note what was purged, what descends from what, and what is suspicious.

A purge reaches a memory and all that was made of it, whenever either arrives. Most stores have no purged memory and
none that was made of others; `note_rarities` finds that out once for a batch, so that it is not asked at each change.
"""

from __future__ import annotations

from collections.abc import Iterable

from limpet.model.change import Change
from limpet.store.view.open import View

ERASED = "a change was erased without a purge"


def note_rarities(view: View) -> None:
    """Find out whether anything was purged, or made of other memories, at all."""
    view.any_purged = bool(view.run("SELECT 1 FROM purged LIMIT 1").get)
    view.any_descent = bool(view.run("SELECT 1 FROM descent LIMIT 1").get)


def is_purged(view: View, subject: str) -> bool:
    """Tell whether a purge has named this subject, or has reached it."""
    return view.any_purged and bool(view.run("SELECT 1 FROM purged WHERE subject = ?", (subject,)).get)


def is_reached_by_purge(view: View, change: Change) -> bool:
    """Tell whether a purge takes a change along.

    A memory goes with anything it descends from; a fact goes when all that it rests on is gone.
    """
    if not view.any_purged:
        return False
    subjects = (change.subject, *change.lineage)
    asked = ",".join("?" * len(subjects))
    gone = {row[0] for row in view.run(f"SELECT subject FROM purged WHERE subject IN ({asked})", subjects)}
    if change.root.startswith("fact_"):
        return change.subject in gone or (bool(change.lineage) and gone.issuperset(change.lineage))
    return bool(gone)


def purged_subjects(view: View) -> set[str]:
    """Return everything that was ever purged."""
    return {str(row[0]) for row in view.run("SELECT subject FROM purged")}


def unfinished_purges(view: View) -> set[str]:
    """Return what was purged and may still lie in some file."""
    return {str(row[0]) for row in view.run("SELECT subject FROM purged WHERE done = 0")}


def reopen_purges(view: View) -> None:
    """Let everything that was purged be erased again: files have come back that may hold it."""
    view.run("UPDATE purged SET done = 0")


def finish_purges(view: View, subjects: Iterable[str]) -> None:
    """Note that no file holds anything of these subjects any more."""
    with view.connection:
        for subject in subjects:
            view.run("UPDATE purged SET done = 1 WHERE subject = ?", (subject,))


def note_purge(view: View, subject: str) -> None:
    """Note that a subject is purged, and remove what other tables say of it."""
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
    """Note what a memory was made of, or what a fact rests on."""
    for ancestor in ancestors:
        view.run("INSERT OR IGNORE INTO descent VALUES (?, ?)", (ancestor, subject))
        view.any_descent = True


def heirs_of(view: View, subject: str) -> list[str]:
    """Return the memories that were made of a subject and the facts that rest on it."""
    return [str(row[0]) for row in view.run("SELECT memory FROM descent WHERE ancestor = ?", (subject,)).fetchall()]


def rests_on_more(view: View, fact: str) -> bool:
    """Tell whether a fact rests on something that is not purged."""
    query = "SELECT 1 FROM descent WHERE memory = ? AND ancestor NOT IN (SELECT subject FROM purged) LIMIT 1"
    return bool(view.run(query, (fact,)).get)


def note_suspicion(view: View, subject: str, reason: str) -> None:
    """Note that something is wrong with a subject's changes."""
    view.run("INSERT OR IGNORE INTO suspicion VALUES (?, ?)", (subject, reason))
