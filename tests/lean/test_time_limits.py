"""Every event has a limit below what its host waits."""

from __future__ import annotations

from limpet.hosts.wiring import HOOKS
from limpet.lean.time_limits import LIMITS, LOCK_MS, limit_name
from limpet.settings import HooksSettings


def test_an_event_without_a_limit_of_another_name_has_that_of_a_tool_call() -> None:
    assert limit_name("PostToolUse") == limit_name("Anything") == "tool_ms"
    assert limit_name("SessionStart") == "start_ms"


def test_every_limit_is_a_setting_and_shorter_than_the_host_waits() -> None:
    assert {name: getattr(HooksSettings(), name) for name in LIMITS} == LIMITS
    for hook in HOOKS:
        limit = LIMITS[limit_name(hook.event)]
        assert LOCK_MS < limit < hook.timeout * 1000 or hook.background
