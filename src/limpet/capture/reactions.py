"""Recognise that the user objects to what the agent has just done, and tell which command or edit is meant.

The words are recognised in `text.reactions`; here they are related to the agent's last turn. "Don't force-unlock" is an
objection only if the agent has done that; otherwise it is a rule like any other. An interruption counts as an objection
if the next prompt says anything but to go on. What is meant is the act whose words the user repeats, or the last
act if the user only points at it ("revert that"). Words that neither name an act nor point at one forbid nothing.
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
from limpet.text.excerpt import shorten_line
from limpet.text.reactions import Reaction, ReactionKind, find_reaction
from limpet.text.words import STOP, word_set

__all__ = [
    "Act",
    "AgentTurn",
    "MeantAct",
    "Objection",
    "add_summary_lines",
    "find_meant",
    "find_objection",
    "list_acts",
    "note_interruption",
    "note_prompt",
    "prohibition_candidate",
    "track_act",
]

_MOST_ACTS, _MOST_LINES = 12, 12
_LONGEST_ACT = 300
_WORDS = 200
RUN, EDIT = "run", "edit"
_OTHER_TOOLS = (Action.FETCH, Action.DELEGATE, Action.OTHER)

_WORD = lazy(r"[^\W_][\w-]*")
_FORBIDDING = r"\b(?:don't|dont|do not|never|stop|not to|why (?:did|would|have) you)\b"
_FORBIDS = lazy(_FORBIDDING, re.I)
_OPENS_WITH_NO = lazy(r"\W*+(?:no+|nope|nein|non|нет)\b", re.I)
_NODS = lazy(
    r"\W*+(?:please |ok(?:ay)?,? |yes,? |now )*(?:continue|go on|go ahead|carry on|resume|keep going|proceed|weiter"
    r"|continuez?|yes|ok(?:ay)?|y)\b[\s,.!]*+(?:please|now|then|with (?:it|that|this)|where you (?:left off|were))?"
    r"\W*+$",
    re.I,
)
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
    """One thing that the agent did: a command that it ran, or an edit."""

    kind: str
    what: str
    """The command as it was run, or the path of the edited file."""
    detail: str = ""
    """For an edit, what was written."""

    def describe(self) -> str:
        """Return the act as a part of a sentence."""
        return f"`{self.what}`" if self.kind == RUN else f"the edit of {short_path(self.what)}"


@record
class AgentTurn:
    """The actions of the agent after a prompt, until the next prompt on which it acts."""

    began: int = 0
    """The time in milliseconds of the prompt that led to the turn, or of its first act; 0 if neither is known."""
    asked: int = 0
    """The time of the last prompt; the turn after it begins with the agent's next act."""
    acts: tuple[tuple[str, str, str], ...] = ()
    """The acts in their order, as the fields of `Act`."""
    summary_lines: tuple[str, ...] = ()
    """The lines of the session's summary that tell the fixes and decisions of the turn."""
    is_interrupted: bool = False
    tools: tuple[str, ...] = ()
    """The names of the tools that did something other than run, edit or look."""


@record
class MeantAct:
    """The act that an objection is about; `act` is None if the words of the objection do not tell."""

    act: Act | None
    is_named: bool
    """Whether the user has named the act, rather than only pointed at it."""


@record
class Objection:
    """An objection of the user to the agent's last turn."""

    kind: ReactionKind
    words: str
    since: int
    """The time in milliseconds at which the turn began; 0 if that is not known."""
    means: Act | None = None
    """The command or edit that is meant; None if the words do not tell."""
    is_named: bool = False
    """Whether the user has named the act, rather than only pointed at it."""

    def describe(self) -> str:
        """Return the objection in one line."""
        about = f" ({self.means.describe()})" if self.means is not None else ""
        return f"{self.kind.value}: “{shorten_line(self.words, _WORDS)}”{about}"


def track_act(turn: AgentTurn, seen: Observation) -> AgentTurn:
    """Return the turn after an observation: a prompt, a tool call, or the agent's report."""
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
    """Return the turn after a prompt or a command, whose words need not be known."""
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
    """Return the turn after the user has stopped the agent, or refused to let it run a command."""
    if turn.asked:
        turn = AgentTurn(began=turn.asked)
    tried = describe_command(event.command) if event is not None and event.action is Action.RUN else ""
    acts = (*turn.acts, (RUN, shorten_line(tried, _LONGEST_ACT), ""))[-_MOST_ACTS:] if tried else turn.acts
    return replace(turn, acts=acts, is_interrupted=True)


