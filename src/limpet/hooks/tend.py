"""Maintain the store in the background hook, which the host does not wait for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.care.tending import tend
from limpet.hooks.answer import project_folder
from limpet.runtime import Caller, open_runtime
from limpet.wiring.bundle import refresh_bundle


def tend_store(payload: Mapping[str, Any], *, budget_ms: int, model_ms: int, home: str | None = None) -> None:
    """Process the queue, curate an ended session if a model may be asked, and run upkeep jobs for a limited time.

    `budget_ms` limits the time for the queue and the time for the jobs, `model_ms` that for requests to a model.
    """
    runtime = open_runtime(home=home, cwd=project_folder(payload), caller=Caller(is_agent=True))
    try:
        tend(runtime, budget_ms=budget_ms, model_ms=model_ms)
        # Needed after an update, and for the plugin, which is installed without `limpet setup`.
        refresh_bundle()
    finally:
        runtime.close()
