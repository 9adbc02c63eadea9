"""Maintain the store after a session has started, in the asynchronous hook, for which the host does not wait."""

from __future__ import annotations

from limpet.hooks.answer import project_folder
from limpet.operations.upkeep import tend
from limpet.operations.wiring.bundle import refresh_bundle
from limpet.runtime import Caller, open_runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def tend_store(payload: Mapping[str, Any], *, budget_ms: int, model_ms: int, home: str | None = None) -> None:
    """Process the queue, curate an ended session if a model may be asked, and do a slice of upkeep."""
    runtime = open_runtime(home=home, cwd=project_folder(payload), caller=Caller(is_agent=True))
    try:
        tend(runtime, budget_ms=budget_ms, model_ms=model_ms)
        # After an update, or for the plugin, for which nobody has run `limpet setup`.
        refresh_bundle()
    finally:
        runtime.close()
