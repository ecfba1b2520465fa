"""Events for tests, created and played through the services."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from itertools import count
from typing import Any

from django.db import connection

from core import jobs
from matches.models import Seat
from matches.scoring.results import GameEnd, GameResult, MatchResult, Role
from players import services as player_services
from players.models import Player, User
from tournaments import tasks
from tournaments.event.permissions import Actor
from tournaments.models import Job, Pairing, Registration, Round, StaffRole, Tournament
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services

Play = Callable[[Pairing], MatchResult]

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")
PATIENCE = 30
"""Seconds."""
_usernames = count(1)


def make_user(username: str = "", **fields: Any) -> User:
    """An account with the password "a long password"."""
    name = username or f"user{next(_usernames)}"
    return User.objects.create_user(name, password="a long password", **fields)


def make_event(
    players: int = 8,
    *,
    checked_in: bool = True,
    owner: User | None = None,
    name: str = "Spring Run",
    **settings: Any,
) -> Tournament:
    """An event with guests on its roster, numbered from 1 and checked in by default."""
    settings.setdefault("seed", 7)
    settings.setdefault("max_players", None)
    settings.setdefault("starts_on", date(2026, 5, 2))
    tournament = settings_services.create_event(owner or make_user(), name=name, **settings)
    add_players(tournament, players, checked_in=checked_in)
    return fresh(tournament)


def add_players(
    tournament: Tournament, players: int, *, checked_in: bool = True
) -> list[Registration]:
    """Further guests, named after the existing guests."""
    start = tournament.registrations.count()
    entries = [roster_changes.NewEntry(_name(start + index)) for index in range(players)]
    added = roster_changes.add_entries(tournament, entries, owner_of(tournament))
    if checked_in:
        registration_services.check_in(added, owner_of(tournament))
    return added


def _name(index: int) -> str:
    turn, name_index = divmod(index, len(NAMES))
    return NAMES[name_index] if turn == 0 else f"{NAMES[name_index]} {turn + 1}"


def fresh(tournament: Tournament) -> Tournament:
    """The event as currently stored in the database."""
    return Tournament.objects.get(pk=tournament.pk)


def owner_of(tournament: Tournament) -> Actor:
    return Actor(user=tournament.staff.select_related("user").get(role=StaffRole.OWNER).user)


def add_staff(tournament: Tournament, role: str, username: str = "") -> User:
    """An account with this role at the event."""
    user = make_user(username)
    settings_services.give_role(tournament, owner_of(tournament), user, role)
    return user


def player_number(tournament: Tournament, number: int) -> Registration:
    return tournament.registrations.select_related("player", "tournament").get(number=number)


def join(tournament: Tournament, name: str) -> Registration:
    """Register a new player as they would themselves."""
    player = player_services.create_player(name)
    return registration_services.register_player(fresh(tournament), player, Actor(player=player))


def hide(player: Player, **chosen: Any) -> None:
    """Hide these details of the player; other choices stay."""
    current = {field: getattr(player, field) for field in player_services.PRIVACY_FIELDS}
    player_services.set_privacy(player, **{**current, **chosen})


@contextmanager
def meanwhile(do: Callable[[], object]) -> Iterator[None]:
    """Run `do` while the next change waits for the event.

    It runs within the transaction of the change, so a refusal rolls it back.
    """
    waits = [do]

    def first(execute: Any, sql: str, *args: Any) -> Any:
        if "has_webhooks" in sql and waits:
            waits.pop()()
        return execute(sql, *args)

    with connection.execute_wrapper(first):
        yield


def removed_meanwhile(registration: Registration) -> AbstractContextManager[None]:
    """Remove the player from the roster while the next change waits for the event."""
    return meanwhile(
        lambda: roster_changes.remove_player(registration, owner_of(registration.tournament))
    )


def place_of(tournament: Tournament, player: Player) -> Registration:
    return tournament.registrations.select_related("player", "tournament").get(player=player)


def seats_of(pairing: Pairing) -> list[Seat]:
    """Seats at a table in order, as currently stored in the database."""
    return list(pairing.match.seats.select_related("player"))


def sitting(pairing: Pairing) -> list[Registration]:
    """Registrations at a table, in seat order."""
    tournament = pairing.round.stage.tournament
    return [place_of(tournament, seat.player) for seat in seats_of(pairing)]


def draft_round(tournament: Tournament) -> Round:
    """Request the next round and run its job; return the draft."""
    number = tournament.next_round_number()
    job = draft_changes.request_pairing(tournament, number, owner_of(tournament))
    tasks.pair_round(job.pk)
    _wait_for(job)
    assert job.state == "done", job.error
    return get_round(tournament, number)


def _wait_for(job: Job) -> None:
    """Wait for the job: the worker of a live site may have taken it first."""
    deadline = time.monotonic() + PATIENCE
    job.refresh_from_db()
    while job.state in ("queued", "running") and time.monotonic() < deadline:
        time.sleep(0.05)
        job.refresh_from_db()


def get_round(tournament: Tournament, number: int) -> Round:
    """A round, with its event."""
    return tournament.rounds.select_related("stage__tournament").get(number=number)


def start_round(tournament: Tournament) -> Round:
    """Draft, publish and start the next round."""
    round_ = draft_round(tournament)
    rounds_services.publish_round(round_, owner_of(tournament))
    rounds_services.start_round(round_, owner_of(tournament))
    return get_round(tournament, round_.number)


def play_round(
    tournament: Tournament, *, play: Play | None = None, tables: Sequence[int] | None = None
) -> Round:
    """Play the next round from its draft to its close, with a result for each table.

    `play` returns the result of a table. With `tables`, only these tables are played, and the round
    stays open.
    """
    round_ = start_round(tournament)
    for pairing in tables_of(round_):
        if tables is None or pairing.table_number in tables:
            enter_result(pairing, (play or games_for)(pairing))
    if tables is None:
        close_round(round_)
    return get_round(tournament, round_.number)


def finish_round(round_: Round, play: Play | None = None) -> None:
    """Enter a result for each open table, and close the round."""
    for pairing in round_.open_tables():
        enter_result(pairing, (play or games_for)(pairing))
    close_round(round_)


def close_round(round_: Round) -> None:
    """Close the round, and run the job that computes the standings."""
    rounds_services.close_round(round_, owner_of(round_.stage.tournament))
    work_off(round_.stage.tournament)


def work_off(tournament: Tournament) -> None:
    """Run all waiting jobs; nothing leaves the machine."""
    for job in tournament.jobs.filter(state="queued"):
        task = jobs.task_of(job)
        if not getattr(task, "aside", False):
            task(job.pk)


def tables_of(round_: Round) -> list[Pairing]:
    """Tables of a round in order, without byes."""
    return list(round_.pairings.with_players().exclude(match=None))


def table(round_: Round, number: int) -> Pairing:
    return round_.pairings.with_players().get(table_number=number)


def enter_result(pairing: Pairing, result: MatchResult) -> None:
    """Enter a result as the owner of the event; with a reason in a closed round."""
    pairing.match.refresh_from_db()
    owner = owner_of(pairing.round.stage.tournament)
    note = "The slip says so." if pairing.round.is_closed else ""
    results_services.decide_result(
        pairing, result, owner, seen_version=pairing.match.version, note=note
    )


def games_for(pairing: Pairing) -> MatchResult:
    """Seat 1 sweeps at odd tables, games are split at even tables; points differ by table."""
    assert pairing.table_number is not None
    points = pairing.table_number % 6
    if pairing.table_number % 2:
        return sweep(1, points)
    return MatchResult(
        (
            won_game(1, Role.CORP, loser_points=points),
            won_game(2, Role.CORP, loser_points=0),
        )
    )


def sweep(position: int, loser_points: int = 0) -> MatchResult:
    """Both games won on agenda points by the player in this seat (1 or 2)."""
    roles = (Role.CORP, Role.RUNNER) if position == 1 else (Role.RUNNER, Role.CORP)
    return MatchResult(
        (
            won_game(1, roles[0], loser_points=loser_points),
            won_game(2, roles[1], loser_points=loser_points),
        )
    )


def won_game(number: int, winner: Role, *, loser_points: int = 0, points: int = 7) -> GameResult:
    """A game won on agenda points; seat 1 is Corp in game 1, seat 2 in game 2."""
    corp, runner = (points, loser_points) if winner is Role.CORP else (loser_points, points)
    return GameResult(number, number, winner, GameEnd.AGENDA, corp, runner)
