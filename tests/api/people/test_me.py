from django.utils import timezone
from rest_framework.test import APIClient

from tests.factories import tournaments as make
from tournaments.models import Tournament

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


def test_my_rounds_and_my_standing(event: Tournament, owner: APIClient, guest: APIClient):
    owner.post("/api/v1/events/spring-run/registrations/check-in/", {"numbers": None}, "json")
    make.play_round(event)

    told = guest.get(ME).data

    assert told["now"] == "between"
    assert [(one["number"], len(one["opponents"])) for one in told["rounds"]] == [(1, 1)]
    assert told["standing"]["rank"] in range(1, 5)
    assert "avoid_group" not in told
