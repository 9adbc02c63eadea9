"""Write the line that the person sees at a session start: how much was told, and what waits for a decision."""

from __future__ import annotations

from limpet.text.plural import plural


def describe_start(told: int, on_trial: int, waiting: int) -> str:
    """Return the line, or an empty string if nothing was told and nothing waits."""
    trial = f"{on_trial} on trial" if on_trial else ""
    given = ", ".join(filter(None, (f"{plural(told, 'memory')} told" if told else "", trial)))
    due = f"{plural(waiting, 'note')} wait{'s' if waiting == 1 else ''}: limpet inbox" if waiting else ""
    said = " · ".join(filter(None, (given, due)))
    return f"Limpet: {said}" if said else ""
