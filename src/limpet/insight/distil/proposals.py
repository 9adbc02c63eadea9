"""Check what a model has extracted: every line must be supported by words of the source that it names.

A model proposes and code decides. Counts, lengths, duplicates and commands are not left to the model. A line whose
quote is not in its source, or that has a name or a number that its source does not have, is dropped with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from limpet.guard.engine import find_signs
from limpet.insight.distil.extract import FEWEST_BULLETS, MOST_BULLETS
from limpet.insight.distil.lines import LONGEST
from limpet.lean.record import field, mutable
from limpet.llm.checks import adds_names, is_quoted
from limpet.llm.reply import NOT_JSON, read_objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = 500
_SHORTEST = 8


@mutable
class Proposals:
    """The valid proposals of a reply, and the number of the others by reason."""

    facts: list[tuple[str, str]] = field(default_factory=list)
    """The source and the text of each fact."""
    episodes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The bullets of the episode of each stash."""
    rules: dict[str, str] = field(default_factory=dict)
    """The preference that an objection shows, by the id of the objection."""
    read: set[str] = field(default_factory=set)
    """The sources that the model has read: it proposed something valid, or said that there is nothing."""
    refused: dict[str, int] = field(default_factory=dict)

    def refuse(self, reason: str) -> None:
        self.refused[reason] = self.refused.get(reason, 0) + 1


def read_proposals(reply: str, sources: Mapping[str, str], *, is_proven: Callable[[str], bool]) -> Proposals:
    """Return the proposals in a reply, one JSON object per line or all in one array, checked against their sources."""
    found = Proposals()
    objects = read_objects(reply, found.refuse, most=MOST)
    if not objects and not found.refused and reply.strip():
        found.refuse(NOT_JSON)
    for given in objects:
        source = given.get("source")
        if not isinstance(source, str) or source not in sources:
            found.refuse("names no source")
            continue
        reason = _add_proposal(given, source, sources[source], found, is_proven)
        if reason is None:
            found.read.add(source)
        else:
            found.refuse(reason)
    return found


def _add_proposal(
    given: Mapping[str, Any], source: str, text: str, found: Proposals, is_proven: Callable[[str], bool]
) -> str | None:
    """Add a proposal and return None, or return the reason for refusing it."""
    action = given.get("do")
    if action == "nothing":
        return None
    if action == "episode":
        return _add_episode(given, source, text, found, is_proven)
    if action not in ("fact", "preference"):
        return "unknown action"
    if action == "preference" and not source.startswith("friction:"):
        return "a preference needs an objection of the user as its source"
    line = _clean(given.get("text"))
    reason = _find_fault(line, given.get("quote"), text, is_proven)
    if reason is not None:
        return reason
    if action == "fact":
        found.facts.append((source, line))
    else:
        found.rules[source] = line
    return None


def _add_episode(
    given: Mapping[str, Any], source: str, text: str, found: Proposals, is_proven: Callable[[str], bool]
) -> str | None:
    bullets, quotes = given.get("bullets"), given.get("quotes")
    if not source.startswith("stash:"):
        return "an episode needs a stash as its source"
    if not isinstance(bullets, list) or not isinstance(quotes, list) or len(bullets) != len(quotes):
        return "an episode needs a quote for each bullet"
    pairs = [(_clean(bullet), quote) for bullet, quote in zip(bullets, quotes, strict=True)]
    valid = [line for line, quote in pairs if _find_fault(line, quote, text, is_proven) is None]
    if len(valid) < FEWEST_BULLETS:
        return f"an episode needs {FEWEST_BULLETS} to {MOST_BULLETS} bullets that its stash supports"
    found.episodes[source] = tuple(valid[:MOST_BULLETS])
    return None


def _clean(line: object) -> str:
    return " ".join(line.split()).lstrip("-*# ") if isinstance(line, str) else ""


def _find_fault(line: str, quote: object, source: str, is_proven: Callable[[str], bool]) -> str | None:
    """Return the reason for refusing a line; None if its source supports it."""
    if not _SHORTEST <= len(line) <= LONGEST:
        return f"longer than {LONGEST} characters, or too short"
    if not isinstance(quote, str) or not is_quoted(quote, source):
        return "the quote is not in the source"
    if adds_names(line, source):
        return "a name or number that the source does not have"
    # The host reads the file as it is, so nothing there is quoted.
    if find_signs(line):
        return "reads like an order to a model"
    return None if is_proven(line) else "a command that no session has run with success"
