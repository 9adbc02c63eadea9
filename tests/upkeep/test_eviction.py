"""Over the cap the least needed steps down rung by rung; the archive is the last one, and nothing is lost there."""

from __future__ import annotations

import pytest

from limpet.model.memory import Memory, Phase
from limpet.model.standing import Standing, priority
from limpet.store.view.reading import Reading
from tests.upkeep.sandbox import UpkeepSandbox, long


@pytest.fixture(autouse=True)
def no_fading(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOW_DAYS", "MEDIUM_DAYS", "HIGH_DAYS", "COMPRESS_DAYS"):
        monkeypatch.setenv(f"LIMPET_UPKEEP__{name}", "0")
    monkeypatch.setenv("LIMPET_ADMIT__NEAR_DUPLICATES", "false")


def phases(sandbox: UpkeepSandbox, memories: list[Memory]) -> list[int]:
    return [int(sandbox.phase(memory)) for memory in memories]


def spread(sandbox: UpkeepSandbox, count: int, start: int = 0) -> list[Memory]:
    """Written while there is no cap, each harder to learn than the one before."""
    numbers = range(start, start + count)
    return [sandbox.remember(long(number), impact="MEDIUM", difficulty=number / 200) for number in numbers]


def test_the_globally_lowest_go_and_no_others(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    memories = spread(sandbox, 150)
    sandbox.work()
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "100")
    sandbox.upkeep()
    assert phases(sandbox, memories) == [1] * 50 + [0] * 100


def test_no_more_go_than_are_over(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    memories = spread(sandbox, 31)
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "30")
    sandbox.upkeep()
    assert phases(sandbox, memories) == [1] * 1 + [0] * 30
    assert sandbox.upkeep().done == {}


def test_each_rung_has_the_cap_and_the_archive_is_the_last(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories = spread(sandbox, 90)
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "20")
    monkeypatch.setenv("LIMPET_STORE__RETIRE_SHARE", "1")
    sandbox.upkeep()
    assert phases(sandbox, memories) == [3] * 30 + [2] * 20 + [1] * 20 + [0] * 20
    assert sandbox.upkeep().done == {}
    for memory in memories:
        assert sandbox.get(memory).memory.original_content == memory.original_content


def test_archiving_much_is_asked_about_first(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    memories = spread(sandbox, 90)
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "20")
    answer = sandbox.upkeep()
    assert "would hide 30 of 90 memories" in answer.notices[0]
    assert phases(sandbox, memories) == [2] * 50 + [1] * 20 + [0] * 20
    agreed = answer.notices[0].rpartition("--agree ")[2].split()[0]
    assert sandbox.json("upkeep", agree=[agreed])["done"] == {"eviction": 30}


def test_the_newest_memory_stays_whatever_its_priority(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the others all read, the one just stored has the lowest priority of all."""
    memories = spread(sandbox, 30)
    for memory in memories:
        sandbox.use(memory)
    newest = sandbox.remember(long("the newest"), impact="MEDIUM", difficulty=0.0)
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "5")
    sandbox.upkeep()
    assert sandbox.phase(newest) is Phase.FULL


def test_critical_and_pinned_memories_stay_even_if_they_alone_are_too_many(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    critical = [sandbox.remember(long(number), impact="CRITICAL", difficulty=0.0) for number in range(6)]
    pinned = [sandbox.remember(long(number), pinned=True, difficulty=0.0) for number in range(6, 12)]
    rest = spread(sandbox, 12, start=20)
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "5")
    sandbox.upkeep()
    assert phases(sandbox, critical + pinned) == [0] * 12
    assert sandbox.phase(rest[-1]) is Phase.FULL
    assert all(phase > 0 for phase in phases(sandbox, rest[:-1]))
    assert sandbox.upkeep().done == {}


def test_the_cap_of_the_agent_counts_all_projects(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    here = spread(sandbox, 12)
    there = [sandbox.remember(long(number), impact="LOW", difficulty=0.9, cwd=other) for number in range(50, 60)]
    monkeypatch.setenv("LIMPET_STORE__AGENT_CAP", "12")
    sandbox.upkeep("eviction")
    assert phases(sandbox, here) == [1] * 10 + [0] * 2
    assert phases(sandbox, there) == [0] * 10


def test_priority_is_difficulty_nearness_and_use(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(long(1), difficulty=1.0)
    assert priority(one, Standing(sessions_since=2, access_count=5)) == pytest.approx(0.4 + 0.1 + 0.15)
    for _ in range(3):
        sandbox.session()
    stored = sandbox.get(one)
    assert stored.standing.sessions_since == 3
    assert priority(stored.memory, stored.standing) == pytest.approx(0.4 + 0.075)


def test_archived_memories_are_found_only_when_asked_for(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories = spread(sandbox, 15)
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "1")
    monkeypatch.setenv("LIMPET_STORE__RETIRE_SHARE", "1")
    sandbox.upkeep()
    gone = memories[0]
    assert sandbox.phase(gone) is Phase.ARCHIVED
    asked = "deploy of 0 fails because port 0 is taken by the old worker"
    assert gone.id not in {hit.memory.id for hit in sandbox.ask("recall", query=asked, limit=50).items}
    assert gone.id not in {each.memory.id for each in sandbox.ask("list", limit=100).items}
    found = sandbox.ask("recall", query=asked, phase=3, limit=50).items
    assert gone.id in {hit.memory.id for hit in found}
    assert {hit.memory.phase for hit in found} == {Phase.ARCHIVED}
    assert gone.id in {each.memory.id for each in sandbox.ask("list", phase=3, limit=100).items}
    assert gone.id in {each.memory.id for each in sandbox.ask("list", all=True, limit=100).items}
    assert sandbox.ask("restore", id=gone.id).stored.memory.content == gone.content
    assert gone.id in {hit.memory.id for hit in sandbox.ask("recall", query=asked, limit=50).items}


def test_what_is_archived_and_said_again_is_remembered_again(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories = spread(sandbox, 15)
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "1")
    monkeypatch.setenv("LIMPET_STORE__RETIRE_SHARE", "1")
    sandbox.upkeep()
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "0")
    again = sandbox.remember(memories[0].original_content)
    sandbox.upkeep()
    assert again.id in {each.memory.id for each in sandbox.ask("list", limit=100).items}


def test_what_cannot_be_read_back_is_not_reduced(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Archive first, verify, then reduce: an index that lies about the original must not cost the text."""
    memories = spread(sandbox, 12)
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "1")
    monkeypatch.setattr(Reading, "history", lambda self, subject: ())
    sandbox.upkeep()
    assert phases(sandbox, memories) == [0] * 12
