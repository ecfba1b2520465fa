"""Queries of a player's page for 500 events and 1,000 opponents, compared with two events."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from matches.models import Game, GameSeat, Match, Seat
from players.models import Player
from tests.factories.tournaments import make_event
from tests.queries import queries_of
from tournaments.models import (
    Pairing,
    Registration,
    Round,
    Stage,
    Standing,
    StandingSnapshot,
    Tournament,
)
from tournaments.models.codes import new_join_code


def copy_row(row: Any, **changed: Any) -> Any:
    """Return an unsaved copy of the row with these changes."""
    fields = [field.attname for field in row._meta.concrete_fields if not field.primary_key]
    made: Model = type(row)(**{name: getattr(row, name) for name in fields})
    for name, value in changed.items():
        setattr(made, name, value)
    return made


def new_players(names: list[str]) -> list[Player]:
    made = [Player() for _ in names]
    for player, name in zip(made, names, strict=True):
        player.set_name(name)
    return Player.objects.bulk_create(made)


def add_events(ada: Player, number: int) -> None:
    """Add finished events in which the player lost and won a table against new opponents."""
    pattern, finished_at = make_event(players=2), timezone.now()
    stage, name = pattern.stages.get(), ada.name.lower()
    events = Tournament.objects.bulk_create(
        copy_row(
            pattern,
            slug=f"{name}-{nth}",
            name=f"Run {nth} of {ada}",
            join_code=new_join_code(),
            starts_on=date(2020, 1, 1) + timedelta(days=nth),
            finished_at=finished_at,
        )
        for nth in range(number)
    )
    stages = Stage.objects.bulk_create(copy_row(stage, tournament=event) for event in events)
    opponents = new_players([f"{ada}'s opponent {nth}" for nth in range(2 * number)])
    for event, stage_, (first, second) in zip(
        events, stages, zip(opponents[::2], opponents[1::2], strict=True), strict=True
    ):
        _play(event, stage_, (ada, first, second))


def _play(event: Tournament, stage: Stage, players: tuple[Player, ...]) -> None:
    ada, closed_at = players[0], timezone.now()
    places = Registration.objects.bulk_create(
        Registration(tournament=event, player=player, number=nth, state="checked_in")
        for nth, player in enumerate(players, start=1)
    )
    for number, opponent in enumerate(players[1:], start=1):
        round_ = Round.objects.create(
            stage=stage, number=number, state="closed", closed_at=closed_at, seed=number
        )
        match = Match.objects.create(scoring_rule=stage.scoring_rule, state="confirmed")
        points = (0, 10) if number == 1 else (10, 0)
        seats = [
            Seat.objects.create(match=match, position=nth, player=player, points=points[nth - 1])
            for nth, player in enumerate((ada, opponent), start=1)
        ]
        game = Game.objects.create(match=match, number=1, end="agenda", winner=seats[number % 2])
        for seat, role in zip(seats, ("corp", "runner"), strict=True):
            GameSeat.objects.create(game=game, seat=seat, role=role)
        Pairing.objects.create(round=round_, table_number=1, match=match)
    snapshot = StandingSnapshot.objects.create(tournament=event, round=round_, tournament_version=1)
    Standing.objects.create(
        snapshot=snapshot, registration=places[0], rank=1, match_points=10, tie_breakers={}
    )


@pytest.mark.parametrize("number", [30, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.django_db
def test_number_of_queries_does_not_grow_with_the_events_of_a_player(number: int):
    bo, ada = new_players(["Bo", "Ada"])
    add_events(bo, 2)
    add_events(ada, number)

    few = queries_of(Client().get, f"/people/{bo.pk}/")
    many = queries_of(Client().get, f"/people/{ada.pk}/")
    page = Client().get(f"/people/{ada.pk}/").content.decode()
    last = Client().get(f"/people/{ada.pk}/?page={-(-number // 20)}").content.decode()

    assert many <= few + 1
    assert many <= 15
    assert page.count("person-event__name") == 20
    assert "chart__bar" in page
    assert 'id="onr-own_sides-heading"' in page
    assert f"{number}-0-{number}" in page
    assert "All opponents" in page
    assert "Run 0 of Ada" in last
