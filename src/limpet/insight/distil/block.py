"""Compose the memory block of an instruction file such as CLAUDE.md from MEMORY.md."""

from __future__ import annotations

import os

from limpet.hosts.instructions import END, START
from limpet.insight.distil.document import Certainty, MemoryDocument
from limpet.insight.distil.lines import LONGEST

MOST_LINES = 150
LAST_EPISODES = 5
MOST_IMPORTED = 5000
"""A MEMORY.md of more tokens is not loaded at each start."""


def render_memory_block(document: MemoryDocument, *, reference: str) -> list[str]:
    """Return the lines of the block: all facts, sure preferences, the last episodes, and where the rest is.

    At most 150 lines: old episodes give way first, then old facts. `reference` names MEMORY.md as seen from the file.
    """
    head = [START, "# Project Memory (written by `limpet distil`)", reference]
    facts = [f"- {text}" for text in document.facts if len(text) <= LONGEST]
    sure = [
        f"- {each.text}"
        for each in document.preferences
        if each.certainty is Certainty.HIGH and len(each.text) <= LONGEST
    ]
    episodes = [
        ["", f"### {each.title}", *(f"- {text}" for text in each.bullets if len(text) <= LONGEST)]
        for each in reversed(document.episodes[-LAST_EPISODES:])
    ]
    frame = len(head) + 1 + 3 * 3  # the end mark, and three headings with the lines around them
    room = MOST_LINES - frame - len(sure)
    while len(episodes) > 1 and sum(map(len, episodes)) > room - len(facts):
        episodes.pop()
    left = max(0, room - sum(map(len, episodes)))
    facts = facts[max(0, len(facts) - left) :]
    lines = list(head)
    for title, items in (("Facts", facts), ("Preferences", sure)):
        if items:
            lines += ["", f"## {title}", *items]
    if episodes:
        lines += [
            "",
            "## Recent Episodes",
            *(line for each in episodes for line in each[1 if each is episodes[0] else 0 :]),
        ]
    return [*lines[: MOST_LINES - 1], END]


def refer_to(memory: str, file: str, *, tokens: int) -> str:
    """Return the reference to MEMORY.md as seen from an instruction file, in the form that hosts import.

    A file of too many tokens is only named, so that a model reads it when it needs more.
    """
    path = os.path.relpath(memory, os.path.dirname(file)).replace(os.sep, "/")
    return f"@{path}" if tokens <= MOST_IMPORTED else f"More is in {path}; read it when you need it."
