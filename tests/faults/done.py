"""The effects of all twelve actions in the database, each exactly once."""

from collections import Counter

from tests.faults.organiser import NAMES, FaultEvents
from tournaments.models import Job, LogEntry, Round, Tournament

ONCE = {
    "new": {
        "event created": 1,
        "player registered": len(NAMES),
        "player checked in": len(NAMES),
        "pairing asked for": 1,
        "round drafted": 1,
    },
    "drafted": {
        "round published": 1,
        "round started": 1,
        "result entered": 1,
        "player dropped": 1,
    },
    "playing": {"result changed": 1, "round closed": 1},
    "played": {"cut made": 1},
}
"""Number of log entries that the twelve actions leave in each event."""


def event_of(path: str) -> Tournament:
    return Tournament.objects.get(slug=path.strip("/").split("/")[-1])


def assert_all_done_once(events: FaultEvents) -> None:
    """Assert that the twelve actions and their jobs were done exactly once."""
    for name, expected in ONCE.items():
        event = event_of(getattr(events, name).path)
        logged = Counter(LogEntry.objects.filter(tournament=event).values_list("action", flat=True))
        assert {action: logged[action] for action in expected} == expected, name
    assert not Job.objects.exclude(state="done").exists()
    assert Round.objects.get(stage__tournament=event_of(events.new.path)).state == "draft"
    assert event_of(events.played.path).stages.count() == 2


def fingerprint() -> tuple[int, ...]:
    """Counts that grow with every change of an organiser."""
    return tuple(model._default_manager.count() for model in (Tournament, LogEntry, Job))
