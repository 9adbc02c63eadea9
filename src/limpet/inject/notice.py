"""Write the lines that the person sees, at a session start and in a status line: what was told, and what waits."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.text.plural import plural


def describe_start(told: int, on_trial: int, waiting: int, taken_back: Sequence[str] = ()) -> str:
    """Return the line, or an empty string if nothing was told, nothing waits, and nothing was taken back.

    `taken_back` are the memories of the person that an agent has forgotten, corrected, replaced or hidden.
    """
    due = f"{plural(waiting, 'note')} wait{'s' if waiting == 1 else ''}: limpet inbox" if waiting else ""
    if taken_back:
        gone = f"an agent took back {plural(len(taken_back), 'memory')} of yours: limpet show {taken_back[0]}"
        due = " · ".join(filter(None, (gone, due)))
    return _join(plural(told, "memory") if told else "", str(on_trial) if on_trial else "", due)


def describe_session(told: int, on_trial: int, waiting: int) -> str:
    """Return the same for a status line, in at most 40 characters."""
    due = f"{_limit(waiting, 99)} wait{'s' if waiting == 1 else ''}" if waiting else ""
    return _join(_limit(told, 99) if told else "", _limit(on_trial, 9) if on_trial else "", due)


def _join(told: str, on_trial: str, due: str) -> str:
    given = ", ".join(filter(None, (f"{told} told" if told else "", f"{on_trial} on trial" if on_trial else "")))
    said = " · ".join(filter(None, (given, due)))
    return f"Limpet: {said}" if said else ""


def _limit(count: int, most: int) -> str:
    """Return a count, or a limit that keeps the line short: nobody needs the exact number there."""
    return f"{most}+" if count > most else str(count)
