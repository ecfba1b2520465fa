"""A change moves the ETags of exactly the pages that it changes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.core.cache import caches
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from matches.scoring.results import MatchResult
from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise, take_back
from tests.factories.pods import make_pods, places
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import (
    add_staff,
    close_round,
    draft_round,
    enter_result,
    get_round,
    make_event,
    owner_of,
    play_round,
    seats_of,
    sitting,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.tournaments.crawling import RANDOM_VALUES, addresses
from tests.tournaments.matrix.rows import EXPECTED
from tests.tournaments.pages import FRAGMENT, url
from tests.tournaments.undo.test_undo import undo_last
from tournaments.event.permissions import Actor
from tournaments.judging import calls
from tournaments.models import Pairing, Registration, Tournament
from tournaments.results import services as results_services
from tournaments.rounds import services as rounds_services

PUBLIC, TABLE, OTHER_TABLE = "public pages", "own pages of table 1", "own page of another table"
# Staff pages have the newest log entry as their version, so it may change without the contents.
STAFF = "staff pages"
# A player's page of their own table has two versions, the event's and that of their own page.
OWN_TABLE = "page of table 1 for its players"
TABLE_PAGES, PUBLIC_AND_TABLE_PAGES, ALL_PAGES = (
    {TABLE},
    {PUBLIC, TABLE},
    {PUBLIC, TABLE, OTHER_TABLE},
)
# Public pages that show a player their own table or row.
PERSONAL_PAGES = ("event", "pairings", "standings", "bracket")


def make_scene() -> Tournament:
    """Return an event with round 2 in progress at three tables."""
    event = make_event(players=6, no_show_minutes=10, confirm_after_minutes=10)
    play_round(event)
    start_round(event)
    return event


def pairing_of_round_2(event: Tournament, number: int = 1) -> Pairing:
    return table(get_round(event, 2), number)


def report(event: Tournament, place: int = 0, loser_points: int = 3) -> None:
    seat = seats_of(pairing_of_round_2(event))[place]
    results_services.report_result(
        pairing_of_round_2(event), seat, sweep(1, loser_points), Actor(player=seat.player)
    )


def answer(service: Callable[..., Any], event: Tournament) -> None:
    """Confirm or dispute the open report of the first seat as the opponent."""
    pairing = pairing_of_round_2(event)
    assert pairing.match is not None
    first, second = seats_of(pairing)
    open_report = pairing.match.reports.get(seat=first, state="proposed")
    service(pairing, second, open_report.pk, Actor(player=second.player))


def lose_a_game(event: Tournament) -> None:
    loser = sitting(pairing_of_round_2(event))[1]
    penalise(loser, PenaltyKind.GAME_LOSS, pairing=pairing_of_round_2(event), game=1)


def enter_all(event: Tournament) -> None:
    for pairing in tables_of(get_round(event, 2))[1:]:
        enter_result(pairing, sweep(1))


# Actions at table 1 and in the round, in order, with the groups of pages that show them.
STEPS: list[tuple[str, Callable[[Tournament], object], set[str]]] = [
    ("report", report, TABLE_PAGES),
    ("another report by the same player", lambda event: report(event, 0, 5), TABLE_PAGES),
    ("report undone", lambda event: undo_last(event, "result reported"), TABLE_PAGES),
    ("dispute", lambda event: answer(results_services.dispute_report, event), TABLE_PAGES),
    ("different report by the opponent", lambda event: report(event, 1, 4), TABLE_PAGES),
    ("equal report", lambda event: report(event, 0, 4), PUBLIC_AND_TABLE_PAGES),
    ("agreement undone", lambda event: undo_last(event, "result reported"), PUBLIC_AND_TABLE_PAGES),
    (
        "dispute decided",
        lambda event: enter_result(pairing_of_round_2(event), sweep(1)),
        PUBLIC_AND_TABLE_PAGES,
    ),
    (
        "result changed",
        lambda event: enter_result(pairing_of_round_2(event), sweep(2)),
        PUBLIC_AND_TABLE_PAGES,
    ),
    ("warning", lambda event: penalise(sitting(pairing_of_round_2(event))[0]), TABLE_PAGES),
    ("game lost", lose_a_game, PUBLIC_AND_TABLE_PAGES),
    (
        "penalty withdrawn",
        lambda event: take_back(event.penalties.latest("pk")),
        PUBLIC_AND_TABLE_PAGES,
    ),
    (
        "judge called",
        lambda event: calls.raise_call(pairing_of_round_2(event), owner_of(event), "a question"),
        TABLE_PAGES,
    ),
    (
        "clock paused",
        lambda event: rounds_services.pause_clock(get_round(event, 2), owner_of(event)),
        ALL_PAGES,
    ),
    (
        "clock resumed",
        lambda event: rounds_services.resume_clock(get_round(event, 2), owner_of(event)),
        ALL_PAGES,
    ),
    (
        "more time",
        lambda event: rounds_services.add_minutes(get_round(event, 2), 5, owner_of(event)),
        ALL_PAGES,
    ),
    ("other results", enter_all, {PUBLIC, OTHER_TABLE}),
    ("round closed", lambda event: close_round(get_round(event, 2)), ALL_PAGES),
    ("round drafted", draft_round, set()),
    (
        "round published",
        lambda event: rounds_services.publish_round(get_round(event, 3), owner_of(event)),
        ALL_PAGES,
    ),
]


class Browsers:
    """Browsers of all readers, and the pages of which each has a copy."""

    def __init__(
        self, event: Tournament, at_table: list[Registration], player_elsewhere: Registration
    ):
        stranger, judge = Client(), logged_in(add_staff(event, "head_judge"))
        self.pages = [
            (PUBLIC, "stranger", stranger, page) for page in versioned_pages(event, stranger)
        ]
        for entry, group in (
            *((reader, TABLE) for reader in at_table),
            (player_elsewhere, OTHER_TABLE),
        ):
            phone = claim(Client(), entry.player)
            reader = f"player {entry.number}"
            self.pages.append((group, reader, phone, url("my_event", event)))
            self.pages += [
                (PUBLIC, reader, phone, address)
                for address in (url(name, event) for name in PERSONAL_PAGES)
            ]
            table_group = OWN_TABLE if group == TABLE else PUBLIC
            self.pages.append((table_group, reader, phone, url("table", event, 2, 1)))
        staff_pages = url("desk", event), url("results", event, 2)
        self.pages += [(STAFF, "head judge", judge, address) for address in staff_pages]

    def copies(self) -> dict[tuple[str, str, str], tuple[str, str]]:
        """Return ETag and contents of each page, rendered again, by group, reader and address."""
        return {
            (group, reader, address): _read(browser, address)
            for group, reader, browser, address in self.pages
        }


def versioned_pages(event: Tournament, browser: Client) -> list[str]:
    """Return the addresses whose ETag depends on the event's version, not on the contents."""
    return [
        address
        for address in sorted(set(addresses(event, 2)))
        if "?" not in address and event.slug in address and is_versioned(address, browser)
    ]


