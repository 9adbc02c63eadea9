"""Find what is worth keeping in a prompt that a person typed.

A person's rules, decisions, corrections and explanations are the most valuable part of a session and are stored word
for word. A task, a question, a complaint or a mere "yes" is not stored, because it is over once it is answered.
"""

from __future__ import annotations

from limpet.capture.candidate import Candidate, Memorability, format_title
from limpet.capture.meaning import EXPLANATIONS, Meaning
from limpet.capture.score import PROMPTS, SHORT, score_message
from limpet.capture.speech.asking import CORRECTS, FILLERS
from limpet.capture.speech.purpose import split_request
from limpet.capture.speech.signals import prompt_signals
from limpet.capture.speech.standalone import add_context, needs_subject
from limpet.capture.speech.statements import ABOUT_NOW, STATES, Statement, candidate_from_statements, parse_statements
from limpet.capture.speech.turn import Turn
from limpet.capture.tables import load_phrases, load_words
from limpet.lean.pattern import lazy
from limpet.lean.record import record, replace
from limpet.model.memory import Origin, Type
from limpet.text.assent import only_assents
from limpet.text.orders import is_guess, may_order

_LONG = 6  # sentences
_MOST_OF_A_PROMPT = 3
_SHORT = 100
"""The maximum length, in characters, of a short prompt."""
_TELLING = frozenset(
    {Meaning.RULE, Meaning.DECISION, Meaning.CONTRAST, Meaning.CAUSE, Meaning.GOTCHA, Meaning.MECHANISM}
)
_WISHING_VERBS = load_words("wishing verbs")
_REQUIRES = load_words("requiring words")
_CORRECTING = load_phrases("correcting phrases")
_CORRECTING_UNSPACED = load_phrases("correcting phrases in scripts without spaces")
_TASKS = load_words("task verbs")
_PRESCRIBES = load_words("prescribing verbs")
_PRESCRIBES_UNSPACED = load_phrases("prescribing phrases in scripts without spaces")
_FORBIDS = load_phrases("forbidding phrases")
_WISHES = load_words("words of a wish")
_ARTICLES = load_words("articles")
_NOT_VERBS = load_words("words before an article that are no verbs")
_PLACES = load_words("words of place")
_THIS_ONE = load_words("words about this one")
_WHY = load_words("words of a reason")
_TURNS_BACK = load_words("verbs of turning back")
_INFORMING = load_phrases("informing phrases")
_YOU = load_words("words between people")
_CLAUSE = load_words("clause openings")
_FOR_NOW = load_words("verbs for now")
_FORBIDS_NOTHING = load_words("words after a no that forbids nothing")
_CHOSEN = load_words("choosing words")
# "Don't know" and "don't worry" forbid nothing.
_IDLE = load_words("idle verbs")
_CLAUSE_MARKS = frozenset(",:;!?—–")
_NOTHING_NAMED = frozenset(load_phrases("objects that name nothing"))
_BEFORE_ORDER = load_words("words before an order")
_ORDER_WORDS = ("always", "never")
_ORDERED_ELSEWHERE = load_words("orders in other languages")


@record
class ReadPrompt:
    """A parsed prompt: its sentences, the type of each, and the signals for its score."""

    said: list[Statement]
    verdicts: list[tuple[Type, str] | None]
    signals: dict[str, float]

    @property
    def is_short(self) -> bool:
        return sum(len(each.text) for each in self.said) <= _SHORT

    def score(self) -> Memorability:
        """Return the score of the prompt. For a short one, it is the higher of two."""
        tables = (PROMPTS, SHORT) if self.is_short else (PROMPTS,)
        sentences = [each.words for each in self.said]
        return max((score_message(table, self.signals, sentences) for table in tables), key=lambda each: each.total)


def read_prompt(typed: str) -> ReadPrompt:
    """Parse a prompt, and return its sentences with their types and the signals for its score."""
    said = parse_statements(typed)
    verdicts = [_classify_sentence(each) for each in said]
    kinds = [verdict[0] for verdict in verdicts if verdict is not None]
    return ReadPrompt(said=said, verdicts=verdicts, signals=prompt_signals(said, kinds))


def prompt_candidates(typed: str, turn: Turn | None = None) -> list[Candidate]:
    """Return the memory candidates for the rules, decisions, corrections and facts in a prompt, in the user's words."""
    if only_assents(typed):
        return []
    prompt = read_prompt(typed)
    turn = turn or Turn()
    found, used = _find_requested(prompt.said)
    parts = _group_sentences(prompt, turn) or ([] if found else _choose_informative(prompt.said, turn))
    parts = [part for part in parts if not any(each is one for each in part.said for one in used)]
    found += [made for part in parts if (made := _make_candidate(part, prompt.said, turn)) is not None]
    if not found:
        return []
    message = prompt.score()
    return [
        replace(each, message=replace(message, share=min(1.0, len(each.text) / len(typed))))
        for each in found[:_MOST_OF_A_PROMPT]
    ]


