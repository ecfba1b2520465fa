"""Overlays: what lies over the picture of a stream, as pages and as data."""

from typing import Any

import pytest
from django.test import Client

from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_staff,
    enter_result,
    fresh,
    make_event,
    owner_of,
    place_of,
    play_round,
    start_round,
    sweep,
    table,
)
from tests.tournaments.pages import FRAGMENT, overlay, url
from tournaments.models import Round, Tournament, Visibility
from tournaments.practice import services as practice_services
from tournaments.registration import roster_changes
from tournaments.settings import services as settings_services
from tournaments.web import polling


def make_scene() -> Tournament:
    return make_event(players=6, feature_tables="2")


def there(event: Tournament, what: str) -> str:
    return f"/events/{event.slug}/overlay/{what}"


def page(event: Tournament, what: str, client: Client | None = None) -> str:
    return (client or Client()).get(there(event, what)).content.decode()


def names(round_: Round, number: int) -> set[str]:
    return {seat.player.name for seat in table(round_, number).match.seats.all()}


def hide(event: Tournament, name: str) -> None:
    place = place_of(event, event.registrations.get(player__name=name).player)
    roster_changes.set_avoids_stream(place, owner_of(event), avoids=True)


def test_a_table_is_shown_with_its_score_and_clock(event: Tournament):
    play_round(event)
    round_ = start_round(event)
    enter_result(table(round_, 2), sweep(1, 3))

    shown, feature = overlay(event, "table/2/"), overlay(event, "feature/")
    html = page(event, "table/2/")

    assert shown == feature
    assert (shown["round"], shown["table"], shown["is_shown"]) == (2, 2, True)
    assert {seat["name"] for seat in shown["seats"]} == names(round_, 2)
    assert sorted(seat["games_won"] for seat in shown["seats"]) == [0, 2]
    assert shown["clock"]["round"] == 2
    assert all(name in html for name in names(round_, 2))
    assert "2<span class" in html
    assert "data-clock" in html


def test_an_open_result_is_not_shown(event: Tournament):
    start_round(event)
    assert {seat["games_won"] for seat in overlay(event, "table/1/")["seats"]} == {None}


def test_who_does_not_want_to_be_filmed_is_never_named(event: Tournament):
    play_round(event)
    round_ = start_round(event)
    shy = sorted(names(round_, 2))[0]

    hide(event, shy)

    for what in ("table/2/", "feature/", "standings/"):
        assert shy not in page(event, what)
        assert shy not in str(overlay(event, what))
    hidden = overlay(event, "table/2/")
    assert (hidden["is_shown"], hidden["seats"]) == (False, [])
    rows = overlay(event, "standings/")["rows"]
    assert [row["name"] for row in rows if row["number"] is None] == [""]
    assert "Not on the stream" in page(event, "standings/")


def test_the_feature_table_is_another_when_the_first_is_hidden():
    event = make_event(players=6, feature_tables="1-2")
    round_ = start_round(event)
    hide(event, sorted(names(round_, 1))[0])
    assert overlay(event, "feature/")["table"] == 2


def test_standings_come_in_pages(event: Tournament):
    play_round(event)
    first, last = overlay(event, "standings/?top=4"), overlay(event, "standings/?top=4&page=2")

    assert first["rows"][0]["rank"] == 1
    assert (len(first["rows"]), len(last["rows"]), first["pages"]) == (4, 2, 2)
    assert overlay(event, "standings/?top=4&page=9")["rows"] == []
    assert page(event, "standings/?top=4").count('overlay__row"') == 4


@pytest.mark.parametrize(
    "wrong", ["theme=pink", "size=9", "align=up", "top=0", "top=33", "page=x", "colour=red"]
)
def test_an_option_that_is_not_known_is_refused(event: Tournament, wrong: str):
    answer = Client().get(there(event, f"standings/?{wrong}"))
    assert answer.status_code == 400
    assert wrong.split("=")[0] in answer.content.decode()


