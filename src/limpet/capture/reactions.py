"""Recognise that the user objects to the agent's last turn, and find the command or edit that the user means.

The module `text.reactions` recognises the words of an objection. This module relates them to what the agent did. "Don't
force-unlock" is an objection only if the agent has just run that command. Otherwise it is an ordinary rule. An
interruption counts as an objection unless the next prompt only agrees or says to continue.

An objection refers to the action whose words the user repeats. If the user only points at an action ("revert that"), it
must be the only one possible. An objection that refers to no action forbids nothing.
"""

from __future__ import annotations

import re
from datetime import datetime

from limpet.capture.candidate import Candidate, find_concepts
from limpet.capture.meaning import Meaning
from limpet.capture.tools.changes import describe_command, describe_edit, find_reverted, short_path
from limpet.capture.tools.observe import Observation
from limpet.clock import to_ms
from limpet.lean.pattern import lazy
from limpet.lean.record import record, replace
from limpet.model.event import Action, ToolFinished
from limpet.model.memory import Origin, Type
from limpet.text.assent import only_assents
from limpet.text.excerpt import shorten_line
from limpet.text.reactions import Reaction, ReactionKind, find_reaction
from limpet.text.words import STOP, word_set

_MOST_ACTS, _MOST_LINES = 12, 12
_LONGEST_ACT = 300
_WORDS = 200
RUN, EDIT = "run", "edit"
_OTHER_TOOLS = (Action.FETCH, Action.DELEGATE, Action.OTHER)

_WORD = lazy(r"[^\W_][\w-]*")
_FORBIDDING = r"\b(?:don't|dont|do not|never|stop|not to|why (?:did|would|have) you)\b"
_FORBIDS = lazy(_FORBIDDING, re.I)
_OPENS_WITH_NO = lazy(r"\W*+(?:no+|nope|nein|non|нет)\b", re.I)
_TAKES_BACK = lazy(r"!?\s*git (?:checkout|restore|revert|reset|stash)\b", re.I)
_FORBIDDEN_WORD = lazy(
    _FORBIDDING + r" (?:ever |again |just )?(?:run |running |use |using |do )?(?:a |the |any )?([\w-]++)"
    r"(?=\s*+(?:$|[,.!?;:]|(?:it|that|this|to|on|in|again|against|here|with)\b))",
    re.I,
)
_CHAIN = lazy(r"&&|\|\||[;\n]")
_SAYS_NOTHING = STOP | word_set("run use do don't not no never please again stop file files code here main test tests")


@record
class Act:
    """One action of the agent: a command that it ran, or an edit."""

    kind: str
    what: str
    """The command line, or the path of the edited file."""
    detail: str = ""
    """A description of what an edit wrote; an empty string for a command."""

    def describe(self) -> str:
        """Return a noun phrase for the action: the command in backticks, or "the edit of" followed by the file."""
        return f"`{self.what}`" if self.kind == RUN else f"the edit of {short_path(self.what)}"


@record
class AgentTurn:
    """The agent's actions after a prompt. A turn lasts until the agent acts on the next prompt."""

    began: int = 0
    """The time of the turn's prompt, or else of its first action, in milliseconds; 0 if it is unknown."""
    asked: int = 0
    """The time of a prompt on which the agent has not acted yet, in milliseconds; 0 if there is none."""
    acts: tuple[tuple[str, str, str], ...] = ()
    """The actions, oldest first, each as the field values of an `Act`."""
    summary_lines: tuple[str, ...] = ()
    """The lines of the session summary that state the fixes and decisions of this turn."""
    is_interrupted: bool = False
    tools: tuple[str, ...] = ()
    """The names of tools that were used for anything else, for example to fetch a page or to start a sub-agent."""


@record
class MeantAct:
    """The action that an objection refers to; `act` is None if the words do not show which action it is."""

    act: Act | None
    is_named: bool
    """Whether the user named the action, instead of only pointing at it."""


@record
class Objection:
    """A user's objection to the agent's last turn."""

    kind: ReactionKind
    words: str
    since: int
    """The time at which the turn began, in milliseconds; 0 if it is unknown."""
    means: Act | None = None
    """The command or edit that the objection refers to; None if the words do not show which one it is."""
    is_named: bool = False
    """Whether the user named the action, instead of only pointing at it."""

    def describe(self) -> str:
        """Return the objection on one line: its kind, the user's words, and the action if it is known."""
        about = f" ({self.means.describe()})" if self.means is not None else ""
        return f"{self.kind.value}: “{shorten_line(self.words, _WORDS)}”{about}"


