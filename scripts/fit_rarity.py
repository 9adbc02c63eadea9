"""`python -m scripts.fit_rarity DATA`: count in how many messages of real sessions a word occurs, and write the table.

DATA is the file of marked messages that `scripts/fit_capture.py` describes. A word counts by its share of the messages
of the language in which it is most frequent. Only words of several people are written, so the table holds no names.
"""

from __future__ import annotations

import argparse
import math
import textwrap
from collections import Counter, defaultdict
from pathlib import Path

from benchmarks.marked import KEPT_BACK, load_messages

from limpet.text.lexicon import expand_for_index, list_stems
from limpet.text.rarity import RAREST, TABLE
from limpet.text.tables import table_path

FEWEST_OWNERS = 4
FEWEST_SPEAKERS = 3
"""The least number of people who use a word in one language."""
FEWEST_MESSAGES = 30
"""A language with fewer messages says little about the share of a word."""
STEP = 0.5
LONGEST = 4000


def count_shares(path: str) -> dict[str, float]:
    """Return the largest share of the messages of one language that hold each stem."""
    messages: Counter[str] = Counter()
    holding: dict[str, Counter[str]] = defaultdict(Counter)
    owners: dict[str, Counter[str]] = defaultdict(Counter)
    seen: set[tuple[str, str, str]] = set()
    for message in load_messages(path):
        if message.fold in KEPT_BACK:
            continue
        language = message.language
        messages[language] += 1
        for stem in set(list_stems(expand_for_index(message.text[:LONGEST]))):
            holding[stem][language] += 1
            if (use := (stem, language, message.owner)) not in seen:
                seen.add(use)
                owners[stem][language] += 1
    spoken = {language for language, count in messages.items() if count >= FEWEST_MESSAGES}
    shares: dict[str, float] = {}
    for stem, counts in holding.items():
        known = [each for each in counts if each in spoken and owners[stem][each] >= FEWEST_SPEAKERS]
        if known and owners[stem].total() >= FEWEST_OWNERS and stem.isalpha():
            shares[stem] = max(counts[language] / messages[language] for language in known)
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts.fit_rarity", description="Count common words.")
    parser.add_argument("data", help="the marked messages, .jsonl.xz")
    shares = count_shares(parser.parse_args().data)
    levels: dict[float, list[str]] = defaultdict(list)
    for stem, share in shares.items():
        weight = STEP * math.floor(-math.log(share) / STEP)
        if weight < RAREST:
            levels[weight].append(stem)
    rows = [
        f"level {weight:.1f}\n" + textwrap.indent(textwrap.fill(" ".join(sorted(levels[weight])), 116), "    ")
        for weight in sorted(levels)
    ]
    header = (
        "# The stems of words that are written in many projects, by rarity: -log of their share of the messages.\n"
        "# Written by `python -m scripts.fit_rarity DATA`."
    )
    Path(table_path(TABLE)).write_text("\n\n".join((header, *rows)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
