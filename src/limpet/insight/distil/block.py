"""Create the memory block of an instruction file, such as CLAUDE.md, from MEMORY.md."""

from __future__ import annotations

import os

from limpet.hosts.instructions import END, START
from limpet.insight.distil.document import Certainty, MemoryDocument
from limpet.insight.distil.lines import LONGEST

MOST_LINES = 150
LAST_EPISODES = 5
MOST_IMPORTED = 5000
"""The maximum number of tokens of a MEMORY.md that is loaded at each session start."""


def render_memory_block(document: MemoryDocument, *, reference: str) -> list[str]:
    """Return the lines of the block: facts, high-certainty preferences, the last five episodes, and `reference`.

    There are at most 150 lines: the oldest episodes are left out first, and then the oldest facts. `reference` is a
    line that imports or names MEMORY.md.
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
    # The head, the end mark, and three headings with the empty lines around them.
    frame = len(head) + 1 + 3 * 3
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
    """Return a line for an instruction file that refers to MEMORY.md.

    `memory` and `file` are the paths of MEMORY.md and of the instruction file. Usually the line is an import (`@path`),
    which hosts replace by the file. If MEMORY.md has more than `MOST_IMPORTED` tokens, the line only names the file and
    asks the model to read it when needed.
    """
    path = os.path.relpath(memory, os.path.dirname(file)).replace(os.sep, "/")
    return f"@{path}" if tokens <= MOST_IMPORTED else f"More is in {path}; read it when you need it."
