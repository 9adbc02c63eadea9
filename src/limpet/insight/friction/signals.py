"""The signals of friction with their weights, and the quality of a session, which is rated from its signals."""

from __future__ import annotations

from datetime import datetime

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record


class SignalSource(StrEnum):
    """The party that caused a signal."""

    USER = "user"
    TOOL = "tool"
    LLM = "llm"
    SESSION = "session"


class Signal(StrEnum):
    """A kind of event in a session that is a sign of friction; `_TABLE` describes each."""

    USER_INTERVENTION = "user_intervention"
    SESSION_ABANDONED = "session_abandoned"
    FALSE_SUCCESS = "false_success"
    NO_RESOLUTION = "no_resolution"
    TOOL_LOOP = "tool_loop"
    RAPID_EXIT = "rapid_exit"
    INTERRUPT_CASCADE = "interrupt_cascade"
    USER_CURSE = "user_curse"
    REQUEST_INTERRUPTED = "request_interrupted"
    EXIT_ERROR = "exit_error"
    REPEATED_QUESTION = "repeated_question"
    LONG_SILENCE = "long_silence"
    USER_NEGATION = "user_negation"
    COMPACTION = "compaction"

    @property
    def weight(self) -> float:
        return _TABLE[self][0]

    @property
    def source(self) -> SignalSource:
        return _TABLE[self][1]

    @property
    def meaning(self) -> str:
        """Return what the signal means, as a short text for people."""
        return _TABLE[self][2]

    @property
    def is_reaction(self) -> bool:
        """Tell whether the signal is a user reaction; only these can make a session BAD or lead to a rule."""
        return self in _REACTIONS


_TABLE = {
    Signal.USER_INTERVENTION: (10, SignalSource.USER, "the user gave up: /stash after an objection"),
    Signal.SESSION_ABANDONED: (10, SignalSource.SESSION, "the session ended in trouble after an objection"),
    Signal.FALSE_SUCCESS: (8, SignalSource.LLM, "the agent claimed success though its last call had failed"),
    Signal.NO_RESOLUTION: (8, SignalSource.SESSION, "an error was followed by no successful call"),
    Signal.TOOL_LOOP: (6, SignalSource.TOOL, "the same call was made three times or more in a row"),
    Signal.RAPID_EXIT: (6, SignalSource.SESSION, "the session ended with an error after one or two prompts"),
    Signal.INTERRUPT_CASCADE: (5, SignalSource.USER, "the user interrupted twice or more within 60 seconds"),
    Signal.USER_CURSE: (5, SignalSource.USER, "the user cursed at the agent"),
    Signal.REQUEST_INTERRUPTED: (2.5, SignalSource.USER, "the user interrupted, or did not allow a call"),
    Signal.EXIT_ERROR: (1, SignalSource.TOOL, "a call failed"),
    Signal.REPEATED_QUESTION: (1, SignalSource.USER, "the user gave the same prompt again"),
    Signal.LONG_SILENCE: (0.5, SignalSource.USER, "more than 10 minutes without a prompt after an objection"),
    Signal.USER_NEGATION: (0.5, SignalSource.USER, "the user objected: no, wrong, don't, revert"),
    Signal.COMPACTION: (0.5, SignalSource.SESSION, "the conversation was shortened"),
}
_REACTIONS = (Signal.USER_NEGATION, Signal.USER_CURSE, Signal.INTERRUPT_CASCADE)

ENDING = {
    Signal.EXIT_ERROR: 1,
    Signal.USER_CURSE: 5,
    Signal.USER_NEGATION: 1,
    Signal.TOOL_LOOP: 6,
    Signal.FALSE_SUCCESS: 8,
    Signal.REQUEST_INTERRUPTED: 4,
    Signal.INTERRUPT_CASCADE: 7,
    Signal.REPEATED_QUESTION: 3,
}
"""The weights of a session's last signals, which determine whether it counts as abandoned."""


class Quality(StrEnum):
    """A rating of how a session went, from the worst to the best."""

    BAD = "BAD"
    FRICTION = "FRICTION"
    ROUGH = "ROUGH"
    OK = "OK"

    @property
    def meaning(self) -> str:
        """Return what the quality means, as a short text for people."""
        return {
            Quality.BAD: "the user objected and gave up",
            Quality.FRICTION: "the user cursed, kept interrupting or objected twice, or success was claimed falsely",
            Quality.ROUGH: "many errors, no such reaction",
            Quality.OK: "nothing of note",
        }[self]


@record
class SignalEvent:
    """One signal at one moment of a session."""

    signal: Signal
    at: datetime
    turn: int
    """The number of the prompt after which the signal occurred."""
    incident: int
    """The number of the incident in the session; several signals may belong to one incident."""
    details: str = ""
    """A short quote or description for people."""


ROUGH_SCORE = 15.0
"""The score from which a session is at least ROUGH."""


def add_up(signals: tuple[SignalEvent, ...]) -> float:
    """Return the score of a session: the sum of the weights of the heaviest signal of each incident."""
    heaviest: dict[int, float] = {}
    for each in signals:
        heaviest[each.incident] = max(heaviest.get(each.incident, 0.0), each.signal.weight)
    return sum(heaviest.values())


def rate_quality(signals: tuple[SignalEvent, ...], *, errors: int, successes: int) -> Quality:
    """Rate how a session went; `errors` and `successes` are the numbers of its failed and successful calls."""
    found = [each.signal for each in signals]
    if Signal.USER_INTERVENTION in found or Signal.SESSION_ABANDONED in found:
        return Quality.BAD
    loud = (Signal.USER_CURSE, Signal.FALSE_SUCCESS, Signal.INTERRUPT_CASCADE)
    if any(signal in found for signal in loud) or found.count(Signal.USER_NEGATION) > 1:
        return Quality.FRICTION
    many_errors = errors > 3 and errors > successes
    return Quality.ROUGH if many_errors or add_up(signals) >= ROUGH_SCORE else Quality.OK
