"""What the three vendors' forms have in common: whose turn it is in a talk, and what is answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Say(NamedTuple):
    text: str
    reads: int = 1_000
    """How many tokens the model says it was given; a large number makes a client compact its talk."""


class Call(NamedTuple):
    """A tool and what it is given."""

    tool: str
    input: Mapping[str, Any]
    reads: int = 1_000


class Turn(NamedTuple):
    prompt: str
    """The last thing a person is taken to have said."""
    answered: int
    """How many answers it has had so far: calls of tools, mostly."""
    tools: list[str]
    """The names of the tools that the model may call."""
    wants_summary: bool = False


class Answer(NamedTuple):
    step: Say | Call
    number: int
    """Which answer of this server it is, so that ids differ."""


def events(them: Iterable[Mapping[str, Any]], *, named: bool = True) -> Iterable[str]:
    """Server-sent events; two of the vendors name each by its type."""
    for event in them:
        name = f"event: {event['type']}\n" if named else ""
        yield f"{name}data: {json.dumps(event)}\n\n"
