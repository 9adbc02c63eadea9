"""What every journal promises to those who derive something from it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import pytest

from limpet.model.change import Change, ChangeKind
from limpet.model.ids import ms_of, stamp
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import MOST_WRITTEN, Cursor, Journal, Row
from tests.model.making import START_MS, admit, memory, on
from tests.store.acting import Clock
from tests.store.conformance.conftest import RING, Open


class Follower:
    """Somebody who follows a journal by its cursors, as a view does."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.cursors: dict[str, Cursor] = {}
        self.rows: dict[str, list[Row]] = {}

    def catch_up(self, limit: int = 100) -> list[Change]:
        """Read everything that is new and return it."""
        changes = []
        for cursor in self.journal.survey(self.cursors).pending:
            self.cursors[cursor.name] = cursor
            while rows := self.journal.read(cursor, limit):
                assert len(rows) <= limit
                self.rows.setdefault(cursor.name, []).extend(rows)
                changes += [self._follow(cursor, *row) for row in rows]
        return changes

    def _follow(self, cursor: Cursor, start: int, row: bytes) -> Change:
        assert start == cursor.applied
        change, problem, digest, previous = lines.parse(row)
        assert (problem, previous) == (None, cursor.last_hash)
        cursor.applied, cursor.last_start, cursor.last_hash = start + len(row) + 1, start, digest
        cursor.records += 1
        return change

    def is_up_to_date(self) -> bool:
        found = self.journal.survey(self.cursors)
        return not found.pending and not found.touched and not found.lost


@pytest.fixture
def follower(journal: Journal) -> Follower:
    return Follower(journal)


def ids(changes: Iterable[Change]) -> list[str]:
    return [change.id for change in changes]


def only_segment(follower: Follower) -> str:
    (name,) = follower.cursors
    return name


def test_an_empty_journal_has_nothing_to_read(journal: Journal) -> None:
    found = journal.survey({})
    assert (found.pending, found.touched, found.lost) == ([], [], [])
    assert list(journal.verify()) == []


def test_what_is_appended_is_read_back_as_it_was_given(journal: Journal, follower: Follower) -> None:
    one = memory("a text")
    written = journal.append([admit(one), on(one, ChangeKind.PIN, pinned=True)])
    found = follower.catch_up()
    assert found == list(written)
    assert [change.payload for change in found] == [change.payload for change in written]
    assert {change.device for change in written} == {journal.device}


def test_a_reader_goes_on_where_it_stopped(journal: Journal, follower: Follower) -> None:
    first = journal.append([admit(memory("one"))])
    assert ids(follower.catch_up()) == ids(first)
    assert follower.is_up_to_date()
    second = journal.append([admit(memory("two")), admit(memory("three"))])
    assert ids(follower.catch_up(limit=1)) == ids(second)
    assert follower.is_up_to_date()


def test_another_handle_reads_what_was_written(open_journal: Open, journal: Journal) -> None:
    written = journal.append([admit(memory("one"))])
    assert ids(Follower(open_journal()).catch_up()) == ids(written)


def test_a_survey_counts_what_is_not_read_yet(journal: Journal, follower: Follower) -> None:
    journal.append([admit(memory("one"))])
    (pending,) = journal.survey({}).pending
    follower.catch_up()
    assert pending.unread == follower.cursors[pending.name].applied


def test_segments_are_named_after_their_device(journal: Journal, follower: Follower) -> None:
    journal.append([admit(memory("one"))])
    follower.catch_up()
    assert only_segment(follower).startswith(f"{journal.device}/")


def test_receipts_have_segments_of_their_own(journal: Journal, follower: Follower) -> None:
    journal.append([admit(memory("one"))])
    journal.append([Change(kind=ChangeKind.RECEIPT, subject="receipt:show", payload={"ids": []})], durable=False)
    follower.catch_up()
    assert sorted(name.partition("/")[2].startswith("r") for name in follower.cursors) == [False, True]


def test_ids_come_after_the_highest_that_is_known(journal: Journal, clock: Clock) -> None:
    known = stamp(clock.ms + 5000)
    (written,) = journal.append([admit(memory("one"))], after=known)
    assert written.id > known


