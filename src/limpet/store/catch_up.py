"""Bring the SQLite view up to date with the journal.

The process that holds the lock applies new journal records to the shared index for all processes, finishes purges, and
repairs segments that have lost records. A hook must answer quickly, so it applies only a few records and leaves all
other work to the next command.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from limpet import clock
from limpet.model.ids import lowest_after
from limpet.model.keyring import KeyRing
from limpet.store.context import HighWater, StoreContext
from limpet.store.journal.protocol import Cursor, Written
from limpet.store.journal.segments import RECEIPTS
from limpet.store.known import hold_unknown
from limpet.store.view.open import View, load_cursor, load_cursors
from limpet.store.view.rows import discard_other_vectors, embed, encode_sentences, has_missing_vectors
from limpet.store.view.signatures import check_signatures, device_of, is_checked_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.store.view.apply import ApplyResult

_COUNTS = f"SELECT name, records FROM segment WHERE name NOT GLOB '*/{RECEIPTS}*'"
_EMBED_BATCH = 64
_REST_BATCH = 256
"""The number of vectors that an idle process computes in one batch.

A batch must be large enough to make loading numpy worthwhile, and small enough to be fast without it.
"""
_EMBED_MS = 5000
_REST_MS = 150
_SENTENCES = 8
"""The number of texts that are passed to the sentence encoder at once.

