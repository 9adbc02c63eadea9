"""Fit the weights of signals that predict which rows are meant: logistic regression by gradient descent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

STEPS, RATE = 600, 5.0
"""Enough for a few thousand rows of zeros and ones to converge to the first decimal."""
PENALTY = 1.0
"""The cost of a large weight: keeps rare signals from counting for much."""
LEAST = 0.2
"""A smaller weight is left out, and the others are fitted again."""
ROUNDS = 8


@dataclass
class Row:
    group: str
    """Rows of one group come from one source: they are held back together."""
    meant: bool
    signals: dict[str, float]
    own: bool = False
    """Whether the row is ours: always fitted to, never held back."""


def fit_weights(rows: Sequence[Row], *, likely: float) -> dict[str, float]:
    """Return rounded weights, the bias under an empty name; a row scores above 0 if it is `likely` to be meant."""
    names = list(rows[0].signals)
    for _ in range(2):
        weights = _descend(rows, names)
        names = [name for name, weight in zip(names, weights[1:], strict=True) if abs(weight) >= LEAST]
    weights = _descend(rows, names)
    bound = math.log(likely / (1 - likely))
    return {"": round(weights[0] - bound, 1)} | {
        name: round(weight, 1) for name, weight in zip(names, weights[1:], strict=True)
    }


def _descend(rows: Sequence[Row], names: Sequence[str]) -> list[float]:
    weights = [0.0] * (len(names) + 1)
    table = [(row.meant, [1.0, *(row.signals[name] for name in names)]) for row in rows]
    for _ in range(STEPS):
        slope = [0.0] * len(weights)
        for meant, signals in table:
            total = sum(weight * signal for weight, signal in zip(weights, signals, strict=True))
            error = 1 / (1 + math.exp(-total)) - meant
            for at, signal in enumerate(signals):
                if signal:
                    slope[at] += error * signal
        for at, step in enumerate(slope):
            weights[at] -= RATE * (step + (PENALTY * weights[at] if at else 0.0)) / len(table)
    return weights


def predict_held_back(rows: Sequence[Row], *, likely: float) -> list[tuple[Row, bool]]:
    """Return each foreign row with its prediction by weights that were fitted to the other groups."""
    found: list[tuple[Row, bool]] = []
    groups = sorted({row.group for row in rows if not row.own})
    for turn in range(ROUNDS):
        away = set(groups[turn::ROUNDS])
        weights = fit_weights([row for row in rows if row.group not in away], likely=likely)
        found += [(row, score(row.signals, weights) > 0) for row in rows if row.group in away]
    return found


def score(signals: dict[str, float], weights: dict[str, float]) -> float:
    return weights[""] + sum(weights.get(name, 0.0) * value for name, value in signals.items())


def format_quality(found: Iterable[tuple[Row, bool]]) -> str:
    pairs = list(found)
    right = sum(taken and row.meant for row, taken in pairs)
    return (
        f"precision {right / max(1, sum(taken for _, taken in pairs)):.0%}, "
        f"recall {right / max(1, sum(row.meant for row, _ in pairs)):.0%} of {sum(row.meant for row, _ in pairs)}"
    )


def format_weights(weights: dict[str, float]) -> str:
    return "{" + ", ".join(f'"{name}": {weight}' for name, weight in weights.items()) + "}"
