"""Files of an event on its pages, over the API and on the command line: who may have which."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from matches.scoring.results import MatchResult, Role
from tests.factories.large_events import large_file
from tests.factories.tournaments import (
    draft_round,
    make_event,
    play_round,
    player_number,
    start_round,
    won_game,
)
from tests.queries import queries_of
from tests.tournaments.cast import browser_of
from tests.tournaments.pages import url
from tournaments.files import services as files_services
from tournaments.files import spreadsheets
from tournaments.files.exports import FORMATS
from tournaments.models import StaffRole, Tournament

ONE_GAME = MatchResult((won_game(1, Role.CORP),))
FOR_ALL = {form for form, format_ in FORMATS.items() if format_.is_for_all}


def make_scene() -> Tournament:
    """One round is played, the second one runs."""
    event = make_event(players=4, game="anr", scoring_rule="anr_double", decks_required=False)
    play_round(event)
    start_round(event)
    return event


def browser(event: Tournament, who: str = "anonymous") -> Client:
    return browser_of(who, event, player_number(event, 1))


def page(event: Tournament) -> str:
    return url("exports", event)


def api(event: Tournament, form: str = "") -> str:
    return f"/api/v1/events/{event.slug}/exports/{form}{'/' if form else ''}"


def listed(client: Client, event: Tournament) -> dict[str, dict[str, str]]:
    return {one["form"]: one for one in client.get(api(event)).json()["results"]}


def test_a_stranger_is_offered_what_everybody_may_have(event):
    assert set(listed(browser(event), event)) == FOR_ALL


@pytest.mark.parametrize(
    ("role", "more"),
    [
        (StaffRole.SCOREKEEPER, {"csv-log"}),
        (StaffRole.JUDGE, {"csv-log", "csv-penalties"}),
        ("owner", {"csv-log", "csv-penalties", "csv-judges", "csv-roster"}),
    ],
)
def test_staff_are_offered_what_their_role_may_have(event, role, more):
    assert set(listed(browser(event, role), event)) == FOR_ALL | more


def test_page_and_api_answer_the_same_files(event):
    client = browser(event, "owner")
    for form, found in listed(client, event).items():
        here, there = (
            client.get(address)
            for address in (reverse(FORMATS[form].route, args=[event.slug]), found["url"])
        )
        if found["why_not"]:
            assert (here.status_code, there.status_code) == (404, 409), form
            assert there.json()["code"] == "nothing_to_export"
            continue
        assert (here.status_code, there.status_code) == (200, 200), form
        assert here.content == there.content, form
        for answer in (here, there):
            assert answer["Content-Type"] == found["media_type"]
            assert answer["Content-Disposition"] == f'attachment; filename="{found["file_name"]}"'
        assert found["file_name"].startswith("spring-run-")


def test_a_file_comes_whatever_a_program_accepts(event):
    answer = browser(event).get(api(event, "csv-standings"), headers={"Accept": "text/csv"})

    assert answer.status_code == 200


def test_a_format_that_does_not_exist_is_nowhere(event):
    assert browser(event).get(api(event, "pdf")).status_code == 404


def test_what_only_staff_may_have_is_closed_to_others(event):
    for form in set(FORMATS) - FOR_ALL:
        address = reverse(FORMATS[form].route, args=[event.slug])
        assert browser(event).get(address).status_code == 302
        assert browser(event, StaffRole.STREAMER).get(address).status_code == 403
        assert browser(event).get(api(event, form)).status_code == 401
        assert browser(event, StaffRole.STREAMER).get(api(event, form)).status_code == 403


def test_private_data_are_for_organisers_alone(event):
    asked = "?private=1"
    address = url("export_datafort", event) + asked

    assert browser(event).get(address).status_code == 403
    assert browser(event, StaffRole.JUDGE).get(address).status_code == 403
    assert browser(event, "owner").get(address).status_code == 200
    assert browser(event).get(api(event, "datafort") + "?private=true").status_code == 401
    assert browser(event, "owner").get(api(event, "datafort") + "?private=true").status_code == 200
    assert browser(event).get(api(event, "datafort") + "?private=perhaps").status_code == 400


def test_the_page_offers_each_file_or_says_why_there_is_none(event):
    text = browser(event).get(page(event)).text

    assert f'href="{url("export_nrtm", event)}"' in text
    assert "No game of a cut is published yet." in text
    assert url("export_csv_roster", event) not in text
    assert "**Round 2: Spring Run**" in text
    assert page(event) in browser(event).get(event.get_absolute_url()).text


def test_an_unchanged_file_is_not_sent_again(event):
    for address in (url("export_nrtm", event), api(event, "nrtm")):
        etag = browser(event).get(address)["ETag"]

        again = browser(event).get(address, headers={"If-None-Match": etag})

        assert (again.status_code, again.content) == (304, b"")


def test_a_file_names_the_page_it_comes_from(event):
    file = json.loads(browser(event).get(api(event, "nrtm")).content)

    assert file["links"][1]["href"] == f"http://testserver{event.get_absolute_url()}"


@pytest.mark.parametrize("game", ["onr", "anr", "free_radicals"])
def test_every_file_can_be_made_or_says_why_not_at_any_time(game):
    rule = {"onr": "onr_runner_only", "anr": "anr_single", "free_radicals": "free_radicals"}[game]
    event = make_event(players=4, game=game, scoring_rule=rule, decks_required=False)
    client = browser(event, "owner")

    for make in (lambda: None, lambda: draft_round(event)):
        make()
        for form in FORMATS:
            assert client.get(api(event, form)).status_code in (200, 409), form


def questions(players: int) -> dict[str, int]:
    """How many questions each file asks of an event with so many players."""
    event = make_event(players=players, game="anr", scoring_rule="anr_single")
    for _ in range(2):
        play_round(event, play=lambda _: ONE_GAME)
    client, counts = browser(event, "owner"), {}
    for form in FORMATS:
        counts[form] = queries_of(client.get, api(event, form))
    return counts


def test_a_larger_event_asks_no_more_questions():
    questions(2)

    assert questions(4) == questions(8)


def test_an_event_of_more_than_1000_tables_can_be_exported():
    event = files_services.import_file(large_file(100, 21), trusted=True).tournament
    assert event is not None
    client = browser(event)

    statuses = {form: client.get(api(event, form)).status_code for form in sorted(FOR_ALL)}

    assert statuses["datafort"] == 200
    assert set(statuses.values()) <= {200, 409}


def test_the_standings_are_the_table_unless_another_is_named(event, capfdbinary):
    call_command("export_tournament", event.slug, "--format", "csv")
    standings = capfdbinary.readouterr().out
    call_command("export_tournament", event.slug, "--format", "csv", "--table", "results")
    results = capfdbinary.readouterr().out

    assert standings.startswith('\ufeff"rank"'.encode())
    assert results == spreadsheets.results_csv(event)


def test_a_file_is_written_where_it_is_wanted(event, tmp_path: Path, settings):
    settings.SITE_ADDRESS = "https://datafort.example"
    file = tmp_path / "event.json"

    call_command("export_tournament", event.slug, "--format", "nrtm", "--output", str(file))

    found = json.loads(file.read_bytes())
    assert found["links"][1]["href"] == f"https://datafort.example{event.get_absolute_url()}"


def test_the_own_document_keeps_private_data_back_unless_asked(event, capfdbinary):
    one = player_number(event, 1)
    one.avoid_group = "Canary"
    one.save()
    found = []
    for private in ([], ["--private"]):
        call_command("export_tournament", event.slug, "--format", "datafort", *private)
        found.append(capfdbinary.readouterr().out)

    assert b"Canary" not in found[0]
    assert b"Canary" in found[1]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["no-such-event"], 'There is no event "no-such-event".'),
        (["spring-run", "--format", "trf"], "one game a round"),
        (["spring-run", "--format", "csv", "--table", "cut"], "No game of a cut"),
        (["spring-run", "--format", "csv", "--table", "roster"], "Add --private."),
        (["spring-run", "--format", "nrtm", "--table", "cut"], "--format csv alone"),
        (["spring-run", "--output", "/no/such/folder/file"], "cannot be written"),
    ],
)
def test_what_cannot_be_is_refused_in_words_with_status_2(event, asked, words):
    with pytest.raises(CommandError, match=words) as refused:
        call_command("export_tournament", *asked)

    assert refused.value.returncode == 2
