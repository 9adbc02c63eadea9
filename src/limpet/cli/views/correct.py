"""Show the outcome of a correction, which is stored and shown like any other memory."""

from __future__ import annotations

from limpet.cli.views.remember import show

__all__ = ["show"]
