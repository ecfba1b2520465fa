import pytest

from players.models import Player
from tests.factories.series import make_players
from tournaments.models import Series, Tournament


@pytest.fixture
def new_players() -> list[Player]:
    return make_players("Ada", "Bo", "Cy", "Di")


@pytest.fixture
def regulars(event: Tournament) -> list[Player]:
    places = event.registrations.select_related("player").order_by("number")
    return [place.player for place in places]


@pytest.fixture
def series(event: Tournament) -> Series:
    assert event.series is not None
    return event.series
