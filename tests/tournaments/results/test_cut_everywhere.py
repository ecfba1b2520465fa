"""Rounds of a cut on pages, sheets, files and in the API."""

from django.test import Client

from matches.scoring.results import Role
from tests.factories.cuts import make_cut, seed
from tests.factories.tournaments import (
    get_round,
    make_event,
    make_user,
    owner_of,
    play_round,
    start_round,
    table,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path, text_of
from tournaments.displays import pages as displays_pages
from tournaments.files.spreadsheets import pairings_csv
from tournaments.integrations import announcements
from tournaments.models import Tournament
from tournaments.results import cuts
from tournaments.rounds.pages import name_lines, pairings_texts, table_line, table_lines

PUBLIC = (
    "pairings/",
    "rounds/2/",
    "rounds/2/?by=table",
    "rounds/2/tables/1/",
    "projector/",
    "overlay/table/1/",
    "embed/pairings/",
)
STAFF = ("rounds/2/print/", "rounds/2/results/", "rounds/2/slips/", "desk/", "desk/news/")


def make_scene() -> Tournament:
    """Return an event with a single elimination of four in progress; no side is chosen yet."""
    event = make_event(players=8, owner=make_user(OWNER))
    play_round(event)
    make_cut(event, 4, system="single_elimination")
    start_round(event)
    return event


def test_open_choice_leaves_every_seat_without_a_side(event: Tournament):
    round_ = get_round(event, 2)
    numbers = dict(event.registrations.values_list("player_id", "number"))

    lines = [*table_lines(round_), table_line(table(round_, 1), numbers)]

    assert {seat.role for line in lines for seat in line.seats} == {None}
    assert all(line.has_open_choice and not line.is_pod for line in lines)
    choosers = [seat.number for line in lines for seat in line.seats if seat.chooses]
    assert choosers == [seed(event, place).number for place in (1, 2, 1)]


def test_choice_gives_both_seats_their_side(event: Tournament):
    round_ = get_round(event, 2)
    cuts.choose_corp(table(round_, 1), seed(event, 4), owner_of(event))

    first = table_lines(round_)[0]

    assert [(seat.number, seat.role) for seat in first.seats] == [
        (seed(event, 4).number, Role.CORP),
        (seed(event, 1).number, Role.RUNNER),
    ]


def test_pages_name_the_round_and_show_no_side(desk: Client, event: Tournament):
    for address in PUBLIC:
        page = text_of(Client().get(path(event, address)))
        assert "emifinal" in page, address
        assert "Round 2" not in page, address
    for address in STAFF:
        page = text_of(desk.get(path(event, address), follow=True))
        assert "emifinal" in page, address
        assert "Round 2" not in page, address


def test_pairings_mark_an_open_choice(event: Tournament):
    by_name = text_of(Client().get(path(event, "pairings/")))

    assert by_name.count("chooses a side") == 2
    assert "Corp in game 1" not in text_of(Client().get(path(event, "rounds/2/?by=table")))


def test_projector_names_the_choice_in_a_match_of_two_games(event: Tournament):
    wall = text_of(Client().get(path(event, "projector/?show=pairings")))

    assert wall.count("chooses which side to play first") == 2


def test_open_table_on_the_desk_leads_to_the_choice(desk: Client, event: Tournament):
    before = desk.get(path(event))
    cuts.choose_corp(table(get_round(event, 2), 1), seed(event, 4), owner_of(event))
    after = desk.get(path(event))

    assert text_of(before).count("Choose side at table") == 2
    assert path(event, "rounds/2/results/#table-1") in before.text
    assert "Choose side at table 1" not in text_of(after)
    assert "Enter the result of table 1" in text_of(after)
    results = text_of(desk.get(path(event, "rounds/2/results/")))
    assert "Who plays Corp first?" in results


def test_texts_and_screens_mark_an_open_choice(event: Tournament):
    round_ = get_round(event, 2)
    chooser = seed(event, 1).player.name

    text = pairings_texts(round_)[0]
    stream = displays_pages.get_overlay_table(event, 1)
    wall = displays_pages.projector_state(event, ["pairings"])

    assert text.startswith("Semifinals: ")
    assert f"{chooser} (chooses a side)" in text
    assert "(Corp)" not in text
    assert {row.seat.role for row in stream.seats} == {None}
    assert stream.round_name == "Semifinal"
    assert wall.views[0].title == "Semifinals: find your table"


def test_api_and_files_leave_the_side_open(desk: Client, event: Tournament):
    api = f"/api/v1/events/{event.slug}"
    listed = desk.get(f"{api}/rounds/").json()["results"]
    pairings = desk.get(f"{api}/rounds/2/pairings/").json()["results"]

    assert [round_["name"] for round_ in listed] == ["Round 1", "Semifinals"]
    games = [game for pairing in pairings for game in pairing["games"]]
    assert {(game["corp"], game["runner"]) for game in games} == {(None, None)}
    rows = pairings_csv(event).decode().splitlines()
    cut_rows = [row for row in rows if row.startswith("2,")]
    assert len(cut_rows) == 2
    assert not any("corp" in row or "runner" in row for row in cut_rows)


def test_notifications_name_the_match_and_the_choosing_player(event: Tournament):
    round_ = get_round(event, 2)
    lines = {line.seat.number: line for line in name_lines(table_lines(round_))}
    chooser, opponent = (lines[seed(event, place).number] for place in (1, 4))

    to_chooser, to_opponent = (
        announcements.push_text(round_, line) for line in (chooser, opponent)
    )

    assert to_chooser["title"] == "Table 1 - Semifinal"
    assert to_chooser["body"].endswith("Open the page of your table to choose a side.")
    assert to_opponent["body"].endswith(f"{chooser.seat.name} chooses a side.")
    assert "Corp" not in f"{to_chooser} {to_opponent}"
