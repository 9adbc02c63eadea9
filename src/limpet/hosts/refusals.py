"""Recognise tool calls that never ran: a guard refused them, or they were cancelled because of another call."""

from __future__ import annotations

from limpet.hosts import HOSTS, names_of

_REFUSALS = tuple(start for host in HOSTS for start in names_of(host).GUARD_REFUSALS)
_CANCELLED = tuple(start for host in HOSTS for start in names_of(host).CANCELLED_WITH)


def was_refused_by_guard(output: str) -> bool:
    """Tell from the output of a call whether a hook or a permission rule of the host refused it."""
    return _strip(output).startswith(_REFUSALS)


def was_cancelled_with_others(output: str) -> bool:
    """Tell from the output of a call whether it was cancelled because another call of the same message failed."""
    return _strip(output).startswith(_CANCELLED)


def _strip(output: str) -> str:
    return output.lstrip().removeprefix("Error: ")
