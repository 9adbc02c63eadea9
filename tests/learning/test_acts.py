"""Which calls an objection is about."""

from __future__ import annotations

from typing import Any

import pytest

from tests.insight.friction.stories import examine

Step = tuple[str, Any]
TASK: tuple[Step, ...] = (("user", "add a retry to the client"), ("edits", "client.py"), ("says", "I added it."))


def about(*steps: Step) -> tuple[str, str] | None:
    [evidence] = examine(*TASK, *steps).evidence
    return (evidence.about.pattern.describe(), evidence.about.call) if evidence.about else None


@pytest.mark.parametrize(
    ("did", "said", "expected"),
    [
        (("runs", "sudo pip install x"), "no, don't use pip here", "`pip`"),
        (("runs", "cd web && npm install left-pad"), "no, use pnpm", "`npm`"),
        (("runs", "cd web && yarn add x"), "no, npm instead of yarn", "`yarn`"),
        (("runs", "pip install x"), "no, not pip", "`pip`"),
        (("runs", "git push --force origin main"), "don't force push to main", "`git push --force`"),
        (("runs", "terraform apply -auto-approve"), "stop, never run terraform apply", "`terraform apply`"),
        (("edits", "src/generated/api.ts"), "no, don't touch the generated files", "edits of `generated/`"),
        (("edits", "src/app.py"), "revert that", "edits of `src/app.py`"),
        (("runs", "make all"), "no, that is wrong", None),
        (("runs", "make all"), "I still don't see a change after make all, nothing works", None),
        (("runs", "pip install x"), "why is this still not right, I didn't ask for that, do it without pip", "`pip`"),
    ],
)
def test_an_objection_tells_which_calls_it_is_about(did: Step, said: str, expected: str | None) -> None:
    found = about(("user", "go on with it"), did, ("user", said))
    assert (found[0] if found else None) == expected
