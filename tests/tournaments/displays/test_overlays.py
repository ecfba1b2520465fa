"""Stream overlays as pages and as data, and the stream page."""

from typing import Any

import pytest
from django.test import Client

from decks.models import Side
from matches.scoring.results import MatchResult
from tests.elements import Elements
from tests.factories.cuts import event_with_cut, play_cut_round, seed
from tests.factories.sessions import logged_in
from tests.factories.submissions import identity_card, submit
from tests.factories.tournaments import (
    add_staff,
    enter_result,
    fresh,
    make_event,
    owner_of,
    place_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
)
from tests.tournaments.pages import FRAGMENT, overlay, text_of, url
from tournaments.models import Round, Tournament, Visibility
from tournaments.practice import services as practice_services
from tournaments.registration import roster_changes
from tournaments.settings import services as settings_services
from tournaments.web import polling


def make_scene() -> Tournament:
    return make_event(players=6, feature_tables="2")


def get(event: Tournament, name: str, **headers: str) -> Any:
    return Client().get(f"/events/{event.slug}/overlay/{name}", headers=headers)


def stream(event: Tournament, **query: Any) -> str:
    return Client().get(url("stream", event), query).text


def names(round_: Round, number: int) -> set[str]:
    return {seat.player.name for seat in table(round_, number).match.seats.all()}


def avoid_streams(event: Tournament, name: str) -> None:
    place = place_of(event, event.registrations.get(player__name=name).player)
    roster_changes.set_avoids_stream(place, owner_of(event), avoids=True)


class TestTable:
    def test_pod_has_points_and_no_games_won(self):
        event = make_event(players=4, game="free_radicals")
        enter_result(table(start_round(event), 1), MatchResult(victory_points=(9, 7, 2, 1)))

        seats = overlay(event, "table/1/")["seats"]

        assert all(seat["points"] is not None for seat in seats)
        assert {seat["games_won"] for seat in seats} == {None}

    def test_single_game_shows_the_identity_of_the_role(self):
        event = make_event(players=2, game="anr", scoring_rule="anr_single", system="single")
        identities = {side: identity_card(f"A {side.label}", side=side) for side in Side}
        for number in (1, 2):
            for side, identity in identities.items():
                submit(player_number(event, number), side=side, identity=identity)
        start_round(event)

        seats = overlay(event, "table/1/")["seats"]

        shown = [(seat["role"], [row["side"] for row in seat["identities"]]) for seat in seats]
        assert sorted(shown) == [("corp", ["corp"]), ("runner", ["runner"])]

    def test_lower_third_marks_the_side_of_the_first_game(self):
        event = make_event(players=2, game="anr")
        identities = {side: identity_card(f"A {side.label}", side=side) for side in Side}
        for number in (1, 2):
            for side, identity in identities.items():
                submit(player_number(event, number), side=side, identity=identity)
        start_round(event)

        shown = Elements(get(event, "table/1/").text)

        sides = [
            (element["class"].split()[1], "lower__side--now" in element["class"])
            for element in shown.all("span", "lower__side")
        ]
        assert sides == [
            ("lower__side--corp", True),
            ("lower__side--runner", False),
            ("lower__side--corp", False),
            ("lower__side--runner", True),
        ]

    def test_pod_has_a_place_for_each_player(self):
        event = make_event(players=4, game="free_radicals")
        start_round(event)

        shown = Elements(get(event, "table/1/").text)

        assert len(shown.all("div", "lower__seat")) == 4
        assert shown.all("section", "lower--pod")

    def test_score_and_clock(self, event: Tournament):
        play_round(event)
        round_ = start_round(event)
        enter_result(table(round_, 2), sweep(1, 3))

        shown, html = overlay(event, "table/2/"), get(event, "table/2/").text

        assert shown == overlay(event, "feature/")
        assert (shown["round"], shown["table"], shown["is_shown"]) == (2, 2, True)
        assert {seat["name"] for seat in shown["seats"]} == names(round_, 2)
        assert sorted(seat["games_won"] for seat in shown["seats"]) == [0, 2]
        assert shown["clock"]["round"] == 2
        assert all(name in html for name in names(round_, 2))
        assert "2 games won" in text_of(get(event, "table/2/"))
        assert "data-clock" in html
        # The remaining tables have no result yet.
        assert {seat["games_won"] for seat in overlay(event, "table/1/")["seats"]} == {None}

    def test_hidden_feature_table_is_replaced_by_the_next(self):
        event = make_event(players=6, feature_tables="1-2")
        round_ = start_round(event)
        avoid_streams(event, sorted(names(round_, 1))[0])

        assert overlay(event, "feature/")["table"] == 2


