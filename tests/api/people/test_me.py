import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from tests.factories import tournaments as make
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ME = "/api/v1/events/spring-run/me/"


def test_a_day_from_arriving_to_leaving(event: Tournament, guest: APIClient):
    Tournament.objects.update(starts_on=timezone.localdate())

    listed = guest.get(ME).data
    here = guest.post(f"{ME}check-in/").data
    gone = guest.post(f"{ME}drop/").data
    back = guest.post(f"{ME}return/").data

    assert (listed["now"], listed["can_check_in"]) == ("check_in", True)
    assert (here["state"], here["now"]) == ("checked_in", "here")
    assert (gone["state"], gone["dropped_by"], gone["can_return"]) == ("dropped", "player", True)
    assert back["state"] == "checked_in"


def test_too_early_to_check_in_is_refused(guest: APIClient):
    answer = guest.post(f"{ME}check-in/")

    assert (answer.status_code, answer.data["code"]) == (409, "check_in_closed")


def test_my_rounds_and_my_standing(event: Tournament, owner: APIClient, guest: APIClient):
    owner.post("/api/v1/events/spring-run/registrations/check-in/", {"numbers": None}, "json")
    make.play_round(event)

    told = guest.get(ME).data

    assert told["now"] == "between"
    assert [(one["number"], len(one["opponents"])) for one in told["rounds"]] == [(1, 1)]
    assert told["standing"]["rank"] in range(1, 5)
    assert "avoid_group" not in told


def test_a_wish_not_to_be_filmed(guest: APIClient):
    assert guest.patch(f"{ME}wishes/", {"avoids_stream": True}, "json").data["avoids_stream"]
    assert guest.patch(f"{ME}wishes/", {}, "json").status_code == 400


def test_only_players_have_a_day(event: Tournament, owner: APIClient):
    assert APIClient().get(ME).status_code == 401
    assert owner.get(ME).status_code == 404


def test_news_that_nobody_sends_cannot_be_wished_for(guest: APIClient):
    told = guest.get(f"{ME}news/").data
    mail = guest.put(f"{ME}news/mail/", {"wanted": True}, "json")
    phone = guest.put(f"{ME}news/phone/", {"wanted": True, "endpoint": "https://x"}, "json")
    stopped = guest.put(f"{ME}news/phone/", {"wanted": False}, "json")

    assert told["why_no_mail"] == "The organiser sends no mails at this event."
    assert (mail.status_code, mail.data["code"]) == (409, "no_mail")
    assert phone.status_code == 409
    assert stopped.data == told


def test_who_wants_to_be_kept_says_so(event: Tournament, owner: APIClient, guest: APIClient):
    stayed = guest.post("/api/v1/me/data/stay/")

    player = make.player_number(event, 1).player
    assert stayed.status_code == 204
    assert player.stays_from is not None
    assert owner.post("/api/v1/me/data/stay/").status_code == 404
