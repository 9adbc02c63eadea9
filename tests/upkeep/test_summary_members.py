"""A summary stands only while it supersedes all its members, and every merge can be undone."""

from __future__ import annotations

from limpet.model.change import Status
from limpet.model.memory import Memory
from tests.upkeep.sandbox import UpkeepSandbox
from tests.upkeep.similar_texts import ALIKE, OTHERS, summaries


def test_forgetting_one_member_retires_the_summary_and_revives_the_others(
    sandbox: UpkeepSandbox, old: list[Memory]
) -> None:
    sandbox.upkeep()
    (summary,) = summaries(sandbox)
    sandbox.ask("forget", ids=[old[1].id])
    assert sandbox.get(summary.memory).status is Status.FORGOTTEN
    assert [sandbox.get(member).status for member in old] == [Status.LIVE, Status.FORGOTTEN, Status.LIVE]
    assert not any("mail" in text for text in sandbox.texts(limit=1000))
    before = sandbox.state()
    sandbox.rest(30)
    sandbox.upkeep()
    assert sandbox.state() == before
    sandbox.ask("restore", id=old[1].id)
    assert [sandbox.get(member).status for member in old] == [Status.LIVE] * 3
    assert sandbox.get(summary.memory).status is Status.FORGOTTEN


def test_forgetting_the_summary_forgets_what_it_says(sandbox: UpkeepSandbox, old: list[Memory]) -> None:
    sandbox.upkeep()
    (summary,) = summaries(sandbox)
    sandbox.ask("forget", ids=[summary.memory.id])
    sandbox.upkeep()
    assert not any("nightly import" in text for text in sandbox.texts(limit=1000))
    sandbox.ask("restore", id=summary.memory.id)
    assert [each.memory.id for each in summaries(sandbox)] == [summary.memory.id]


def test_purging_one_member_takes_the_summary_along_and_revives_the_others(
    sandbox: UpkeepSandbox, old: list[Memory]
) -> None:
    sandbox.upkeep()
    (summary,) = summaries(sandbox)
    sandbox.ask("purge", ids=[old[1].id], yes=True)
    assert summaries(sandbox) == []
    assert [sandbox.get(member).status for member in (old[0], old[2])] == [Status.LIVE] * 2
    assert sandbox.files_with("sends a mail") == []
    assert sandbox.ask("verify").problems == ()
    assert summary.memory.id not in sandbox.state()


def test_forgetting_a_session_reaches_what_was_merged(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    kept = sandbox.fill([*ALIKE[:2], f"{ALIKE[0]} too"])
    bad = sandbox.remember(ALIKE[2], session="bad")
    sandbox.rest(8)
    sandbox.upkeep()
    sandbox.ask("forget", source="session:bad")
    assert sandbox.get(bad).status is Status.FORGOTTEN
    assert [sandbox.get(member).status for member in kept] == [Status.LIVE] * 3
    assert not any("tunnel" in text for text in sandbox.texts(limit=1000))


def test_restoring_a_member_undoes_the_merge_and_it_is_not_done_again(
    sandbox: UpkeepSandbox, old: list[Memory]
) -> None:
    sandbox.upkeep()
    (summary,) = summaries(sandbox)
    restored = sandbox.ask("restore", id=old[0].id)
    assert restored.stored.memory.content == old[0].content
    assert [sandbox.get(member).status for member in old] == [Status.LIVE] * 3
    assert sandbox.get(summary.memory).status is Status.SUPERSEDED
    before = sandbox.state()
    sandbox.rest(30)
    assert sandbox.upkeep().done == {}
    assert sandbox.state() == before


def test_correcting_a_member_keeps_what_the_others_say(sandbox: UpkeepSandbox, old: list[Memory]) -> None:
    sandbox.upkeep()
    better = sandbox.ask("correct", id=old[1].id, text=ALIKE[1].replace("mail", "letter")).memory
    sandbox.upkeep()
    shown = sandbox.texts(limit=1000)
    assert sum("letter" in text for text in shown) == 1
    assert not any("mail" in text for text in shown)
    assert any("Ulm" in text for text in shown) and any("tunnel" in text for text in shown)
    assert sandbox.get(better).memory.version == 2
