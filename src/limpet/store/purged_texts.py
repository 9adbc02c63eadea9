"""Erase purged texts from every file of the journal and from the index.

Each step can be repeated, so an interrupted purge is finished by the next command.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet import clock
from limpet.store.context import StoreContext
from limpet.store.journal.line import erase_row
from limpet.store.journal.protocol import Cursor
from limpet.store.view import purged
from limpet.store.view.open import View, load_cursors, save_cursor
from limpet.store.view.packed import pack_line, unpack_line
from limpet.store.view.scrub import scrub

_PAUSE_MS = 20


def erase_again(context: StoreContext, view: View, pending: Sequence[Cursor]) -> None:
    """Erase purged texts again in segments that may contain them: replaced ones, and those of unknown devices.

    `pending` contains the cursors of segments with new records, each of which may have been replaced by an older copy.
    """
    subjects = set() if context.hurried else purged.purged_subjects(view)
    if subjects:
        replaced = [
            cursor.name
            for cursor in pending
            if cursor.applied and not (cursor.unread > 0 and context.is_own(cursor.name))
        ]
        context.journal.erase(subjects, segments=[*replaced, *context.held_segments])


def finish_purges(context: StoreContext, view: View, *, tries: int = 2) -> None:
    """Erase purged texts from all files of the journal and from the index.

    Finally, SQLite's write-ahead log is emptied. If another process still reads from it after this number of `tries`,
    the next command tries again.
    """
    subjects = set() if context.hurried else purged.unfinished_purges(view)
    if not subjects:
        return
    context.index.remove_set_aside()
    context.journal.erase(subjects)
    erase_in_view(view)
    # Otherwise the next command would compare the content of all these files with the view.
    for cursor in context.journal.survey(load_cursors(view)).touched:
        save_cursor(view, cursor)
    for _ in range(tries):
        # SQLite zeroes freed pages (secure_delete), but their old content is still in the log.
        if context.index.empty_log(view) and _scrub_and_finish(context, view, subjects):
            return
        clock.pause(_PAUSE_MS)
    context.tell_once(
        "another process is reading the store; the last trace of the purged text leaves its log when that process ends"
    )


def _scrub_and_finish(context: StoreContext, view: View, subjects: set[str]) -> bool:
    """Overwrite what is left of purged texts between the rows, and mark the purges as finished.

    Return False if another process has written to the log meanwhile.
    """
    # Pages in the cache of this process may still have such remains.
    view.run("PRAGMA shrink_memory")
    view.run("BEGIN IMMEDIATE")
    try:
        if is_empty := context.index.is_log_empty():
            scrub(view, context.index.path)
            purged.mark_purges_finished(view, subjects)
        return is_empty
    finally:
        view.run("COMMIT")


def erase_in_view(view: View) -> None:
    """Erase purged texts from the table of changes, and rewrite the full-text index without its deleted entries."""
    with view.connection:
        rows = view.run(
            "SELECT c.line, c.id, p.subject FROM change c JOIN purged p ON p.subject = coalesce(c.subject, c.root) "
            "WHERE p.done = 0 AND c.verb <> 'purge'"
        ).fetchall()
        for packed, change_id, subject in rows:
            row = erase_row(unpack_line(packed, str(change_id), str(subject)))
            view.run(
                "UPDATE change SET line = ? WHERE id = ?", (pack_line(row, str(change_id), str(subject)), change_id)
            )
        view.run("INSERT INTO words (words) VALUES ('optimize')")
