"""Keep every test of the wiring away from the user's own files."""

from __future__ import annotations

from tests.operations.conftest import isolated, user_home

__all__ = ["isolated", "user_home"]
