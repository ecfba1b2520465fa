"""The five sections of the desk and their counts."""

from html.parser import HTMLParser

import pytest
from django.test import Client

from players.models import User
from tests.factories.penalties import penalise
from tests.factories.submissions import submit
from tests.factories.tournaments import (
    add_players,
    draft_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    table,
)
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import path, section_of, text_of, url
from tests.tournaments.results.reporting import dispute
from tournaments.decklists import deck_checks
from tournaments.desk.navigation import SECTION_TITLES
from tournaments.judging import calls

TITLES = ["Players", "Rounds", "Standings and cut", "Judges", "Event"]


def test_order_of_the_sections(desk: Client, owner: User):
    event = make_event(players=0, owner=owner)
    before = desk.get(path(event)).context["sections"]
    add_players(event, 4)
    play_round(event)
    after = desk.get(path(event)).context["sections"]

    assert [section.title for section in before] == [section.title for section in after] == TITLES
    assert [section.counts[0] for section in before] == [
        "no players yet",
        "not started",
        "no round closed",
        "no judge calls",
        "registration is open",
    ]
    assert [section.counts[0] for section in after[:3]] == [
        "4 of 4 playing",
        "round 1: closed",
        "after round 1",
    ]


def test_scorekeeper_sees_no_penalties_or_deck_checks(desk: Client, owner: User):
    event = make_event(players=4, owner=owner, game="anr")
    round_ = start_round(event)
    submit(player_number(event, 1))
    deck_checks.draw_tables(round_, owner_of(event), 2)
    penalise(player_number(event, 1))
    calls.raise_call(table(round_, 1), owner_of(event), "What?")

    scorekeeper = browser_of("scorekeeper", event, player_number(event, 1))

    assert section_of(desk.get(path(event)), "judges").counts == (
        "1 call open",
        "1 deck to check",
        "1 penalty",
    )
    assert section_of(scorekeeper.get(path(event)), "judges").counts == ("1 call open",)


def test_open_tables_and_players_to_check_in_are_counted(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    start_round(event)
    add_players(event, 1, checked_in=False)

    players, rounds, *_ = desk.get(path(event)).context["sections"]

    assert players.counts == ("4 of 5 playing", "1 to check in")
    assert rounds.counts == ("round 1: 2 tables open",)


def test_sections_count_open_tasks(desk: Client, owner: User):
    event = make_event(players=4, owner=owner)
    add_players(event, 1, checked_in=False)
    before = {section.id: section.waits for section in desk.get(path(event)).context["sections"]}
    round_ = start_round(event)
    dispute(table(round_, 1))
    calls.raise_call(table(round_, 2), owner_of(event), "What?")
    after = {section.id: section.waits for section in desk.get(path(event)).context["sections"]}

    assert before == {"players": 1, "rounds": 0, "standings": 0, "judges": 0, "event": 0}
    assert after == {"players": 0, "rounds": 1, "standings": 0, "judges": 1, "event": 0}


@pytest.mark.parametrize("role", ["owner", "judge", "scorekeeper"])
def test_every_section_has_a_page(role: str):
    event = make_event(players=4)
    play_round(event)
    browser = browser_of(role, event, player_number(event, 1))

    for section, title in SECTION_TITLES.items():
        page = browser.get(url("desk_section", event, section))
        assert page.context["title"] == title
        assert "data-sheet-content" in page.text
        assert f'data-sheet href="{url("desk_section", event, section)}"' in (
            browser.get(path(event)).text
        )
    assert browser.get(url("desk_section", event, "nothing")).status_code == 404


@pytest.mark.parametrize(
    ("section", "words", "permitted"),
    [
        ("players", "Import players", {"owner"}),
        ("players", "Join code", {"owner", "judge", "scorekeeper"}),
        ("rounds", "Results of round 1", {"owner", "scorekeeper"}),
        ("rounds", "Reopen round 1", {"owner"}),
        ("standings", "Start the top cut", {"owner"}),
        ("judges", "Local rulings", {"owner", "judge"}),
        ("event", "Running the day", {"owner"}),
        ("event", "Exports", {"owner", "judge", "scorekeeper"}),
    ],
)
def test_sections_depend_on_the_role(section: str, words: str, permitted: set[str]):
    event = make_event(players=4)
    play_round(event)

    shown = {
        role
        for role in ("owner", "judge", "scorekeeper")
        if words
        in text_of(
            browser_of(role, event, player_number(event, 1)).get(
                url("desk_section", event, section)
            )
        )
    }

    assert shown == permitted


class TabTexts(HTMLParser):
    """Parser for the link texts in the tabs of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.is_in_tabs = False
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "nav":
            self.is_in_tabs = ("class", "tabs") in attrs

    def handle_endtag(self, tag: str) -> None:
        if tag == "nav":
            self.is_in_tabs = False

    def handle_data(self, data: str) -> None:
        if self.is_in_tabs and data.strip():
            self.texts.append(data.strip())


class TestTabs:
    def tabs(self, browser: Client, address: str) -> list[str]:
        return TabTexts(browser.get(address).text).texts

    def test_staff_see_roster_and_results_on_every_page(self):
        event = make_event(players=4)
        start_round(event)
        owner = browser_of("owner", event, player_number(event, 1))

        for address in (path(event), url("event", event), url("standings", event)):
            assert self.tabs(owner, address)[-3:] == ["Roster", "Results", "Desk"]

    def test_judge_has_no_results_tab(self):
        event = make_event(players=4)
        judge = browser_of("judge", event, player_number(event, 1))

        assert self.tabs(judge, path(event))[-2:] == ["Roster", "Desk"]
        assert self.tabs(Client(), url("event", event)) == ["Event", "Pairings", "Standings"]

    def test_results_lead_to_the_newest_published_round(self, desk: Client, owner: User):
        event = make_event(players=4, owner=owner)
        early = desk.get(url("current_results", event), follow=True)
        play_round(event)
        draft_round(event)

        assert "once round 1 is published" in text_of(early)
        assert desk.get(url("current_results", event))["Location"] == url("results", event, 1)