def test_player_who_avoids_streams_is_never_named(event: Tournament):
    play_round(event)
    round_ = start_round(event)
    hidden = sorted(names(round_, 2))[0]
    page_etag = Client().get(url("stream", event))["ETag"]

    avoid_streams(event, hidden)

    for name in ("table/2/", "feature/", "standings/"):
        assert hidden not in get(event, name).text
        assert hidden not in str(overlay(event, name))
    shown = overlay(event, "table/2/")
    assert (shown["is_shown"], shown["seats"]) == (False, [])
    rows = overlay(event, "standings/")["rows"]
    assert [row["name"] for row in rows if row["number"] is None] == [""]
    assert "Not on the stream" in get(event, "standings/").text
    for number in ("", "2"):
        assert not any(name in stream(event, table=number) for name in names(round_, 2))
    again = Client().get(url("stream", event), headers={"If-None-Match": page_etag})
    assert again.status_code == 200
    settings_services.change_settings(fresh(event), owner_of(event), feature_tables="")
    assert hidden not in stream(event)


def test_standings_have_pages(event: Tournament):
    play_round(event)
    first, last = overlay(event, "standings/?top=4"), overlay(event, "standings/?top=4&page=2")

    assert first["rows"][0]["rank"] == 1
    assert (len(first["rows"]), len(last["rows"]), first["pages"]) == (4, 2, 2)
    assert overlay(event, "standings/?top=4&page=9")["rows"] == []
    assert len(Elements(get(event, "standings/?top=4").text).all("li", "overlay__row")) == 4


@pytest.mark.parametrize(
    "option", ["theme=pink", "size=9", "align=up", "top=0", "top=33", "page=x", "colour=red"]
)
def test_unknown_option_is_refused(event: Tournament, option: str):
    response = get(event, f"standings/?{option}")

    assert response.status_code == 400
    assert option.split("=")[0] in response.text


def test_options_change_the_look(event: Tournament):
    shown = Elements(get(event, "clock/?theme=light&size=large&align=right").text)

    (body,), (page,) = shown.all("body"), shown.all("html")
    assert body["class"] == "overlay overlay--light overlay--large overlay--right"
    assert page["data-theme"] == "light"


def test_unchanged_overlay_is_a_304(event: Tournament):
    round_ = start_round(event)
    first = get(event, "table/1/", **FRAGMENT)
    headers = {**FRAGMENT, "If-None-Match": first["ETag"]}

    assert get(event, "table/1/", **headers).status_code == 304
    assert "<html" not in first.text
    enter_result(table(round_, 1), sweep(1, 3))
    assert get(event, "table/1/", **headers).status_code == 200


def test_overlays_of_a_private_event_are_for_its_streamer(event: Tournament):
    start_round(event)
    Tournament.objects.filter(pk=event.pk).update(visibility="private")
    streamer = logged_in(add_staff(fresh(event), "streamer"))

    assert streamer.get(f"/events/{event.slug}/overlay/bracket/").status_code == 200
    assert Client().get(f"/events/{event.slug}/overlay/bracket/").status_code == 404
    for name in ("table/1/", "feature/", "standings/", "clock/"):
        path = f"/events/{event.slug}/overlay/{name}"
        assert Client().get(path).status_code == 404
        assert Client().get(f"/api/v1{path}").status_code == 404
        assert streamer.get(path).status_code == 200


