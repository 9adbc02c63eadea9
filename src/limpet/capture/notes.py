"""Take notes during a session: goals, finished work, decisions, solved problems and lessons.

Summaries are made from these notes alone. So the notes contain only words of the user, the agent and its tools. Other
sources are named but not quoted.
"""

from __future__ import annotations

from limpet.capture.candidate import Candidate, format_title
from limpet.capture.meaning import EXPLANATIONS, Meaning
from limpet.capture.speech.statements import Statement, end_sentence, parse_statements
from limpet.capture.tables import load_words
from limpet.capture.tools.changes import short_path
from limpet.capture.tools.observe import Observation
from limpet.capture.tools.pairs import Pending
from limpet.lean.pattern import lazy
from limpet.lean.record import record, replace
from limpet.model.event import Action
from limpet.model.memory import Origin, Type
from limpet.text.chatter import strip_chatter
from limpet.text.excerpt import shorten_line, shorten_sentences
from limpet.text.gist import make_hint
from limpet.text.references import points_back
from limpet.text.replacement import contradicts, replaces
from limpet.text.similarity import contains, distinct_words
from limpet.text.words import STOP

_MOST = 6
_GOALS = 3
LONGEST_NOTE = 200
"""The maximum number of characters of a note."""
_LONGEST_HOST_SUMMARY, _READ, _SHORTEST_HOST_SUMMARY = 500, 20_000, 60
_BEGINNING = 1200
"""A goal or a result is searched for only in this many characters at the beginning of a message."""
_LEAST_GOAL = 2
"""The minimum number of meaningful words in a goal."""
_ENOUGH = 4
"""A report with more meaningful words than this says something even if it names no file, number or technology."""
_LEAST_DECISION = 0.4
"""The least importance of a decision of the user that a summary lists."""
_ROUTINE = load_words("words of a routine request")
# The first heading of a text that was handed over names it.
_HEADING = lazy(r"#{1,3}+[ \t]++(?:Plan:[ \t]*+)?(\S[^\n]{2,140}+)$", 8)
_TESTS_PASS = lazy(
    r"(?i)\b(?:all|every|\d[\d,]*+)(?: [\w/-]{1,20}){0,3} (?:tests?|specs?|checks?|hooks?)\b[^.!?\n]{0,40}?"
    r"\b(?:pass(?:ed|es|ing)?|green|succeed(?:ed|s)?)\b"
)
_QUESTION = lazy(
    r"(?i)(?:is|are|was|were|does|do you|did|can|could|should|shall|would|will|what|why|how|which|who|where|when) "
    r"(?!not\b)(?:\w+ ){0,3}(?:we|you|i|it|this|that|the|there|anything|anyone|something|someone|else|any)\b"
)
"""The beginning of a question, which is often typed without a question mark."""
_SETTLED = frozenset({Meaning.RULE, Meaning.DECISION, Meaning.CONTRAST})
"""The meanings of which a typed sentence has one if it states a decision; other sentences ask for work."""
_STANDING = lazy(r"(?i)^do not repeat\b|\b(?:always|never|must|from now on|only use)\b|,\s*not\b")
_PASTED = lazy(r"(?i)^['\"@{}\[\]<>|#]|\w*error\b ?[:\d]|^\w+: (?:warning|from|if you)\b")
"""What a person pastes from a terminal rather than types."""
_PLAN = lazy(
    r"(?i)(?:(?:next|now|then|first|ok|okay),? )?(?:i|we)(?:['’]ll| will|['’]m going to| am going to| plan to)\b"
)
_POINTS = lazy(r"(?i)(?:that|this|it)(?:['’]s| is| was)\b")
_OPEN = lazy(
    r"(?i)\b(?:maybe|perhaps|not sure|wonder(?:ing)?|let's see|might want|what if|tbd|seems?|probably"
    r"|must be|can you|could you)\b"
)
_WITHDRAWS = lazy(
    r"(?i)\s*(?:(?:hmm+|ok|okay|sorry|wait|actually|no|oh)[,.! ]+)*"
    r"(?:(?:scrap|forget|undo|revert|drop|cancel|ignore|abandon) (?:that|this|it|about|the)\b|never ?mind\b"
    r"|on second thought|(?:let's|lets|we) (?:not|drop|abandon|forget|scrap|go back|undo|revert)\b"
    r"|i changed my mind|(?<=no )(?:go|back)\b|(?:go|roll) back\b)"
)
_GAVE_UP = lazy(
    r"(?i)[^.!?\n]*\b(?:gave up|given up|abandon(?:ed|ing)|revert(?:ed|ing)|rolled back|backed out|dropped"
    r"|did not work out|didn't work out|dead end|turned out to be impossible)\b[^.!?\n]*"
)
_SENTENCE_END = lazy(r"[.!?\n]")
_CHECKS = ("test", "build", "lint")
"""A failed command of one of these kinds counts as open work. Others may fail because something is tried out."""


