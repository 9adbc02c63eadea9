"""What all tests share: properties are checked on the same examples every time, and none has a deadline."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "limpet",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("limpet")
