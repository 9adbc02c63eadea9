"""Set damaged files aside, under their date, and never delete them: they may still be worth something to somebody."""

from __future__ import annotations

import os

from limpet import system
from limpet.clock import from_ms

FOLDER = "damaged"


def set_aside(home: str, path: str, now_ms: int) -> str:
    """Move a damaged file out of the way and return where it is now."""
    folder = os.path.join(home, FOLDER)
    system.private_directory(folder)
    date = from_ms(now_ms).strftime("%Y%m%dT%H%M%S")
    name = os.path.relpath(path, home).replace(os.sep, "-")
    target = os.path.join(folder, f"{date}-{name}")
    number = 1
    while os.path.lexists(target):
        number += 1
        target = os.path.join(folder, f"{date}-{number}-{name}")
    os.replace(path, target)
    return target