@record
class Notes:
    """The notes of a session, from which its summary is made. In each list the newest line is last."""

    goals: tuple[str, ...] = ()
    """The first request of the session and the latest ones, oldest first."""
    decided: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    committed: tuple[str, ...] = ()
    """The lines of `done` that a commit proves. The agent only reported the others."""
    solved: tuple[str, ...] = ()
    learnt: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """The files and pages that were read. A summary names them but does not quote them."""
    closed: tuple[tuple[str, int], ...] = ()
    """Failed checks that a commit or a report has settled: each command with its number of failures at that time."""
    reported: str = ""
    """The agent's last statement that work is finished. It is used only if nothing else shows finished work."""
    told: str = ""
    """The key points of the summary that the agent client wrote when it compacted the conversation."""
    outside: bool = False
    """Whether anything external was read. If so, the agent client's summary is not used, because it may repeat it."""
    origins: tuple[str, ...] = ()
    edits: int = 0
    """The number of edits since the last milestone. Passing tests are a milestone only after an edit."""


def note_observation(
    notes: Notes, seen: Observation, kept: list[Candidate], pending: tuple[Pending, ...] = ()
) -> Notes:
    """Return the notes with one observation added.

    `kept` contains the candidates from the observation that are stored, and `pending` the failures that are still open.
    """
    if seen.origin is Origin.USER:
        goal = _find_goal(seen, kept, is_first=not notes.goals)
        if goal and goal not in notes.goals:
            goals = (*notes.goals[:1], *(*notes.goals[1:], goal)[1 - _GOALS :]) if notes.goals else (goal,)
            notes = replace(notes, goals=goals, origins=_append_line(notes.origins, "user"))
    elif seen.action is Action.EDIT and not seen.failed:
        files = tuple(dict.fromkeys((*notes.files, *map(short_path, seen.files_modified))))[-12:]
        notes = replace(notes, files=files, edits=notes.edits + 1, origins=_append_line(notes.origins, "tool"))
    elif seen.action is not None and seen.origin in (Origin.EXTERNAL, Origin.FILE):
        outside = notes.outside or seen.origin is Origin.EXTERNAL
        notes = replace(notes, sources=_append_source(notes.sources, seen), outside=outside)
    elif seen.action is None:
        notes = replace(notes, reported=_find_report(seen.text[:_BEGINNING]) or notes.reported)
    commits = seen.run is not None and seen.run.kind == "commit" and not seen.failed
    reports = seen.action is None and seen.origin is not Origin.USER and _TESTS_PASS.search(seen.text) is not None
    notes = (
        replace(notes, closed=tuple((each.command, each.tries) for each in pending)) if commits or reports else notes
    )
    if seen.action is None and seen.origin is Origin.USER:
        if any(Meaning.SYMPTOM in each.meanings for each in parse_statements(seen.text[:_BEGINNING])):
            # The user comes back with a problem, so what the agent has reported is in doubt until it says so again.
            notes = drop_lines(notes, tuple({*notes.done, *notes.learnt} - {*notes.committed}))
        notes = drop_withdrawn(notes, seen.text)
    elif seen.action is None:
        notes = drop_given_up(notes, seen.text)
    for each in kept:
        if each.origin in (Origin.USER, Origin.AGENT, Origin.TOOL):
            notes = _note_candidate(notes, each)
    return notes


