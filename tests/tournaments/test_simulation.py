"""`simulate_tournament`: the same arguments print the same bytes anywhere."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from rest_framework.test import APIClient

from engine.standings.records import as_decimal
from matches.models import ResultReport
from tests.checker import standings as checker
from tests.factories import tournaments as make
from tests.factories.library import load_cards
from tests.live_site import kept_site
from tournaments.management.commands.simulate_tournament import aligned, width
from tournaments.management.rehearsal import Rehearsal
from tournaments.models import DeckSubmission, Registration, Tournament
from tournaments.registration.roster_changes import NewEntry

ROOT = Path(__file__).parents[2]
ARGUMENTS = ("--game", "onr", "--players", "23", "--rounds", "5", "--seed", "7")


def simulate(*arguments: str) -> str:
    out = StringIO()
    call_command("simulate_tournament", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_columns_of_any_script_are_aligned():
    lines = aligned([["1", "王浩然", "40"], ["10", "काव्या", "8"], ["2", "Ada", "13"]], left=1)

    assert lines[0] == " 1  王浩然  40"
    assert {width(line) for line in lines} == {width(lines[0])}


def rows_of_everything() -> dict[str, int]:
    return {model.__name__: model._default_manager.count() for model in apps.get_models()}


@pytest.mark.django_db
def test_same_seed_prints_the_same_bytes_beside_other_events():
    few = ("--game", "onr", "--players", "7", "--rounds", "3", "--seed")
    first = simulate(*few, "7")
    make.play_round(make.make_event(8))

    assert simulate(*few, "7") == first
    assert simulate(*few, "8") != first
    lines = first.splitlines()
    assert lines[0] == "Netrunner (1996): 7 players, 3 rounds, seed 7"
    assert lines[1].split() == ["Rank", "Player", "Points", "SoS", "ESoS"]
    assert [line.split()[0] for line in lines[2:]] == [str(rank) for rank in range(1, 8)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("game", "heading"),
    [("anr", "Android: Netrunner"), ("free_radicals", "Free Radicals")],
)
def test_every_game_is_played_to_the_end(game: str, heading: str):
    arguments = ("--game", game, "--players", "7", "--rounds", "2", "--seed", "5")

    lines = simulate(*arguments).splitlines()

    assert lines[0] == f"{heading}: 7 players, 2 rounds, seed 5"
    # Players who dropped before their first game are not in the standings.
    assert 7 <= len(lines) <= 9
    assert simulate(*arguments).splitlines() == lines


@pytest.mark.django_db
def test_no_rows_and_no_jobs_are_left(django_capture_on_commit_callbacks: Any):
    before = rows_of_everything()

    with django_capture_on_commit_callbacks() as queued:
        simulate("--players", "9", "--rounds", "3")

    assert rows_of_everything() == before
    assert queued == []


@pytest.mark.django_db
def test_printed_standings_match_the_checker():
    make.make_user("ada")
    printed = simulate(*ARGUMENTS, "--keep", "ada").splitlines()[2:]
    rounds = [list(documents(number)) for number in range(1, 6)]

    registered = Registration.objects.select_related("player")
    numbers = {entry.player.name: entry.number for entry in registered}
    assert len(printed) == len(numbers) == 23
    for line in printed:
        _, *words, points, strength_, extended = line.split()
        player = numbers[" ".join(words)]
        assert int(points) == checker.match_points(rounds, player)
        assert strength_ == as_decimal(checker.strength_of_schedule(rounds, player))
        assert extended == as_decimal(checker.extended_strength_of_schedule(rounds, player))
    # The event has a late entry, drops and disputes.
    tournament = Tournament.objects.get(slug="simulated-event")
    assert tournament.is_finished
    assert tournament.registrations.filter(joined_in_round=2).count() == 1
    assert tournament.registrations.filter(state="dropped").exists()
    reports = ResultReport.objects.all()
    assert reports.filter(state="disputed").exists()
    assert reports.filter(seat=None).exists()


def documents(number: int) -> Iterator[dict[str, Any]]:
    """Return a round of the stored event from the API, for the checker."""
    address = f"/api/v1/events/simulated-event/rounds/{number}/"
    for entry in APIClient().get(address).json()["pairings"]:
        if entry["bye"]:
            yield {"bye": entry["bye"]["number"], "points": entry["bye_points"]}
        else:
            seats = [(seat["player"]["number"], seat["match_points"]) for seat in entry["seats"]]
            yield {"seats": [{"id": player, "points": points} for player, points in seats]}


@pytest.mark.django_db
@pytest.mark.parametrize("game", ["onr", "anr"])
def test_decks_are_submitted_on_request(game: str):
    load_cards(game)
    make.make_user("ada")
    simulate("--game", game, "--players", "4", "--rounds", "1", "--decks", "--keep", "ada")

    submissions = DeckSubmission.objects.exclude(locked_at=None)
    assert submissions.count() == 8
    assert all(submission.version.is_legal for submission in submissions)


@pytest.mark.django_db
def test_decks_of_an_event_with_a_format_are_legal_in_it():
    load_cards("anr")
    tournament = make.make_event(0, game="anr", deck_rules={"format_id": "standard"})
    rehearsal = Rehearsal(tournament, make.owner_of(tournament), random.Random(1))
    for registration in rehearsal.enter([NewEntry("Ada")]):
        rehearsal.submit_decks(registration)

    versions = [submission.version for submission in DeckSubmission.objects.all()]
    assert [(deck.is_legal, deck.format_id) for deck in versions] == [(True, "standard")] * 2


@pytest.mark.django_db
@pytest.mark.parametrize(("players", "rounds"), [(2, 3), (3, 4), (5, 6)])
def test_small_events_play_more_rounds_than_there_are_opponents(players: int, rounds: int):
    lines = simulate("--players", str(players), "--rounds", str(rounds)).splitlines()

    assert len(lines) == players + 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--players", "1"], "whole number from 2"),
        (["--rounds", "0"], "whole number from 1"),
        (["--seed", "-1"], "whole number from 0"),
        (["--game", "chess"], "invalid choice"),
        (["--game", "free_radicals", "--decks"], "has no decklists"),
        (["--keep", "nobody"], "no account nobody"),
    ],
)
def test_invalid_arguments_are_refused(arguments: list[str], reason: str):
    with pytest.raises(CommandError, match=reason):
        simulate(*arguments)


@pytest.mark.goal("G2")
@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor == "sqlite", reason="compares another database with SQLite")
def test_every_database_prints_the_same_bytes(tmp_path: Path):
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
    environment |= {"DATAFORT_VAR": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings.embedded"

    def manage(*arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
        return done.stdout.decode()

    shutil.copytree(kept_site(environment), tmp_path, dirs_exist_ok=True)
    assert manage("simulate_tournament", *ARGUMENTS) == simulate(*ARGUMENTS)