def test_ids_do_not_follow_a_clock_that_is_days_ahead(journal: Journal, clock: Clock) -> None:
    (written,) = journal.append([admit(memory("one"))], after=stamp(clock.ms + 10 * 86_400_000))
    assert ms_of(written.id) == clock.ms


def test_rows_that_are_in_their_place_do_not_differ(journal: Journal, follower: Follower) -> None:
    journal.append([admit(memory("one")), admit(memory("two"))])
    follower.catch_up()
    name = only_segment(follower)
    assert list(journal.find_differences(name, follower.rows[name])) == []


def test_an_erased_payload_differs_and_nothing_else_of_its_row(journal: Journal, follower: Follower) -> None:
    doomed, other = memory("a text to erase"), memory("a text to keep")
    journal.append([admit(doomed), admit(other)])
    follower.catch_up()
    name = only_segment(follower)
    journal.erase({doomed.id})
    ((row, found),) = journal.find_differences(name, follower.rows[name])
    assert row == follower.rows[name][0][1]
    assert found.partition(b"\t")[0] == row.partition(b"\t")[0]
    assert lines.is_erased(found.partition(b"\t")[2])
    assert len(found) == len(row)


def test_erasing_leaves_the_chain_and_the_cursors_valid(journal: Journal, follower: Follower) -> None:
    doomed = memory("a text to erase")
    journal.append([admit(doomed), admit(memory("a text to keep"))])
    follower.catch_up()
    journal.erase({doomed.id})
    found = journal.survey(follower.cursors)
    assert (found.pending, found.lost) == ([], [])
    (check,) = journal.verify()
    assert [(subject, what) for _, subject, what in check.breaks] == [(doomed.id, "erased")]


def test_erasing_can_be_limited_to_segments(journal: Journal, follower: Follower) -> None:
    doomed = memory("a text to erase")
    journal.append([admit(doomed)])
    follower.catch_up()
    name = only_segment(follower)
    journal.erase({doomed.id}, segments=[])
    assert list(journal.find_differences(name, follower.rows[name])) == []
    journal.erase({doomed.id}, segments=[name])
    assert len(list(journal.find_differences(name, follower.rows[name]))) == 1


def test_a_segment_written_anew_can_be_read_on(journal: Journal, follower: Follower) -> None:
    journal.append([admit(memory("one")), admit(memory("two"))])
    follower.catch_up()
    name = only_segment(follower)
    cursor = journal.rewrite(name, [row for _, row in follower.rows[name]])
    assert cursor is not None
    before = follower.cursors[name]
    assert (cursor.applied, cursor.records) == (before.applied, before.records)
    assert (cursor.last_start, cursor.last_hash) == (before.last_start, before.last_hash)
    follower.cursors[name] = cursor
    assert follower.is_up_to_date()
    later = journal.append([admit(memory("three"))])
    assert ids(follower.catch_up()) == ids(later)


def test_what_a_rewrite_was_not_given_is_kept_and_read_on(journal: Journal, follower: Follower) -> None:
    journal.append([admit(memory("one"))])
    follower.catch_up()
    later = journal.append([admit(memory("two"))])
    name = only_segment(follower)
    cursor = journal.rewrite(name, [row for _, row in follower.rows[name]])
    assert cursor is not None
    follower.cursors[name] = cursor
    assert ids(follower.catch_up()) == ids(later)


def test_a_segment_shorter_than_its_cursor_has_lost_something(journal: Journal, follower: Follower) -> None:
    journal.append([admit(memory("one"))])
    follower.catch_up()
    name = only_segment(follower)
    follower.cursors[name].applied += 100
    assert journal.survey(follower.cursors).lost == [name]


def test_a_segment_whose_last_record_is_another_has_lost_something(journal: Journal, follower: Follower) -> None:
    journal.append([admit(memory("one"))])
    follower.catch_up()
    name = only_segment(follower)
    journal.append([admit(memory("two"))])
    follower.cursors[name].last_hash = "0" * 32
    assert journal.survey(follower.cursors).lost == [name]


def test_a_segment_that_is_gone_is_lost_unless_nothing_was_read_from_it(journal: Journal) -> None:
    cursors = {name: Cursor(name=name, records=count) for name, count in (("d1/000001.jsonl", 3), ("d2/x.jsonl", 0))}
    assert journal.survey(cursors).lost == ["d1/000001.jsonl"]


