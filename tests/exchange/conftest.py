"""The sandbox of the verbs, because imports and exports are tested through them."""

from __future__ import annotations

from tests.operations.conftest import full, isolated, user_home

__all__ = ["full", "isolated", "user_home"]
