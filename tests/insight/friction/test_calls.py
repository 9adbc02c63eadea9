"""What the user made of each call."""

from __future__ import annotations

from tests.insight.friction.stories import examine
from tests.learning.test_acts import TASK


def test_a_call_is_accepted_once_the_user_goes_on_without_an_objection() -> None:
    steps = (("runs", "pip list"), ("user", "now pytest"), ("fails", "pytest"), ("user", "next"), ("runs", "npm i"))
    found = examine(*TASK, *steps, ("user", "no, use pnpm"), ("runs", "pnpm i"))
    assert [(each.command or each.files[0], each.verdict.value) for each in found.calls] == [
        ("client.py", "accepted"),
        ("pip list", "accepted"),
        ("pytest", "unknown"),
        ("npm i", "objected"),
        ("pnpm i", "unknown"),
    ]
