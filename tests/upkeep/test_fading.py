"""What was not used for some active days fades; what matters, what is used and what is short does not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime

import pytest

from limpet.clock import to_ms
from limpet.model.memory import Phase
from limpet.model.receipt import Receipt
from limpet.model.signature import Verdict
from limpet.model.standing import strength
from limpet.text.tokens import count_tokens
from limpet.upkeep.condense import SHORT, condense_text
from tests.operations.sandbox import MODEL
from tests.upkeep.sandbox import UpkeepSandbox, long

FADES = {"LOW": (1, Phase.ABSTRACT), "MEDIUM": (7, Phase.HINT), "HIGH": (30, Phase.HINT)}


@pytest.mark.parametrize(("impact", "days", "phase"), [(name, *step) for name, step in FADES.items()])
def test_each_impact_fades_after_its_days_and_not_before(
    sandbox: UpkeepSandbox, impact: str, days: int, phase: Phase
) -> None:
    one = sandbox.remember(long(1), impact=impact)
    sandbox.work(days - 1)
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.FULL
    sandbox.work()
    sandbox.upkeep()
    faded = sandbox.get(one).memory
    assert faded.phase is phase
    assert faded.original_content == one.original_content
    assert faded.content == condense_text(one.original_content, phase)
    assert faded.token_count == count_tokens(faded.content)


def test_a_pause_costs_nothing(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(long(1), impact="LOW")
    sandbox.rest(200)
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.FULL
    assert sandbox.get(one).standing.idle_days == 0


def test_the_days_of_another_project_do_not_count(sandbox: UpkeepSandbox) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    one = sandbox.remember(long(1), impact="LOW")
    sandbox.work(5, cwd=other)
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.FULL


def test_a_memory_of_the_agent_ages_with_all_its_projects(sandbox: UpkeepSandbox) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    one = sandbox.remember(long(1), impact="LOW", region="AGENT")
    sandbox.work(1, cwd=other)
    sandbox.work(1, project=False)
    assert sandbox.get(one).standing.idle_days == 2
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.ABSTRACT


def test_a_session_that_lasts_for_days_counts_for_each_day_it_changed(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(long(1))
    for _ in range(3):
        sandbox.sessions = 0
        sandbox.work()
    assert sandbox.get(one).standing.idle_days == 3
    assert sandbox.get(one).standing.sessions_since == 1


def test_what_is_used_does_not_fade(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(long(1), impact="MEDIUM")
    for _ in range(5):
        sandbox.work(5)
        sandbox.use(one)
        sandbox.upkeep()
    assert sandbox.phase(one) is Phase.FULL


def test_critical_and_pinned_memories_never_fade(sandbox: UpkeepSandbox) -> None:
    critical = sandbox.remember(long(1), impact="CRITICAL")
    pinned = sandbox.remember(long(2), impact="LOW", pinned=True)
    sandbox.work(99)
    before = sandbox.state()
    sandbox.upkeep()
    assert sandbox.state() == before
    assert (sandbox.phase(critical), sandbox.phase(pinned)) == (Phase.FULL, Phase.FULL)


def test_short_texts_stay_as_they_are(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember("x" * SHORT, impact="LOW")
    other = sandbox.remember(("Port 80 is taken. " * 20)[: SHORT + 1], impact="LOW")
    sandbox.work(50)
    assert sandbox.upkeep("decay").done == {"decay": 1}
    assert sandbox.phase(one) is Phase.FULL
    assert sandbox.phase(other) is Phase.ABSTRACT


def test_fading_touches_neither_time_nor_version_nor_signature(sandbox: UpkeepSandbox) -> None:
    sandbox.ask("sign")
    one = sandbox.remember(long(1), impact="LOW")
    sandbox.work(3)
    sandbox.upkeep()
    stored = sandbox.get(one)
    assert stored.memory.phase is Phase.ABSTRACT
    assert stored.verdict is Verdict.GOOD
    assert (stored.memory.updated_at, stored.memory.version) == (one.updated_at, one.version)
    assert sandbox.ask("verify").problems == ()


def test_what_was_tampered_with_is_left_as_it_is(sandbox: UpkeepSandbox) -> None:
    """To sign it anew would make it look honest, and not to would hide who did it."""
    sandbox.ask("sign")
    one = sandbox.remember(long(1), impact="LOW")
    for path in (sandbox.home / "keys").iterdir():
        path.unlink()
    sandbox.work(3)
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.FULL


def test_a_faded_text_is_still_found_by_its_full_wording(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(long(1), impact="LOW")
    sandbox.work(3)
    sandbox.upkeep()
    hits = sandbox.ask("recall", query="talk that nobody needs to read a second time", as_=MODEL)
    assert [hit.memory.id for hit in hits.items] == [one.id]


def test_what_a_person_restores_does_not_fade_again_at_once(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(long(1), impact="LOW")
    sandbox.work(3)
    sandbox.upkeep()
    assert sandbox.ask("restore", id=one.id).stored.memory.content == one.content
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.FULL
    sandbox.work(1)
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.ABSTRACT


def test_the_archive_follows_later_corrections(sandbox: UpkeepSandbox) -> None:
    """Restored, edited, faded again: what comes back is the edit, not what was archived first."""
    one = sandbox.remember(long(1), impact="LOW")
    sandbox.work(3)
    sandbox.upkeep()
    sandbox.ask("restore", id=one.id)
    better = sandbox.ask("correct", id=one.id, text=long("a better one")).memory
    sandbox.work(3)
    sandbox.upkeep()
    assert sandbox.phase(better) is Phase.ABSTRACT
    assert sandbox.ask("restore", id=better.id).stored.memory.content == long("a better one")
    assert sandbox.get(one).memory.original_content == long(1)


def test_a_summary_that_somebody_wrote_stays_to_the_letter_as_a_hint(sandbox: UpkeepSandbox) -> None:
    written = "Stop the *worker* first.\n\n- then   deploy"
    one = sandbox.remember(f"## Summary\n\n{written}\n\n## Content\n\n{long(1)}", impact="MEDIUM")
    sandbox.work(7)
    sandbox.upkeep()
    found = sandbox.get(one).memory
    assert found.phase is Phase.HINT
    assert written in found.content


def test_days_can_be_set_and_switched_off(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_UPKEEP__LOW_DAYS", "0")
    monkeypatch.setenv("LIMPET_UPKEEP__MEDIUM_DAYS", "2")
    low, medium = sandbox.remember(long(1), impact="LOW"), sandbox.remember(long(2), impact="MEDIUM")
    sandbox.work(3)
    sandbox.upkeep()
    assert (sandbox.phase(low), sandbox.phase(medium)) == (Phase.FULL, Phase.HINT)


def test_a_clock_that_went_back_makes_nothing_older(sandbox: UpkeepSandbox) -> None:
    sandbox.rest(400)
    one = sandbox.remember(long(1), impact="LOW")
    sandbox.rest(-400)
    sandbox.work(5)
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.FULL
    assert sandbox.get(one).standing.idle_days == 0


def test_strength_neither_grows_by_upkeep_nor_makes_a_memory_younger(sandbox: UpkeepSandbox) -> None:
    """One access must not be counted again at every later round, and no round may touch the time of the content."""
    one = sandbox.remember(long(1), impact="HIGH", type="bugfix")
    sandbox.use(one)
    found = []
    for _ in range(6):
        sandbox.upkeep()
        sandbox.upkeep()
        stored = sandbox.get(one)
        assert stored.memory.updated_at == one.updated_at
        found.append(round(strength(stored.memory, stored.standing), 6))
        sandbox.work()
    assert found == sorted(found, reverse=True)
    assert found[0] == pytest.approx(0.7 + 0.03 * 0.6931, abs=1e-4)
    assert found[-1] == pytest.approx(found[0] - 5 * 0.05, abs=1e-6)


def test_what_is_only_told_at_starts_fades(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(long(1), impact="MEDIUM")
    for _ in range(8):
        sandbox.work()
        with sandbox.open(MODEL, session="s") as runtime:
            runtime.note(Receipt(id="", way="start", ids=(one.id,), session="s"))
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.HINT


@pytest.fixture
def los_angeles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("this system has one time zone")
    monkeypatch.setenv("TZ", "PST8PDT,M3.2.0,M11.1.0")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def at(sandbox: UpkeepSandbox, *moment: int) -> None:
    sandbox.ms = to_ms(datetime(*moment).astimezone())  # type: ignore[arg-type]


def test_a_day_is_a_day_where_the_user_is(sandbox: UpkeepSandbox, los_angeles: None) -> None:
    """Midnight UTC lies in the afternoon there."""
    at(sandbox, 2026, 11, 10, 15, 50)
    one = sandbox.remember(long(1), impact="LOW")
    at(sandbox, 2026, 11, 10, 16, 15)
    sandbox.session()
    assert sandbox.get(one).standing.idle_days == 0
    at(sandbox, 2026, 11, 11, 16, 15)
    sandbox.session()
    assert sandbox.get(one).standing.idle_days == 1


def test_nothing_fades_before_twenty_hours_have_passed(sandbox: UpkeepSandbox, los_angeles: None) -> None:
    at(sandbox, 2026, 11, 10, 23, 50)
    one = sandbox.remember(long(1), impact="LOW")
    at(sandbox, 2026, 11, 11, 0, 15)
    sandbox.session()
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.FULL
    at(sandbox, 2026, 11, 11, 20, 0)
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.ABSTRACT
