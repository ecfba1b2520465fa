"""The export of an event as a single HTML page."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from unittest import mock

from django.core.cache import caches
from django.core.management import call_command
from django.test import Client

from tests.factories.cuts import event_with_cut, play_cut_round
from tests.factories.pods import make_pods, places
from tests.factories.submissions import plain_card, submit
from tests.factories.tournaments import (
    draft_round,
    fresh,
    make_event,
    owner_of,
    play_round,
    player_number,
)
from tests.queries import queries_asked
from tournaments.decklists import services as decklists_services
from tournaments.files.static_pages import ADDRESS_MARK, SLOTS, static_page
from tournaments.models import Registration, Tournament
from tournaments.registration import guests, roster_changes
from tournaments.results.standings_pages import all_tie_breaker_sums, tie_breaker_sums
from tournaments.settings import services as settings_services

FETCHING = {"script", "link", "img", "iframe", "object", "embed", "form", "base", "use", "image"}


class ParsedPage(HTMLParser):
    """Tags, ids, links, requests, inline handlers and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.requests: list[str] = []
        self.handlers: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name == "href" and tag == "a":
                self.links.append(value or "")
            elif name in ("src", "srcset", "action", "poster", "data", "href", "background"):
                self.requests.append(value or "")
            elif name.startswith("on") or name == "style":
                self.handlers.append(name)

    def handle_data(self, data: str) -> None:
        self.text += data


def make_scene() -> Tournament:
    event = make_event(players=4)
    play_round(event)
    return event


def page_of(event: Tournament) -> str:
    return static_page(fresh(event), "https://games.example/events/x/").decode()


def sample_events() -> Iterator[tuple[str, Tournament]]:
    cut = event_with_cut(4, players=8)
    play_cut_round(cut, [1, 2])
    yield "cut", cut
    pods = make_pods(5)
    play_round(pods, play=places)
    yield "pods", pods
    yield "empty", make_event(players=0)


def test_links_stay_inside_and_nothing_is_requested_or_run():
    for name, event in sample_events():
        page = page_of(event)
        read = ParsedPage(page)
        inside = {link[1:] for link in read.links if link.startswith("#")}

        assert inside <= set(read.ids), name
        assert len(read.ids) == len(set(read.ids)), name
        assert [link for link in read.links if not link.startswith("#")] == [
            "https://games.example/events/x/"
        ]
        assert not FETCHING & {*read.tags}, name
        assert (read.requests, read.handlers) == ([], []), name
        assert not re.search(r"url\(|@import|javascript:", page), name
        if name == "cut":
            assert_has_every_part(event, read)


def assert_has_every_part(event: Tournament, read: ParsedPage) -> None:
    assert {"places", "standings", "round-1", "round-2", "bracket-part", "players"} <= {*read.ids}
    assert {f"player-{number}" for number in range(1, 9)} <= {*read.ids}
    names = Registration.objects.filter(tournament=event).values_list("player__name", flat=True)
    assert all(name in read.text for name in names)
    assert "How place 1 was calculated" in read.text
    assert "statistics" in read.ids
    assert "Strength of schedule" in read.text


def test_only_public_decks_are_contained():
    event = make_event(players=2)
    submit(player_number(event, 1), cards=(plain_card("Canary of the deck"),))
    play_round(event)

    assert "Canary of the deck" not in page_of(event)
    decklists_services.set_decks_revealed(fresh(event), owner_of(event), revealed=True)

    read = ParsedPage(page_of(event))
    assert "Canary of the deck" in read.text
    assert "deck-1-runner" in read.ids or "deck-1-corp" in read.ids


def test_drafts_and_staff_data_are_not_contained(event: Tournament):
    ada = player_number(event, 1)
    roster_changes.set_seed_and_group(ada, owner_of(event), seed=3, avoid_group="Canary group")
    draft_round(event)

    read = ParsedPage(page_of(event))

    assert "round-2" not in read.ids
    assert "Canary group" not in page_of(event)
    assert str(event.join_code) not in page_of(event)


HOSTILE_TEXT = "</style><script>alert(1)</script>\"'&"


def test_names_and_texts_are_escaped():
    event = make_event(
        players=2,
        name=f"Cup {HOSTILE_TEXT}"[:100],
        description=HOSTILE_TEXT,
        location=HOSTILE_TEXT[:60],
    )
    guests.rename_guest(player_number(event, 1), owner_of(event), "<b>Bo</b> & 'co'")
    play_round(event)

    page = page_of(event)

    assert "script" not in ParsedPage(page).tags
    assert page.count("</style>") == 1
    assert "<b>Bo</b> & 'co'" in ParsedPage(page).text


def test_finished_event_has_its_version_and_corrections(event: Tournament):
    settings_services.finish_event(fresh(event), owner_of(event))
    assert "finished, version 1" in ParsedPage(page_of(event)).text
    settings_services.reopen_event(fresh(event), owner_of(event), "The slips were swapped")
    settings_services.finish_event(fresh(event), owner_of(event))

    read = ParsedPage(page_of(event))

    assert "finished, version 2" in read.text
    assert "The slips were swapped" in read.text


def test_page_api_and_command_export_the_same_event(event: Tournament, capfdbinary):
    by_page = Client().get(f"/events/{event.slug}/exports/html/")
    caches["pages"].clear()
    by_api = Client().get(f"/api/v1/events/{event.slug}/exports/html/")
    call_command("export_tournament", event.slug, "--format", "html")

    assert by_page.content == by_api.content
    assert by_page["Content-Disposition"] == 'attachment; filename="spring-run-event.html"'
    printed = capfdbinary.readouterr().out
    assert {*ParsedPage(printed.decode()).ids} == {*ParsedPage(by_page.content.decode()).ids}


def test_file_is_cached_until_the_event_changes():
    event = make_event(players=2, name="Cup")
    page = static_page(event)

    with queries_asked() as queries:
        assert static_page(event) == page
    assert queries == []
    Tournament.objects.filter(pk=event.pk).update(name="Open", version=event.version + 1)
    assert b"Open" in static_page(fresh(event))


def test_number_of_queries_does_not_depend_on_the_players():
    def count_queries(players: int) -> int:
        event = make_event(players=players)
        play_round(event)
        with queries_asked() as queries:
            static_page(fresh(event))
        return len(queries)

    count_queries(3)
    assert count_queries(3) == count_queries(9)


def test_arithmetic_equals_that_of_the_player_pages():
    event = make_event(players=5)
    play_round(event)
    play_round(event)
    snapshot = event.snapshots.newest()
    assert snapshot is not None

    assert all_tie_breaker_sums(event, snapshot.round) == {
        number: tie_breaker_sums(player_number(event, number), snapshot) for number in range(1, 6)
    }


def test_requests_with_other_hosts_share_one_cached_file():
    event = make_event(players=2)
    page = static_page(event, "https://one.example/")

    with queries_asked() as queries:
        second = static_page(event, "https://two.example/")

    assert queries == []
    assert second == page.replace(b"one.example", b"two.example") != page


def test_address_of_the_page_is_escaped():
    page = static_page(make_event(players=0), "https://x.example/?a=1&b=<i>").decode()

    assert "https://x.example/?a=1&amp;b=&lt;i&gt;" in page
    assert ADDRESS_MARK not in page


def test_number_of_cached_files_is_bounded():
    with mock.patch.object(caches["pages"], "set") as set_cache:
        for _ in range(SLOTS + 3):
            static_page(make_event(players=0))

    keys = {
        call.args[0] for call in set_cache.call_args_list if call.args[0].startswith("static-pages")
    }
    assert len(keys) == SLOTS
