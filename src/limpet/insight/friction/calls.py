"""The calls of recorded sessions, with the user's reaction to each, and what an objection is about."""

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
    """The reaction of the user to a call."""

    ACCEPTED = "accepted"
    """The call succeeded, and the user went on without an objection."""
    OBJECTED = "objected"
    """The user objected to this very call."""
    UNKNOWN = "unknown"
    """The user objected to something else of that turn, never saw the call, or said nothing after it."""


@mutable
class Call:
    """One call of a tool that runs a command, changes a file, or leaves the machine."""

    conversation: str
    path: str
    """The transcript."""
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
    """The target of an objection: the calls that are meant, and the one that was made."""

    pattern: CallPattern
    call: str
    """The command with its options, the path or the name of the tool."""
    named: tuple[str, ...] = ()
    """Words of the objection that occur in the command and are no plain words."""


@record
class RelatedObjection:
    """An objection in relation to what the agent did; `about` is None if the words do not tell what is meant."""

    about: ObjectionTarget | None = None


class Follower(Protocol):
    """A reader of a conversation that tells what an objection is about."""

    def read(self, event: Reported) -> None: ...
    def relate(self, found: Reaction, typed: str) -> RelatedObjection | None:
        """Return what an objection is about; None if the words only state a rule and object to nothing."""


class CallLog:
    """The calls of a conversation, as they are made and judged."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._open: list[tuple[Call, bool]] = []

    @property
    def all(self) -> tuple[Call, ...]:
        return tuple(self._calls)

    def add(self, event: ToolFinished, path: str, line: int) -> None:
        """Add a call, unless it only looks at something."""
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
        # What failed was not accepted, and what a sub-agent does is not shown to the user.
        self._open.append((call, not event.failed and not event.interrupted and event.subagent is None))

    def judge(self, related: RelatedObjection | None, typed: str, *, is_objection: bool) -> None:
        """Set the verdict of each call of the last turn, now that the next prompt is known.

        A prompt that speaks of a call does not accept the call, even if no objection was recognised in the prompt.
        """
        about = related.about if related is not None else None
        for call, was_seen in self._open:
            if about is not None and call.is_matched_by(about.pattern):
                call.verdict = CallVerdict.OBJECTED
            elif was_seen and not is_objection and not _speaks_of(typed, call):
                call.verdict = CallVerdict.ACCEPTED
        self._open.clear()


def _speaks_of(typed: str, call: Call) -> bool:
    """Tell whether a prompt names the tool, a program or a subcommand of a call, or the file or a folder of an edit."""
    said = set(_WORD.findall(typed[:_LONGEST].casefold()))
    if not said:
        return False
    named = {call.tool.casefold(), *call.tool.casefold().split("__")}
    for words in split_commands(call.command):
        named |= {words[0].casefold(), name_subcommand(words).casefold()}
    for file in call.files:
        *folders, name = file.casefold().replace("\\", "/").split("/")
        named |= {name, *folders}
    return not said.isdisjoint(named - _EVERYDAY)
