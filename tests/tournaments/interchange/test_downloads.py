"""Standings and roster as files."""

import csv
import io

import pytest
from django.test import Client

from tests.factories.cuts import event_with_cut, play_cut_round
from tests.factories.tournaments import make_event, make_user, play_round, start_round
from tests.tournaments.pages import url
from tournaments.event import queries
from tournaments.interchange import exports
from tournaments.models import Tournament


def test_standings_are_a_file_with_a_name(client: Client, event: Tournament):
    play_round(event)
    play_round(event)

    answer = client.get(url("standings_csv", event))
    first = client.get(url("standings_csv", event) + "?round=1")

    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="spring-run-standings-2.csv"'
    assert first["Content-Disposition"] == 'attachment; filename="spring-run-standings-1.csv"'
    snapshot = queries.newest_snapshot(event, 1)
    assert snapshot is not None
    assert first.content == exports.standings_csv(snapshot)


def test_a_file_asked_for_as_a_part_stays_a_file(client: Client, event: Tournament):
    play_round(event)

    answers = [
        client.get(url("standings_csv", event), headers={"X-Fragment": "1"}) for _ in range(2)
    ]

    for answer in answers:
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert answer["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize("asked", ["", "?round=abc", "?round=2", "?round=-1", "?round=99999999"])
def test_a_round_without_standings_has_no_file(client: Client, event: Tournament, asked: str):
    if asked:
        play_round(event)
    start_round(event)

    assert client.get(url("standings_csv", event) + asked).status_code == 404


def test_the_standings_lead_to_the_file_of_their_round(client: Client, event: Tournament):
    play_round(event)

    page = client.get(url("standings", event)).text

    assert f'href="{url("standings_csv", event)}?round=1"' in page


def test_the_roster_leads_to_its_file(client: Client):
    owner = make_user()
    event = make_event(players=2, owner=owner)
    client.force_login(owner)

    page = client.get(url("roster", event)).text
    answer = client.get(url("roster_export", event))

    assert f'href="{url("roster_export", event)}"' in page
    assert answer["Content-Disposition"] == 'attachment; filename="spring-run-roster.csv"'
    assert answer.content == exports.roster_csv(event)


def test_with_a_cut_the_standings_begin_with_the_places(client):
    event = event_with_cut(2, players=4, system="single_elimination")
    play_cut_round(event, winners=[2])

    text = client.get(url("standings_csv", event)).content.decode("utf-8-sig")
    table = list(csv.DictReader(io.StringIO(text, newline="")))

    assert [row["place"] for row in table] == ["2", "1", "3", "4"]
    assert [row["rank"] for row in table] == ["1", "2", "3", "4"]
