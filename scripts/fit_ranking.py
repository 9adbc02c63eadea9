"""Fit the weights by which the matches of a question are ordered, and print how well they do on sets left out.

    python -m scripts.fit_ranking [--write] FAMILY=FILE …

Our coding set is always used, its reworded questions as a set of their own. A FILE is one that `benchmarks.recall`
reads, or a JSON object: {"items": [[key, text], …], "asked": [[question, [key, …]], …]}. Only the questions for
choosing are used; a file of the second form has no others. All sets count the same, whatever their size, but a file
that was chosen for its few common words, whose name ends with "-reworded", counts half. Sets of one FAMILY come from
the same texts, so they are left out together.

The loss is the logarithm of the share that right answers have among the memories that are read for a question. Three
lines are printed for each set, hit at 1 / 5 / 10 among these memories: fitted to everything, to four of five questions,
and to the other families. With `--write`, the weights are written to `limpet/recall/ranking.table`. numpy is needed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmarks.recall import sets
from benchmarks.recall.coding import Workshop
from benchmarks.recall.sets import Case, Item, Question
from benchmarks.recall.ways import without_encoder

import limpet
from limpet import Draft, Limpet, Rejected
from limpet.model.memory import Sensitivity
from limpet.operations.parameters import build_query
from limpet.recall.coverage import Coverage
from limpet.recall.pool import find_pool
from limpet.recall.ranking import MARKS, MEASURES, TABLE, TRAITS, measure_candidates
from limpet.recall.temporal import read_cue
from limpet.runtime import Runtime
from limpet.text.lexicon import parse_terms

CODING = Path(__file__).parent.parent / "benchmarks" / "recall" / "coding"
STEPS, RATE = 400, 0.03
KEPT_SMALL = 0.05
"""How much large factors cost, in units of the spread of the traits."""
FOLDS = 5
PATH = Path(limpet.__file__).parent / TABLE
KEPT_BACK = "# Hit at 1 / 5 / 10 on questions that were kept back, without and with this table (decision 48 has more):"
NOT_MEASURED = "# - not measured with these weights yet"
REWORDED = "-reworded"
"""The end of the name of a set that was chosen for its few common words. Such a set counts half."""
Array = Any


class Sample(NamedTuple):
    """One question: its traits, the measures and marks of each memory that was read, and which of them are right."""

    family: str
    set: str
    traits: Array
    measures: Array
    marks: Array
    right: Array


class Weights(NamedTuple):
    base: Array
    slopes: Array
    """One row per trait, one column per measure."""
    marks: Array


def collect(runtime: Runtime, question: str, is_right: Callable[[str], bool], family: str, name: str) -> Sample | None:
    """Return what the search measures for a question; None if it names a time or finds nothing."""
    if read_cue(question, runtime.now()).is_present:
        return None
    reading = runtime.reading()
    query = build_query(runtime, text=question, limit=1, weak=True)
    covered = Coverage(query, parse_terms(query.text), reading)
    pool = find_pool(query, covered, reading=reading)
    if pool is None or not pool.is_fitted:
        return None
    # All that were read count, also those that are too far below the best to be ranked.
    asked, candidates = measure_candidates(pool.shares, pool, query.text, covered, reading)
    return Sample(
        family,
        name,
        np.array(asked.traits),
        np.array([each.measures for each in candidates.values()]),
        np.array([each.list_marks(asked) for each in candidates.values()]),
        np.array([is_right(covered.memories[key].memory.id) for key in candidates]),
    )


def collect_coding() -> Iterator[Sample]:
    memories, questions = sets.coding(CODING)
    workshop = Workshop(memories)
    for question in questions:
        if question["split"] != "dev" or not question["answers"]:
            continue
        workshop.ask(question["project"], question["question"])
        right = {workshop.ids[key] for key in question["answers"]}
        name = "coding, reworded" if question["style"] == "paraphrase" else "coding, others"
        runtime = workshop._runtime(question["project"])
        if sample := collect(runtime, question["question"], right.__contains__, "coding", name):
            yield sample
    workshop.close()


def collect_cases(cases: Iterator[Case], family: str, name: str) -> Iterator[Sample]:
    for case in cases:
        questions = [each for each in case.questions if each.kind != "kept back"]
        if not questions:
            continue
        folder = Path(tempfile.mkdtemp(prefix="limpet-ranking-"))
        with Limpet(home=str(folder / "home"), cwd=str(folder)) as memory:
            texts = [
                Draft(text=item.text, session=item.session or None, sensitivity=Sensitivity.PUBLIC)
                for item in case.items
            ]
            kept: dict[str, Item] = {}
            for item, outcome in zip(case.items, memory.remember_many(texts), strict=True):
                if not isinstance(outcome, Rejected):
                    kept.setdefault(outcome.memory.id, item)
            for question in questions:
                memory.recall(question.text)
                right = {id for id, item in kept.items() if item.key in question.answers}
                right = right or {id for id, item in kept.items() if item.session in question.sessions}
                if sample := collect(memory._runtime, question.text, right.__contains__, family, name):
                    yield sample
        shutil.rmtree(folder)


def load_cases(path: Path) -> Iterator[Case]:
    if path.suffix == ".json":
        found = json.loads(path.read_text("utf-8"))
        if isinstance(found, dict) and "asked" in found:
            items = tuple(Item(key, text, "", {}) for key, text in found["items"])
            asked = [(text, frozenset(keys)) for text, keys in found["asked"]]
            questions = (Question(str(at), "for tuning", text, keys, keys) for at, (text, keys) in enumerate(asked))
            return iter([Case(path.stem, items, tuple(questions))])
    return sets.load(path)


def fit(samples: Sequence[Sample]) -> Weights:
    """Return the weights with the least loss, by Adam from fixed first values, so that a repetition gives the same."""
    samples = [each for each in samples if each.right.any()]
    sizes = {name: sum(each.set == name for each in samples) for name in {each.set for each in samples}}
    counts = np.array([(0.5 if each.set.endswith(REWORDED) else 1) / sizes[each.set] for each in samples])
    counts /= counts.sum()
    traits = np.array([each.traits for each in samples])
    shape = (len(samples), max(len(each.right) for each in samples))
    there, right = np.zeros(shape), np.zeros(shape)
    measures, marks = np.zeros((*shape, len(MEASURES))), np.zeros((*shape, len(MARKS)))
    for row, each in enumerate(samples):
        size = len(each.right)
        there[row, :size], right[row, :size] = 1, each.right
        measures[row, :size], marks[row, :size] = each.measures, each.marks
    # Everything is scaled by its spread, so that one rate fits all.
    middle, spread = traits.mean(0), traits.std(0) + 1e-9
    wide, far = measures[there > 0].std(0) + 1e-9, marks[there > 0].std(0) + 1e-9
    traits, measures, marks = (traits - middle) / spread, measures / wide, marks / far
    values = [np.full(len(MEASURES), -1.0), np.zeros((len(TRAITS), len(MEASURES))), np.zeros(len(MARKS))]
    means, squares = [0 * each for each in values], [0 * each for each in values]
    for step in range(1, STEPS + 1):
        weights = np.exp(np.clip(traits @ values[1] + values[0], -8, 5))
        scores = np.einsum("qdf,qf->qd", measures, weights) + marks @ values[2]
        powers = np.where(there > 0, np.exp(scores - np.where(there > 0, scores, -1e9).max(1, keepdims=True)), 0)
        wanted = powers * right
        off = (powers / powers.sum(1, keepdims=True) - wanted / wanted.sum(1, keepdims=True)) * counts[:, None]
        change = np.einsum("qd,qdf->qf", off, measures) * weights
        slopes = [
            change.sum(0),
            traits.T @ change + KEPT_SMALL * values[1],
            np.einsum("qd,qdf->f", off, marks) + KEPT_SMALL * values[2],
        ]
        for at, slope in enumerate(slopes):
            means[at] = 0.9 * means[at] + 0.1 * slope
            squares[at] = 0.99 * squares[at] + 0.01 * slope**2
            pace = np.sqrt(squares[at] / (1 - 0.99**step)) + 1e-9
            values[at] = values[at] - RATE * (1 - 0.9 * step / STEPS) * means[at] / (1 - 0.9**step) / pace
    base, factors, fixed = values
    factors = factors / spread[:, None]
    return Weights(base - middle @ factors - np.log(wide), factors, fixed / far)


def order(sample: Sample, weights: Weights) -> Array:
    """Return the numbers of the memories, the best first."""
    scores = sample.measures @ np.exp(weights.base + sample.traits @ weights.slopes) + sample.marks @ weights.marks
    return np.argsort(-scores, kind="stable")


def count_hits(samples: Sequence[Sample], orders: Sequence[Array]) -> dict[str, list[float]]:
    """Return hit at 1 / 5 / 10 in percent, by set."""
    hits: dict[str, list[Array]] = {}
    for sample, found in zip(samples, orders, strict=True):
        right = sample.right[found]
        hits.setdefault(sample.set, []).append([right[:depth].any() for depth in (1, 5, 10)])
    return {name: list(100 * np.mean(each, 0)) for name, each in hits.items()}


def compare(samples: Sequence[Sample]) -> Weights:
    """Print the figures, and return the weights that are fitted to all samples."""
    weights = fit(samples)
    parts = np.random.default_rng(0).integers(0, FOLDS, len(samples))
    left_out: dict[str, list[Array]] = {"four of five": [None] * len(samples), "other families": [None] * len(samples)}
    families = [each.family for each in samples]
    for way, marks in (("four of five", list(parts)), ("other families", families)):
        for mark in sorted(set(marks)):
            others = fit([each for each, own in zip(samples, marks, strict=True) if own != mark])
            for at, own in enumerate(marks):
                if own == mark:
                    left_out[way][at] = order(samples[at], others)
    ways = {"all": [order(each, weights) for each in samples], **left_out}
    figures = {way: count_hits(samples, orders) for way, orders in ways.items()}
    for name in figures["all"]:
        cells = (" / ".join(f"{value:.0f}" for value in figures[way][name]) for way in figures)
        print(f"{name:<24}" + "".join(f"{cell:>18}" for cell in cells))
    return weights


def write(weights: Weights, sets_used: Sequence[str], path: Path = PATH) -> None:
    """Write the table. Its figures on questions that were kept back are entered by hand and last while the weights do.

    They are not measured here, so that they can be looked at once, after everything is chosen.
    """
    rows = ""
    for at, name in enumerate(MEASURES):
        factors = (f"    {trait} {weights.slopes[row, at]:.3f}\n" for row, trait in enumerate(TRAITS))
        rows += f"\n{name} {weights.base[at]:.3f}\n" + "".join(factors)
    for at, name in enumerate(MARKS):
        rows += f"\n{name} {weights.marks[at]:.3f}\n"
    before, _, old_rows = path.read_text(encoding="utf-8").partition("\n\n")
    figures = before.partition(f"{KEPT_BACK}\n")[2] if f"\n{old_rows}" == rows else ""
    header = [
        "# The exponents of the weights of measures, by the traits of the question, and the weights of marks.",
        "#",
        "# Fitted by `python -m scripts.fit_ranking --write FAMILY=FILE …` to the questions for choosing of:",
        *(f"# - {name}" for name in sets_used),
        "#",
        KEPT_BACK,
        figures or NOT_MEASURED,
    ]
    path.write_text("\n".join(header) + "\n" + rows, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts.fit_ranking", description="Fit the order of matches.")
    parser.add_argument("sets", nargs="*", metavar="FAMILY=FILE")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    samples: list[Sample] = []
    with without_encoder():
        samples += collect_coding()
        for given in arguments.sets:
            family, _, path = given.partition("=")
            samples += collect_cases(load_cases(Path(path)), family, Path(path).stem)
            print(f"{len(samples)} questions", flush=True)
    weights = compare(samples)
    if arguments.write:
        sizes = {
            name: sum(each.set == name for each in samples) for name in dict.fromkeys(each.set for each in samples)
        }
        write(weights, [f"{name}: {size} questions" for name, size in sizes.items()])


if __name__ == "__main__":
    main()
