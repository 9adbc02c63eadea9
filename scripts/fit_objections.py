"""Fit the weights of objections to marked messages, and print how well they do on people they were not fitted to.

    python -m scripts.fit_objections DATA [--write]

DATA is a file of marked prompts, one JSON object a line: {"owner": …, "text": …, "before": the end of the agent's
message before it, "mark": "O" for an objection, "B" if that cannot be told, "" for none, "kept": true for an owner who
is kept back}. Nothing is fitted to messages marked B or kept back, and nothing is chosen by them.

The bias puts zero where the share of true objections among those found, by the rules or by the model, is still `AIM`,
measured on messages that were scored by weights fitted without their owner, and weighted as if the share of objections
among all messages were `RATE`: among the marked messages there are more. Messages marked B are left out of that share,
and stand in a second one, where each of them counts as false. With `--write`, the weights are written to
`limpet/text/objections.table` and `limpet/text/objections.bin`. The messages belong to others and are not in the
repository. numpy is needed here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scripts.fit_capture import Array, Row, Samples, write_grams, write_signals

from limpet.capture.speech.spans import split_message
from limpet.text.objections import BIAS, GRAMS, TABLE, measure_message
from limpet.text.reactions import find_reaction

AIM, RATE = 0.85, 0.10
FOLDS = 10


@dataclass(frozen=True)
class Marked:
    """A prompt as it is fitted to, with its mark and whether the narrow rules find an objection in it."""

    row: Row
    mark: str
    by_rule: bool
    is_kept_back: bool


def load_marked(path: str) -> Iterator[Marked]:
    """Yield the marked prompts; one that is wholly pasted has no words, so nothing can be found in it."""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        given = json.loads(line)
        typed = split_message(given["text"]).typed.strip()
        is_answer = given["before"].rstrip(" *_`\n").endswith(("?", "？"))
        signals, grams = measure_message(typed, is_answer=is_answer)
        fold = int(hashlib.sha256(given["owner"].encode()).hexdigest(), 16) % FOLDS
        yield Marked(
            row=Row(signals=signals, grams=grams, wanted=given["mark"] == "O", sure=True, fold=fold),
            mark=given["mark"],
            by_rule=find_reaction(typed, is_answer=is_answer) is not None,
            is_kept_back=given.get("kept", False),
        )


def describe(found: Array, marks: Array) -> dict[str, Any]:
    """Return how many of the objections were found, and how many of those found are true."""
    true, border = int((found & (marks == "O")).sum()), int((found & (marks == "B")).sum())
    false, wanted = int(found.sum()) - true - border, int((marks == "O").sum())
    return {
        "messages": len(marks),
        "objections": wanted,
        "found": {"true": true, "border": border, "false": false},
        "recall": round(true / max(1, wanted), 3),
        "precision": round(true / max(1, true + false), 3),
        "precision if border is false": round(true / max(1, true + border + false), 3),
    }


def find_threshold(points: Array, by_rule: Array, marks: Array) -> float:
    """Return the lowest points above which the share of true objections among those found is `AIM`."""
    is_true, is_false = marks == "O", marks == ""
    weight = (1 - RATE) / RATE * is_true.sum() / is_false.sum()
    enough = math.inf
    for each in np.sort(points[~by_rule & (is_true | is_false)])[::-1]:
        found = (points >= each) | by_rule
        true, false = (found & is_true).sum(), weight * (found & is_false).sum()
        if true >= AIM * (true + false):
            enough = float(each)
    return enough


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="file of marked prompts")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    given = parser.parse_args()
    marked = list(load_marked(given.data))
    samples = Samples([each.row for each in marked])
    marks, by_rule = np.array([each.mark for each in marked]), np.array([each.by_rule for each in marked])
    has_words = np.array([bool(each.row.grams) for each in marked])
    fitted = np.array([not each.is_kept_back for each in marked])
    usable = fitted & has_words & (marks != "B")
    strangers = np.where(has_words, samples.score_strangers(range(FOLDS), usable), -np.inf)
    threshold = find_threshold(strangers[fitted], by_rule[fitted], marks[fitted])
    weights = samples.fit(usable)
    points = np.where(has_words, samples.score(weights), -np.inf)
    figures: dict[str, Any] = {}
    for name, rows, scored in (("each owner held back", fitted, strangers), ("owners kept back", ~fitted, points)):
        if rows.any():
            figures[name] = {
                "rules": describe(by_rule[rows], marks[rows]),
                "rules and model": describe((by_rule | (scored >= threshold))[rows], marks[rows]),
            }
    ahead = 1 + len(samples.names)
    signals = {BIAS: float(weights[0]) - threshold}
    signals |= dict(zip(samples.names, map(float, weights[1:ahead]), strict=True))
    sys.stdout.write(f"{json.dumps({name: round(each, 2) for name, each in signals.items()})}\n")
    sys.stdout.write(f"{json.dumps(figures, indent=1)}\n")
    if given.write:
        write_signals(TABLE, signals)
        write_grams(GRAMS, {"objections": weights[ahead:]}, figures, fitted_by="fit_objections")


if __name__ == "__main__":
    main()
