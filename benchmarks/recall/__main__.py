"""`python -m benchmarks.recall [--first N] [--vectors FOLDER] [FILE …]`: our coding set, or the public sets given.

A file is LongMemEval, LoCoMo, NL2Bash (`all.nl` beside `all.cm`), Neural Code Search, or the folder `data` of REALTALK.
The last table compares plain full text, Limpet, and Limpet with the sentence encoder if it is installed. Encoding
LongMemEval takes half an hour and more; `--vectors` keeps the vectors in a folder for the next run.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from benchmarks.recall import coding, conversations
from benchmarks.recall.sets import load
from benchmarks.recall.vectors import keep_vectors
from benchmarks.recall.ways import ENCODED, FLOOR, PLAIN
from benchmarks.table import row, show
from limpet.sentence_encoder import find_encoder

HERE = Path(__file__).parent
WAYS = (FLOOR, PLAIN, ENCODED)
NOT_MEASURED = "-"


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.recall", description="Measure how well memories are found.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="public sets; without any, our coding set")
    parser.add_argument("--first", type=int, metavar="N", help="only the first N stores of each public set")
    parser.add_argument("--vectors", type=Path, metavar="FOLDER", help="keep the encoder's vectors here between runs")
    arguments = parser.parse_args()
    lines = []
    with keep_vectors(arguments.vectors):
        if not arguments.files:
            lines += measure_coding()
        for path in arguments.files:
            print(f"\n{path.name}")
            lines += measure_file(path, arguments.first)
    show("Recall, in percent", ("set", "measure", *WAYS), lines)
    if not find_encoder():
        print("limpet[meaning] is not installed: make meaning, then pip install --find-links dist limpet-meaning")


def measure_coding() -> list[tuple[str, ...]]:
    """Print the figures of our coding set, and return its lines for the last table, of the half that is kept back."""
    figures = coding.run(HERE / "coding")
    lines = []
    for style, title in (("paraphrase", "reworded"), ("all with an answer", "all with an answer")):
        cells = []
        for way in WAYS:
            rows = figures.get((way, "kept"))
            counts = (rows[style].first, rows[style].five, rows[style].ten) if rows else ()
            cells.append(_join(100 * count / rows[style].questions for count in counts) if rows else NOT_MEASURED)
        lines.append(row(f"coding, {title}", "hit@1/5/10", *cells))
    silent = [figures.get((way, "kept"), {}).get("nothing") for way in WAYS]
    cells = [f"{100 * each.silent / each.questions:.0f}" if each else NOT_MEASURED for each in silent]
    return [*lines, row("coding, nothing stored", "nothing told", *cells)]


def measure_file(path: Path, most: int | None) -> list[tuple[str, ...]]:
    """Print the figures of a public set, and return its lines for the last table."""
    scores = conversations.run(islice(load(path), most))
    kinds = next(iter(scores.values())).keys()
    kind = "kept back" if "kept back" in kinds else "all"
    columns = ("any@1", "any@5", "any@10") if kind == "kept back" else ("any@5", "all@5", "all@10")
    if path.is_dir():
        # The sessions of a chat are long, so the turn is what must be found.
        columns = ("turn@1", "turn@5", "turn@10")
    cells = [
        _join(100 * scores[way][kind].sums[column] / max(1, scores[way][kind].count) for column in columns)
        if way in scores
        else NOT_MEASURED
        for way in WAYS
    ]
    title = f"{path.name}, {kind}" if kind != "all" else path.name
    return [row(title, "hit@1/5/10" if kind == "kept back" else "any@5, all@5/10", *cells)]


def _join(values: Iterable[float]) -> str:
    return " / ".join(f"{value:.0f}" for value in values)


if __name__ == "__main__":
    main()
