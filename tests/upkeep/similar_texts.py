"""Texts that compression merges, among texts that it does not."""

from __future__ import annotations

import random

from limpet.model.memory import Type
from limpet.model.query import Stored
from tests.upkeep.sandbox import UpkeepSandbox

ALIKE = (
    "The nightly import of the customer table writes to the audit log in Ulm",
    "The nightly import of the customer table writes to the audit log and sends a mail to ops",
    "The nightly import of the customer table writes to the audit log and needs the tunnel",
)
_chance = random.Random("others")
OTHERS = tuple(
    " ".join("".join(_chance.choices("bdfghklmnprstvz", k=2)) + _chance.choice(("ora", "uni", "eba")) for _ in range(9))
    for _ in range(20)
)


def summaries(sandbox: UpkeepSandbox) -> list[Stored]:
    """Return the live summaries."""
    return [each for each in sandbox.ask("list", limit=1000).items if each.memory.type is Type.COMPRESSED_SUMMARY]
