"""A rating is shown with its effect."""

from __future__ import annotations

import pytest

from tests.cli.shell import Shell


@pytest.mark.parametrize(("says", "shown"), [("useful", "useful"), ("never", "not wanted again")])
def test_a_rating_says_what_it_changes(shell: Shell, says: str, shown: str) -> None:
    id = shell.remember("The port is 9090")
    assert shell.say("feedback", id, says).out.startswith(f"{id} is marked as {shown}: it ")
