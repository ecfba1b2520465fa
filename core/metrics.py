"""What Prometheus is told of requests. Labels are names of addresses, never of people or events.

Counts are kept by each process. Several web processes on one machine add theirs up where
PROMETHEUS_MULTIPROC_DIR names a folder that is empty at the start; what a database knows (jobs,
events, backups) is asked of it, so that it is the same whoever answers.
"""

import os
import re
from collections.abc import Iterable

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
USUAL_METHODS = re.compile("GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS")

disable_created_metrics()  # type: ignore[no-untyped-call]
REQUESTS = Counter(
    "datafort_requests", "Answers, by the name of the address", ["route", "method", "status"]
)
SECONDS = Histogram(
    "datafort_request_seconds",
    "How long an answer took",
    ["route"],
    buckets=(0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
)


def count_request(route: str, method: str, status: int, seconds: float) -> None:
    """One more answer. Polls that found nothing new are those with the status 304."""
    # A method can be any word a stranger writes; each would be a series of its own.
    known = method if USUAL_METHODS.fullmatch(method) else "other"
    REQUESTS.labels(route, known, str(status)).inc()
    SECONDS.labels(route).observe(seconds)


def exposition(gauges: Iterable[Metric]) -> bytes:
    """What was counted and these gauges, as Prometheus reads it (text format 0.0.4)."""
    counted, asked = REGISTRY, CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        counted = CollectorRegistry()
        MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
    asked.register(_Told(list(gauges)))
    return generate_latest(counted) + generate_latest(asked)


class _Told(Collector):
    """Gauges that were asked for this answer alone."""

    def __init__(self, gauges: list[Metric]) -> None:
        self.gauges = gauges

    def collect(self) -> Iterable[Metric]:
        return self.gauges
