"""Store what admission must refuse, and check that nothing was written."""

from __future__ import annotations

from typing import Any

from limpet.model.outcome import Rejected
from limpet.operations.remember import run
from tests.operations.sandbox import Sandbox

TEXT = "Migrations run with alembic"


def assert_refused(sandbox: Sandbox, said: str, /, **values: Any) -> Rejected:
    """Store something unfit, and check that it is refused with this sentence and that the journal stays as it was."""
    with sandbox.open() as runtime:
        run(runtime, text="Something was there before")
        before = sandbox.journal()
        outcome = run(runtime, **{"text": TEXT, **values})
    assert isinstance(outcome, Rejected), outcome
    assert sandbox.journal() == before
    assert said in outcome.reason
    assert "\n" not in outcome.reason and len(outcome.reason) < 300
    assert outcome.reason.isprintable()
    return outcome
