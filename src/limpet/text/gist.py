"""Shorten a text to its hint or its abstract, and merge several texts into one.

A hint is the summary of a text with its key points; an abstract is a single claim, which is mostly a sentence. Claims
(see `claims`) are chosen by how informative they are: by their numbers, names, paths, decisions, reasons and negations.
They are not reworded and keep their order, so that the result is reproducible and says nothing that the text does not
say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.lean.pattern import lazy
from limpet.text.chatter import strip_chatter
from limpet.text.claims import MAX_READ, Claim, split_claims, split_sentences
from limpet.text.negation import has_denial
from limpet.text.similarity import jaccard
from limpet.text.vocabulary import stem
from limpet.text.words import STOP, split_words, word_set

SHORT = 240
"""The maximum length in characters of a text that is merged without being shortened."""
HINT = 400
"""The maximum length in characters of the first paragraph in a hint, and also of its key points."""
LONGEST = 600
"""The length in characters from which a claim is shortened."""
_SUBJECT = 160
"""The length in characters up to which the first claim is kept for the subject that it names."""
_SAYS_NOTHING = -0.5
"""The rating of a claim, such as "Notes of today", that names no subject either."""
CUT = " … (shortened)"
"""The mark at the end of a claim that was shortened."""

_NUMBER = lazy(r"(?<![\w.])[-+]?\d[\d.,:]*+(?:\s?(?:%|ms|s|min|h|days?|[kKMG]i?B|px))?")
# The part before a slash is bounded: unbounded, `a.a.a.…` would be read to its end again from each of its words.
_NAME = lazy(
    r"`[^`\n]{1,80}`|\b[\w.-]{0,120}+[/_][\w./-]++|\b\w+\.\w{1,5}\b|\b[a-z]+[A-Z]\w*+|\b[A-Z]{2,}\w*+|--?[a-z][\w-]++"
)
_DECIDES = word_set(
    "decided decision chose chosen choose use uses must never always prefer prefers rejected because cause caused "
    "causes fix fixed fixes solved solution instead workaround requires required needs need breaks broke fails failed "
    "failing why reason reasons therefore agreed switched replaced keep default only avoid root bug gotcha careful "
    "important since so until unless"
)
_EMPTY = lazy(
    r"(?i)^(?:thanks?|hello|hi|great|sure|let me|i will|i'll|we will|here (?:is|are|follows)|and here"
    r"|see (?:above|below)|as (?:above|below)|more on that|lorem|spent (?:some )?time|we (?:discussed|talked)|today)\b"
)


def make_hint(text: str) -> str:
    """Shorten a text to its hint: its summary, or its first paragraph if it has no summary, and its key points.

    Return the text unchanged if the hint would not be shorter.
    """
    summary, rest = split_summary(text)
    if summary:
        first = f"## Summary\n\n{summary}"
        others = split_claims(rest)
    else:
        found = split_claims(text)
        opening = [claim for claim in found if claim.paragraph == found[0].paragraph] if found else []
        first = format_claims(_choose_claims(opening, HINT, least=None)) if opening else _cut(text, HINT)
        others = found[len(opening) :]
    points = [claim for claim in _choose_claims(others, HINT, least=1.0) if claim.text not in first]
    return _shorter_of("\n".join(part for part in (first, format_claims(points)) if part), text)


def make_abstract(text: str) -> str:
    """Shorten a text to its abstract: the most informative claim of its summary, or of its first paragraph.

    If the first paragraph has no informative claim, the claim is taken from the whole text. The first claim stands
    before it if only that names the subject. Return the text unchanged if the abstract would not be shorter.
    """
    summary, _ = split_summary(text)
    everything = split_claims(summary or text)
    opening = [claim for claim in everything if claim.paragraph == everything[0].paragraph] if everything else []
    best = _pick_best(opening)
    if best is None or (not summary and rate_claim(best) < 0.3):
        # The first paragraph says nothing, such as "Notes of today".
        best = _pick_best(everything) or best
    if best is not None and _lacks_subject(best, everything[0]):
        return _shorter_of(f"{format_claim(everything[0])} {_cut(format_claim(best), LONGEST)}", text)
    return _shorter_of(_cut(format_claim(best), LONGEST) if best else _cut(" ".join(text.split()), SHORT), text)


def merge_texts(texts: Sequence[tuple[str, str]]) -> str:
    """Merge similar texts, each a pair of a label and a text, into one text with a summary and a list.

    The summary is the abstract of the text that is most similar to the others. The list has an item for each text, with
    its label; a long text is shortened to its hint, and of equal texts only the first is listed.
    """
    central = max(texts, key=lambda each: (sum(jaccard(each[1], other) for _, other in texts), -len(each[1])))[1]
    points: dict[str, str] = {}
    for label, text in texts:
        essence = text if len(text) <= SHORT else make_hint(text)
        body = "\n  ".join(line for line in essence.splitlines() if line.strip())
        points.setdefault(" ".join(body.split()), f"- {label}: {body}")
    return f"## Summary\n\n{make_abstract(central)}\n\n## Content\n\n" + "\n".join(points.values())


def split_summary(text: str) -> tuple[str, str]:
    """Return the content of the section `## Summary` of a text, and the text without that section.

    If there is no such section, return an empty string and the whole text.
    """
    lines = text[:MAX_READ].splitlines()
    start = next((at for at, line in enumerate(lines) if line.strip().lower() == "## summary"), None)
    if start is None:
        return "", text
    end = next((at for at in range(start + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    return "\n".join(lines[start + 1 : end]).strip("\n"), "\n".join((*lines[:start], *lines[end:]))


def rate_claim(claim: Claim) -> float:
    """Return how informative a claim is, as a sum of points.

    Numbers, names, decisions, reasons and negations count for it, empty phrases and length against it.
    """
    text = claim.text
    if claim.is_block:
        return 0.5 if len(text) <= 120 else -1.0
    found = split_words(text)
    value = min(2.0, 0.7 * len(_NUMBER.findall(text))) + min(2.0, 0.7 * len(_NAME.findall(text)))
    value += min(2.0, 1.0 * len(_DECIDES.intersection(found))) + (0.5 if has_denial(found) else 0.0)
    value -= 2.0 if _EMPTY.match(text) else 0.0
    value -= 1.0 if len(set(found) - STOP) < 3 and not value and not claim.is_point else 0.0
    return value - len(text) / 400


def _pick_best(found: Iterable[Claim]) -> Claim | None:
    # The first claim mostly says what the text is about, so another one must be clearly more informative.
    ranked = [(rate_claim(claim) + (1.0 if number == 0 else 0.0), -number, claim) for number, claim in enumerate(found)]
    return max(ranked, key=lambda each: each[:2])[2] if ranked else None


def _lacks_subject(claim: Claim, first: Claim) -> bool:
    """Tell whether a claim has no word in common with the first claim, which is short and names the subject."""
    if claim.text == first.text or claim.under or not _may_name_subject(first) or len(first.text) > _SUBJECT:
        return False
    words, named = ({stem(word) for word in split_words(each.text) if word not in STOP} for each in (claim, first))
    return words.isdisjoint(named)


def _may_name_subject(first: Claim) -> bool:
    return not first.is_block and not first.is_point and rate_claim(first) > _SAYS_NOTHING


def _choose_claims(found: Sequence[Claim], room: int, *, least: float | None) -> list[Claim]:
    """Return the most informative claims that fit into `room` characters, in the order of the text.

    Claims rated below `least` are left out, except list items. If `least` is None, the limit is zero, and at least one
    claim is returned.
    """
    order = sorted(range(len(found)), key=lambda at: (-rate_claim(found[at]) - (1.0 if at == 0 else 0.0), at))
    taken: list[int] = []
    used = 0
    for at in order:
        size = len(format_claim(found[at]))
        enough = rate_claim(found[at]) >= (0.0 if least is None else least) or found[at].is_point
        enough = enough or (least is None and at == 0 and _may_name_subject(found[0]))
        if (enough and used + size <= room) or (least is None and not taken):
            taken.append(at)
            used += size
    return [found[at] for at in sorted(taken)]


def format_claims(chosen: Sequence[Claim]) -> str:
    """Return claims as lines of text: the claims of one paragraph on one line, each list item on a separate line.

    A heading or an introducing line that several claims need is written once, above them.
    """
    lines: list[str] = []
    under, paragraph = "", -1
    for claim in chosen:
        if claim.under and claim.under != under:
            lines.append(claim.under if claim.under.endswith(":") else f"{claim.under}:")
        under = claim.under
        text = _cut(claim.text if claim.is_point or claim.is_block else strip_chatter(claim.text), LONGEST)
        if claim.paragraph == paragraph and lines and not (claim.is_point or claim.is_block):
            lines[-1] += " " + text
        else:
            lines.append(text)
        paragraph = claim.paragraph
    return "\n".join(lines)


def format_claim(claim: Claim) -> str:
    """Return a claim on one line, after the heading or introducing line that it needs, if there is one."""
    text = " ".join(strip_chatter(claim.text).split())
    return f"{claim.under.rstrip(':')}: {text}" if claim.under else text


def _shorter_of(made: str, text: str) -> str:
    return made if made and len(made) < len(text) else text


def _cut(text: str, limit: int) -> str:
    """Shorten a text to at most `limit` characters: whole sentences if one fits, otherwise whole words, then `CUT`."""
    if len(text) <= limit:
        return text
    room = limit - len(CUT)
    kept = ""
    for sentence in split_sentences(text[:limit]):
        if len(kept) + len(sentence) > room or not sentence.endswith((".", "!", "?", "。")):
            break
        kept = f"{kept} {sentence}".strip()
    if not kept:
        head = text[:room]
        space = max(head.rfind(" "), head.rfind("\n"))
        kept = (head[:space] if space > room // 2 else head).rstrip()
    return kept + CUT
