"""Finds the weight of each sign that tells best which rows are meant: logistic regression, by plain descent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

STEPS, RATE = 600, 5.0
"""Enough for a few thousand rows of zeros and ones to settle to the first decimal."""
STIFF = 1.0
"""How much a large weight costs: keeps signs that are rare from counting for much."""
LEAST = 0.2
"""A weight below that is left out, and the rest is fitted anew."""
ROUNDS = 8


@dataclass
class Row:
    group: str
    """Rows of one group come from one source: they are held back together."""
    meant: bool
    signs: dict[str, float]
    own: bool = False
    """Ours: always fitted to, never held back."""


def fitted(rows: Sequence[Row], *, likely: float) -> dict[str, float]:
    """Rounded weights, with the one that stands by itself under no name; above 0 a row is that likely to be meant."""
    names = list(rows[0].signs)
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
    table = [(row.meant, [1.0, *(row.signs[name] for name in names)]) for row in rows]
    for _ in range(STEPS):
        slope = [0.0] * len(weights)
        for meant, signs in table:
            total = sum(weight * sign for weight, sign in zip(weights, signs, strict=True))
            error = 1 / (1 + math.exp(-total)) - meant
            for at, sign in enumerate(signs):
                if sign:
                    slope[at] += error * sign
        for at, step in enumerate(slope):
            weights[at] -= RATE * (step + (STIFF * weights[at] if at else 0.0)) / len(table)
    return weights


def held_back(rows: Sequence[Row], *, likely: float) -> list[tuple[Row, bool]]:
    """Each row of others with what weights say of it that were fitted to the other groups."""
    found: list[tuple[Row, bool]] = []
    groups = sorted({row.group for row in rows if not row.own})
    for turn in range(ROUNDS):
        away = set(groups[turn::ROUNDS])
        weights = fitted([row for row in rows if row.group not in away], likely=likely)
        found += [(row, total(row.signs, weights) > 0) for row in rows if row.group in away]
    return found


def total(signs: dict[str, float], weights: dict[str, float]) -> float:
    return weights[""] + sum(weights.get(name, 0.0) * value for name, value in signs.items())


def quality(found: Iterable[tuple[Row, bool]]) -> str:
    pairs = list(found)
    right = sum(taken and row.meant for row, taken in pairs)
    return (
        f"precision {right / max(1, sum(taken for _, taken in pairs)):.0%}, "
        f"recall {right / max(1, sum(row.meant for row, _ in pairs)):.0%} of {sum(row.meant for row, _ in pairs)}"
    )


def shown(weights: dict[str, float]) -> str:
    return "{" + ", ".join(f'"{name}": {weight}' for name, weight in weights.items()) + "}"
