"""Headlines, times and the rest of a list are written in one way."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from limpet.forms.views import format_day, format_headline, format_moment, format_time_of_day, starts_with_title
from tests.cli.shell import Shell
from tests.model.making import memory


def test_a_headline_is_one_line_of_the_title_or_the_text() -> None:
    assert format_headline(memory("First line\nsecond  line", title="")) == "First line second line"
    assert format_headline(memory("A text", title="Its title")) == "Its title"
    assert len(format_headline(memory("word " * 200, title=""), 40)) <= 40


def test_a_title_is_not_shown_above_a_text_that_starts_with_it() -> None:
    assert starts_with_title(memory("The port is 9090, not 8080", title="The port is 9090…"))
    assert not starts_with_title(memory("The port is 9090", title="Ports"))


def test_the_rest_of_a_list_says_how_to_get_it(shell: Shell) -> None:
    for number in range(3):
        shell.remember(f"Thing number {number} has its own place")
    assert "2 more: --offset 1" in shell.say("list", "--limit", "1").err


@pytest.fixture(params=["America/New_York", "Asia/Tokyo"])
def elsewhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("year", [1, 9999])
def test_the_first_and_the_last_year_are_shown_in_every_time_zone(year: int) -> None:
    for moment in (datetime(year, 1, 1, tzinfo=UTC), datetime(year, 12, 31, 23, 59, tzinfo=UTC)):
        assert format_day(moment) and format_moment(moment) and format_time_of_day(moment)
