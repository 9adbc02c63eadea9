"""Ask a model what to remember from a session, and check the proposals in its reply.

A proposal is used only if its quote occurs in the message that it names, and if its form is valid. Every other proposal
is refused with a reason, so a malformed or hostile reply changes nothing. The model chooses what is kept, and the
message's own words are kept of it. The model's words only help to find them: nothing here can tell whether they say
what the message says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from limpet.guard.engine import find_signs
from limpet.guard.signs import CERTAIN
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import field, mutable, record
from limpet.llm.checks import adds_names, is_quoted
from limpet.llm.reply import read_objects
from limpet.llm.request_text import escape
from limpet.text.claims import split_claims
from limpet.text.excerpt import shorten
from limpet.text.gist import format_claims, rate_claim
from limpet.text.passages import quote_passage
from limpet.text.similarity import distinct_words
from limpet.text.tokens import count_tokens
from limpet.text.words import STOP

MOST = 12
"""The maximum number of proposals used from one session."""
LONGEST, SHORTEST = 400, 12
"""The maximum and minimum length of a proposed text, in characters."""


class ProposedAction(StrEnum):
    """The action that a proposal asks for: store a new memory, or complete, replace or question an existing one."""

    KEEP = "keep"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    DOUBT = "doubt"


class Sort(StrEnum):
    """The kind of statement that a proposal makes: a rule, a decision, a fact or a fix."""

    RULE = "rule"
    DECISION = "decision"
    FACT = "fact"
    FIX = "fix"


@record
class SessionMessage:
    """A message of a session, either typed by the user or written by the agent at the end of a turn."""

    id: str
    text: str
    """The full text of the message. Quotes are checked against it."""
    by_user: bool
    is_noted: bool = False
    """Whether a memory was already captured from the message. Such messages are shortened last."""
    is_objected: bool = False
    """Whether the user objected to the agent's turn that ended with this message."""


@record
class KnownMemory:
    """An existing memory that is shown to the model.

    `id` is its short name in the request, such as "k1", and `memory` is the id of the memory itself.
    """

    id: str
    text: str
    memory: str


@record
class Proposal:
    """A model's proposal to add or change a memory, checked against the session it is based on."""

    action: ProposedAction
    message: str
    quote: str
    sort: Sort
    text: str
    """The passage of the message that the model's text was made from."""
    cues: str
    """The model's text, or an empty string if it has a name or number that the session lacks."""
    lasting: int
    into: str | None = None
    """The id of the memory to complete, replace or question; None if a new memory is proposed."""


@mutable
class CurationReply:
    """The proposals in a model's reply: the valid ones, and how many were refused for each reason."""

    proposals: list[Proposal] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)

    def refuse(self, reason: str) -> None:
        self.refused[reason] = self.refused.get(reason, 0) + 1


def write_request(
    messages: Sequence[SessionMessage],
    known: Sequence[KnownMemory] = (),
    objections: Sequence[str] = (),
    *,
    tokens: int = 6000,
) -> str:
    """Return the text of a request: existing memories, the user's objections and the messages of the session.

    Messages are shortened, oldest first, until the text has at most `tokens` tokens. Messages from which a memory was
    captured are shortened last.
    """
    shown = [_shorten(each, _LONGEST_MESSAGE) for each in messages]
    sizes = [count_tokens(text) + _FRAME for text in shown]
    room = tokens - count_tokens(_format_request((), (), known, objections)) - sum(sizes)
    for limit, is_noted in _STEPS:
        for at, each in enumerate(messages):
            if room < 0 and each.is_noted is is_noted:
                shown[at] = _shorten(each, limit)
                size = count_tokens(shown[at]) + (_FRAME if shown[at] else 0)
                room += sizes[at] - size
                sizes[at] = size
    return _format_request(messages, shown, known, objections)


_FRAME = 8
"""The number of tokens that a message needs for its label and a blank line."""
_LONGEST_MESSAGE = 1000
_STEPS = (
    *((limit, False) for limit in (600, 300, 120)),
    *((limit, True) for limit in (600, 300)),
    *((0, False), (120, True), (0, True)),
)
"""The steps in which the messages of a long session are shortened.

Each step has a limit in characters, and the value of `is_noted` that selects the messages to shorten.
"""