def track_act(turn: AgentTurn, seen: Observation) -> AgentTurn:
    """Return the turn after an observation. The first action after a prompt begins a new turn."""
    if seen.origin is Origin.USER and seen.action is None:
        return note_prompt(turn, seen.at)
    if turn.asked:
        turn = AgentTurn(began=turn.asked)
    elif not turn.began:
        # What led to the turn was not reported.
        turn = replace(turn, began=to_ms(seen.at))
    act = _find_act(seen)
    if act is None:
        if seen.action in _OTHER_TOOLS and seen.tool not in turn.tools:
            turn = replace(turn, tools=(*turn.tools, seen.tool)[-_MOST_ACTS:])
        return turn
    return replace(turn, acts=(*turn.acts, (act.kind, act.what, act.detail))[-_MOST_ACTS:])


def note_prompt(turn: AgentTurn, at: datetime) -> AgentTurn:
    """Return the turn with the time of a new prompt or slash command recorded."""
    return replace(turn, asked=to_ms(at))


def _find_act(seen: Observation) -> Act | None:
    if seen.action is Action.EDIT and not seen.failed and seen.files_modified:
        return Act(kind=EDIT, what=seen.files_modified[0], detail=shorten_line(describe_edit(seen), _LONGEST_ACT))
    if seen.run is None or (seen.run.kind == "look" and find_reverted(seen.command) is None and not _writes(seen)):
        return None
    return Act(kind=RUN, what=shorten_line(describe_command(seen.command), _LONGEST_ACT))


def _writes(seen: Observation) -> bool:
    return seen.run is not None and bool(seen.run.programs & {"rm", "mv", "kill", "pkill", "chmod", "chown"})


def note_interruption(turn: AgentTurn, event: ToolFinished | None = None) -> AgentTurn:
    """Return the turn marked as interrupted by the user.

    `event` is the tool call that the user refused, if there is one.
    """
    if turn.asked:
        turn = AgentTurn(began=turn.asked)
    tried = describe_command(event.command) if event is not None and event.action is Action.RUN else ""
    acts = (*turn.acts, (RUN, shorten_line(tried, _LONGEST_ACT), ""))[-_MOST_ACTS:] if tried else turn.acts
    return replace(turn, acts=acts, is_interrupted=True)


def add_summary_lines(turn: AgentTurn, lines: tuple[str, ...]) -> AgentTurn:
    """Return the turn with lines added to its summary lines. Only the latest 12 lines are kept.

    If the user objects to the turn, these lines are removed from the summary.
    """
    if not lines:
        return turn
    return replace(turn, summary_lines=tuple(dict.fromkeys((*turn.summary_lines, *lines)))[-_MOST_LINES:])


def find_objection(turn: AgentTurn, typed: str, *, is_answer: bool = False) -> Objection | None:
    """Return the objection to the agent's last turn that a prompt contains, or None.

    `typed` must contain only words that the user typed. `is_answer` is true if the agent had asked a question.
    """
    acts = list_acts(turn)
    if not typed.strip() or not (acts or turn.summary_lines or turn.is_interrupted):
        return None
    if _TAKES_BACK.match(typed) and (files := find_reverted(typed)) is not None:
        means = _find_reverted_act(files, acts)
        return Objection(kind=ReactionKind.REVERT, words=typed, since=turn.began, means=means, is_named=bool(files))
    found = find_reaction(typed, is_answer=is_answer)
    if found is None:
        if not turn.is_interrupted or only_assents(typed):
            return None
        return Objection(kind=ReactionKind.INTERRUPT, words=shorten_line(typed, _WORDS), since=turn.began)
    meant = find_meant(found, typed, acts)
    if meant is None:
        return None
    return Objection(kind=found.kind, words=found.words, since=turn.began, means=meant.act, is_named=meant.is_named)


def list_acts(turn: AgentTurn) -> list[Act]:
    """Return the actions of a turn, oldest first."""
    return [Act(kind=each[0], what=each[1], detail=each[2]) for each in turn.acts if len(each) == 3]


def find_meant(found: Reaction, typed: str, acts: list[Act]) -> MeantAct | None:
    """Return the action that an objection refers to, or None if the words only state a rule.

    "Don't use pip in this repository" only states a rule if the agent has not used pip.
    """
    named = _find_named_act(found.words, acts)
    is_rule = found.kind is ReactionKind.PROHIBITION and not found.points and not _OPENS_WITH_NO.match(typed)
    if is_rule and named is None:
        return None
    act = named or (_find_pointed_act(found.kind, acts) if found.points else None)
    return MeantAct(act=act, is_named=named is not None)


_POINTING = (ReactionKind.PROHIBITION, ReactionKind.REVERT)