def _find_requested(said: list[Statement]) -> tuple[list[Candidate], list[Statement]]:
    """Return what the sentences ask to remember, and the sentences that say so.

    Within a long text the words have other uses: it may describe a feature, or list what a task must not forget. There
    only the first and the last sentence can ask.
    """
    found: list[Candidate] = []
    used: list[Statement] = []
    for at, each in enumerate(said):
        is_within = len(said) >= _LONG and 0 < at < len(said) - 1
        text = None if each.asks or is_within else split_request(each.text)
        # "Remember that." is about the sentence before it.
        whole = [said[at - 1], each] if text == "" and at else [each]
        text = text or (whole[0].text if len(whole) > 1 else "")
        if not text or whole[0].asks or any(one is whole[0] for one in used):
            continue
        part = [whole[0]] if len(whole) > 1 else whole
        made = candidate_from_statements(part, type=Type.DECISION, origin=Origin.USER, why="asked to remember")
        meanings = made.meanings | {Meaning.RULE}
        found.append(replace(made, text=text, title=format_title(text), meanings=meanings, on_purpose=True))
        used += whole
    return found, used


@record
class _SentenceGroup:
    """Sentences of a prompt that are stored together as one memory."""

    said: list[Statement]
    kind: Type
    why: str


def _group_sentences(prompt: ReadPrompt, turn: Turn) -> list[_SentenceGroup]:
    """Return the sentences that are worth keeping, each in a group with its reason and the sentences it refers to."""
    said = prompt.said
    parts: list[_SentenceGroup] = []
    for at, (each, verdict) in enumerate(zip(said, prompt.verdicts, strict=True)):
        if verdict is None or (parts and any(each is one for one in parts[-1].said)):
            continue
        kind, why = verdict
        if kind is Type.DISCOVERY and (turn.agent_asked or _WISHING_VERBS & set(each.words)):
            kind, why = Type.DECISION, "an answer" if turn.agent_asked else "a wish"
        whole = [each, said[at + 1]] if at + 1 < len(said) and _gives_reason(said[at + 1]) else [each]
        whole = (whole if needs_subject(said, each) else add_context(whole, said)) or []
        if parts and any(each is one for each in whole for one in parts[-1].said):
            # It points at what is kept already.
            parts[-1].said.extend(one for one in whole if not any(one is other for other in parts[-1].said))
        elif whole:
            parts.append(_SentenceGroup(said=whole, kind=kind, why=why))
    return parts


def _make_candidate(part: _SentenceGroup, said: list[Statement], turn: Turn) -> Candidate | None:
    """Return the memory candidate for a group of sentences, or None if they refer to something unknown."""
    extra = frozenset({Meaning.RULE}) if part.kind is Type.DECISION else frozenset[Meaning]()
    made = candidate_from_statements(part.said, type=part.kind, origin=Origin.USER, why=part.why)
    made = replace(made, meanings=made.meanings | extra)
    if not needs_subject(said, part.said[0]):
        return made
    if not turn.subject:
        return None
    # The subject is in the agent's words, so the whole is not the user's alone.
    return replace(made, text=f"{turn.subject} → {made.text}", origin=Origin.TOOL)


def _choose_informative(said: list[Statement], turn: Turn) -> list[_SentenceGroup]:
    """Return the most informative sentences of a prompt as one group, or an empty list if there are none.

    This is used if no single sentence states a rule, a decision or a fact.
    """
    stated = [each for each in said if not each.asks and Meaning.INTENT not in each.meanings and each.content > 1]
    if not stated:
        return []
    best = sorted(stated, key=lambda each: (-len(each.meanings & _TELLING), -each.content))[:_MOST_OF_A_PROMPT]
    kept = [each for each in stated if each in best]
    kept = kept if needs_subject(said, kept[0]) else add_context(kept, said)
    if not kept:
        return []
    # Most of what people type is a wish. A fact comes with a reason or a limit, and without a word of wishing.
    facts = any(each.meanings & EXPLANATIONS for each in kept)
    wants = not facts or any(
        set(each.words) & _REQUIRES or each.meanings & {Meaning.RULE, Meaning.DECISION, Meaning.CONTRAST}
        for each in kept
    )
    kind, why = (Type.DECISION, "a wish") if wants else (Type.DISCOVERY, "an explanation")
    if turn.agent_asked:
        kind, why = Type.DECISION, "an answer"
    return [_SentenceGroup(said=kept, kind=kind, why=why)]


