"""A runtime asks the store no more often than it must, and notices what other processes have written."""

from __future__ import annotations

import pytest

from limpet import system
from limpet.store.journal.files import FileJournal
from limpet.store.journal.protocol import Survey
from tests.operations.sandbox import Sandbox


def test_who_asks_is_found_out_again_from_what_others_have_written(sandbox: Sandbox) -> None:
    sandbox.remember("The zebra crossing is white")
    with sandbox.open(agent="robin") as runtime:
        assert runtime.agent == ("robin", "robin")
        with system.lock(str(sandbox.home / "locks" / "apply")):
            # Written, and not yet in the index.
            sandbox.remember("The harbour light is green", by="Robin")
        runtime.reset_identity()
        assert runtime.agent == ("robin", "Robin")


def test_a_memory_is_stored_with_one_survey_of_the_journal(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest state is read before; what was written is applied as it was written."""
    sandbox.remember("The zebra crossing is white")
    surveys = []
    survey = FileJournal.survey

    def count(self: FileJournal, cursors: object) -> Survey:
        surveys.append(cursors)
        return survey(self, cursors)  # type: ignore[arg-type]

    monkeypatch.setattr(FileJournal, "survey", count)
    sandbox.remember("The harbour light is green")
    assert len(surveys) == 1
