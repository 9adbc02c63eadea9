"""Ignore the journal segments of unknown devices until a person accepts the device.

A device is one machine's copy of a home (Limpet's data folder). Machines sync by copying files into `journal/`, and an
attacker could plant memories in the same way. A device is known if it is this device, if the high-water marks or the
view name it, if one of its last records is signed with a key of this home, if a signed change vouches for it, or if a
person has accepted it with `limpet confirm --device`. An empty home without a key accepts all devices that it finds, so
that a home can be restored from a copy.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.errors import BadLine, StoreNewer
from limpet.store.context import HighWater, StoreContext
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor
from limpet.store.journal.segments import is_device
from limpet.store.view.open import View
from limpet.store.view.signatures import device_of, vouched_devices

_TAIL = 1 << 16
"""The number of bytes at the end of a segment that are searched for a signature."""


def hold_unknown(context: StoreContext, view: View, pending: Sequence[Cursor]) -> list[Cursor]:
    """Return the cursors of known devices, and ignore the segments of unknown devices from now on.

    The ids of unknown devices are put into `context.held`, and the user gets a notice about each of them.
    """
    # A device is known if one of its records was applied before, so there is mostly nothing to do.
    fresh = {device_of(cursor.name) for cursor in pending if not cursor.applied}
    unknown = {device for device in fresh if not _is_known(context, view, device, pending)} if fresh else set()
    if not unknown and not context.held:
        return list(pending)
    for device in context.held - unknown:
        if describe_held(device) in context.notices:
            context.notices.remove(describe_held(device))
    context.held = frozenset(unknown)
    context.held_segments = tuple(cursor.name for cursor in pending if device_of(cursor.name) in unknown)
    if not context.hurried:
        for device in sorted(unknown):
            context.tell_once(describe_held(device))
    return [cursor for cursor in pending if device_of(cursor.name) not in unknown]


def describe_held(device: str) -> str:
    """Return a message that the changes of an unknown device are ignored, and how the user can accept the device."""
    if not is_device(device):
        return f"the folder {device[:60]!r} in the journal is not named like a device; nothing of it is used"
    return (
        f"the journal holds changes of the device {device}, which this home does not know; nothing of it is used "
        f"until you accept it: limpet confirm --device {device}"
    )


def _is_known(context: StoreContext, view: View, device: str, pending: Sequence[Cursor]) -> bool:
    if context.is_own(f"{device}/"):
        return True
    # The folder may have any name, so no pattern is made of it; "0" is the character after "/".
    names = (f"{device}/", f"{device}0")
    if view.run("SELECT 1 FROM segment WHERE name >= ? AND name < ? AND applied > 0 LIMIT 1", names).get:
        return True
    keys, once = context.keys(), HighWater.load(context.home)
    if device in {device_of(name) for name in once.records} and not once.is_forged(keys):
        return True
    if device in vouched_devices(view):
        return True
    if not keys.keys:
        has_own = any(context.is_own(cursor.name) for cursor in pending)
        # Without keys, only a home that has never had any records accepts them.
        return not has_own and not once.records and not view.run("SELECT 1 FROM segment LIMIT 1").get
    return any(_is_signed(context, cursor) for cursor in pending if device_of(cursor.name) == device)


def _is_signed(context: StoreContext, cursor: Cursor) -> bool:
    """Tell whether one of the last records of a segment is signed with a key of this home."""
    for start in (max(0, cursor.unread - _TAIL), 0):
        rows = context.journal.read(Cursor(name=cursor.name, applied=start), 1 << 30)
        whole = 0
        for _, row in reversed(rows):
            try:
                change = lines.parse(row)[0]
            except (BadLine, StoreNewer):
                continue
            whole += 1
            if change.device == device_of(cursor.name) and lines.proof_of(row, context.keys()) is lines.Proof.GOOD:
                return True
        if whole or not start:
            return False
    return False
