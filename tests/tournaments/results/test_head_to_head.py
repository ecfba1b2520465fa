"""Head-to-head after a drop."""

import pytest

from tests.factories.tournaments import (
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    sitting,
    sweep,
    tables_of,
    work_off,
)
from tournaments.models import Registration, Tournament
from tournaments.registration import services as registration_services


@pytest.fixture
def event() -> Tournament:
    """Return an event of three after one match and one bye; head-to-head ranks first."""
    event = make_event(players=3)
    Tournament.objects.filter(pk=event.pk).update(tie_breakers=["head_to_head", "lot"])
    play_round(event, play=lambda _: sweep(1))
    return fresh(event)


def figures(event: Tournament) -> dict[int, str | None]:
    """Return the head-to-head of each player in the current standings."""
    work_off(event)
    snapshot = event.snapshots.newest()
    assert snapshot is not None
    rows = snapshot.rows.select_related("registration")
    return {row.registration.number: row.tie_breakers["head_to_head"] for row in rows}


def winner_and_bye(event: Tournament) -> tuple[Registration, Registration]:
    tables = tables_of(get_round(event, 1))
    winner, loser = next(sitting(table) for table in tables if table.match is not None)
    bye = event.registrations.exclude(pk__in=[winner.pk, loser.pk]).get()
    return winner, bye


@pytest.mark.django_db
def test_standings_are_computed_again_when_a_tied_player_drops(event: Tournament):
    winner, bye = winner_and_bye(event)
    assert set(figures(event).values()) == {None}

    registration_services.drop_player(bye, owner_of(event))

    assert figures(event)[winner.number] == "20"


@pytest.mark.django_db
def test_returned_player_counts_as_a_rival_again(event: Tournament):
    winner, bye = winner_and_bye(event)
    registration_services.drop_player(bye, owner_of(event))
    assert figures(event)[winner.number] == "20"

    registration_services.return_player(Registration.objects.get(pk=bye.pk), owner_of(event))

    assert figures(event)[winner.number] is None
