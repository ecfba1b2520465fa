"""`export_tournament` on the command line."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.factories.tournaments import make_event, play_round, player_number
from tournaments import exports

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    event = make_event(players=4, game="anr", scoring_rule="anr_double", decks_required=False)
    play_round(event)
    return event


def test_the_standings_are_the_table_unless_another_is_told(event, capfdbinary):
    call_command("export_tournament", event.slug, "--format", "csv")
    standings = capfdbinary.readouterr().out
    call_command("export_tournament", event.slug, "--format", "csv", "--table", "results")
    results = capfdbinary.readouterr().out

    assert standings.startswith('\ufeff"rank"'.encode())
    assert results == exports.results_csv(event)


def test_a_file_is_written_where_it_is_wanted(event, tmp_path: Path, settings):
    settings.SITE_ADDRESS = "https://datafort.example"
    file = tmp_path / "event.json"

    call_command("export_tournament", event.slug, "--format", "nrtm", "--output", str(file))

    told = json.loads(file.read_bytes())
    assert told["links"][1]["href"] == f"https://datafort.example{event.get_absolute_url()}"


def test_the_own_document_keeps_private_data_back_unless_asked(event, capfdbinary):
    one = player_number(event, 1)
    one.avoid_group = "Canary"
    one.save()
    told = []
    for private in ([], ["--private"]):
        call_command("export_tournament", event.slug, "--format", "datafort", *private)
        told.append(capfdbinary.readouterr().out)

    assert b"Canary" not in told[0]
    assert b"Canary" in told[1]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["no-such-event"], 'There is no event "no-such-event".'),
        (["spring-run", "--format", "trf"], "one game a round"),
        (["spring-run", "--format", "csv", "--table", "cut"], "There is no cut"),
        (["spring-run", "--format", "csv", "--table", "roster"], "Add --private."),
        (["spring-run", "--format", "nrtm", "--table", "cut"], "--format csv alone"),
        (["spring-run", "--output", "/no/such/folder/file"], "cannot be written"),
    ],
)
def test_what_cannot_be_is_told_in_words_with_status_2(event, asked, words):
    with pytest.raises(CommandError, match=words) as refused:
        call_command("export_tournament", *asked)

    assert refused.value.returncode == 2
