"""Series for tests: events of the same players, played through the services."""

from collections.abc import Sequence
from datetime import date, time, timedelta
from typing import Any

from django.utils import timezone

from players.models import Player, User
from tests.factories.tournaments import (
    finish_round,
    fresh,
    make_event,
    make_user,
    owner_of,
    start_round,
    sweep,
)
from tournaments.event.permissions import Actor
from tournaments.models import InvitedPlayer, Pairing, Registration, Series, Tournament
from tournaments.registration import services as registration_services
from tournaments.series import recurring
from tournaments.series import services as series_services
from tournaments.settings import services as settings_services

FIRST = date(2026, 5, 5)


def make_series(owner: User | None = None, name: str = "Spring Series", **settings: Any) -> Series:
    """A series that belongs to the account."""
    return series_services.create_series(owner or make_user(), name=name, **settings)


def owner_of_series(series: Series) -> Actor:
    return Actor(user=series.staff.select_related("user").get(role="owner").user)


def make_players(*names: str) -> list[Player]:
    """Guests who take part in several events."""
    return [Player.objects.create(name=name) for name in names]


def evening(
    series: Series | None, players: Sequence[Player], *, number: int = 1, **settings: Any
) -> Tournament:
    """A finished event; at each table, the player earlier in `players` wins."""
    if series is not None:
        settings.setdefault("owner", owner_of_series(series).user)
    event = open_evening(series, players, number=number, **settings)
    order = {player.pk: index for index, player in enumerate(players)}
    for _ in range(settings.get("planned_rounds") or 1):
        finish_round(start_round(event), lambda pairing: _better_wins(pairing, order))
    settings_services.finish_event(event, owner_of(event))
    return fresh(event)


def first_evening() -> Tournament:
    """The first event of a series, with Ada, Bo, Cy and Di."""
    return evening(make_series(), make_players("Ada", "Bo", "Cy", "Di"))


def changed(series: Series, **fields: Any) -> Series:
    Series.objects.filter(pk=series.pk).update(**fields)
    series.refresh_from_db()
    return series


def final(series: Series) -> Tournament:
    """The event that the series qualifies for."""
    owner = owner_of_series(series)
    event = make_event(0, name="The Final", owner=owner.user)
    series_services.change_series(series, owner, target=event, qualify_per_event=1)
    series.refresh_from_db()
    return event


def open_evening(
    series: Series | None, players: Sequence[Player], *, number: int = 1, **settings: Any
) -> Tournament:
    """An event with checked-in players."""
    settings.setdefault("starts_on", FIRST + timedelta(days=7 * (number - 1)))
    event = make_event(0, name=settings.pop("name", f"Spring Evening {number}"), **settings)
    for player in players:
        registration = registration_services.register_player(event, player, Actor(player=player))
        registration_services.check_in([registration], owner_of(event))
    if series is not None:
        series_services.add_event(series, event, owner_of(event))
    return fresh(event)


def _better_wins(pairing: Pairing, order: dict[int, int]) -> Any:
    seats = list(pairing.match.seats.all())
    better_seat = min(seats, key=lambda seat: order[seat.player_id])
    # The loser has fewer points the further behind, so that no two players are tied.
    loser = max(order[seat.player_id] for seat in seats)
    return sweep(better_seat.position, loser_points=max(0, 6 - loser))


def fill_series(event: Tournament) -> Series:
    """A series of the owner of the event, with everything that an address below it may name."""
    owner = owner_of(event)
    assert owner.user is not None
    series = make_series(owner.user)
    series_services.add_event(series, event, owner)
    recurring.plan_evenings(
        series,
        owner,
        event,
        first_on=timezone.localdate() + timedelta(days=30),
        rhythm="weekly",
        starts_at=time(19),
        time_zone="UTC",
        days_before=6,
        opens_at=time(12),
    )
    InvitedPlayer.objects.create(tournament=event, player=event.registrations.all()[0].player)
    return series


def places(event: Tournament) -> list[str]:
    """Names of the final standings, first to last."""
    snapshot = event.snapshots.newest()
    assert snapshot is not None
    return [row.registration.player.name for row in snapshot.rows.ranked()]


def registered(event: Tournament) -> list[str]:
    """Names on the roster, by number."""
    rows = Registration.objects.filter(tournament=event).order_by("number")
    return list(rows.values_list("player__name", flat=True))
