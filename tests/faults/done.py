"""What an evening has come to in the database, and that nothing of it was done twice."""

from collections import Counter

from tests.faults.organiser import NAMES, Evening
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
"""How often the log of each event records what the twelve actions do."""


def event_of(path: str) -> Tournament:
    """The event at this address."""
    return Tournament.objects.get(slug=path.strip("/").split("/")[-1])


def assert_all_is_done(night: Evening) -> None:
    """The twelve actions have happened, each once, and so have their jobs."""
    for name, expected in ONCE.items():
        event = event_of(getattr(night, name).path)
        logged = Counter(LogEntry.objects.filter(tournament=event).values_list("action", flat=True))
        assert {action: logged[action] for action in expected} == expected, name
    assert not Job.objects.exclude(state="done").exists()
    assert Round.objects.get(stage__tournament=event_of(night.new.path)).state == "draft"
    assert event_of(night.played.path).stages.count() == 2


def fingerprint() -> tuple[int, ...]:
    """What grows with everything an organiser changes."""
    return tuple(model._default_manager.count() for model in (Tournament, LogEntry, Job))
