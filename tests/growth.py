"""Tell how the cost of a function grows with its text, on a machine that others use too."""

from __future__ import annotations

import time
from collections.abc import Callable

_ROUNDS = 6
_LEAST_S = 0.002
"""A shorter time says more about the clock than about the function."""


def assert_growth(run: Callable[[str], object], small: str, large: str, *, below: float) -> None:
    """Fail if the larger text takes `below` times as long as the smaller one, or more, in each of a few rounds.

    Other processes only ever add to a time, so a round compares the least times so far.
    """
    run(small[:1000])  # compiles what is needed
    small_s = large_s = float("inf")
    for _ in range(_ROUNDS):
        small_s = min(small_s, max(_LEAST_S, _measure(run, small)))
        large_s = min(large_s, _measure(run, large))
        if large_s < below * small_s:
            return
    raise AssertionError(f"{small_s * 1000:.0f} ms, then {large_s * 1000:.0f} ms")


def _measure(run: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    run(text)
    return time.process_time() - started
