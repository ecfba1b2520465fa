"""An evening played inside a process of the site, for the results that are not typed by hand.

Each function is one run of `manage.py shell` and appends the results of the tables to a file.
"""

import json
import random
from pathlib import Path
from secrets import token_hex
from typing import Any

from matches.scoring.results import GameEnd, GameResult, MatchResult, Role
from players.models import Player
from players.services import issue_claim
from tests.browser.table_talk import Ledger, PlayedGame
from tests.factories.tournaments import (
    close_round,
    enter_result,
    fresh,
    make_event,
    make_user,
    owner_of,
    sitting,
    start_round,
    tables_of,
)
from tests.waiting import wait_until
from tournaments.models import Job, JobKind, Round, Tournament
from tournaments.registration import services as registration_services
from tournaments.settings import services as settings_services


def play_evening(
    slug: str, seed: int, facts: str, away: list[str], left: list[int] | None = None
) -> None:
    """Play all rounds without the players in `away`; the tables in `left` stay open in the last."""
    event = Tournament.objects.get(slug=slug)
    # A guest who missed the previous evening was not copied.
    guests = Player.objects.filter(user=None)
    for player in guests.exclude(pk__in=event.registrations.values("player")):
        registration_services.register_player(event, player, owner_of(event))
    present = event.registrations.exclude(player__name__in=away)
    registration_services.check_in(list(present), owner_of(event))
    assert event.planned_rounds is not None
    for number in range(1, event.planned_rounds + 1):
        round_ = start_round(fresh(event))
        open_ = left if number == event.planned_rounds and left else []
        play_tables(slug, seed + number, facts, open_)
        if not open_:
            close_round(round_)
    if not left:
        end(slug)


def open_round(facts: str, **settings: Any) -> None:
    """Start round 1 of a new event; write its path and a personal link for each seat of table 1."""
    event = make_event(owner=make_user(f"owner-{token_hex(4)}"), **settings)
    players = [registration.player for registration in sitting(tables_of(start_round(event))[0])]
    seats = [(player.name, f"/claim/{issue_claim(player)}/") for player in players]
    event_data = {"path": event.get_absolute_url(), "seats": seats}
    Path(facts).write_text(json.dumps(event_data), encoding="utf-8")


def play_tables(slug: str, seed: int, facts: str, left: list[int]) -> None:
    """Enter a result for each open table of the newest round, except for those in `left`."""
    round_ = _newest(slug)
    ledger = Ledger(random.Random(seed))
    for pairing in round_.open_tables():
        if pairing.table_number in left:
            continue
        seats = pairing.match.seats.select_related("player").order_by("position")
        first, second = (seat.player.name for seat in seats)
        games = ledger.play((first, second))
        enter_result(pairing, _result(games, first))
        append_table(Path(facts), slug, round_.number, (first, second), games)


def end(slug: str) -> None:
    """Close the open round, and finish the event between computing its standings and ratings."""
    round_ = _newest(slug)
    if not round_.is_closed:
        close_round(round_)
    event = Tournament.objects.get(slug=slug)
    # A backup stays queued until the last backup is old enough.
    waiting = event.jobs.filter(state__in=("queued", "running")).exclude(kind="back_up")
    wait_until(lambda: not waiting.exists(), "standings", 60)
    settings_services.finish_event(event, owner_of(event))
    ratings = Job.objects.filter(kind=JobKind.RECOMPUTE_RATINGS, state__in=("queued", "running"))
    wait_until(lambda: not ratings.exists(), "ratings", 60)


def append_table(
    facts: Path, slug: str, number: int, table: tuple[str, str], games: tuple[PlayedGame, ...]
) -> None:
    """Append a line for a table: event, round, players and games."""
    row: dict[str, Any] = {"event": slug, "round": number, "table": table}
    row["games"] = [[game.corp, game.runner, game.winner, game.stolen] for game in games]
    with facts.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def _newest(slug: str) -> Round:
    round_ = Tournament.objects.get(slug=slug).latest_round()
    assert round_ is not None
    return round_


def _result(games: tuple[PlayedGame, ...], first: str) -> MatchResult:
    return MatchResult(tuple(_game(game, first) for game in games))


def _game(game: PlayedGame, first: str) -> GameResult:
    winner = Role.CORP if game.winner == game.corp else Role.RUNNER
    points = (game.agenda_points(game.corp), game.agenda_points(game.runner))
    return GameResult(game.number, 1 if game.corp == first else 2, winner, GameEnd.AGENDA, *points)
