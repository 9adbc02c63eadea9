"""Count requests, and export the counters in the Prometheus format.

The label for a path is its declared form, such as `/memories/{id}`, never the path in the request. So the number of
time series is limited, and no text of a memory gets into a label.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """The metrics of one server. Other modules register further metrics in `registry`."""

    media_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._requests = Counter(
            "limpet_requests", "Requests by address and status.", ("path", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "limpet_request_seconds",
            "Seconds to the end of an answer.",
            ("path",),
            buckets=_SECONDS,
            registry=self.registry,
        )

    def count(self, path: str, status: int, milliseconds: int) -> None:
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(milliseconds / 1000)

    def render(self) -> bytes:
        return generate_latest(self.registry)