def _classify_sentence(said: Statement) -> tuple[Type, str] | None:
    """Return the type of a sentence in a prompt and the reason to keep it, or None if it is not worth keeping.

    Tasks, questions, complaints and expressions of consent are not worth keeping.
    """
    words = _skip_openings(said.words)
    first = words[0] if words else ""
    ordered = _is_standing_order(said)
    polite = first in ("can", "could", "would", "will", "please", "du", "tu")
    asks = said.asks and not (polite and (ordered or (Meaning.CONTRAST in said.meanings and said.concrete > 1)))
    if asks or said.content < 2:
        return None
    corrected = _corrects(said)
    once = Meaning.TEMPORARY in said.meanings and not ordered
    task = first in _TASKS or (
        len(words) > 1 and words[1] in _ARTICLES and words[0] not in _NOT_VERBS and words[0].isascii()
    )
    states = (
        ordered
        or _is_habit(said.words)
        or first == "only"
        or _is_rule_for_kind(said, first)
        or (Meaning.RULE in said.meanings and not task and not _guesses(said.words))
    )
    if _informs(said, words) and not ordered and not _forbids(words):
        return Type.DISCOVERY, "an explanation"
    if states and not once:
        return Type.DECISION, "a standing rule"
    if _chooses(said, task) and not (once and not _CHOSEN & set(words) and Meaning.CONTRAST not in said.meanings):
        return Type.DECISION, "a decision"
    if (_forbids(words) or _forbids(said.words)) and not once:
        return Type.DECISION, "something not to do"
    if _prescribes(said, first) and (corrected or said.concrete) and not once:
        return Type.DECISION, "a correction" if corrected else "a preference"
    if corrected and first in _TURNS_BACK and "to" in words[1:3] and not once:
        return Type.DECISION, "a correction"
    states_value = not _REQUIRES & set(words) and _corrects_value(said.text)
    if not task and ((corrected and (said.concrete or said.amounts)) or states_value):
        return Type.DISCOVERY, "a correction of fact"
    if not task and (_explains(said) or _declares(said, first)):
        return Type.DISCOVERY, "an explanation"
    return None


def _skip_openings(words: tuple[str, ...]) -> tuple[str, ...]:
    at = 0
    while at < len(words) and (words[at] in FILLERS or words[at] in CORRECTS):
        at += 1
    return words[at:]


def _informs(said: Statement, words: tuple[str, ...]) -> bool:
    """Tell whether a sentence gives a piece of information: "FYI …", or "the mirror is read-only"."""
    line = " ".join(words[:4])
    if line.startswith(_INFORMING) or said.text.startswith(("注意", "ちなみに")):
        return said.content > 2 and Meaning.DECISION not in said.meanings
    names_thing = words[:1] and words[0] in ("the", "our", "there", "that", "der", "die", "das", "le", "la", "el")
    facts = said.meanings & EXPLANATIONS
    return bool(
        names_thing and facts and said.meanings & {Meaning.RULE} and not _YOU & set(said.words) and said.content > 3
    )


def _is_habit(words: tuple[str, ...]) -> bool:
    """Tell whether a sentence states a habit: "we deploy from the release branch", but not "we need a branch"."""
    for at, word in enumerate(words[:-1]):
        before = words[at - 1] if at else ","
        if (
            word in ("we", "wir", "nous", "мы")
            and before in _CLAUSE
            and words[at + 1] not in _FOR_NOW
            and not words[at + 1].endswith("ed")
        ):
            return True
    return False


def _is_rule_for_kind(said: Statement, first: str) -> bool:
    """Tell whether a sentence states a rule for a kind of thing: "in notebooks, put …", "for migrations use …"."""
    if first not in _PLACES or said.meanings & {Meaning.SYMPTOM, Meaning.TEMPORARY} or set(said.words[:5]) & _THIS_ONE:
        return False
    return any(word in _PRESCRIBES or word in ("please", "we", "write", "run", "make") for word in said.words[1:10])


def _is_standing_order(said: Statement) -> bool:
    """Tell whether a sentence gives a standing order: "never commit secrets", but not "the spinner never stops"."""
    words = said.words
    for at, word in enumerate(words):
        if word in _ORDER_WORDS:
            before = words[at - 1] if at else ","
            declares = before in ("is", "are", "be") and said.concrete > 0 and Meaning.SYMPTOM not in said.meanings
            if declares or (before in _BEFORE_ORDER and may_order(words, at)):
                return True
        if word in _ORDERED_ELSEWHERE and Meaning.SYMPTOM not in said.meanings:
            return True
    return False


