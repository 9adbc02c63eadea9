"""A language model that gives one answer to everything."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.llm.extractive import ExtractiveRoles
from limpet.model.memory import Phase


class Scripted(ExtractiveRoles):
    """Answers everything with one text."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    def summarise(self, text: str, phase: Phase) -> str:
        return self.answer

    def merge(self, texts: Sequence[tuple[str, str]]) -> str:
        return self.answer
