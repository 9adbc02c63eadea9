"""Rebuild the index from the journal, and report what the journal has lost.

An index is marked as finished only at the end, so that an index whose process was killed is rebuilt. While the index is
missing, only high-water marks and backups show that a segment has lost records.
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
from limpet.store.purge import finish_purges
from limpet.store.view.open import VERSION, View, load_cursors, set_version, version_of

_CACHE_KB = 64 << 10
"""How much of the index is kept in memory while it is filled: every new memory touches pages all over it."""
_COLLECT_AFTER = 50_000
"""How many new objects cause a garbage collection meanwhile: a batch makes many, and visiting them takes time."""


def build(context: StoreContext, *, keep: bool, is_sound: bool = False) -> View:
    """Rebuild the shared index and return it; the caller holds the lock.

    With `keep`, the old file is set aside. One that is only of an older form (`is_sound`) is removed once the new index
    has everything.
    """
    aside = context.index.set_aside(context.now_ms()) if keep else []
    view: View | None = None
    try:
        view = _fill(context)
        if not context.hurried:
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


def _fill(context: StoreContext) -> View:
    """Return a new index with everything in the journal, not yet marked as finished."""
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
    """Collect garbage rarely, unless it is collected even more rarely already."""
    first, *others = gc.get_threshold()
    gc.set_threshold(max(first, _COLLECT_AFTER) if first else 0, *others)
    try:
        yield
    finally:
        gc.set_threshold(first, *others)


def _account_for_losses(context: StoreContext, view: View) -> View:
    """Restore from the backup what the journal has lost, note it for the user, and mark the index as finished.

    Return the index. If anything was restored, that is a new one, and the one that was given is closed. If a damaged
    segment is in use, the index stays unfinished, and the next command tries again.
    """
    once, before = HighWater.load(context.home).records, count_records(view)
    restored = restore_missing(context, view, once)
    saved = {name: count for name, count in restored.items() if count is not None}
    for name in restored.keys() - saved.keys():
        context.tell_in_use(name)
    if saved:
        # Read again from the beginning, so that no trace of the gap is left.
        view.connection.close()
        view = _fill(context)
    if len(saved) == len(restored):
        _tell_losses(context, once, before=before, after=count_records(view), saved=saved)
        set_version(view.connection, VERSION)
    return view


def restore_missing(context: StoreContext, view: View, once: Mapping[str, int]) -> dict[str, int | None]:
    """Restore missing records from the backup; return their number by segment, None for a segment in use."""
    if context.newer:
        return {}
    have = count_records(view)
    broken = {name for name, cursor in load_cursors(view).items() if cursor.torn and not is_receipts(name)}
    short = {name for name, count in once.items() if have.get(name, 0) < count}
    return context.open_backup().restore(short | broken)


def _tell_losses(
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
