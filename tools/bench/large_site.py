"""W10: pages over the whole site with 100,000 events relative to 500, on PostgreSQL.

    python -m tools.bench.large_site

One event with its stored counts is played; the other events are copies of its rows, made by SQL,
with their own players. A player has the same number of events on both sites. The server runs on
this machine.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from tools import scaled
from tools.bench.clock import shown
from tools.bench.database import print_measured
from tools.bench.figures import Figure

SMALL, LARGE = 500, 100_000
"""Numbers of events, with ten players each."""
PLAYERS_OF_EVENT, EVENTS_OF_PLAYER = 10, 50
RUNS, MAX_TIMES, LONGEST_STATEMENT = 15, 2, 1.0
BY_DAYS = "site statistics by days"
"""A date filter on a page of W10, measured without a goal of its own."""
DAYS = "?since=2017-01-15&until=2025-12-10"
"""Whole months, and a part of the first and the last month."""
COPIED_PLAYERS = """
insert into players_player ({columns})
select {values} from generate_series(1, {number}) as n, players_player as p
where p.id = {last_player}
"""
COPIED_EVENTS = """
insert into tournaments_tournament ({columns})
select {values} from generate_series(1, {number}) as n, tournaments_tournament as t
where t.id = {event}
"""
COPIED_REGISTRATIONS = """
insert into tournaments_registration ({columns})
select {values} from tournaments_registration as r, tournaments_tournament as t
where r.tournament_id = {event} and t.id > {last_event}
"""
COPIED_TALLIES = """
insert into tournaments_eventtallies ({columns})
select {values} from tournaments_eventtallies as c, tournaments_tournament as t
where c.tournament_id = {event} and t.id > {last_event}
"""
OWN_PLAYERS = """
update tournaments_eventtallies as c set figures = jsonb_set(figures, '{players}', (
  select jsonb_agg(player_id) from tournaments_registration as r
  where r.tournament_id = c.tournament_id
))
"""
COPIED_RATINGS = """
insert into tournaments_rating
  (player_id, game, day, value, deviation, volatility, games, events, is_current)