def note_host_summary(notes: Notes, said: str) -> Notes:
    """Return the notes with the key points of the summary that the agent client wrote for compaction."""
    plain = " ".join(said.split())
    if notes.outside or len(plain) < _SHORTEST_HOST_SUMMARY:
        return notes
    told = " ".join(make_hint(said[:_READ]).split())
    return replace(
        notes, told=shorten_sentences(told, _LONGEST_HOST_SUMMARY), origins=_append_line(notes.origins, "tool")
    )


def open_checks(notes: Notes, pending: tuple[Pending, ...]) -> list[str]:
    """Return a sentence for each test, build or lint command that failed and is still open."""
    return [
        f"`{each.name}` fails: {shorten_line(each.errors[-1], LONGEST_NOTE)}"
        for each in pending
        if each.errors and each.kind in _CHECKS and (each.command, each.tries) not in notes.closed
    ]


def _find_goal(seen: Observation, kept: list[Candidate], *, is_first: bool) -> str:
    """Return the request in a prompt, in whole sentences without a greeting, or an empty string if it states no goal.

    A request counts if it can be understood on its own, and asks for more than to commit, push or continue. A question
    counts only if it is the first request, because later questions concern the work at hand. Rules and decisions do not
    count, because the summary lists them separately.
    """
    if seen.text.startswith("!"):
        return ""  # a command that the person ran
    heading = _HEADING.search(seen.foreign[:_READ])
    if heading is not None and seen.text.rstrip().endswith((":", "：")):
        return f"{shorten_line(seen.text.rstrip(' :：'), LONGEST_NOTE)}: {shorten_line(heading.group(1), LONGEST_NOTE)}"
    said = [each for each in parse_statements(seen.text[:_BEGINNING]) if each.content >= _LEAST_GOAL or each.concrete]
    said = [each for each in said if (is_first or not each.asks) and not points_back(each.text)]
    said = [each for each in said if not any(contains(each.text, candidate.text) for candidate in kept)]
    if not {word for each in said for word in each.words if len(word) > 2} - _ROUTINE:
        return ""
    goal = strip_chatter(" ".join(end_sentence(each.text) for each in said))
    return shorten_sentences(goal, LONGEST_NOTE) if len(goal) > 12 else ""


def _find_report(text: str) -> str:
    """Return the first sentence of an agent's message that reports finished work, or an empty string."""
    for each in parse_statements(text)[:8]:
        is_told = each.first_done and not each.asks and Meaning.INTENT not in each.meanings
        if is_told and _names_enough(each) and not points_back(each.text) and not each.text.endswith(":"):
            return shorten_sentences(format_title(each.text), LONGEST_NOTE)
    return ""


def _names_enough(said: Statement) -> bool:
    """Tell whether a report says what it is about: "I've fixed both issues" names nothing that could be found again."""
    return said.concrete > 0 or said.content > _ENOUGH


def _note_candidate(notes: Notes, kept: Candidate) -> Notes:
    line = shorten_sentences(kept.title, LONGEST_NOTE)
    if _PASTED.search(line) if kept.origin is Origin.USER else _PLAN.match(line):
        return notes
    notes = replace(notes, origins=_append_line(notes.origins, kept.origin.value))
    if Meaning.SOLVED_FAILURE in kept.meanings:
        return replace(notes, solved=_append_line(notes.solved, line))
    if kept.type is Type.DECISION:
        # Half of a decision says nothing, or something else.
        if line.endswith("…") or not _is_settled(kept):
            return notes
        stood = tuple(each for each in notes.decided if not (replaces(line, each) or contradicts(line, each)))
        return replace(notes, decided=_append_line(stood, line))
    if Meaning.COMMIT in kept.meanings:
        notes = replace(notes, committed=_append_line(notes.committed, line))
    elif not any(map(_names_enough, parse_statements(kept.title)[:1])):
        return notes
    # The type of the candidate is not enough, because it may come from another sentence.
    if kept.type is Type.DISCOVERY or not (
        Meaning.COMMIT in kept.meanings or any(each.first_done for each in parse_statements(kept.title)[:1])
    ):
        explains = any(each.meanings & EXPLANATIONS for each in parse_statements(kept.title)[:1])
        return replace(notes, learnt=_append_line(notes.learnt, line)) if explains else notes
    return replace(notes, done=_append_line(notes.done, line))


