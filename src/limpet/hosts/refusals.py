"""Recognise tool calls that did not run, because a rule of the host refused them or another call failed."""

from __future__ import annotations

from limpet.hosts import HOSTS, names_of

_REFUSALS = tuple(start for host in HOSTS for start in names_of(host).GUARD_REFUSALS)
_CANCELLED = tuple(start for host in HOSTS for start in names_of(host).CANCELLED_WITH)


def was_refused_by_guard(output: str) -> bool:
    """Tell from the output of a tool call whether a hook or a permission rule of the host refused the call."""
    return _strip_label(output).startswith(_REFUSALS)


def was_cancelled_with_others(output: str) -> bool:
    """Tell from the output of a tool call whether it was cancelled because a call in the same message failed."""
    return _strip_label(output).startswith(_CANCELLED)


def _strip_label(output: str) -> str:
    return output.lstrip().removeprefix("Error: ")
