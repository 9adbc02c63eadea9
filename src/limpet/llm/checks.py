"""The checks that every text of a model has to pass before code uses it.

A text must be in the right form, must bring no name and no number that its source does not have, and must not read like
an order to whoever reads it later: what a model writes is a statement about its source.
"""

from __future__ import annotations

from collections.abc import Mapping

from limpet.errors import ModelFailed
from limpet.guard.engine import find_signs
from limpet.llm.curation import adds_names
from limpet.llm.protocol import Reply
from limpet.llm.reply import read_objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHORTEST = 10
"""A text of fewer characters says nothing."""


def read_object(reply: Reply) -> dict[str, Any]:
    """Return the one JSON object of a reply; raise ModelFailed if the reply is not one."""
    if reply.is_cut:
        raise ModelFailed("the reply was cut")
    objects = read_objects(reply.text, lambda reason: None, most=2)
    if len(objects) != 1:
        raise ModelFailed("the reply is not one JSON object")
    return objects[0]


def read_text_field(answer: Mapping[str, Any], name: str) -> str:
    """Return a text field on one line; raise ModelFailed if the field is not a text."""
    value = answer.get(name)
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ModelFailed(f"{name} is not a text")
    return " ".join(value.split())


def check_text(text: str, source: str, *, most: int, least: int = SHORTEST) -> str:
    """Return a text that may be used; raise ModelFailed otherwise.

    A text may be used if it is neither too short nor too long, is made of its source, and is no order.
    """
    if not least <= len(text) <= most:
        raise ModelFailed("the text is too short or too long")
    if not text.isprintable():
        raise ModelFailed("the text has control characters")
    if adds_names(text, source):
        raise ModelFailed("the text has a name or number that its source does not have")
    # A false alarm costs only that the text is made without a model.
    if find_signs(text):
        raise ModelFailed("the text reads like an order to a model")
    return text
