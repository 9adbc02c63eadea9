"""Check the lines that a language model proposes: each must be supported by a quote from the source that it names.

A line is refused if the quote is not in the source. What is written is not the line, but the passage of the source that
it was made from, if that can be a line. Lengths, counts and duplicates are also checked here, and whether a quoted
command has succeeded in a session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from limpet.guard.engine import find_signs
from limpet.insight.distil.extract import FEWEST_BULLETS, MOST_BULLETS
from limpet.insight.distil.lines import LONGEST, fit_line
from limpet.lean.record import field, mutable, record
from limpet.llm.checks import is_quoted
from limpet.llm.reply import NOT_JSON, read_objects
from limpet.text.passages import quote_passage

MOST = 500
_SHORTEST = 8


@record
class _Refused:
    reason: str


@mutable
class Proposals:
    """The valid proposals in a model's reply."""

    facts: list[tuple[str, str]] = field(default_factory=list)
    """The facts, each as the id of its source and its text."""
    episodes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The bullet points of the episode of each stash, by the id of the stash."""
    rules: dict[str, str] = field(default_factory=dict)
    """The preferences, by the id of the objection that each comes from."""
    read: set[str] = field(default_factory=set)
    """The ids of the sources for which the model made a valid proposal, or stated that there is nothing to propose."""
    refused: dict[str, int] = field(default_factory=dict)
    """The number of refused proposals by reason."""

    def refuse(self, reason: str) -> None:
        self.refused[reason] = self.refused.get(reason, 0) + 1


def read_proposals(reply: str, sources: Mapping[str, str], *, is_proven: Callable[[str], bool]) -> Proposals:
    """Parse the proposals in a reply, and check each against its source.

    The reply has one JSON object on each line, or an array of them. `sources` are texts by their ids. `is_proven` tells
    whether the commands in a line have succeeded.
    """
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
    """Add a proposal to `found` and return None, or return why it is refused."""
    action = given.get("do")
    if action == "nothing":
        return None
    if action == "episode":
        return _add_episode(given, source, text, found, is_proven)
    if action not in ("fact", "preference"):
        return "unknown action"
    if action == "preference" and not source.startswith("friction:"):
        return "a preference needs an objection of the user as its source"
    line = _choose_line(given.get("text"), given.get("quote"), text, is_proven)
    if isinstance(line, _Refused):
        return line.reason
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
    lines = [_choose_line(*pair, text, is_proven) for pair in zip(bullets, quotes, strict=True)]
    valid = list(dict.fromkeys(line for line in lines if isinstance(line, str)))
    if len(valid) < FEWEST_BULLETS:
        return f"an episode needs {FEWEST_BULLETS} to {MOST_BULLETS} bullets that its stash supports"
    found.episodes[source] = tuple(valid[:MOST_BULLETS])
    return None


def _choose_line(proposed: object, quote: object, source: str, is_proven: Callable[[str], bool]) -> str | _Refused:
    """Return the passage of the source that a proposed line was made from, as a line; or why it is refused."""
    text = " ".join(proposed.split()).lstrip("-*# ") if isinstance(proposed, str) else ""
    if not _SHORTEST <= len(text) <= LONGEST:
        return _Refused(reason=f"longer than {LONGEST} characters, or too short")
    if not isinstance(quote, str) or not is_quoted(quote, source):
        return _Refused(reason="the quote is not in the source")
    line = fit_line(quote_passage(text, source, quote=quote, most=LONGEST))
    if line is None:
        return _Refused(reason="the passage of the source can be no line")
    # Hosts give MEMORY.md to the model without quoting its lines as data.
    if find_signs(line):
        return _Refused(reason="reads like an order to a model")
    return line if is_proven(line) else _Refused(reason="a command that no session has run with success")
