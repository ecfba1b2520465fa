"""Exports on pages, in the API and on the command line: permissions and contents."""

import json
from pathlib import Path

import pytest
from django.core.cache import cache
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
from tournaments.files import exports, spreadsheets
from tournaments.files import services as files_services
from tournaments.files.exports import FORMATS
from tournaments.models import StaffRole, Tournament

ONE_GAME = MatchResult((won_game(1, Role.CORP),))
FOR_ALL = {form for form, format_ in FORMATS.items() if format_.is_for_all}


def make_scene() -> Tournament:
    """An event with a closed and a running round."""
    event = make_event(players=4, game="anr", scoring_rule="anr_double", decks_required=False)
    play_round(event)
    start_round(event)
    return event


def browser(event: Tournament, actor: str = "anonymous") -> Client:
    return browser_of(actor, event, player_number(event, 1))


def page(event: Tournament) -> str:
    return url("exports", event)


def api(event: Tournament, form: str = "") -> str:
    return f"/api/v1/events/{event.slug}/exports/{form}{'/' if form else ''}"


def formats_in_api(client: Client, event: Tournament) -> dict[str, dict[str, str]]:
    return {format_["form"]: format_ for format_ in client.get(api(event)).json()["results"]}


@pytest.mark.parametrize(
    ("role", "more"),
    [
        ("anonymous", set()),
        (StaffRole.SCOREKEEPER, {"csv-log"}),
        (StaffRole.JUDGE, {"csv-log", "csv-penalties"}),
        ("owner", {"csv-log", "csv-penalties", "csv-judges", "csv-roster"}),
    ],
)
def test_formats_depend_on_the_role(event, role, more):
    assert set(formats_in_api(browser(event, role), event)) == FOR_ALL | more


def test_page_and_api_return_equal_files(event):
    client = browser(event, "owner")
    for form, format_ in formats_in_api(client, event).items():
        by_page = client.get(reverse(FORMATS[form].route, args=[event.slug]))
        by_api = client.get(format_["url"])
        if format_["why_not"]:
            assert (by_page.status_code, by_api.status_code) == (404, 409), form
            assert by_api.json()["code"] == "nothing_to_export"
            continue
        assert (by_page.status_code, by_api.status_code) == (200, 200), form
        assert by_page.content == by_api.content, form
        for answer in (by_page, by_api):
            assert answer["Content-Type"] == format_["media_type"]
            assert answer["Content-Disposition"] == f'attachment; filename="{format_["file_name"]}"'
        assert format_["file_name"].startswith("spring-run-")


def test_accept_header_is_ignored_and_unknown_format_is_404(event):
    answer = browser(event).get(api(event, "csv-standings"), headers={"Accept": "text/csv"})

    assert answer.status_code == 200
    assert browser(event).get(api(event, "pdf")).status_code == 404


def test_staff_formats_are_refused_to_other_readers(event):
    for form in set(FORMATS) - FOR_ALL:
        address = reverse(FORMATS[form].route, args=[event.slug])
        assert browser(event).get(address).status_code == 302
        assert browser(event, StaffRole.STREAMER).get(address).status_code == 403
        assert browser(event).get(api(event, form)).status_code == 401
        assert browser(event, StaffRole.STREAMER).get(api(event, form)).status_code == 403


def test_private_data_is_only_for_organisers(event):
    address = url("export_datafort", event) + "?private=1"

    assert browser(event).get(address).status_code == 403
    assert browser(event, StaffRole.JUDGE).get(address).status_code == 403
    assert browser(event, "owner").get(address).status_code == 200
    assert browser(event).get(api(event, "datafort") + "?private=true").status_code == 401
    assert browser(event, "owner").get(api(event, "datafort") + "?private=true").status_code == 200
    assert browser(event).get(api(event, "datafort") + "?private=perhaps").status_code == 400


def test_page_lists_each_file_or_the_reason_for_its_absence(event):
    text = browser(event).get(page(event)).text

    assert f'href="{url("export_nrtm", event)}"' in text
    assert "No game of a cut is published yet." in text
    assert url("export_csv_roster", event) not in text
    assert "**Round 2: Spring Run**" in text
    assert page(event) in browser(event).get(event.get_absolute_url()).text


