"""Summarise a conversation by quoting its few most informative statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from limpet.lean.record import record, replace
from limpet.text.chatter import strip_chatter
from limpet.text.claims import split_claims, split_sentences
from limpet.text.excerpt import shorten_sentences
from limpet.text.gist import rate_claim
from limpet.text.questions import is_question
from limpet.text.words import split_words, word_set

MOST_STATEMENTS = 4
_SPEAKERS = {True: "", False: "The assistant said: "}
"""The words that introduce the statements of the user (True) and those of the assistant (False).

The user's statements have no introduction: after "the user said", half of the statements about a person read like
orders to a model.
"""
_OWN = word_set("i i'm im i've i'd i'll my me mine we we're we've our us ich mein meine wir je mon ma nous yo mi")
"""Words with which speakers refer to themselves. Statements of people about themselves are worth more."""
_ASKING = word_set("please can could would will")
_LASTING = word_set("always never every from")
"""Words that make a request a lasting rule, which is kept."""
_LEAST = 0.5
"""The minimum value of a statement that is kept. Facts, decisions and what users say about themselves reach it."""


@record
class _Statement:
    position: int
    by_user: bool
    text: str
    value: float


def summarise_messages(messages: Sequence[tuple[bool, str]], *, most: int) -> str:
    """Return the most informative statements of a conversation as a text of at most `most` characters.

    Each message is a pair: whether the user wrote it, and its text. There are at most four statements. The result is an
    empty string if the conversation has only questions, requests, greetings and code.
    """
    found = list(_find_statements(messages))
    taken: list[_Statement] = []
    for each in sorted(found, key=lambda each: (-each.value, each.position)):
        if len(taken) == MOST_STATEMENTS:
            break
        if len(_format([*taken, each])) <= most:
            taken.append(each)
    if not taken and found:
        best = max(found, key=lambda each: (each.value, -each.position))
        room = most - len(_SPEAKERS[best.by_user])
        return _SPEAKERS[best.by_user] + shorten_sentences(best.text, room) if room > 0 else ""
    return _format(taken)


def _find_statements(messages: Sequence[tuple[bool, str]]) -> Iterator[_Statement]:
    seen: set[str] = set()
    for number, (by_user, text) in enumerate(messages):
        for place, claim in enumerate(split_claims(text)):
            plain = "" if claim.is_block else _keep_statements(claim.text)
            words = split_words(plain)
            if len(words) < 3 or plain.endswith(":") or plain.casefold() in seen:
                continue
            seen.add(plain.casefold())
            value = rate_claim(replace(claim, text=plain)) + (0.5 if by_user else 0.0)
            if by_user and not _OWN.isdisjoint(words):
                value += 1.5
            if value >= _LEAST:
                yield _Statement(position=number * 10_000 + place, by_user=by_user, text=plain, value=value)


def _keep_statements(text: str) -> str:
    """Remove questions, requests that are not lasting rules, greetings and assent from the text of a claim."""
    kept = []
    for sentence in split_sentences(" ".join(text.lstrip("-*+• ").split())):
        plain = strip_chatter(sentence)
        words = split_words(sentence)
        is_request = bool(words) and words[0] in _ASKING and _LASTING.isdisjoint(words)
        if len(split_words(plain)) > 2 and not is_question(plain) and not is_request:
            kept.append(plain)
    return " ".join(kept)


def _format(statements: Sequence[_Statement]) -> str:
    """Join the statements of the user, and then those of the assistant, each in the order of the conversation."""
    parts: list[str] = []
    for by_user, before in _SPEAKERS.items():
        own = sorted((each for each in statements if each.by_user is by_user), key=lambda each: each.position)
        texts = [each.text if each.text.endswith((".", "!", "。")) else f"{each.text}." for each in own]
        if texts:
            parts.append(before + " ".join(texts))
    return " ".join(parts)