A larger batch takes less time per text, but holds the lock longer.
"""

FORGED_MARKS = "the high-water marks were changed by another program; a change that was cut off may not be noticed"


def catch_up(context: StoreContext, view: View, wait_ms: int | None = None, *, written: Written | None = None) -> bool:
    """Bring the shared view up to date with the journal.

    Return False if another process holds the lock and the view is still not up to date. `wait_ms` limits how long to
    wait for the lock. `written` are the rows that this process has just appended, if any. If the view already has all
    earlier rows of their segment, usually only these rows are applied, and the records of other processes are left to
    the next reader.
    """
    surveyed_at = None
    pending: list[Cursor] = []
    lost: list[str] = []
    if written is None:
        surveyed_at = view.moment()
        pending, lost = survey(context, view)
        is_checked = context.hurried or is_checked_with(view, context.keys())
        is_held_clean = not context.held or not _has_purge(view)
        if not pending and not lost and is_checked and is_held_clean and not _has_unfinished_purge(view):
            return True
    with context.lock.hold(wait_ms) as is_ours:
        if not is_ours:
            # Other processes may have applied the records in the meantime.
            return not any(survey(context, view))
        cursor = None if written is None else _find_cursor_before(context, view, written)
        if cursor is not None:
            pending = [cursor]
        elif surveyed_at is None or view.moment() != surveyed_at:
            # Nothing was surveyed, or another process has changed the view since.
            pending, lost = survey(context, view)
        keys = context.keys()
        use_keys(context, view, keys)
        if lost:
            from limpet.store.journal_repair import mend_segments

            mend_segments(context, view, lost)
            pending, _ = survey(context, view)
        if cursor is None and _has_purge(view):
            # Loaded here, and below: most stores have no purge.
            from limpet.store.purged_texts import erase_again

            erase_again(context, view, pending)
        done = apply_pending(context, view, pending, keys, written=None if cursor is None else written, embeds=True)
        if context.held:
            apply_all(context, view)
        if _has_unfinished_purge(view):
            from limpet.store.purged_texts import finish_purges

            finish_purges(context, view)
        _embed_fresh(context, view, done.changes - done.receipts)
        tidy(context, view)
        return True


def _find_cursor_before(context: StoreContext, view: View, written: Written) -> Cursor | None:
    """Return the cursor of the segment that `written` belongs to, or None if more than its rows have to be applied.

    Its rows suffice if the view has read all earlier rows of the segment, and the store has neither purged items nor
    unknown devices.
    """
    if context.held or _has_purge(view):
        return None
    cursor = load_cursor(view, written.segment)
    # Another time means that another program may have edited the rows that were read.
    if cursor is None or (cursor.applied, cursor.modified) != (written.rows[0][0], written.before):
        return None
    cursor.modified = written.modified
    cursor.unread = sum(len(row) + 1 for _, row in written.rows)
    return cursor


def survey(context: StoreContext, view: View) -> tuple[list[Cursor], list[str]]:
    """Return the cursors of the journal segments with new records, and the names of damaged segments.

    A cursor is the position up to which the view has read a segment. Segments of unknown devices are left out.
    """
    found = context.journal.survey(load_cursors(view))
    pending, lost = found.pending, found.lost
    if found.touched:
        from limpet.store.view.index_check import segment_agrees

        for cursor in found.touched:
            if segment_agrees(view, context.journal, cursor.name, is_foreign=not context.is_own(cursor.name)):
                pending.append(cursor)
            else:
                lost.append(cursor.name)
    return hold_unknown(context, view, pending), sorted(lost)


def apply_all(context: StoreContext, view: View) -> None:
    """Apply all new records of the journal to the view."""
    keys = context.keys()
    use_keys(context, view, keys)
    pending = survey(context, view)[0]
    apply_pending(context, view, pending, keys)
    held: frozenset[str] = frozenset()
    while context.held and context.held != held:
        # An applied record may say that a device is known.
        held = context.held
        apply_pending(context, view, survey(context, view)[0], keys)


def use_keys(context: StoreContext, view: View, keys: KeyRing) -> None:
    """Check all signatures again if the keys of the home have changed.

    A hook skips this step, because it takes too long.
    """
    if context.hurried or is_checked_with(view, keys):
        return
    with view.connection:
        check_signatures(view, keys)


def apply_pending(
    context: StoreContext,
    view: View,
    pending: Sequence[Cursor],
    keys: KeyRing,
    *,
    written: Written | None = None,
    embeds: bool = False,
) -> ApplyResult:
    """Apply the journal records after these cursors to the view, in batches.

    A hook applies only a limited number of records and leaves the others to the next command. If `written` is given,
    its rows are applied and the journal is not read. If `embeds` is set, the vectors of a small batch are stored in the
    same transaction as its memories.
    """
    # Loaded here: a hook mostly finds an index that is up to date.
    from limpet.store.view.apply import BATCH, ApplyResult, apply_rows

    done = ApplyResult()
    deadline = clock.monotonic_ms() + context.settings.hook_apply_ms
    limit = context.settings.hook_apply_changes if context.hurried else BATCH
    total = sum(cursor.unread for cursor in pending)
    read = 0
    for cursor in pending:
        if context.hurried and (limit <= 0 or clock.monotonic_ms() > deadline):
            break
        has_more = True
        while has_more:
            start = cursor.applied
            rows = context.journal.read(cursor, limit) if written is None else written.rows
            is_small = embeds and not context.hurried and len(rows) <= _EMBED_BATCH
            with view.connection:
                apply_rows(view, cursor, rows, done, keys, embeds=is_small)
            if not context.hurried:
                # Otherwise the log of a rebuild grows to ten times the index, and every page is looked for in it.
                context.index.shorten_log(view)
            if rows:
                read += cursor.applied - start
                context.progress("reading the journal", read, total)
            has_more = written is None and len(rows) == limit and not done.newer and not context.hurried
            if context.hurried:
                limit -= len(rows)
    if done.newer:
        context.note_newer()
    if done.changes:
        note_highest(context, view)
    return done


def adopt(context: StoreContext, view: View) -> None:
    """Prepare a newly opened index for use.

    Discard its vectors if they were made with another model, and record the identity of the file and its highest change
    id.
    """
    if not context.hurried and view.has_vectors:
        from limpet.text.embedding import load_embedding_table

        discard_other_vectors(view, load_embedding_table().model)
    context.index.note_opened()
    note_highest(context, view)


def note_highest(context: StoreContext, view: View) -> None:
    """Store the highest change id of the view in the context, so that new ids sort after it.

    Ids from a clock that is more than a day ahead are ignored.
    """
    bound = lowest_after(context.now_ms() + clock.DAY_MS)
    context.highest = str(view.run("SELECT max(id) FROM change WHERE id < ?", (bound,)).get or "")


def _has_purge(view: View) -> bool:
    return bool(view.run("SELECT 1 FROM purged LIMIT 1").get)


def _has_unfinished_purge(view: View) -> bool:
    return bool(view.run("SELECT 1 FROM purged WHERE done = 0 LIMIT 1").get)


def _embed_fresh(context: StoreContext, view: View, fresh: int) -> None:
    """Compute the missing vectors of up to `fresh` memories that were just applied to the view.

    Stop after five seconds. The remaining vectors are computed later, when the store is idle.
    """
    if context.hurried or not fresh or not has_missing_vectors(view):
        return
    deadline = clock.monotonic_ms() + _EMBED_MS
    while fresh > 0 and clock.monotonic_ms() < deadline:
        batch = min(fresh, _EMBED_BATCH)
        with view.connection:
            done = embed(view, batch, newest=fresh)
        fresh = fresh - done if done == batch else 0


def embed_at_rest(context: StoreContext, view: View) -> None:
    """Compute missing vectors for a short time while the store is idle.

    The caller must hold the lock.
    """
    deadline = clock.monotonic_ms() + _REST_MS
    while clock.monotonic_ms() < deadline:
        with view.connection:
            if embed(view, _REST_BATCH) < _REST_BATCH and not encode_sentences(view, _SENTENCES):
                break
    tidy(context, view)


def embed_waiting(view: View, *, budget_ms: int) -> None:
    """Compute the missing vectors until none are left or the time is up.

    The caller must hold the lock.
    """
    deadline, is_done = clock.monotonic_ms() + budget_ms, False
    while not is_done and clock.monotonic_ms() < deadline:
        with view.connection:
            is_done = embed(view, _REST_BATCH) < _REST_BATCH


def tidy(context: StoreContext, view: View) -> None:
    """Shorten the write-ahead log and save the high-water marks after changes were applied.

    The high-water mark of a journal segment is the highest number of records that it has had. The caller must hold the
    lock.
    """
    context.index.shorten_log(view)
    save_high_water(context, view)


def count_records(view: View) -> dict[str, int]:
    """Return the number of records that the view has read from each journal segment, by segment name.

    Receipts (records of memories that were shown) are not counted.
    """
    return {str(name): int(count) for name, count in view.run(_COUNTS)}


def save_high_water(context: StoreContext, view: View, backup_ms: int | None = None) -> None:
    """Save the highest number of records that each journal segment has had, and the stamp of the index file.

    A number is lowered only if the loss of its records has been reported. `backup_ms` is the time of a backup that was
    just made.
    """
    before, keys, counted = HighWater.load(context.home), context.keys(), count_records(view)
    records = {name: count for name, count in before.records.items() if name not in context.accounted}
    if before.is_forged(keys):
        if before.code:
            context.tell_once(FORGED_MARKS)
        # The marks are signed below, so a device that another program has named in them would become known.
        known = {device_of(name) for name in counted}
        records = {name: count for name, count in records.items() if device_of(name) in known}
    for name, count in counted.items():
        records[name] = max(count, records.get(name, 0))
    written = context.index.note_written()
    fresh = HighWater(
        records=records,
        # The stamp of an index that nobody has checked would make the next command trust it.
        index=written if context.index.is_checked else before.index,
        backup_ms=before.backup_ms if backup_ms is None else backup_ms,
    )
    fresh.sign(keys)
    if fresh != before:
        with contextlib.suppress(OSError):
            fresh.save(context.home)
