"""Find what a person has decided about a memory: the changes with a proof of the person."""

from __future__ import annotations

from limpet.clock import to_local
from limpet.model.change import Change, ChangeKind
from limpet.runtime.identity import CODE, TERMINAL
from limpet.store.protocol import Reading


def find_decisions(reading: Reading, memory_id: str) -> tuple[Change, ...]:
    """Return the changes by which a person confirmed, dropped or restored a memory, or returned it to the inbox."""
    return tuple(change for change in reading.history(memory_id) if _is_decision(change))


def _is_decision(change: Change) -> bool:
    # Upkeep, rules and models drop memories and make notes too, but only a person's change has a proof.
    needs_proof = change.kind in (ChangeKind.DROP, ChangeKind.NOTE)
    return change.kind in _DECISIONS and (not needs_proof or "proof" in change.payload)


def describe_decision(change: Change) -> str:
    """Return a phrase that says what a person decided, when, and how the person was verified (if that is known)."""
    proof = {TERMINAL: " on a terminal", CODE: " with a code"}.get(str(change.payload.get("proof")), "")
    return f"{_DECISIONS[ChangeKind(change.kind)]}{proof} at {to_local(change.at):%Y-%m-%d %H:%M}"


_DECISIONS = {
    ChangeKind.CONFIRM: "confirmed",
    ChangeKind.RESTORE: "restored",
    ChangeKind.DROP: "dropped",
    ChangeKind.NOTE: "made a note again",
}
