"""Show the outcome of a correction. It is shown like a new memory, because it is stored as one."""

from __future__ import annotations

from limpet.cli.views.remember import show

__all__ = ["show"]
