"""W5: pages over many events, at a site with years of events relative to a few events."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.db.models import Count
from django.db.models.functions import Mod
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.model_fields import SIXTIETHS
from matches.models import Seat
from tests.factories.ratings import compute_ratings, many_events
from tests.factories.series import make_series
from tools.bench.clock import seconds, shown
from tools.bench.figures import Figure
from tournaments.models import Registration, Round, Standing, StandingSnapshot, Tournament

SMALL, FEW, LARGE = (40, 6), (200, 50), (2_000, 500)
"""Players and events."""
RUNS, MAX_TIMES, MAX_QUERIES = 5, 10, 15
Measured = dict[str, tuple[float, int]]


def figures(players: int, events: int) -> Iterator[Figure]:
    """Measured in one process without a server, each page rendered again."""
    small = _measured(*SMALL)
    call_command("flush", verbosity=0, interactive=False)
    large = _measured(players, events)
    for page, (seconds_, queries) in large.items():
        baseline, _ = small[page]
        yield Figure(
            "W5",
            f"{page} at {players:,} players and {events} events against {SMALL[0]} and {SMALL[1]}",
            f"{seconds_ / baseline:.1f} times ({shown(seconds_)}, {shown(baseline)})",
            f"<= {MAX_TIMES} times",
            seconds_ / baseline <= MAX_TIMES,
        )
        yield Figure(
            "W5",
            f"queries of {page} at {players:,} players and {events} events",
            str(queries),
            f"<= {MAX_QUERIES}",
            queries <= MAX_QUERIES,
        )


def _measured(players: int, events: int) -> Measured:
    """Seconds and queries of each page at a site of this size."""
    many_events(players, events)
    _count_for(make_series(best_of=4).pk)
    compute_ratings()
    return {page: _measure_page(address) for page, address in _addresses().items()}


def _addresses() -> dict[str, str]:
    """Addresses of the pages; the player is the most frequent player."""
    counts = Registration.objects.order_by().values_list("player").annotate(events=Count("pk"))
    most_frequent, _ = counts.order_by("-events", "player")[0]
    return {
        "table of a series of all events": reverse("tournaments:series", args=["spring-series"]),
        "player's page": reverse("tournaments:person", args=[most_frequent]),
        "ratings": reverse("tournaments:ratings", args=["onr"]),
        "site statistics": reverse("tournaments:site_statistics"),
        "archive": reverse("tournaments:archive"),
    }


def _measure_page(address: str) -> tuple[float, int]:
    stranger, unique_number = Client(), count()

    def ask() -> None:
        caches["pages"].clear()
        caches["default"].clear()
        answer = stranger.get(address, {"once": next(unique_number)})
        if answer.status_code != 200:
            raise RuntimeError(f"{address} answers {answer.status_code}.")

    ask()  # Load what is loaded only once.
    duration = seconds(ask, RUNS, enough=30)
    with CaptureQueriesContext(connection) as queries_:
        ask()
    return duration, len(queries_)


def _count_for(series: int) -> None:
    """Add all events to the series, and set points and standings by number."""
    Tournament.objects.update(series=series)
    # The column counts sixtieths; these are whole points.
    Seat.objects.update(points=Mod("pk", 21) * SIXTIETHS)
    last = {round_.stage.tournament_id: round_ for round_ in _last_rounds()}
    snapshots = StandingSnapshot.objects.bulk_create(
        StandingSnapshot(tournament_id=event, round=round_, tournament_version=1)
        for event, round_ in last.items()
    )
    by_event = {snapshot.tournament_id: snapshot for snapshot in snapshots}
    Standing.objects.bulk_create(
        Standing(
            snapshot=by_event[registration_.tournament_id],
            registration=registration_,
            rank=registration_.number,
            match_points=100 - registration_.number,
        )
        for registration_ in Registration.objects.order_by("pk")
    )


def _last_rounds() -> Any:
    return Round.objects.select_related("stage").order_by("number")
