"""Extract facts and an episode from a stash by rules, without a language model.

Sentences are chosen by fixed rules and not reworded, so the same stash always gives the same result. A sentence becomes
a fact if it is below a heading such as "Decisions", or if it is worded like a decision or a rule. The episode consists
of the most informative sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from limpet.insight.distil.document import SessionEpisode
from limpet.insight.distil.lines import LONGEST, find_detail_reason, find_passing_reason, fit_line
from limpet.lean.enumeration import StrEnum
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.model.memory import Origin
from limpet.text.claims import Claim, split_claims, split_sentences
from limpet.text.excerpt import clip
from limpet.text.gist import rate_claim
from limpet.text.words import split_words, word_set

FEWEST_BULLETS, MOST_BULLETS = 3, 5
_LONGEST_NAME = 80

_FRONT_MATTER = lazy(r"\A---\r?\n(?:(?!---).*+\r?\n){0,60}?---\r?\n")
_POINT = lazy(r"^\s*+(?:[-*+•]|\d{1,3}[.)])\s++")
_SECTION = lazy(r"(?m)^##")
_QUOTE = lazy(r"(?m)^\s*+>.*+$")
_DATE = lazy(r"(?<!\d)(20\d\d)-(\d\d)-(\d\d)(?!\d)")
_LABEL = lazy(r"(?i)\W*(?:date|time|day|session|branch|author|project|status|updated|created|host|model)\W*:")
"""A line with metadata of the stash, such as its date."""
_OPENING = 600
"""The number of characters at the beginning of a stash that are searched for its date."""
_RULE = lazy(
    r"(?i)\b(?:always|never|must|prefers?|preferred|decided|decision|chose|chosen|agreed|convention|from now on"
    r"|don't|do not|instead of|rather than|no longer|(?:switched|moved|migrated) from|remember that)\b"
)


class Part(StrEnum):
    """The kind of a stash section, as shown by its heading."""

    LASTING = "lasting"
    """Decisions, rules and lessons, which are valid in later sessions."""
    GOAL = "goal"
    DONE = "done"
    OPEN = "open"
    DETAIL = "detail"
    """Files, commands, errors and other details, which give neither facts nor an episode."""
    OTHER = "other"


_HEADINGS = (
    (
        Part.OPEN,
        word_set("open next todo todos remaining pending blocked blockers questions question unresolved later"),
    ),
    (
        Part.DETAIL,
        word_set(
            "file files command commands code path paths error errors log logs environment output modified stack diff "
            "drew sources"
        ),
    ),
    (
        Part.LASTING,
        word_set(
            "decision decisions decided choice choices rule rules convention conventions preference preferences "
            "correction corrections remember fact facts learned learnt lesson lessons learnings insight insights "
            "gotcha gotchas agreed"
        ),
    ),
    (Part.GOAL, word_set("goal goals problem context purpose objective task wanted request background")),
    (
        Part.DONE,
        word_set("done summary completed changes accomplished implemented work progress outcome result results"),
    ),
)
_BONUS = {Part.LASTING: 1.0, Part.GOAL: 1.5, Part.DONE: 0.5, Part.OPEN: 0.5, Part.OTHER: 0.0}


@record
class Stash:
    """The content of a stash, without secrets or private passages."""

    name: str
    text: str
    day: date
    """The day that the stash names, or the day on which its file was last changed."""
    digest: str
    """The SHA-256 of the file."""
    origin: Origin = Origin.FILE
    """AGENT if the stash was written by `limpet stash` on this machine."""
    left_out: int = 0
    """The number of lines that are not in `text`, because they repeat what its author has read outside."""


@record
class Extraction:
    """What was extracted from a stash: facts, and an episode unless there is too little to tell."""

    facts: tuple[str, ...] = ()
    episode: SessionEpisode | None = None
    left_out: tuple[tuple[str, str], ...] = ()
    """The items of a list without sections that became neither, each with the reason."""


def extract_stash(stash: Stash, *, is_proven: Callable[[str], bool]) -> Extraction:
    """Extract the facts and the episode from a stash.

    `is_proven` returns True for a line if the commands that it quotes have succeeded in a session; other lines are left
    out.
    """
    # Quoted lines are the words of others, or name the source of the stash.
    claims = split_claims(_QUOTE.sub("", _FRONT_MATTER.sub("", stash.text)))
    usable = [claim for claim in claims if not claim.is_block and not _LABEL.match(claim.text)]
    # The author of a list without sections has chosen each item.
    is_list = not _SECTION.search(stash.text)
    lines = [(claim, _find_part(claim, is_list=is_list), fit_line(claim.text)) for claim in usable]
    facts = [line for claim, part, _ in lines for line in _find_facts(claim, part) if is_proven(line)]
    found = [
        (claim, part, line) for claim, part, line in lines if line and not find_detail_reason(line) and is_proven(line)
    ]
    episode = _make_episode(stash, found, known=set(facts))
    taken = {*facts, *(episode.bullets if episode else ())}
    points = [
        (_POINT.sub("", claim.text), line)
        for claim, _, line in lines
        if is_list and claim.is_point and line not in taken
    ]
    left_out = tuple((text, _find_reason(line)) for text, line in points)
    return Extraction(facts=tuple(dict.fromkeys(facts)), episode=episode, left_out=left_out)


def _find_part(claim: Claim, *, is_list: bool) -> Part:
    words = set(split_words(claim.section))
    other = Part.LASTING if is_list and claim.is_point else Part.OTHER
    return next((part for part, names in _HEADINGS if words & names), other)


def _find_reason(line: str | None) -> str:
    if line is None:
        return "too long, or not a statement that stands alone"
    return find_detail_reason(line) or find_passing_reason(line) or "its heading, or a command that was never run"


def _find_facts(claim: Claim, part: Part) -> list[str]:
    """Return the facts in a claim: lines that are still valid after the session."""
    if claim.under or part in (Part.OPEN, Part.DETAIL):
        # Without a line such as "Rejected:" above it, the claim would have another meaning.
        return []
    parts = (
        [claim.text] if part is Part.LASTING else [each for each in split_sentences(claim.text) if _RULE.search(each)]
    )
    lines = (fit_line(each) for each in parts)
    return [line for line in lines if line and not find_detail_reason(line) and not find_passing_reason(line)]


def _make_episode(stash: Stash, found: Sequence[tuple[Claim, Part, str]], known: set[str]) -> SessionEpisode | None:
    """Make an episode of the three to five most informative lines; return None if there are fewer than three.

    `known` are the lines that became facts. They are used only if there are too few others. If all lines became facts,
    there is no episode.
    """
    usable = [each for each in found if each[1] is Part.OPEN or (each[1] is not Part.DETAIL and not each[0].under)]
    ranks = [rate_claim(claim) + _BONUS[part] for claim, part, _ in usable]
    others = [at for at, each in enumerate(usable) if each[2] not in known]
    if not others:
        return None
    order = sorted(others, key=lambda at: (-ranks[at], at))[:MOST_BULLETS]
    facts = sorted((at for at in range(len(usable)) if at not in others), key=lambda at: (-ranks[at], at))
    order += facts[: max(0, FEWEST_BULLETS - len(order))]
    bullets = dict.fromkeys(_format_bullet(usable[at][1], usable[at][2]) for at in sorted(order))
    if len(bullets) < FEWEST_BULLETS:
        return None
    return SessionEpisode(title=title_episode(stash), bullets=tuple(bullets))


def _format_bullet(part: Part, line: str) -> str:
    marked = f"open: {line}"
    return marked if part is Part.OPEN and len(marked) <= LONGEST else line


def title_episode(stash: Stash) -> str:
    """Return the title of the episode of a stash: its day and its name."""
    return f"{stash.day.isoformat()} {clip(stash.name, _LONGEST_NAME)}"


def find_day(text: str, name: str) -> date | None:
    """Return the first date near the beginning of a stash, or else in its file name; None if there is none."""
    for match in (*_DATE.finditer(text[:_OPENING]), *_DATE.finditer(name)):
        try:
            return date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            continue
    return None
