"""Tell how the cost of a function grows with its text, on a machine that others use too."""

from __future__ import annotations

import time
from collections.abc import Callable

_ROUNDS = 6
_LEAST_S = 0.002
"""A shorter time says more about the clock than about the function."""


def assert_growth(run: Callable[[str], object], small: str, large: str, *, below: float) -> None:
    """Fail if the larger text takes `below` times as long as the smaller one, however often both are measured.

    Other processes only ever add to a time, so the least of a few counts.
    """
    run(small[:1000])  # compiles what is needed
    least = most = float("inf")
    for _ in range(_ROUNDS):
        least = min(least, max(_LEAST_S, _measure(run, small)))
        most = min(most, _measure(run, large))
        if most < below * least:
            return
    raise AssertionError(f"{least * 1000:.0f} ms, then {most * 1000:.0f} ms")


def _measure(run: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    run(text)
    return time.process_time() - started
