import pytest
from rest_framework.test import APIClient

from players import services as players
from tests.api.routes import ADDRESSES
from tests.factories import tournaments as make
from tournaments.models import StaffRole, Tournament

pytestmark = pytest.mark.check(1)
BELOW_EVENTS = [address for address in ADDRESSES if address.startswith("/api/v1/events/spring")]


def hide(event: Tournament, visibility: str) -> None:
    Tournament.objects.filter(pk=event.pk).update(visibility=visibility)


@pytest.mark.parametrize("address", BELOW_EVENTS)
def test_an_unlisted_event_is_read_by_its_address(api: APIClient, event: Tournament, address: str):
    hide(event, "unlisted")

    assert api.get(address).status_code == 200


@pytest.mark.parametrize("address", BELOW_EVENTS)
def test_a_private_event_exists_for_its_people_only(
    api: APIClient, event: Tournament, address: str
):
    hide(event, "private")
    judge = make.add_staff(event, StaffRole.JUDGE)
    player = players.link_guest(make.player_number(event, 1).player, make.make_user())
    stranger = make.make_user()

    for user, status in ((None, 404), (stranger, 404), (judge, 200), (player.user, 200)):
        api.logout()
        if user is not None:
            api.force_login(user)
        answer = api.get(address)
        assert answer.status_code == status
    assert "private" in answer.headers["Cache-Control"]


def test_a_guest_reads_their_private_event_by_the_session(api: APIClient, event: Tournament):
    hide(event, "private")
    secret = players.issue_claim(make.player_number(event, 1).player)
    assert api.get("/api/v1/events/spring-run/").status_code == 404

    api.get(f"/claim/{secret}/")
    api.post("/claim/")

    assert api.get("/api/v1/events/spring-run/").status_code == 200


def test_an_etag_does_not_open_a_private_event(api: APIClient, event: Tournament):
    etag = api.get("/api/v1/events/spring-run/").headers["ETag"]
    hide(event, "private")

    assert api.get("/api/v1/events/spring-run/", HTTP_IF_NONE_MATCH=etag).status_code == 404