def add_summary_lines(turn: AgentTurn, lines: tuple[str, ...]) -> AgentTurn:
    """Return the turn with more lines of the summary that tell its fixes and decisions; the latest 12 are kept.

    If the user objects to the turn, the summary loses these lines.
    """
    if not lines:
        return turn
    return replace(turn, summary_lines=tuple(dict.fromkeys((*turn.summary_lines, *lines)))[-_MOST_LINES:])


def find_objection(turn: AgentTurn, typed: str, *, is_answer: bool = False) -> Objection | None:
    """Return the objection in a prompt to the agent's last turn, or None.

    `typed` holds only words that the person typed; `is_answer` means that the agent had asked a question.
    """
    acts = list_acts(turn)
    if not typed.strip() or not (acts or turn.summary_lines or turn.is_interrupted):
        return None
    if _TAKES_BACK.match(typed) and (files := find_reverted(typed)) is not None:
        means = _find_reverted_act(files, acts)
        return Objection(kind=ReactionKind.REVERT, words=typed, since=turn.began, means=means, is_named=bool(files))
    found = find_reaction(typed, is_answer=is_answer)
    if found is None:
        if not turn.is_interrupted or _NODS.match(typed):
            return None
        return Objection(kind=ReactionKind.INTERRUPT, words=shorten_line(typed, _WORDS), since=turn.began)
    meant = find_meant(found, typed, acts)
    if meant is None:
        return None
    return Objection(kind=found.kind, words=found.words, since=turn.began, means=meant.act, is_named=meant.is_named)


def list_acts(turn: AgentTurn) -> list[Act]:
    """Return the acts of a turn in their order."""
    return [Act(kind=each[0], what=each[1], detail=each[2]) for each in turn.acts if len(each) == 3]


def find_meant(found: Reaction, typed: str, acts: list[Act]) -> MeantAct | None:
    """Return which act an objection means; None if it objects to none of them.

    "Don't use pip in this repository" is a rule like any other if the agent has not used pip.
    """
    named = _find_named_act(found.words, acts)
    is_rule = found.kind is ReactionKind.PROHIBITION and not found.points and not _OPENS_WITH_NO.match(typed)
    if is_rule and named is None:
        return None
    act = named or (_find_pointed_act(found.kind, acts) if found.points else None)
    return MeantAct(act=act, is_named=named is not None)


_POINTING = (ReactionKind.PROHIBITION, ReactionKind.REVERT)


def _find_pointed_act(kind: ReactionKind, acts: list[Act]) -> Act | None:
    """Return the act that the word "that" must refer to; None if there are several.

    For a revert it is the only edited file, otherwise the only act that was done once.
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
    """Return the latest of the acts that share most words with an objection, cut to the command that is named."""
    said = {word.lower() for word in _WORD.findall(words)}
    best, most = None, 0
    for act in reversed(acts):
        for candidate in _split_act(act):
            shared = _shared_words(candidate, said)
            if len(shared) > most and _is_named(candidate, shared, words):
                best, most = _cut_to_named(candidate, said), len(shared)
    return best


def _is_named(act: Act, shared: set[str], words: str) -> bool:
    """Tell whether the words that an objection shares with an act name the act.

    Two words do. One word does only if it is not a common word, or is the word that the objection forbids: "Don't apply
    the discount" shares one word with `terraform apply` and means something else.
    """
    if len(shared) > 1:
        return True
    if act.kind == EDIT:
        return short_path(act.what).rpartition("/")[2].lower() in words.lower()
    forbidden = {found.group(1).lower() for found in _FORBIDDEN_WORD.finditer(words.replace("’", "'"))}
    return any(word in forbidden or not word.isalpha() for word in shared)


def _split_act(act: Act) -> list[Act]:
    """Return the commands of a chain as separate acts, the last first."""
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
    """Return a command up to the last word that the user named, but at least with its subcommand."""
    if act.kind == EDIT:
        return act
    words = act.what.split()
    named = [at for at, word in enumerate(words) if word.strip("-'\"").lower() in said - _SAYS_NOTHING]
    least = next((at for at, word in enumerate(words[1:], 1) if not word.startswith("-")), 0)
    return replace(act, what=" ".join(words[: max(least, named[-1] if named else 0) + 1]))


def prohibition_candidate(objection: Objection) -> Candidate | None:
    """Return a candidate that forbids the act that an objection means; None if no act is known or it is not forbidden.

    A correction or a curse forbids an act only if it names the act in words that forbid: "no, the apply needs the other
    workspace" forbids nothing.
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
