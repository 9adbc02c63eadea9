"""Apps that talk: a sandbox with short ways to hold and end conversations, and a scripted model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from limpet.apps.answer import AppsAnswer
from limpet.llm.extractive import ExtractiveRoles
from limpet.llm.protocol import Decision, DecisionKind, Gist, Roles, TokenRoom
from limpet.runtime import Runtime
from tests.operations.sandbox import PROGRAM, Sandbox

PREFERENCE = "I prefer meetings after 2pm on weekdays."


def statement(number: int) -> str:
    """Return something worth remembering that no other number says."""
    places = ("Oslo", "Turin", "Lyon", "Porto", "Ghent", "Krakow", "Malmo", "Graz", "Basel", "Cork", "Riga", "Split")
    things = ("ferry", "museum", "tram", "library", "market", "harbour", "castle", "bakery", "bridge", "tower", "lake")
    return (
        f"I keep my {things[number % 11]} card number {number * 37 + 11} for {places[number % 12]} in drawer {number}."
    )


class AppSandbox(Sandbox):
    """A home in which apps hold conversations."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.ask("apps", action="register", app="calendar")

    def do(self, action: str, app: str | None = "calendar", *words: str, **values: Any) -> AppsAnswer:
        answer: AppsAnswer = self.ask("apps", action=action, app=app, words=words, **{"as_": PROGRAM, **values})
        return answer

    def say(self, text: str, app: str = "calendar", **values: Any) -> str:
        """Record a message and return its conversation."""
        said = self.do("converse", app, text, **values).said
        assert said is not None
        return said.conversation

    def talk(self, text: str, app: str = "calendar", **values: Any) -> AppsAnswer:
        """Hold a conversation of one message, and end it."""
        return self.do("end", app, self.say(text, app), **values)

    def fill(self, count: int = 10, app: str = "calendar") -> None:
        for number in range(count):
            self.talk(statement(number), app)

    def contents(self, app: str = "calendar", **values: Any) -> list[str]:
        """Return the texts of the memories of an app, the newest first."""
        return [each.memory.content for each in self.do("memories", app, **values).memories]

    def ids(self, app: str = "calendar") -> list[str]:
        return [each.memory.id for each in self.do("memories", app).memories]


class Deciding(ExtractiveRoles):
    """A model that decides as its script says; everything else is done without a model."""

    def __init__(self, decide: Callable[[Sequence[tuple[str, str]], str], Decision]) -> None:
        self._script = decide
        self.asked: list[Sequence[tuple[str, str]]] = []

    def decide(
        self, memories: Sequence[tuple[str, str]], *, newest: str, most: int = 0, room: TokenRoom | None = None
    ) -> Decision:
        self.asked.append(memories)
        return self._script(memories, newest)


class Summing(ExtractiveRoles):
    """A model that sums every conversation up with one text."""

    def __init__(self, gist: Gist) -> None:
        self._gist = gist

    def summarise_conversation(
        self, messages: Sequence[tuple[bool, str]], *, most: int, room: TokenRoom | None = None
    ) -> Gist:
        return self._gist


def delete(id: str) -> Decision:
    return Decision(kind=DecisionKind.DELETE, id=id, reason="it is out of date")


def use_roles(monkeypatch: Any, roles: Roles) -> None:
    """Let every job use these roles."""
    usual = Runtime.context

    def context(self: Runtime, **values: Any) -> Any:
        from limpet.lean.record import replace

        return replace(usual(self, **values), roles=lambda: roles)

    monkeypatch.setattr(Runtime, "context", context)
