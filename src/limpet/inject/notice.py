"""Write the lines that the person sees, at a session start and in a status line: what was told, and what waits."""

from __future__ import annotations

from limpet.text.plural import plural


def describe_start(told: int, on_trial: int, waiting: int) -> str:
    """Return the line, or an empty string if nothing was told and nothing waits."""
    trial = f"{on_trial} on trial" if on_trial else ""
    given = ", ".join(filter(None, (f"{plural(told, 'memory')} told" if told else "", trial)))
    due = f"{plural(waiting, 'note')} wait{'s' if waiting == 1 else ''}: limpet inbox" if waiting else ""
    said = " · ".join(filter(None, (given, due)))
    return f"Limpet: {said}" if said else ""


def describe_session(told: int, on_trial: int, waiting: int) -> str:
    """Return the same for a status line, in at most 40 characters."""
    # Without the limits, the line could become longer. Nobody needs the exact numbers there.
    trial = f"{_limit(on_trial, 9)} on trial" if on_trial else ""
    given = ", ".join(filter(None, (f"{_limit(told, 99)} told" if told else "", trial)))
    due = f"{_limit(waiting, 99)} wait{'s' if waiting == 1 else ''}" if waiting else ""
    said = " · ".join(filter(None, (given, due)))
    return f"Limpet: {said}" if said else ""


def _limit(count: int, most: int) -> str:
    return f"{most}+" if count > most else str(count)