def _guesses(words: tuple[str, ...]) -> bool:
    return any(word == "must" and is_guess(words, at) for at, word in enumerate(words))


def _chooses(said: Statement, task: bool) -> bool:
    if Meaning.DECISION in said.meanings:
        # "Let's keep going" chooses nothing.
        is_specific = said.concrete > 0 or said.content > 3 or bool(said.meanings & {Meaning.CONTRAST, Meaning.CAUSE})
        return is_specific and not (Meaning.INTENT in said.meanings and Meaning.CONTRAST not in said.meanings)
    # "Refactor this to use X instead of Y" is about this one thing.
    words = _skip_openings(said.words)
    about_this = task and len(words) > 1 and words[1] in _THIS_ONE
    # "It shows X instead of Y" complains.
    complains = words[:1] and (words[0] in _ARTICLES or words[0] in ABOUT_NOW - _YOU or words[0] == "when")
    return Meaning.CONTRAST in said.meanings and said.concrete > 0 and not about_this and not complains


def _corrects_value(text: str) -> bool:
    """Tell whether a sentence names a value and the one that it is not: "the host is heron-7, not heron-6"."""
    return any(
        first.casefold() != second.casefold() and _VALUE.search(first) is not None and _VALUE.search(second) is not None
        for pattern in (_NOT_THAT, _NOT_THIS)
        for first, second in pattern.findall(text)
    )


_NOT_THAT = lazy(
    r"(?i)([^\s,;()]++),? (?:and |und |et |y |а |и )?(?:not|nicht|pas|no|non|não|не) "
    r"(?:on |auf |sur |en |на )?([^\s,;()]++)"
)
_NOT_THIS = lazy(
    r"(?i)\b(?:isn't|is not|not|ist nicht|n'est pas|no es|не) ([^\s,;()]++),? "
    r"(?:it's|it is|but|sondern|mais|c'est|sino|es|а) ([^\s,;()]++)"
)
_VALUE = lazy(r"\w[-./_:@]\w|\d|[a-z][A-Z]")
"""What shows that a word names a value, such as a host, a port, a path or a version."""


def _corrects(said: Statement) -> bool:
    line = " ".join(said.words[:8])
    return (
        (bool(said.words) and said.words[0] in CORRECTS)
        or line.startswith(_CORRECTING)
        or said.text.startswith(_CORRECTING_UNSPACED)
    )


def _forbids(words: tuple[str, ...]) -> bool:
    line = " ".join(words[:3])
    if words[:1] == ("no",) and len(words) > 2 and words[1] not in _FORBIDS_NOTHING:
        return True
    if not any(line == each or line.startswith(f"{each} ") for each in _FORBIDS):
        return False
    rest = words[2:] if words[:2] == ("do", "not") else words[1:]
    return len(rest) > 1 and rest[0] not in _IDLE and not _names_nothing(rest[1:])


def _names_nothing(words: tuple[str, ...]) -> bool:
    """Tell whether a clause names nothing in particular, such as "a thing" in "don't change a thing, it's perfect"."""
    end = next((at for at, word in enumerate(words) if word in _CLAUSE_MARKS), len(words))
    return " ".join(words[:end]) in _NOTHING_NAMED


def _prescribes(said: Statement, first: str) -> bool:
    return first in _PRESCRIBES or any(cue in said.text for cue in _PRESCRIBES_UNSPACED)


def _explains(said: Statement) -> bool:
    if Meaning.INTENT in said.meanings or said.content < 3:
        return False
    facts = said.meanings & EXPLANATIONS
    return bool(facts) and (
        bool(said.concrete or said.amounts) or len(facts) > 1 or Meaning.SYMPTOM not in said.meanings
    )


def _declares(said: Statement, first: str) -> bool:
    """Tell whether a sentence states a fact and names something. A symptom does not count, because it is temporary."""
    if (
        said.concrete < 1
        or said.content < 4
        or said.meanings & {Meaning.INTENT, Meaning.SYMPTOM, Meaning.TEMPORARY}
        or first in ABOUT_NOW
    ):
        return False
    if said.words[:2] == ("there", "are"):
        return False
    if any(word in _WISHES or word.endswith("n't") for word in said.words):
        return False
    return any(word in STATES for word in said.words[1:])


def _gives_reason(said: Statement) -> bool:
    """Tell whether a sentence gives the reason for the sentence before it."""
    opens = bool(said.words) and said.words[0] in _WHY
    return (
        Meaning.CAUSE in said.meanings
        and not said.asks
        and (opens or said.text.startswith(("因为", "否则", "なぜなら")))
    )