def test_a_check_counts_the_records_of_every_segment(journal: Journal) -> None:
    journal.append([admit(memory(f"number {number}")) for number in range(5)])
    seen: list[tuple[int, int]] = []
    checks = list(journal.verify(lambda what, done, total: seen.append((done, total))))
    assert [(check.records, check.torn, check.breaks) for check in checks] == [(5, 0, [])]
    assert seen[-1] == (1, 1)


def test_old_receipts_are_added_up_in_their_place(journal: Journal, clock: Clock) -> None:
    receipt = Change(kind=ChangeKind.RECEIPT, subject="receipt:show", payload={"ids": ["mem_a"]})
    for _ in range(4):
        journal.append([receipt], durable=False)
    days = timedelta(days=100)
    clock.forward(round(days.total_seconds() * 1000))
    journal.append([receipt], durable=False)
    assert journal.trim_receipts(START_MS + 10_000) == 0, "none is much older yet"
    assert journal.trim_receipts(clock.ms - 1000) == 4
    assert journal.trim_receipts(clock.ms - 1000) == 0
    (cursor,) = journal.survey({}).pending
    first, second = (lines.parse(row)[0] for _, row in journal.read(cursor, 10))
    assert first.payload["tally"]["mem_a"][0] == 4
    assert second.payload["ids"] == ["mem_a"]


def test_records_are_numbered_in_their_segment_whoever_writes_them(open_journal: Open) -> None:
    for number in range(3):
        open_journal().append([admit(memory(f"one {number}")), admit(memory(f"two {number}"))])
    follower = Follower(open_journal())
    follower.catch_up()
    rows = follower.rows[only_segment(follower)]
    assert [lines.number_of(lines.header_of(row)[0]) for _, row in rows] == [1, 2, 3, 4, 5, 6]


def test_a_journal_with_a_key_signs_and_goes_on_where_nobody_signed(open_journal: Open) -> None:
    open_journal().append([admit(memory("before the key"))])
    open_journal(RING).append([admit(memory("with the key")), on(memory(), ChangeKind.FORGET)])
    follower = Follower(open_journal())
    follower.catch_up()
    rows = [row for _, row in follower.rows[only_segment(follower)]]
    proofs = [lines.proof_of(row, RING) for row in rows]
    assert proofs == [lines.Proof.NONE, lines.Proof.GOOD, lines.Proof.GOOD]
    (check,) = open_journal().verify()
    assert (check.breaks, check.missing) == ([], 0)


def test_receipts_are_neither_numbered_nor_signed(open_journal: Open) -> None:
    receipt = Change(kind=ChangeKind.RECEIPT, subject="receipt:show", payload={"ids": []})
    open_journal(RING).append([receipt], durable=False)
    follower = Follower(open_journal())
    follower.catch_up()
    ((_, row),) = follower.rows[only_segment(follower)]
    assert lines.proof_of(row, RING) is lines.Proof.NONE
    assert lines.number_of(lines.header_of(row)[0]) == 0


def test_erasing_keeps_signatures_good(open_journal: Open) -> None:
    doomed = memory("a text to erase")
    journal = open_journal(RING)
    journal.append([admit(doomed)])
    journal.erase({doomed.id})
    (pending,) = journal.survey({}).pending
    ((_, row),) = journal.read(pending, 10)
    assert lines.proof_of(row, RING) is lines.Proof.GOOD


def test_what_was_just_written_are_the_rows_that_a_reader_reads(journal: Journal, follower: Follower) -> None:
    assert journal.written is None
    journal.append([admit(memory("first"))])
    follower.catch_up()
    name = only_segment(follower)
    known = follower.cursors[name].modified
    journal.append([admit(memory("second")), admit(memory("third"))])
    written = journal.written
    assert written is not None
    assert (written.segment, written.before) == (name, known)
    follower.catch_up()
    assert list(written.rows) == follower.rows[name][-2:]
    assert written.modified == follower.cursors[name].modified


def test_many_rows_are_not_kept_after_they_were_written(journal: Journal) -> None:
    journal.append([admit(memory("one"))])
    journal.append([admit(memory(f"text {number}")) for number in range(MOST_WRITTEN + 1)])
    assert journal.written is None
