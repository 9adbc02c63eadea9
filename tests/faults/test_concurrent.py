"""Many processes write at once: none fails, none loses, each sees all."""

from __future__ import annotations

from collections.abc import Callable

from tests.faults import scale
from tests.faults.processes import Ledger, Nursery, assert_sound, list_by_command, percentile


def test_eight_processes_that_write_at_once_lose_nothing_and_never_fail(
    home: str, nursery: Nursery, measured: Callable[[str], None]
) -> None:
    writers = [nursery.start(home, "remember", number, scale.WRITES_EACH) for number in range(scale.CONCURRENT_WRITERS)]
    ledger = Ledger()
    for writer in writers:
        code = writer.end()
        assert (code, writer.complaint()) == (0, "")
        ledger.read(writer.has_said())
    assert len(ledger.kept) == scale.CONCURRENT_WRITERS * scale.WRITES_EACH
    found, said = list_by_command()
    assert said == ""
    assert found == ledger.kept
    assert_sound()
    times = ledger.milliseconds
    p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
    measured(
        f"concurrent: {len(times)} writes by {scale.CONCURRENT_WRITERS} processes, 0 errors, 0 lost, "
        f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, max {max(times):.1f} ms"
    )


def test_a_reader_sees_every_write_that_was_acknowledged_before_it_asked(home: str, nursery: Nursery) -> None:
    writers = [nursery.start(home, "remember", number, scale.WRITES_EACH) for number in range(2)]
    for _ in range(4):
        before = Ledger()
        for writer in writers:
            before.read(writer.has_said())
        found, _ = list_by_command()
        assert before.kept.items() <= found.items()
    for writer in writers:
        assert writer.end() == 0
