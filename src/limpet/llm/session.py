"""The role *summarise* for a whole session: one paragraph about where the work stands, for the next session.

A model writes it and code checks it against the session: it is used only if it is a paragraph of a few sentences whose
names, paths and numbers occur in the session, whose words are mostly words of the session, and which orders nobody to
do anything. The summary that rules have made stands otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from limpet.errors import ModelFailed
from limpet.llm.checks import check_text, read_object, read_text_field
from limpet.llm.curation import SessionMessage, write_request
from limpet.llm.prompt import frame, load_prompt
from limpet.llm.protocol import Reply, Request
from limpet.text.claims import split_sentences
from limpet.text.tokens import count_tokens
from limpet.text.words import STOP, split_words, word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FEWEST_CHARACTERS = 600
"""A session of which less was said is told by rules well enough."""
SHORTEST, LONGEST = 60, 600
"""The minimum and the maximum number of characters of a paragraph."""
MOST_TOKENS = 2000
"""The maximum number of tokens of the session that the model is given."""
_MOST_REPLY = 400
_SENTENCES = range(2, 7)
_KNOWN_SHARE = 0.5
"""The share of the words of a paragraph that must be words of the session, or begin like one."""
_STEM = 5
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
_READER = word_set("you your yours yourself du dein deine deinen ihr euer vous votre vos tú usted")
_ORDERS = word_set(
    "always never please ignore disregard forget remember ensure make do don't run execute start stop use install "
    "download open visit follow obey send post upload delete remove tell say reply answer call continue skip commit "
    "push merge drop add write edit change revert overwrite ignoriere lösche entferne führe installiere immer niemals "
    "bitte ignora borra elimina ejecuta instala siempre nunca"
)
"""Words with which a sentence begins that tells its reader to do something."""
_INTRODUCTIONS = word_set("first next then now also finally and zuerst dann jetzt primero luego ahora")
"""Words that may stand before them."""


def write_session_request(
    messages: Sequence[SessionMessage], recorded: str, objections: Sequence[str] = (), *, tokens: int = MOST_TOKENS
) -> Request:
    """Return the request about a session; `recorded` is the summary that rules have made of it."""
    notes = f"What was recorded:\n{frame('text', recorded)}"
    session = write_request(messages, (), objections, tokens=max(0, tokens - count_tokens(notes)))
    return Request(
        instructions=load_prompt("session"), text=f"{notes}\n\n{session}", most_tokens=_MOST_REPLY, schema=_SCHEMA
    )


def read_paragraph(reply: Reply, messages: Sequence[SessionMessage], recorded: str) -> str:
    """Return the paragraph of a reply; raise ModelFailed if it may not be used."""
    source = "\n".join((recorded, *(each.text for each in messages)))
    text = check_text(read_text_field(read_object(reply), "text"), source, most=LONGEST, least=SHORTEST)
    sentences = split_sentences(text)
    if len(sentences) not in _SENTENCES or not text.endswith((".", "!", "…", "。", "”", ")")):
        raise ModelFailed("the summary is not a paragraph of two to six sentences")
    words = split_words(text)
    if not _READER.isdisjoint(words) or any(_is_order(each) for each in sentences):
        raise ModelFailed("the summary speaks to its reader")
    known = set(split_words(source))
    stems = {word[:_STEM] for word in known}
    telling = {word for word in words if word not in STOP}
    if sum(word in known or word[:_STEM] in stems for word in telling) < _KNOWN_SHARE * len(telling):
        raise ModelFailed("the summary says more than the session")
    if any(word[:_STEM] not in stems for each in sentences for word in _find_capitalised(each)):
        raise ModelFailed("the summary has a name that the session does not have")
    return text


def _is_order(sentence: str) -> bool:
    first = next((word for word in split_words(sentence) if word not in _INTRODUCTIONS), "")
    return first in _ORDERS


def _find_capitalised(sentence: str) -> list[str]:
    """Return the words of a sentence that may be names: they have a capital although no sentence begins with them."""
    pairs = pairwise(sentence.split())
    found = (word.strip("“”\"'()") for before, word in pairs if not before.endswith((":", "“", "(", '"')))
    return [part for word in found if word[:1].isupper() for part in split_words(word)]
