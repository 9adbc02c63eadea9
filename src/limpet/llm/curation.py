"""The role *curate*: choose what a session leaves for later sessions, in words that stand alone.

A model proposes and code decides. A proposal is used only if the words that it quotes are in the message that it names,
if it contains no name and no number that the session does not have, and if it has the right form. Anything else is
refused with a reason, so a reply that is malformed, hostile or invented changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from limpet.guard.engine import find_signs
from limpet.guard.signs import CERTAIN
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import field, mutable, record
from limpet.llm.checks import adds_names, is_quoted
from limpet.llm.prompt import escape
from limpet.llm.reply import read_objects
from limpet.model.memory import Origin
from limpet.model.taint import Taint
from limpet.text.claims import split_claims
from limpet.text.excerpt import shorten
from limpet.text.gist import format_claims, rate_claim
from limpet.text.similarity import distinct_words
from limpet.text.tokens import count_tokens
from limpet.text.words import STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = 12
"""The maximum number of proposals that are used from one session."""
LONGEST, SHORTEST = 400, 12
"""The maximum and the minimum number of characters of a text that is kept."""
_TYPED_SHARE = 0.5
"""The share of the words of a text that the user must have typed for the user to be its origin."""


class ProposedAction(StrEnum):
    """The action that a proposal asks for."""

    KEEP = "keep"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    DOUBT = "doubt"


class Sort(StrEnum):
    """The sort of a proposal: a rule, a decision, a fact or a fix."""

    RULE = "rule"
    DECISION = "decision"
    FACT = "fact"
    FIX = "fix"


@record
class SessionMessage:
    """One message of a session: what the user typed, or what the agent said at the end of a turn."""

    id: str
    text: str
    """The whole text, against which quotes are checked."""
    by_user: bool
    is_noted: bool = False
    """Whether capture has noted something in the message; such a message is shortened last."""
    is_objected: bool = False
    """Whether the user has objected to the turn of the agent that ended with the message."""


@record
class KnownMemory:
    """A memory that is kept already, with the name that the model knows it by."""

    id: str
    text: str
    memory: str


@record
class Proposal:
    """One proposal to keep, merge, supersede or doubt something, checked against its source."""

    action: ProposedAction
    message: str
    quote: str
    sort: Sort
    text: str
    lasting: int
    into: str | None = None
    """The id of the memory that the proposal completes, replaces or doubts."""


@mutable
class CurationReply:
    """The result of reading a reply: the valid proposals, and the number of refused ones by reason."""

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
    """Return the session in the form that the model reads, with kept memories and the user's objections.

    Messages are shortened until everything fits into `tokens`: routine messages first, then noted ones, the oldest
    first.
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
"""The tokens for the name before a message and the gap after it."""
_LONGEST_MESSAGE = 1000
_STEPS = (
    *((limit, False) for limit in (600, 300, 120)),
    *((limit, True) for limit in (600, 300)),
    *((0, False), (120, True), (0, True)),
)
"""The limits of characters that are tried in this order for a session that is too long: for the messages in which
nothing was noted, or for those in which something was."""


def _shorten(message: SessionMessage, limit: int) -> str:
    """Return a message cut to a number of characters.

    The question of a user is at the beginning or the end. The findings of an agent may be anywhere in its report, so
    its most informative claims are chosen.
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
    """Return the user's objections in the form that a model reads."""
    return "What the user objected to:\n" + "\n".join(f"- {escape(each, one_line=True)}" for each in objections)


def read_reply(
    reply: str, messages: Sequence[SessionMessage], known: Sequence[KnownMemory] = (), *, sure: int
) -> CurationReply:
    """Return the proposals of a reply that agree with the session, and the number of the others by reason.

    The model has marked every message with how sure it is. A proposal for a message without a mark, or with a lower
    number than `sure`, is refused.
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
        found = _check(record_, by_id, targets, source)
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
    """Return the number of a mark such as "fact 85"; 0 for "none" and for a mark of another form."""
    _, _, number = mark.strip().partition(" ") if isinstance(mark, str) else ("", "", "")
    return int(number) if number.isdecimal() and len(number) <= 3 else 0


def _check(
    given: Mapping[str, Any],
    messages: Mapping[str, SessionMessage],
    targets: Mapping[str, KnownMemory],
    source: str,
) -> Proposal | str:
    """Return the proposal in a JSON object, or the reason for refusing it."""
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
    text = " ".join(text.split())
    if action is not ProposedAction.DOUBT:
        if not SHORTEST <= len(text) <= LONGEST:
            return "the text is too short or too long"
        if adds_names(text, f"{source}\n{target.text}" if target is not None else source):
            return "a name or number that the session does not have"
        if not CERTAIN.isdisjoint(find_signs(text)):
            return "an order to a model"
    lasting = given.get("lasting", 1)
    if isinstance(lasting, bool) or not isinstance(lasting, int):
        return "lasting is not a number"
    return Proposal(
        action=action,
        message=message.id,
        quote=quote.strip(),
        sort=sort,
        text=text,
        lasting=min(3, max(1, lasting)),
        into=target.memory if target else None,
    )


def is_made_of_typed(text: str, messages: Sequence[SessionMessage], known: str = "") -> bool:
    """Tell whether a text consists of what the user typed, and perhaps of a memory that it completes.

    A manipulated model may combine words of a page, which the agent has repeated, with any quote of the user. So the
    names and most of the words must be the user's, and no sentence of the agent may be repeated.
    """
    typed = "\n".join((known, *(each.text for each in messages if each.by_user)))
    reports = "\n".join(each.text for each in messages if not each.by_user)
    if adds_names(text, typed):
        return False
    words = distinct_words(text) - STOP
    if len(words & distinct_words(typed)) < _TYPED_SHARE * len(words) or (text and not words):
        # An empty text, as of a doubt, claims nothing.
        return False
    return not Taint().add_own(typed).add_source(Origin.TOOL, "reports", reports).find(text)


def is_about(quote: str, text: str) -> bool:
    """Tell whether a quote speaks of what a text is about: it shares a third of the words of the shorter one."""
    words, others = distinct_words(quote) - STOP, distinct_words(text) - STOP
    return bool(words) and 3 * len(words & others) >= min(len(words), len(others))
