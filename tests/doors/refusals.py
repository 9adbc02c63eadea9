"""Ask for what may not come in."""

from __future__ import annotations

from typing import Any

from limpet.model.outcome import Rejected
from limpet.operations.remember import run
from tests.operations.desk import Desk

TEXT = "Migrations run with alembic"


def assert_refused(desk: Desk, said: str, /, **values: Any) -> Rejected:
    """Ask for something unfit; the journal stays as it was."""
    with desk.open() as runtime:
        run(runtime, text="Something was there before")
        before = desk.journal()
        outcome = run(runtime, **{"text": TEXT, **values})
    assert isinstance(outcome, Rejected), outcome
    assert desk.journal() == before
    assert said in outcome.reason
    assert "\n" not in outcome.reason and len(outcome.reason) < 300
    assert outcome.reason.isprintable()
    return outcome
