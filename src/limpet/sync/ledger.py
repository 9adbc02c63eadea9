"""Encode and decode a machine's ledger: which journal segments it has, and how many changes from each.

A ledger may come from another machine, so its values are checked and shortened. They are used for display only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from limpet.lean.record import field, record

LONGEST = 4 << 20
_LONGEST_LABEL = 60


@record
class MachineLedger:
    """The journal segments that one machine had after its last sync."""

    device: str
    label: str = ""
    """The name of the machine for display."""
    at: datetime | None = None
    has: Mapping[str, int] = field(default_factory=dict)
    """The number of changes that the machine has from each segment, by segment name."""

    def count(self, device: str | None = None) -> int:
        """Return the number of changes that the machine has from `device`, or from all devices if `device` is None."""
        return sum(count for name, count in self.has.items() if device is None or name.startswith(f"{device}/"))


def encode_ledger(ledger: MachineLedger) -> bytes:
    """Encode a ledger as JSON, the content of its file."""
    at = ledger.at.isoformat() if ledger.at else ""
    values = {"device": ledger.device, "label": ledger.label, "at": at, "has": dict(sorted(ledger.has.items()))}
    return json.dumps(values, ensure_ascii=False, indent=1).encode() + b"\n"


def decode_ledger(device: str, data: bytes) -> MachineLedger:
    """Decode a device's ledger; return an empty ledger if `data` is not valid."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return MachineLedger(device=device)
    if not isinstance(found, dict):
        return MachineLedger(device=device)
    label = found.get("label")
    return MachineLedger(
        device=device,
        label=label[:_LONGEST_LABEL] if isinstance(label, str) else "",
        at=_decode_time(found.get("at")),
        has=_decode_counts(found.get("has")),
    )


def _decode_time(value: Any) -> datetime | None:
    try:
        at = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    # A time near the first or the last year cannot be shown in every time zone.
    return at if at.tzinfo and 1 < at.year < 9999 else None


def _decode_counts(value: Any) -> dict[str, int]:
    counts = value.items() if isinstance(value, dict) else ()
    return {str(name): count for name, count in counts if type(count) is int and 0 <= count < 1 << 40}