select id, 'onr', date '2026-05-02', 1000 + id % 1000, 80, 0.06, 100, {events}, true
from players_player where id > {last_player}
"""


def figures(small: int = SMALL, large: int = LARGE) -> Iterator[Figure]:
    """Measured in one process without a web server, each page rendered again, in processor time."""
    from django.core.management import call_command

    measured: dict[int, dict[str, tuple[float, float]]] = {}
    for events in (small, large):
        call_command("flush", verbosity=0, interactive=False)
        fill(events)
        measured[events] = {page: _measured(address) for page, address in _addresses().items()}
    for page, (large_time, slowest) in measured[large].items():
        small_time, _ = measured[small][page]
        yield Figure(
            "W10",
            f"{page} at {large:,} events against {small:,}, PostgreSQL",
            f"{large_time / small_time:.1f} times ({shown(large_time)}, {shown(small_time)})",
            "" if page == BY_DAYS else f"<= {MAX_TIMES} times",
            None if page == BY_DAYS else large_time / small_time <= MAX_TIMES,
        )
        yield Figure(
            "W10",
            f"slowest statement of {page} at {large:,} events, PostgreSQL",
            shown(slowest),
            f"<= {LONGEST_STATEMENT:.0f} s",
            slowest <= LONGEST_STATEMENT,
        )


def fill(events: int) -> None:
    """Create a site with this many finished public events over ten years."""
    from django.db import connection
    from django.utils import timezone

    from players.models import Player
    from tests.factories import tournaments as make
    from tournaments.models import EventTallies, Registration, Tournament
    from tournaments.statistics.services import count_event, store_sums

    event = make.make_event(PLAYERS_OF_EVENT, name="Evening")
    make.play_round(event)
    Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())
    event.refresh_from_db()
    count_event(event)
    player = Player.objects.latest("pk")
    players = events * PLAYERS_OF_EVENT // EVENTS_OF_PLAYER
    values_known: dict[str, Any] = {
        "event": event.pk,
        "last_event": event.pk,
        "last_player": player.pk,
    }
    with connection.cursor() as cursor:
        cursor.execute("set statement_timeout = 0")

        def copy(
            statement: str, model: Any, row: str, changed: dict[str, str], number: int
        ) -> None:
            fields = model._meta.concrete_fields
            columns = [field.column for field in fields if field.column != "id"]
            values = [changed.get(column, f"{row}.{column}") for column in columns]
            lists = {"columns": ", ".join(columns), "values": ", ".join(values)}
            cursor.execute(statement.format(number=number, **lists, **values_known))

        name = "'Player ' || n"
        keys = {"name": name, "name_key": name, "sort_key": name, "user_id": "null"}
        keys |= {"claim_hash": "null"}
        copy(COPIED_PLAYERS, Player, "p", keys, players)
        slugs = {
            "name": "'Evening ' || n",
            "slug": "'evening-' || n",
            "join_code": "lpad(n::text, 6, '0')",
        }
        days = {"starts_on": "date '2016-05-02' + (n % 3650)::int"}
        copy(COPIED_EVENTS, Tournament, "t", slugs | days, events - 1)
        # Copies of a registration are distributed over the players in turn.
        player_id = f"{player.pk} + 1 + ((t.id * {PLAYERS_OF_EVENT} + r.number) % {players})"
        copies = {"tournament_id": "t.id", "player_id": player_id}
        copy(COPIED_REGISTRATIONS, Registration, "r", copies, events)
        own_columns = {"tournament_id": "t.id"}
        copy(COPIED_TALLIES, EventTallies, "c", own_columns, events)
        cursor.execute(OWN_PLAYERS)
        cursor.execute(COPIED_RATINGS.format(events=EVENTS_OF_PLAYER, **values_known))
        # As autovacuum would on a running site.
        cursor.execute("vacuum analyze")
    store_sums()


def _addresses() -> dict[str, str]:
    from django.urls import reverse

    from players.models import Player

    return {
        "home": reverse("home"),
        "events": reverse("tournaments:list"),
        "archive": reverse("tournaments:archive"),
        "site statistics": reverse("tournaments:site_statistics"),
        BY_DAYS: reverse("tournaments:site_statistics") + DAYS,
        "ratings": reverse("tournaments:ratings", args=["onr"]),
        "a player's page": reverse("tournaments:person", args=[Player.objects.latest("pk").pk]),
    }


def _measured(address: str) -> tuple[float, float]:
    """Processor time of the page in this process and in the database, and its slowest statement.

    Parallel workers of the database would not be measured, so there are none.
    """
    from django.core.cache import caches
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    stranger, turn = Client(), count()
    address, _, days = address.partition("?")
    query = dict(parse_qsl(days))

    def request() -> None:
        for name in ("pages", "default", "template_fragments"):
            caches[name].clear()
        answer = stranger.get(address, query | {"turn": str(next(turn))})
        if answer.status_code != 200:
            raise RuntimeError(f"{address} answers {answer.status_code}.")

    request()
    with connection.cursor() as cursor:
        cursor.execute("set max_parallel_workers_per_gather = 0")
        cursor.execute("select pg_backend_pid()")
        (backend,) = cursor.fetchone()
    runs = []
    for _ in range(RUNS):
        start = _processor_time(backend)
        request()
        runs.append(_processor_time(backend) - start)
    with CaptureQueriesContext(connection) as queries:
        request()
    return min(runs), max(float(query["time"]) for query in queries)


def _processor_time(backend: int) -> float:
    """Processor seconds used by this process and by its process of the database server."""
    of_database = Path(f"/proc/{backend}/schedstat").read_text().split()[0]
    return time.process_time() + int(of_database) / 1e9


def in_a_process_of_its_own(*, is_quick: bool) -> Iterator[Figure]:
    """Measure on the PostgreSQL server of the tests; without a server, a line says so."""
    if scaled.missing():
        yield Figure("W10", "site-wide pages at 100,000 events", "PostgreSQL is not running")
        return
    command = [sys.executable, "-m", "tools.bench.large_site", *(["--quick"] if is_quick else [])]
    environment = {**os.environ, "DATABASE_URL": scaled.DATABASE_URL}
    run = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    for line in run.stdout.splitlines():
        name, measured, goal, verdict = line.split(" | ")
        is_met = {"yes": True, "no": False}.get(verdict)
        yield Figure("W10", name.removeprefix("W10 "), measured, goal, is_met)


def main() -> None:
    """Print the figures, one per line."""
    sizes = (50, 2_000) if "--quick" in sys.argv else (SMALL, LARGE)
    print_measured(partial(figures, *sizes))


if __name__ == "__main__":
    main()
