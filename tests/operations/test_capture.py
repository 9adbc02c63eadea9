"""A text is weighed as if it had just been said; nothing is stored."""

from __future__ import annotations

import pytest

from tests.operations.sandbox import Sandbox

RULE = "From now on always use pnpm instead of npm in this repository."


def test_a_rule_of_the_user_would_be_kept_with_its_parts(sandbox: Sandbox) -> None:
    answer = sandbox.json("capture", text=RULE)
    (found,) = answer["found"]
    assert (answer["said_by"], found["kept"], found["type"]) == ("user", True, "decision")
    assert found["score"] >= found["gate"] and set(found["parts"]) >= {"substance", "novelty"}
    assert sandbox.texts() == []


@pytest.mark.parametrize(("failed", "text"), [(False, "12 passed in 0.3s"), (True, "")])
def test_routine_of_a_command_would_not_be_kept(sandbox: Sandbox, failed: bool, text: str) -> None:
    found = sandbox.json("capture", text=text, said_by="command", command="pytest", failed=failed)["found"]
    assert not any(each["kept"] for each in found)


def test_what_is_known_already_is_less_new(sandbox: Sandbox) -> None:
    def novelty() -> float:
        value: float = sandbox.json("capture", text=RULE)["found"][0]["parts"]["novelty"]
        return value

    before = novelty()
    sandbox.remember(RULE)
    assert novelty() < before
