"""Collect the tool calls of a recorded session with the user's verdict on each, and relate objections to calls."""

from __future__ import annotations

from datetime import datetime

from limpet.lean.enumeration import StrEnum
from limpet.lean.pattern import lazy
from limpet.lean.record import Protocol, mutable, record
from limpet.model.call_pattern import CallPattern
from limpet.model.event import Action, Reported, ToolFinished
from limpet.text.commands import name_subcommand, split_commands
from limpet.text.reactions import Reaction
from limpet.text.words import word_set

_LONGEST = 4_000
_WORD = lazy(r"\w(?:[\w.-]*\w)?")
_EVERYDAY = word_set("src lib app apps test tests edit write bash task agent web cd") | {""}
_HARMLESS = (Action.READ, Action.SEARCH, Action.PLAN, Action.MEMORY)


class CallVerdict(StrEnum):
    """The verdict of the user on a call, as shown by the next prompt."""

    ACCEPTED = "accepted"
    """The call succeeded, and the user went on without an objection."""
    OBJECTED = "objected"
    """The user objected to this call."""
    UNKNOWN = "unknown"
    """The user objected to something else, could not see the call, or gave no further prompt."""


@mutable
class Call:
    """A recorded tool call that may have done something, such as a command or an edit."""

    conversation: str
    path: str
    """The path of the transcript."""
    line: int
    at: datetime
    tool: str
    command: str
    files: tuple[str, ...]
    verdict: CallVerdict = CallVerdict.UNKNOWN

    def is_matched_by(self, pattern: CallPattern) -> bool:
        return pattern.matches(tool=self.tool, command=self.command, files=self.files)


@record
class ObjectionTarget:
    """What the user objects to: a pattern of calls, and the call that the agent made."""

    pattern: CallPattern
    call: str
    """The command with its options, the path of the edited file, or the name of the tool."""
    named: tuple[str, ...] = ()
    """Parts of the command that the objection names and that are not ordinary words."""


@record
class RelatedObjection:
    """An objection to something that the agent did."""

    about: ObjectionTarget | None = None
    """What the user objects to; None if the words do not show it."""


class Follower(Protocol):
    """A reader of the events of a conversation that relates objections to calls."""

    def read(self, event: Reported) -> None:
        """Process the next event of the conversation."""

    def relate(self, found: Reaction, typed: str) -> RelatedObjection | None:
        """Return what an objection is about; None if the prompt `typed` only states a rule and objects to nothing."""


class CallLog:
    """The calls of a conversation, with the verdicts that later prompts give on them."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._open: list[tuple[Call, bool]] = []

    @property
    def all(self) -> tuple[Call, ...]:
        return tuple(self._calls)

    def add(self, event: ToolFinished, path: str, line: int) -> None:
        """Add a call, unless it only reads, searches, plans or uses memories."""
        if event.action in _HARMLESS:
            return
        call = Call(
            conversation=event.session,
            path=path,
            line=line,
            at=event.at,
            tool=event.tool,
            command=event.command[:_LONGEST],
            files=event.files_modified,
        )
        self._calls.append(call)
        # A failed call cannot be accepted, and neither can a call of a sub-agent, which the user does not see.
        self._open.append((call, not event.failed and not event.interrupted and event.subagent is None))

    def judge(self, related: RelatedObjection | None, typed: str, *, is_objection: bool) -> None:
        """Set the verdicts of the calls since the last prompt, given the next prompt.

        `typed` are the user's words, and `related` tells what they object to. A call that they name is not accepted,
        even if they are not recognised as an objection.
        """
        about = related.about if related is not None else None
        for call, was_seen in self._open:
            if about is not None and call.is_matched_by(about.pattern):
                call.verdict = CallVerdict.OBJECTED
            elif was_seen and not is_objection and not _names_call(typed, call):
                call.verdict = CallVerdict.ACCEPTED
        self._open.clear()


def _names_call(typed: str, call: Call) -> bool:
    """Tell whether a prompt names the tool, a program or a subcommand of a call, or the file or a folder of an edit."""
    words_typed = set(_WORD.findall(typed[:_LONGEST].casefold()))
    if not words_typed:
        return False
    named = {call.tool.casefold(), *call.tool.casefold().split("__")}
    for words in split_commands(call.command):
        named |= {words[0].casefold(), name_subcommand(words).casefold()}
    for file in call.files:
        *folders, name = file.casefold().replace("\\", "/").split("/")
        named |= {name, *folders}
    return not words_typed.isdisjoint(named - _EVERYDAY)