def is_versioned(address: str, browser: Client) -> bool:
    route = resolve(address)
    if not address.startswith("/api/"):
        is_public = "anonymous" in EXPECTED[route.url_name or ""].may
        return is_public and browser.get(address).headers.get("ETag", "").startswith("W/")
    viewset: Any = route.func
    action = viewset.actions.get("get", "")
    is_shared: bool = action != "" and getattr(viewset.cls, action).endpoint.is_shared
    return is_shared


def _read(browser: Client, address: str) -> tuple[str, str]:
    for cache in caches.settings:
        caches[cache].clear()
    response = browser.get(address, headers={} if address.startswith("/api/") else FRAGMENT)
    return response.headers.get("ETag", ""), RANDOM_VALUES.sub("", response.text)


def test_etag_changes_if_and_only_if_the_contents_change(event: Tournament, time_machine: Any):
    # Round 1 was played before this time. Printouts show minutes, so all steps fit into one minute.
    start = timezone.now().replace(second=0) + timedelta(minutes=5)
    time_machine.move_to(start, tick=False)
    at_table = sitting(pairing_of_round_2(event))
    browsers = Browsers(event, at_table, sitting(pairing_of_round_2(event, 2))[0])
    before, problems = browsers.copies(), list[str]()

    for step, change, expected in STEPS:
        time_machine.shift(1)
        change(event)
        after = browsers.copies()
        moved = {page for page in after if after[page][0] != before[page][0]}
        changed = {page for page in after if after[page][1] != before[page][1]}
        problems += [f"{step}: stale {page}" for page in changed - moved]
        for kind, pages in (("versions", moved), ("contents", changed)):
            groups = {group for group, *_ in pages if group not in (STAFF, OWN_TABLE)}
            if groups != expected:
                problems.append(f"{step}: new {kind} of {sorted(groups)}")
        before = after

    assert problems == []


def test_first_report_at_a_pod_ends_its_public_faction_draft():
    event = make_pods()
    pairing = table(start_round(event), 1)
    stranger, address = Client(), url("table", event, 1, 1)
    reporter, result = seats_of(pairing)[0], places(pairing)
    lower = tuple(points - 1 for points in result.victory_points)

    def send_report(result: MatchResult) -> tuple[str, str]:
        results_services.report_result(pairing, reporter, result, Actor(player=reporter.player))
        return _read(stranger, address)

    drafted = _read(stranger, address)
    first = send_report(result)
    second = send_report(replace(result, victory_points=lower))

    assert first[0] != drafted[0]
    assert first[1] != drafted[1]
    assert second == first
