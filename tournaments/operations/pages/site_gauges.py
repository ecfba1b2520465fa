"""What Prometheus is told of the site as a whole; asked of the database for each answer."""

from collections import Counter
from collections.abc import Iterator, Mapping

from django.utils import timezone
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector

from core.jobs import JobState
from tournaments.event import queries
from tournaments.models import Job, JobKind, Tournament
from tournaments.operations import queries as operation_queries


class SiteCollector(Collector):
    """Jobs by kind and state, events by where they stand, the age of the last backup."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield _jobs()
        waiting = queries.oldest_waiting_seconds()
        yield _one("datafort_oldest_waiting_job_seconds", "Since when it waits", waiting)
        yield _by("datafort_events", "Events by where they stand", "state", _events())
        if (last := operation_queries.last_backup()) is not None:
            age = (timezone.now() - last.began_at).total_seconds()
            yield _one("datafort_backup_age_seconds", "Age of the newest backup", age)
            yield _one("datafort_backup_bytes", "Size of the newest backup", last.size)


SITE = CollectorRegistry()
SITE.register(SiteCollector())


def _jobs() -> GaugeMetricFamily:
    gauge = GaugeMetricFamily("datafort_jobs", "Jobs by kind and state", labels=["kind", "state"])
    found = Counter(Job.objects.order_by().values_list("kind", "state"))
    for kind in JobKind.values:
        for state in JobState.values:
            gauge.add_metric([kind, state], found[kind, state])
    return gauge


def _events() -> dict[str, int]:
    under_way = queries.under_way().count()
    finished = Tournament.objects.exclude(finished_at=None).count()
    waiting = Tournament.objects.count() - finished - under_way
    return {"round is played": under_way, "open": waiting, "finished": finished}


def _one(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, words, value=value)


def _by(name: str, words: str, label: str, values: Mapping[str, int]) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(name, words, labels=[label])
    for key, value in values.items():
        gauge.add_metric([key], value)
    return gauge