def _shorten(message: SessionMessage, limit: int) -> str:
    """Return the text of a message, shortened to about `limit` characters.

    From a user's message, the beginning and the end are kept, because they usually contain the question. From an
    agent's message, the most informative sentences are kept.
    """
    text = message.text.strip()
    if len(text) <= limit or not limit:
        return text if limit else ""
    if message.by_user:
        return f"{shorten(text, limit * 2 // 3)} … {text[-limit // 3 :].partition(' ')[2]}"
    claims = split_claims(text)
    if not claims:
        return shorten(text, limit)
    order = sorted(range(len(claims)), key=lambda at: (-rate_claim(claims[at]), at))
    taken, room = set[int](), limit
    for at in (0, *order):
        size = len(claims[at].text) + 1
        if at not in taken and size <= room and not (claims[at].is_block and size > limit // 3):
            taken.add(at)
            room -= size
    return format_claims([claims[at] for at in sorted(taken)]) or shorten(text, limit)


def _format_request(
    messages: Sequence[SessionMessage], shown: Sequence[str], known: Sequence[KnownMemory], objections: Sequence[str]
) -> str:
    parts = []
    if known:
        parts.append("What the memory holds already:\n" + "\n".join(f"[{each.id}] {each.text}" for each in known))
    if objections:
        parts.append(format_objections(objections))
    pairs = zip(messages, shown, strict=True)
    lines = (f"[{each.id}] {'user' if each.by_user else 'agent'}: {escape(text)}" for each, text in pairs if text)
    parts.append("<session>\n" + "\n\n".join(lines) + "\n</session>")
    return "\n\n".join(parts)


def format_objections(objections: Sequence[str]) -> str:
    """Return the user's objections as a list for a request to a model."""
    return "What the user objected to:\n" + "\n".join(f"- {escape(each, one_line=True)}" for each in objections)


def read_reply(
    reply: str, messages: Sequence[SessionMessage], known: Sequence[KnownMemory] = (), *, sure: int
) -> CurationReply:
    """Parse a model's reply and check its proposals against the session.

    The reply also rates each message from 1 to 99: how certain the model is that it should be remembered. A proposal is
    refused if its message has no rating or a rating below `sure`.
    """
    reading = CurationReply()
    by_id = {each.id: each for each in messages}
    targets = {each.id: each for each in known}
    source = "\n".join(each.text for each in messages)
    objects = read_objects(reply, reading.refuse)
    marks: Mapping[str, object] = next((each["marks"] for each in objects if isinstance(each.get("marks"), dict)), {})
    for record_ in objects:
        if "marks" in record_ or record_.get("do") == "nothing":
            continue
        found = _parse_proposal(record_, by_id, targets, source)
        if not isinstance(found, str) and _read_certainty(marks.get(found.message)) < sure:
            found = "not sure enough"
        if isinstance(found, str):
            reading.refuse(found)
        elif len(reading.proposals) >= MOST:
            reading.refuse("more than a session may leave")
        elif any(found.text == each.text and found.action is each.action for each in reading.proposals):
            reading.refuse("said twice")
        else:
            reading.proposals.append(found)
    return reading


def _read_certainty(mark: object) -> int:
    """Return the number in a model's rating such as "fact 85", or 0 for "none" or a malformed rating."""
    _, _, number = mark.strip().partition(" ") if isinstance(mark, str) else ("", "", "")
    return int(number) if number.isdecimal() and len(number) <= 3 else 0


def _parse_proposal(
    given: Mapping[str, Any],
    messages: Mapping[str, SessionMessage],
    targets: Mapping[str, KnownMemory],
    source: str,
) -> Proposal | str:
    """Return the proposal in a JSON object, or the reason as a string if the proposal is refused."""
    try:
        action, sort = ProposedAction(str(given.get("do"))), Sort(str(given.get("kind", Sort.FACT)))
    except ValueError:
        return "unknown action or kind"
    message = messages.get(str(given.get("id")))
    if message is None:
        return "names no message of the session"
    quote, text = given.get("quote"), given.get("text", "")
    if not isinstance(quote, str) or not isinstance(text, str):
        return "quote or text is missing"
    if not is_quoted(quote, message.text):
        return "the quote is not in the message"
    target = targets.get(str(given.get("into"))) if given.get("into") is not None else None
    if (target is None) is not (action is ProposedAction.KEEP):
        return "names no memory to merge, supersede or doubt" if target is None else "names a memory it does not change"
    text, cues = " ".join(text.split()), ""
    if action is not ProposedAction.DOUBT:
        if not SHORTEST <= len(text) <= LONGEST:
            return "the text is too short or too long"
        if not CERTAIN.isdisjoint(find_signs(text)):
            return "an order to a model"
        passage = quote_passage(text, message.text, quote=quote, most=LONGEST)
        if len(passage) < SHORTEST:
            return "the passage that it was made from is too short or too long"
        text, cues = passage, "" if adds_names(text, source) else text
    lasting = given.get("lasting", 1)
    if isinstance(lasting, bool) or not isinstance(lasting, int):
        return "lasting is not a number"
    return Proposal(
        action=action,
        message=message.id,
        quote=quote.strip(),
        sort=sort,
        text=text,
        cues=cues,
        lasting=min(3, max(1, lasting)),
        into=target.memory if target else None,
    )


def is_about(quote: str, text: str) -> bool:
    """Tell whether a quote and a text have the same subject.

    They must share at least a third of the words of the one with fewer words. Stop words do not count.
    """
    words, others = distinct_words(quote) - STOP, distinct_words(text) - STOP
    return bool(words) and 3 * len(words & others) >= min(len(words), len(others))
