"""`python -m benchmarks.hostile [10000] [2000]`: random and hostile questions; how many fail, and the slowest.

Each is asked of a store of that size through the public API, by words and by meaning.
"""

from __future__ import annotations

import os
import random
import sys
import time

from benchmarks.store import Filler, surroundings
from benchmarks.table import Target, row, show
from limpet import Limpet

SPECIAL = (
    *('"', "'", "NEAR(", "a AND", "OR OR", "NOT", "*", "^", ":", "title:x", "{a b}:c", "-", "--", "(((", ")))", "\\"),
    *(
        "foo.py",
        "half-life",
        "user's",
        "C++",
        "a" * 100_000,
        '("*' * 2000,
        " ".join(["word"] * 20_000),
        "",
        " ",
        "\t\n",
    ),
    *("數據庫連接", "東京", "データ", "привет мир", "naïve café", "🌊🐚", "\u202eevil", "a\x00b", "\ud800", "%s %d {}"),
    *("SELECT * FROM memory; DROP TABLE memory;--", "../../etc/passwd", "<script>alert(1)</script>", "\x1b[31mred"),
    *("yesterday", "last session", "on branch main", "in March", "between 2020 and 2021", "0x7ffe", "deadbeef" * 8),
    *("scope : s123", "scope:(a OR b)", "rowid:1", "content MATCH 'x'", "\u0000", "ß ẞ İ ı", "e\u0301" * 500),
)


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    with surroundings() as folder:
        home = os.path.join(folder, "home")
        filler = Filler(home)
        filler.fill(size)
        filler.settle()
        words = " ".join(filler.texts(200)).split()
        chance = random.Random(7)
        asked = [*SPECIAL, *(_make_question(chance, words) for _ in range(count - len(SPECIAL)))]
        failed, slowest = 0, ("", 0.0)
        spent = []
        with Limpet(home=home) as memory:
            memory.recall("warm up")
            for text in asked:
                began = time.process_time()
                try:
                    memory.recall(text)
                except Exception as error:  # noqa: BLE001 - this is what is counted
                    failed += 1
                    print(f"{text[:60]!r}: {type(error).__name__}: {error}")
                spent.append(time.process_time() - began)
                if spent[-1] > slowest[1]:
                    slowest = (text[:40], spent[-1])
    spent.sort()
    worst = spent[-1] * 1000
    show(
        f"{count:,} questions at {size:,} memories",
        ["", "value"],
        [
            row("errors", str(failed), target=Target(0, ""), value=failed),
            row("median", f"{spent[len(spent) // 2] * 1000:.1f} ms"),
            row("95th of a hundred", f"{spent[len(spent) * 95 // 100] * 1000:.1f} ms"),
            row(f"slowest: {slowest[0]!r}", f"{worst:.1f} ms", target=Target(200, "ms"), value=worst),
        ],
    )


def _make_question(chance: random.Random, words: list[str]) -> str:
    """Return a question: words of the store, pieces of syntax, letters of any script, or all of these."""
    kind = chance.randrange(4)
    if kind == 0:
        return " ".join(chance.choices(words, k=chance.randint(1, 30)))
    if kind == 1:
        return "".join(chance.choice(SPECIAL)[:200] + " " for _ in range(chance.randint(1, 6)))
    if kind == 2:
        letters = (chr(chance.choice((chance.randrange(32, 127), chance.randrange(0x10FFFF)))) for _ in range(60))
        return "".join(letters)
    return " ".join(chance.choice((chance.choice(words), chance.choice('"*():^-+{}[]~|&'))) for _ in range(20))


if __name__ == "__main__":
    main()
