"""Table wishes on the roster and on the own phone."""

from django.test import Client
from django.urls import reverse

from tests.factories.tournaments import make_event, player_number
from tests.tournaments.views.cast import browser_of
from tournaments.models import Tournament


def test_the_staff_set_a_fixed_table_and_the_stream(event: Tournament):
    staff = Client()
    staff.force_login(event.staff.get().user)
    address = reverse("tournaments:wishes", args=[event.slug, 2])

    staff.post(address, {"fixed_table": "12", "avoids_stream": "on"})
    wrong = staff.post(address, {"fixed_table": "twelve"}, follow=True)

    entry = player_number(event, 2)
    assert (entry.fixed_table, entry.avoids_stream) == (12, True)
    assert "A table is a number from 1 to 9999" in wrong.content.decode()


def test_a_player_may_stay_away_from_the_cameras():
    event = make_event(players=4, feature_tables="1")
    phone = browser_of("player", event, player_number(event, 1))
    address = reverse("tournaments:my_stream", args=[event.slug])

    phone.post(address, {"avoids": "yes"})
    assert player_number(event, 1).avoids_stream
    phone.post(address, {"avoids": "no"})
    assert not player_number(event, 1).avoids_stream