def test_messages_are_numbered_if_there_are_several(event, monkeypatch):
    assert ">Pairings</label>" in browser(event).get(page(event)).text

    monkeypatch.setattr(exports, "pairings_messages", lambda _event: ["Table 1", "Table 2"])
    cache.clear()

    text = browser(event).get(page(event)).text
    assert ">Pairings, message 1 of 2</label>" in text
    assert ">Pairings, message 2 of 2</label>" in text


def test_unchanged_file_answers_304(event):
    for address in (url("export_nrtm", event), api(event, "nrtm")):
        etag = browser(event).get(address)["ETag"]

        again = browser(event).get(address, headers={"If-None-Match": etag})

        assert (again.status_code, again.content) == (304, b"")


def test_file_has_the_address_of_its_event(event):
    file = json.loads(browser(event).get(api(event, "nrtm")).content)

    assert file["links"][1]["href"] == f"http://testserver{event.get_absolute_url()}"


@pytest.mark.parametrize("game", ["onr", "anr", "free_radicals"])
def test_every_format_can_be_exported_in_every_state(game):
    rule = {"onr": "onr_runner_only", "anr": "anr_single", "free_radicals": "free_radicals"}[game]
    event = make_event(players=4, game=game, scoring_rule=rule, decks_required=False)
    client = browser(event, "owner")

    for make in (lambda: None, lambda: draft_round(event)):
        make()
        for form in FORMATS:
            assert client.get(api(event, form)).status_code in (200, 409), form


def query_counts(players: int) -> dict[str, int]:
    """Number of queries by format, for an event with this number of players."""
    event = make_event(players=players, game="anr", scoring_rule="anr_single")
    for _ in range(2):
        play_round(event, play=lambda _: ONE_GAME)
    client, counts = browser(event, "owner"), {}
    for form in FORMATS:
        counts[form] = queries_of(client.get, api(event, form))
    return counts


def test_number_of_queries_does_not_grow():
    query_counts(2)

    assert query_counts(4) == query_counts(8)


def test_event_of_more_than_1000_tables_can_be_exported():
    event = files_services.import_file(large_file(100, 21), trusted=True).tournament
    assert event is not None
    client = browser(event)

    statuses = {form: client.get(api(event, form)).status_code for form in sorted(FOR_ALL)}

    assert statuses["datafort"] == 200
    assert set(statuses.values()) <= {200, 409}


def test_csv_is_the_standings_unless_another_table_is_chosen(event, capfdbinary):
    call_command("export_tournament", event.slug, "--format", "csv")
    standings = capfdbinary.readouterr().out
    call_command("export_tournament", event.slug, "--format", "csv", "--table", "results")
    results = capfdbinary.readouterr().out

    assert standings.startswith('\ufeff"rank"'.encode())
    assert results == spreadsheets.results_csv(event)


def test_file_is_written_to_the_output_path(event, tmp_path: Path, settings):
    settings.SITE_ADDRESS = "https://datafort.example"
    file = tmp_path / "event.json"

    call_command("export_tournament", event.slug, "--format", "nrtm", "--output", str(file))

    written = json.loads(file.read_bytes())
    assert written["links"][1]["href"] == f"https://datafort.example{event.get_absolute_url()}"


def test_document_has_private_data_only_if_requested(event, capfdbinary):
    entry = player_number(event, 1)
    entry.avoid_group = "Canary"
    entry.save()
    printed = []
    for private in ([], ["--private"]):
        call_command("export_tournament", event.slug, "--format", "datafort", *private)
        printed.append(capfdbinary.readouterr().out)

    assert b"Canary" not in printed[0]
    assert b"Canary" in printed[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no-such-event"], 'There is no event "no-such-event".'),
        (["spring-run", "--format", "trf"], "one game per round"),
        (["spring-run", "--format", "csv", "--table", "cut"], "No game of a cut"),
        (["spring-run", "--format", "csv", "--table", "roster"], "Add --private."),
        (["spring-run", "--format", "nrtm", "--table", "cut"], "--table requires --format csv"),
        (["spring-run", "--output", "/no/such/folder/file"], "cannot be written"),
    ],
)
def test_refusal_exits_2_with_its_reason(event, arguments, sentence):
    with pytest.raises(CommandError, match=sentence) as refused:
        call_command("export_tournament", *arguments)

    assert refused.value.returncode == 2