class TestBracket:
    def test_bracket_is_empty_before_the_cut(self, event: Tournament):
        assert "<section" not in get(event, "bracket/").text

    def test_games_and_winner(self, cut: Tournament):
        best, second = seed(cut, 1).player.name, seed(cut, 2).player.name

        before = get(cut, "bracket/").text
        play_cut_round(cut, [2])

        assert f"<bdi>{best}</bdi>" in before
        assert f"<bdi>{second}</bdi> wins" in get(cut, "bracket/").text

    def test_player_who_avoids_streams_has_no_name(self, cut: Tournament):
        hidden, shown = seed(cut, 1).player.name, seed(cut, 2).player.name
        avoid_streams(cut, hidden)
        play_cut_round(cut, [1])

        page = get(cut, "bracket/").text

        assert f"<bdi>{hidden}</bdi>" not in page
        assert f"<bdi>{shown}</bdi>" in page
        assert "Not on the stream" in page
        assert "wins" not in page

    @pytest.fixture
    def cut(self) -> Tournament:
        """Return an event before its final."""
        event = event_with_cut(4, system="single_elimination")
        play_cut_round(event, [1, 2])
        return event


class TestList:
    def test_each_overlay_has_an_address_to_copy_and_a_preview(self, event: Tournament):
        shown = Elements(Client().get(f"/events/{event.slug}/overlays/").text)

        addresses = [
            f"/events/{event.slug}/overlay/{name}/"
            for name in ("feature", "standings", "bracket", "clock")
        ]
        # A script loads them one after another; all at once exceed the turns of a reader.
        assert [frame["data-src"] for frame in shown.all("iframe")] == addresses
        assert not any("src" in frame for frame in shown.all("iframe"))
        fields = {field["id"]: field["value"] for field in shown.all("input") if "id" in field}
        for address in (*addresses, f"/events/{event.slug}/overlay/table/3/"):
            assert f"http://testserver{address}" in fields.values()
        assert (
            f'<iframe src="http://testserver/events/{event.slug}/embed/standings/"'
            in (fields["embed-1"])
        )
        copied = {button["data-copy"] for button in shown.all("button") if "data-copy" in button}
        assert copied == {f"#{id_}" for id_ in fields}

    def test_only_the_same_site_may_frame_an_overlay(self, event: Tournament):
        for name in ("feature/", "standings/", "bracket/", "clock/"):
            answer = get(event, name)

            assert answer["X-Frame-Options"] == "SAMEORIGIN"
            assert "frame-ancestors 'self'" in answer["Content-Security-Policy"]


class TestStream:
    def test_feature_table_with_points_and_score(self, event: Tournament):
        play_round(event)
        round_ = start_round(event)
        enter_result(table(round_, 2), sweep(1, 3))

        html = stream(event)

        assert all(name in html for name in names(round_, 2))
        assert not any(name in html for name in names(round_, 1))
        assert '<strong class="stream__score">20</strong>' in html
        assert "place" in html
        assert "data-clock" in html

    def test_chosen_table_and_invalid_numbers(self, event: Tournament):
        round_ = start_round(event)

        assert all(name in stream(event, table="1") for name in names(round_, 1))
        for number in ("x", "99999", "-1", "77"):
            assert "Spring Run" in stream(event, table=number)


class TestFollowing:
    def test_public_event_can_be_followed(self, event: Tournament) -> None:
        versions = polling.event_versions([event.slug, "no-such-event"])

        assert versions == {event.slug: polling.EventVersion(event.version, is_for_all=True)}
        assert polling.can_follow(event.slug, "")

    @pytest.mark.parametrize("visibility", [Visibility.PRIVATE, Visibility.PUBLIC])
    def test_strangers_cannot_open_a_sandbox(
        self, event: Tournament, visibility: Visibility
    ) -> None:
        sandbox = practice_services.create_practice(event, owner_of(event))
        Tournament.objects.filter(pk=sandbox.pk).update(visibility=visibility)

        assert not polling.event_versions([sandbox.slug])[sandbox.slug].is_for_all
        assert not polling.can_follow(sandbox.slug, "")
