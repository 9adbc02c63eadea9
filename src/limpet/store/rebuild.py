"""Rebuild the index from the journal, and report what the journal has lost.

An index is marked as finished only at the end, so that it is rebuilt if the process is killed. Without an index, a loss
of journal records can only be noticed by the high-water marks (how many records each segment once had) and by the
backup.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import apsw

from limpet.store.catch_up import adopt, apply_all, count_records, tidy
from limpet.store.context import HighWater, StoreContext
from limpet.store.journal.segments import is_receipts
from limpet.store.purged_texts import finish_purges
from limpet.store.view.open import VERSION, View, load_cursors, set_version, version_of

_CACHE_KB = 64 << 10
"""The size of SQLite's cache in kB while an index is filled. It is large, because a new memory changes many pages."""
_COLLECT_AFTER = 50_000
"""The number of new objects after which Python collects garbage during a rebuild. The default is too low."""


def rebuild_index(context: StoreContext, *, keep: bool, is_sound: bool = False, is_new: bool = False) -> View:
    """Replace the shared index with a new one, made from the journal, and return it. The caller must hold the lock.

    If `keep` is set, the old file is moved to the folder for damaged files. `is_sound` means that the old file is
    undamaged and only has an older format; then it is deleted if the rebuild has recovered everything. A hook has no
    time to account for losses, so its index stays unfinished, unless nothing was ever stored (`is_new`).
    """
    aside = context.index.set_aside(context.now_ms()) if keep else []
    view: View | None = None
    try:
        view = _fill_index(context)
        if is_new or not context.hurried:
            view = _account_for_losses(context, view)
        adopt(context, view)
        finish_purges(context, view)
        tidy(context, view)
    except (apsw.Error, OSError):
        if view is not None:
            view.connection.close()
        context.index.remove()
        raise
    if is_sound and not context.missing and version_of(view.connection) == VERSION:
        for path in aside:
            os.unlink(path)
    return view


def _fill_index(context: StoreContext) -> View:
    """Create an index, fill it from the journal and return it. It is not marked as finished yet."""
    view = context.index.create()
    try:
        usual = view.run("PRAGMA cache_size").get
        view.run(f"PRAGMA cache_size=-{_CACHE_KB}")
        with _collect_rarely():
            apply_all(context, view)
        view.run(f"PRAGMA cache_size={usual}")
        view.run("PRAGMA shrink_memory")
    except (apsw.Error, OSError):
        view.connection.close()
        raise
    return view


@contextmanager
def _collect_rarely() -> Iterator[None]:
    """Make Python collect garbage less often within a `with` block."""
    first, *others = gc.get_threshold()
    gc.set_threshold(max(first, _COLLECT_AFTER) if first else 0, *others)
    try:
        yield
    finally:
        gc.set_threshold(first, *others)


def _account_for_losses(context: StoreContext, view: View) -> View:
    """Restore lost records from the backup, add notices for the user, and mark the index as finished.

    Return the index. If records were restored, a new index is returned and the given one is closed. If a damaged
    segment is in use, the index stays unfinished, so that the next command tries again.
    """
    once, before = HighWater.load(context.home).records, count_records(view)
    restored = restore_missing(context, view, once)
    saved = {name: count for name, count in restored.items() if count is not None}
    for name in restored.keys() - saved.keys():
        context.tell_in_use(name)
    if saved:
        # Filled again from the beginning, so that no trace of the gap is left.
        view.connection.close()
        view = _fill_index(context)
    if len(saved) == len(restored):
        _report_losses(context, once, before=before, after=count_records(view), saved=saved)
        set_version(view.connection, VERSION)
    return view


def restore_missing(context: StoreContext, view: View, once: Mapping[str, int]) -> dict[str, int | None]:
    """Restore missing records from the backup, and return their number by segment name.

    The number is None for a segment that is in use. `once` is the number of records that each segment once had, by
    name.
    """
    if context.newer:
        return {}
    have = count_records(view)
    broken = {name for name, cursor in load_cursors(view).items() if cursor.torn and not is_receipts(name)}
    short = {name for name, count in once.items() if have.get(name, 0) < count}
    return context.open_backup().restore(short | broken)


def _report_losses(
    context: StoreContext,
    once: Mapping[str, int],
    *,
    before: Mapping[str, int],
    after: Mapping[str, int],
    saved: Mapping[str, int],
) -> None:
    context.missing = 0
    for name in sorted({*once, *saved} if not context.newer else ()):
        count = max(once.get(name, 0), after.get(name, 0))
        lost = max(count - before.get(name, 0), saved.get(name, 0))
        missing = count - after.get(name, 0)
        context.accounted.add(name)
        if not lost:
            continue
        notice = f"the journal segment {name} had lost {lost} of {count} changes"
        if name in saved:
            notice += f"; {saved[name]} came back from the backup"
        if missing:
            notice += f"; {missing} could not be found again"
        context.missing += missing
        context.notices.append(notice)
