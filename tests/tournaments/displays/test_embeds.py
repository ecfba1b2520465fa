"""Embedded standings and pairings."""

from typing import Any

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


def embed(event: Tournament, name: str, **headers: str) -> Any:
    return Client().get(f"/events/{event.slug}/{name}", headers=headers)


def test_only_embeds_can_be_framed(event: Tournament):
    for name in EMBEDS:
        response = embed(event, name)
        assert "X-Frame-Options" not in response
        assert "frame-ancestors *" in response["Content-Security-Policy"]
    for name in ("", "standings/", "pairings/", "overlays/", "projector/", "stream/"):
        response = embed(event, name)
        assert response["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"]


def test_embed_reads_no_session_and_sets_no_cookie(event: Tournament):
    browser = logged_in(owner_of(event).user)
    for name in EMBEDS:
        with CaptureQueriesContext(connection) as queries:
            response = browser.get(f"/events/{event.slug}/{name}")
        assert "players_session" not in str(queries.captured_queries)
        assert not response.cookies
        assert "Cookie" not in response["Vary"]
        assert response.content == embed(event, name).content


def test_embeds_show_public_data_and_link_to_the_page(event: Tournament):
    standings, pairings = (embed(event, name).text for name in EMBEDS)
    players = event.registrations.values_list("player__name", flat=True)

    assert all(name in standings and name in pairings for name in players)
    for html, name in ((standings, "standings"), (pairings, "pairings")):
        link = f'href="/events/{event.slug}/{name}/" target="_blank" rel="noopener"'
        assert link in html
    assert "<form" not in standings + pairings
    assert '<td class="numeric">SoS' not in standings


def test_nothing_private_is_embedded(event: Tournament):
    pairing = tables_of(event.stages.get().rounds.get(number=2))[0]
    seat = pairing.match.seats.get(position=1)
    player = Actor(player=seat.player)
    calls.raise_call(pairing, player, "Canary call")
    results_services.report_result(pairing, seat, games_for(pairing), player)
    place = player_number(event, 1)
    event.registrations.filter(pk=place.pk).update(avoid_group="Canary group")
    Tournament.objects.filter(pk=event.pk).update(join_code="CANARY")

    for name in EMBEDS:
        html = embed(event, name).text
        assert "canary" not in html.lower()
    assert "playing" in html


def test_private_event_is_not_embedded_even_for_staff(event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(visibility="private")
    streamer = logged_in(add_staff(fresh(event), "streamer"))
    for name in EMBEDS:
        assert streamer.get(f"/events/{event.slug}/{name}").status_code == 404
    Tournament.objects.filter(pk=event.pk).update(visibility="unlisted")
    assert embed(event, EMBEDS[0]).status_code == 200


def test_theme_is_an_option(event: Tournament):
    standings = EMBEDS[0]

    assert 'data-theme="dark"' in embed(event, f"{standings}?theme=dark").text[:200]
    assert 'data-theme="auto"' in embed(event, standings).text[:200]
    for query in ("?theme=red", "?top=3"):
        assert embed(event, f"{standings}{query}").status_code == 400


def test_unchanged_embed_is_a_304(event: Tournament):
    first = embed(event, EMBEDS[0])
    again = embed(event, EMBEDS[0], **{"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    Tournament.objects.filter(pk=event.pk).update(version=event.version + 1)
    changed = embed(event, EMBEDS[0], **{"If-None-Match": first["ETag"]})
    assert changed.status_code == 200


def test_embed_is_rendered_once(event: Tournament, django_assert_num_queries):
    first = embed(event, "embed/standings/?theme=dark")

    with django_assert_num_queries(1):
        second = embed(event, "embed/standings/?theme=light&theme=dark")

    assert second.content == first.content
    assert second["ETag"] == first["ETag"]
    assert 'data-poll="/events/spring-run/embed/standings/?theme=dark"' in first.text


def test_points_are_beside_their_player():
    event = make_event(players=4)
    play_round(event)

    html = embed(event, "embed/pairings/").text

    for pairing in tables_of(event.stages.get().rounds.get(number=1)):
        for seat in pairing.match.seats.all():
            line = html.partition(seat.player.name)[2].partition("</li>")[0]
            assert line.endswith(f'<span class="numeric">{seat.points}</span>')
