"""Fit the weights by which a rule is told with a prompt that names what it is about, and print what others would do.

    python -m scripts.fit_named [--write] FOLDER …

Each FOLDER, of two or more, has the texts of one person: `rules.jsonl`, objects with a `rule` and the prompts that need
it, `needs`; and `prompts.jsonl`, objects with a `text` that needs none of these rules. The rules are stored as
decisions, twenty in a home. For each folder, the share of the needs that are told their rule and the share of the other
prompts that are told one are printed, with weights fitted to the other folders and with those fitted to all. The bias
is chosen so that a small share of the other prompts is told a rule. With `--write`, the weights are written to
`limpet/inject/named.table`. numpy is needed.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import limpet
from limpet import Limpet, Rejected
from limpet.inject.named import BIAS, TABLE, measure_rules
from limpet.model.memory import Type
from limpet.operations.parameters import build_query
from limpet.text.handles import find_handles, find_rivals

ALLOWED = 0.07
"""The share of the other prompts that may be told a rule."""
BESIDE = 0.4
"""What a prompt that needs another rule counts as an example of a prompt that does not need this one."""
KEPT_SMALL = 1.0
"""How much large weights cost."""
STEPS = 40
NAMES = ("share", "cosine", "others", "asks")
AT_ONCE = 20
MOST_TOLD = 2
Array = Any


class Asked(NamedTuple):
    """One prompt, the rule that it needs, if any, and the measures of each rule that it names, by the rule's number."""

    needs: int | None
    measured: Mapping[int, Array]


def measure_folder(path: Path) -> Iterator[Asked]:
    rows = [json.loads(line) for line in (path / "rules.jsonl").read_text("utf-8").splitlines()]
    others = [json.loads(line)["text"] for line in (path / "prompts.jsonl").read_text("utf-8").splitlines()]
    for start in range(0, len(rows), AT_ONCE):
        part = rows[start : start + AT_ONCE]
        folder = tempfile.mkdtemp(prefix="limpet-named-")
        with Limpet(home=f"{folder}/home", cwd=folder) as memory:
            ids = {}
            for at, row in enumerate(part):
                outcome = memory.remember(row["rule"], type=Type.DECISION)
                if not isinstance(outcome, Rejected):
                    ids[outcome.memory.id] = at
            memory.recall("anything")
            prompts = [(need, at) for at, row in enumerate(part) for need in row["needs"]]
            for text, needs in [*prompts, *((text, None) for text in others)]:
                yield Asked(needs, measure_prompt(memory, text, ids))


def measure_prompt(memory: Limpet, text: str, ids: Mapping[str, int]) -> dict[int, Array]:
    runtime = memory._runtime
    reading = runtime.reading()
    query = build_query(runtime, text=text, limit=1)
    handles = find_handles(text)
    handles += find_rivals(handles)
    keys = [key for key, _ in reading.by_words(query, handles, limit=AT_ONCE)] if handles else []
    rules = {key: stored.memory for key, stored in reading.by_keys(query, keys).items()}
    measured = measure_rules(text, rules, handles, reading=reading)
    return {ids[rules[key].id]: np.array([each[name] for name in NAMES]) for key, each in measured.items()}


def fit(folders: Sequence[Sequence[Asked]]) -> Array:
    """Return the weights and the bias, by logistic regression; every folder counts the same."""
    rows, wanted, counts = [], [], []
    for asked in folders:
        for each in asked:
            for number, measures in each.measured.items():
                rows.append(measures)
                wanted.append(number == each.needs)
                counts.append((1.0 if each.needs in (None, number) else BESIDE) / len(asked))
    found, right, count = np.array(rows), np.array(wanted, float), np.array(counts) * len(rows) / sum(counts)
    middle, spread = found.mean(0), found.std(0) + 1e-9
    scaled = np.c_[(found - middle) / spread, np.ones(len(found))]
    weights, cost = np.zeros(scaled.shape[1]), np.diag([*[KEPT_SMALL] * len(NAMES), 1e-9])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (count * (chance - right)) + cost @ weights
        weights = weights - np.linalg.solve((scaled.T * (count * chance * (1 - chance))) @ scaled + cost, slope)
    slopes = weights[:-1] / spread
    fitted = np.r_[slopes, weights[-1] - middle @ slopes]
    biases = np.arange(-6, 6, 0.05)
    told = [np.mean([measure_told(asked, fitted, bias)[1] for asked in folders]) for bias in biases]
    return np.r_[slopes, max(bias for bias, share in zip(biases, told, strict=True) if share <= ALLOWED)]


def measure_told(asked: Sequence[Asked], weights: Array, bias: float) -> tuple[float, float]:
    """Return the shares of the needs that are told their rule, and of the other prompts that are told any."""
    told: list[bool] = []
    others: list[bool] = []
    for each in asked:
        scores = {number: bias + measures @ weights[: len(NAMES)] for number, measures in each.measured.items()}
        best = [number for number in sorted(scores, key=lambda key: -scores[key])[:MOST_TOLD] if scores[number] > 0]
        if each.needs is None:
            others.append(bool(best))
        else:
            told.append(each.needs in best)
    return float(np.mean(told)), float(np.mean(others))


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts.fit_named", description="Fit which rules are told with a prompt.")
    parser.add_argument("folders", nargs="+", metavar="FOLDER", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    folders = {path.name: list(measure_folder(path)) for path in arguments.folders}
    weights = fit(list(folders.values()))
    figures: dict[str, str] = {}
    for name, asked in folders.items():
        others = fit([each for other, each in folders.items() if other != name])
        told = [measure_told(asked, each, each[-1]) for each in (others, weights)]
        figures[name] = ", ".join(f"{need:.0%} and {other:.0%}" for need, other in told)
        print(name, figures[name])
    if arguments.write:
        header = [
            "# The weights of the measures by which a rule that shares a handle with a prompt is told or not.",
            "# Written by `python -m scripts.fit_named --write FOLDER …`. Prompts that need a rule and are told it,",
            "# and other prompts that are told one, with weights fitted to the other folders, and with these:",
            *(f"# {name}: {told}" for name, told in figures.items()),
        ]
        rows = (f"\n{name} {weight:.2f}\n" for name, weight in zip((*NAMES, BIAS), weights, strict=True))
        path = Path(limpet.__file__).parent / TABLE
        path.write_text("\n".join(header) + "\n" + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