def _is_settled(kept: Candidate) -> bool:
    """Tell whether a decision is stated in so many words, rather than a question, a proposal or a mere request."""
    title = kept.title
    if kept.message is not None and kept.message.importance < _LEAST_DECISION and kept.origin is Origin.USER:
        return False
    said = parse_statements(title)[:1]
    is_open = any(each.asks for each in said) or _QUESTION.match(title) or _OPEN.search(title)
    is_request = kept.origin is Origin.USER and not (
        any(_SETTLED.intersection(each.meanings) for each in said) or _STANDING.search(title)
    )
    return not (is_open or is_request or points_back(title) or _POINTS.match(title))


def drop_withdrawn(notes: Notes, typed: str) -> Notes:
    """Return the notes without what a typed message takes back or contradicts.

    "Scrap that" takes back the latest decision, and "forget the pnpm rule" the one that it names.
    """
    if found := _WITHDRAWS.match(typed):
        about = distinct_words(_SENTENCE_END.split(typed[found.end() :], maxsplit=1)[0]) - STOP
        named = tuple(each for each in notes.decided if 2 * len(about & distinct_words(each)) >= len(about))
        return drop_lines(notes, named[-1:])
    lines = (*notes.decided, *notes.done, *notes.solved, *notes.learnt, *filter(None, (notes.reported,)))
    wrong = tuple(each for each in lines if each not in notes.committed and contradicts(typed, each))
    return drop_lines(notes, wrong) if wrong else notes


def drop_given_up(notes: Notes, said: str) -> Notes:
    """Return the notes without the decisions and results that the agent reports as given up."""
    about = [distinct_words(each[0]) - STOP for each in _GAVE_UP.finditer(said[:_READ])]
    lines = (*notes.decided, *notes.done, *notes.solved, *notes.learnt)
    gone = tuple(each for each in lines if any(len(words & distinct_words(each) - STOP) >= 2 for words in about))
    return drop_lines(notes, gone) if gone else notes


def find_added_lines(before: Notes, after: Notes) -> tuple[str, ...]:
    """Return the decisions, finished work, fixes and lessons that `after` contains and `before` does not."""
    known = {*before.decided, *before.done, *before.solved, *before.learnt}
    return tuple(line for line in (*after.decided, *after.done, *after.solved, *after.learnt) if line not in known)


def drop_lines(notes: Notes, lines: tuple[str, ...]) -> Notes:
    """Return the notes without the given lines, and without the agent's last report of finished work."""

    def keep(known: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(line for line in known if line not in lines)

    return replace(
        notes,
        decided=keep(notes.decided),
        done=keep(notes.done),
        solved=keep(notes.solved),
        learnt=keep(notes.learnt),
        reported="",
    )


def _append_line(lines: tuple[str, ...], line: str) -> tuple[str, ...]:
    return lines if line in lines else (*lines, line)[-_MOST:]


def _append_source(sources: tuple[str, ...], seen: Observation) -> tuple[str, ...]:
    if seen.origin is Origin.EXTERNAL:
        address = seen.input.get("url")
        name = address if isinstance(address, str) else seen.run.name if seen.run is not None else seen.tool
        return _append_line(sources, shorten_line(name.split("?", 1)[0], 80))
    return _append_line(sources, short_path(seen.files_read[0])) if seen.files_read else sources
