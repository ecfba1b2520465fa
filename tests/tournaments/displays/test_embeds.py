"""Standings and pairings in frames of other sites."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_staff,
    fresh,
    games_for,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    tables_of,
)
from tournaments.event.permissions import Actor
from tournaments.judging import calls
from tournaments.models import Tournament
from tournaments.results import services as results_services

EMBEDS = ("embed/standings/", "embed/pairings/")


def make_scene() -> Tournament:
    event = make_event(players=6)
    play_round(event)
    start_round(event)
    return fresh(event)


def there(event: Tournament, what: str) -> str:
    return f"/events/{event.slug}/{what}"


def test_any_site_may_frame_these_two_and_no_other_page(event: Tournament):
    for what in EMBEDS:
        answer = Client().get(there(event, what))
        assert "X-Frame-Options" not in answer
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
    for what in ("", "standings/", "pairings/", "overlays/", "overlay/clock/", "stream/"):
        answer = Client().get(there(event, what))
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_no_session_is_read_and_no_cookie_is_set(event: Tournament):
    browser = logged_in(owner_of(event).user)
    for what in EMBEDS:
        with CaptureQueriesContext(connection) as made:
            answer = browser.get(there(event, what))
        assert "players_session" not in str(made.captured_queries)
        assert not answer.cookies
        assert "Cookie" not in answer["Vary"]
        assert answer.content == Client().get(there(event, what)).content


def test_they_show_what_everybody_may_read_and_lead_to_the_page(event: Tournament):
    standings, pairings = (Client().get(there(event, what)).content.decode() for what in EMBEDS)
    everybody = event.registrations.values_list("player__name", flat=True)

    assert all(name in standings and name in pairings for name in everybody)
    assert f'href="{there(event, "standings/")}" target="_blank" rel="noopener"' in standings
    assert f'href="{there(event, "pairings/")}" target="_blank" rel="noopener"' in pairings
    assert "<form" not in standings + pairings
    assert '<td class="numeric">SoS' not in standings


def test_nothing_private_is_on_them(event: Tournament):
    pairing = tables_of(event.stages.get().rounds.get(number=2))[0]
    seat = pairing.match.seats.get(position=1)
    player = Actor(player=seat.player)
    calls.raise_call(pairing, player, "Canary call")
    results_services.report_result(pairing, seat, games_for(pairing), player)
    place = player_number(event, 1)
    event.registrations.filter(pk=place.pk).update(avoid_group="Canary group")
    Tournament.objects.filter(pk=event.pk).update(join_code="CANARY")

    for what in EMBEDS:
        html = Client().get(there(event, what)).content.decode()
        assert "canary" not in html.lower()
    assert "playing" in html


def test_a_private_event_is_in_no_frame_not_even_for_its_staff(event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(visibility="private")
    streamer = logged_in(add_staff(fresh(event), "streamer"))
    for what in EMBEDS:
        assert streamer.get(there(event, what)).status_code == 404
    Tournament.objects.filter(pk=event.pk).update(visibility="unlisted")
    assert Client().get(there(event, EMBEDS[0])).status_code == 200


def test_the_theme_is_chosen_or_that_of_the_reader(event: Tournament):
    def theme(query: str) -> str:
        return Client().get(there(event, f"embed/standings/{query}")).content.decode()[:200]

    assert 'data-theme="dark"' in theme("?theme=dark")
    assert 'data-theme="auto"' in theme("")
    assert Client().get(there(event, "embed/standings/?theme=red")).status_code == 400
    assert Client().get(there(event, "embed/standings/?top=3")).status_code == 400


def test_an_unchanged_frame_is_a_304(event: Tournament):
    first = Client().get(there(event, EMBEDS[0]))
    again = Client().get(there(event, EMBEDS[0]), headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    Tournament.objects.filter(pk=event.pk).update(version=event.version + 1)
    changed = Client().get(there(event, EMBEDS[0]), headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200


def test_a_frame_is_rendered_once_for_all_its_viewers(event: Tournament, django_assert_num_queries):
    first = Client().get(there(event, "embed/standings/?theme=dark"))

    with django_assert_num_queries(1):
        second = Client().get(there(event, "embed/standings/?theme=light&theme=dark"))

    assert second.content == first.content
    assert second["ETag"] == first["ETag"]
    assert 'data-poll="/events/spring-run/embed/standings/?theme=dark"' in first.text


def test_the_points_stand_beside_the_player_who_has_them():
    event = make_event(players=4)
    play_round(event)

    html = Client().get(there(event, "embed/pairings/")).content.decode()

    for pairing in tables_of(event.stages.get().rounds.get(number=1)):
        for seat in pairing.match.seats.all():
            line = html.partition(seat.player.name)[2].partition("</li>")[0]
            assert line.endswith(f'<span class="numeric">{seat.points}</span>')