def test_options_choose_the_look(event: Tournament):
    html = page(event, "clock/?theme=light&size=large&align=right")
    assert 'class="overlay overlay--light overlay--large overlay--right"' in html


def test_an_overlay_polls_and_is_spared_while_nothing_is_new(event: Tournament):
    round_ = start_round(event)
    first = Client().get(there(event, "table/1/"), headers=FRAGMENT)
    asked = {**FRAGMENT, "If-None-Match": first["ETag"]}

    assert Client().get(there(event, "table/1/"), headers=asked).status_code == 304
    assert "<html" not in first.content.decode()
    enter_result(table(round_, 1), sweep(1, 3))
    assert Client().get(there(event, "table/1/"), headers=asked).status_code == 200


def test_an_overlay_of_a_private_event_is_for_its_streamer(event: Tournament):
    start_round(event)
    Tournament.objects.filter(pk=event.pk).update(visibility="private")
    streamer = logged_in(add_staff(fresh(event), "streamer"))

    for what in ("table/1/", "feature/", "standings/", "clock/"):
        assert Client().get(there(event, what)).status_code == 404
        assert Client().get(f"/api/v1{there(event, what)}").status_code == 404
        assert streamer.get(there(event, what)).status_code == 200


def test_the_page_of_overlays_gives_addresses_and_frames_to_copy(event: Tournament):
    html = Client().get(f"/events/{event.slug}/overlays/").content.decode()

    for path in ("overlay/feature/", "overlay/table/3/", "embed/standings/"):
        assert f"http://testserver/events/{event.slug}/{path}" in html
    assert "&lt;iframe" in html


def stream(event: Tournament, **asked: Any) -> str:
    return Client().get(url("stream", event), asked).text


def test_it_shows_the_feature_table_with_points_and_score(event: Tournament):
    play_round(event)
    round_ = start_round(event)
    enter_result(table(round_, 2), sweep(1, 3))

    page = stream(event)

    assert all(name in page for name in names(round_, 2))
    assert not any(name in page for name in names(round_, 1))
    assert '<strong class="stream__score">20</strong>' in page
    assert "place" in page
    assert "data-clock" in page


def test_another_table_can_be_asked_for_and_nonsense_is_no_error(event: Tournament):
    round_ = start_round(event)

    assert all(name in stream(event, table="1") for name in names(round_, 1))
    for nonsense in ("x", "99999", "-1", "77"):
        assert "Spring Run" in stream(event, table=nonsense)


def test_who_avoids_the_stream_is_never_on_it(event: Tournament):
    round_ = start_round(event)
    shy = sorted(names(round_, 2))[0]

    hide(event, shy)

    for asked in ("", "2"):
        assert not any(name in stream(event, table=asked) for name in names(round_, 2))
    settings_services.change_settings(fresh(event), owner_of(event), feature_tables="")
    assert shy not in stream(event)


def test_a_kept_copy_of_the_page_is_old_once_somebody_does_not_want_to_be_on_it(
    event: Tournament,
):
    round_ = start_round(event)
    there = url("stream", event)
    etag = Client().get(there)["ETag"]

    hide(event, sorted(names(round_, 2))[0])

    assert Client().get(there, headers={"If-None-Match": etag}).status_code == 200


def test_an_event_is_followed_by_its_version(event: Tournament) -> None:
    versions = polling.event_versions([event.slug, "no-such-event"])

    assert versions == {event.slug: polling.EventVersion(event.version, is_for_all=True)}
    assert polling.can_follow(event.slug, "")


@pytest.mark.parametrize("visibility", [Visibility.PRIVATE, Visibility.PUBLIC])
def test_a_sandbox_is_followed_by_nobody_who_passes_by(
    event: Tournament, visibility: Visibility
) -> None:
    sandbox = practice_services.create_practice(event, owner_of(event))
    Tournament.objects.filter(pk=sandbox.pk).update(visibility=visibility)

    assert not polling.event_versions([sandbox.slug])[sandbox.slug].is_for_all
    assert not polling.can_follow(sandbox.slug, "")