def _find_pointed_act(kind: ReactionKind, acts: list[Act]) -> Act | None:
    """Return the action that the word "that" must refer to, or None if several are possible.

    A revert refers to the last edit if exactly one file was edited. If nothing was edited, or for any other objection,
    the action must be the only one that was done exactly once.
    """
    if kind is ReactionKind.REVERT and any(act.kind == EDIT for act in acts):
        edits = [act for act in acts if act.kind == EDIT]
        return edits[-1] if len({act.what for act in edits}) == 1 else None
    once = [act for act in acts if sum(act.what == each.what for each in acts) == 1]
    return once[0] if len(once) == 1 else None


def _find_reverted_act(files: tuple[str, ...], acts: list[Act]) -> Act | None:
    edits = [act for act in acts if act.kind == EDIT]
    named = [act for act in edits if short_path(act.what).rpartition("/")[2].lower() in files]
    found = named if files else edits
    return found[-1] if found else None


def _find_named_act(words: str, acts: list[Act]) -> Act | None:
    """Return the action that shares the most words with an objection, or None if the objection names no action.

    If several share as many, the latest one is returned. A command is cut to the part that the user named.
    """
    said = {word.lower() for word in _WORD.findall(words)}
    best, most = None, 0
    for act in reversed(acts):
        for candidate in _split_act(act):
            shared = _shared_words(candidate, said)
            if len(shared) > most and _is_named(candidate, shared, words):
                best, most = _cut_to_named(candidate, said), len(shared)
    return best


def _is_named(act: Act, shared: set[str], words: str) -> bool:
    """Tell whether the words that an objection shares with an action are enough to name the action.

    Two words are enough. One word is enough if it is the file name of an edit, contains anything other than letters, or
    is the word that the objection forbids. "Don't apply the discount" shares only "apply" with `terraform apply`, so it
    does not name that command.
    """
    if len(shared) > 1:
        return True
    if act.kind == EDIT:
        return short_path(act.what).rpartition("/")[2].lower() in words.lower()
    forbidden = {found.group(1).lower() for found in _FORBIDDEN_WORD.finditer(words.replace("’", "'"))}
    return any(word in forbidden or not word.isalpha() for word in shared)


def _split_act(act: Act) -> list[Act]:
    """Return each command of a chain as a separate action, last command first."""
    if act.kind == EDIT:
        return [act]
    pieces = [piece.strip() for piece in _CHAIN.split(act.what)]
    return [replace(act, what=piece) for piece in reversed(pieces) if piece]


def _shared_words(act: Act, said: set[str]) -> set[str]:
    if act.kind == EDIT:
        name = short_path(act.what).rpartition("/")[2].lower()
        words = {name.partition(".")[0], *(word.lower() for word in _WORD.findall(act.detail) if len(word) > 3)}
    else:
        words = {word.strip("-'\"").lower() for word in act.what.split()}
    return {word for word in words & said if len(word) > 1 and word not in _SAYS_NOTHING}


def _cut_to_named(act: Act, said: set[str]) -> Act:
    """Return a command cut after the last word that the user named, but never before its subcommand."""
    if act.kind == EDIT:
        return act
    words = act.what.split()
    named = [at for at, word in enumerate(words) if word.strip("-'\"").lower() in said - _SAYS_NOTHING]
    least = next((at for at, word in enumerate(words[1:], 1) if not word.startswith("-")), 0)
    return replace(act, what=" ".join(words[: max(least, named[-1] if named else 0) + 1]))


def prohibition_candidate(objection: Objection) -> Candidate | None:
    """Return a memory candidate that forbids the action an objection refers to, or None if nothing is forbidden.

    A correction or a curse forbids an action only if it names the action and contains a word such as "don't" or
    "never".
    """
    act = objection.means
    says_so = _FORBIDS.search(objection.words.replace("’", "'")) is not None
    forbids = objection.kind in _POINTING or (objection.is_named and says_so)
    if act is None or not forbids or objection.kind is ReactionKind.INTERRUPT:
        return None
    said = f"the user objected to it (“{shorten_line(objection.words, _WORDS).strip(' “”')}”)"
    if act.kind == RUN:
        text, title = f"Do not run `{act.what}`: {said}.", f"Do not run {act.what}"
    else:
        written = act.detail.partition(", ")[2] or act.detail
        text = f"Do not repeat the edit of {short_path(act.what)} ({written}): {said}."
        title = f"Do not repeat the edit of {short_path(act.what)}"
    meanings = frozenset({Meaning.RULE})
    return Candidate(
        text=text,
        # What was done is the agent's wording; it is the user's only if the user has named it.
        written=objection.words if objection.is_named else f"{act.what}\n{act.detail}",
        type=Type.DECISION,
        origin=Origin.USER if objection.is_named and act.kind == RUN else Origin.TOOL,
        title=shorten_line(title, 90),
        concepts=find_concepts(meanings, Type.DECISION),
        tags=("prohibition",),
        meanings=meanings,
        content=6,
        concrete=2,
        why="an objection to what the agent did",
    )
