"""A new game is a new record: no other code is needed to play an event of it."""

import random
from pathlib import Path

import pytest
from django.apps import apps
from django.test import Client

from decks import importer
from decks import services as decks_services
from decks.games import GAMES, choices
from decks.models import Card, Side
from matches.scoring.rules import SCORING_RULES
from tests.factories import tournaments as make
from tests.factories.submissions import submit_deck
from tests.fourth_game.mainframe import MAINFRAME, ONE_GAME
from tournaments.decklists import services as decklists_services
from tournaments.event.permissions import Actor
from tournaments.management.rehearsal import Rehearsal
from tournaments.models import Tournament
from tournaments.registration.roster_changes import NewEntry
from tournaments.results.forms import ResultForm
from tournaments.settings import services as settings_services

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")
ROUNDS = 3
LISTS = {
    Side.CORP: "2 Core Upgrade\n4 Blue Screen\n4 Honeypot",
    Side.RUNNER: "5 Crowbar\n5 Overflow",
}
SMALL = {"corp_minimum": 10, "runner_minimum": 10}
ELSEWHERE = ("decks/games/__init__.py", "matches/scoring/definitions.py", "docs/openapi.yaml")
"""Files that name every game, and get another line for a new game."""
MAX_FILES = 10


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the game for one test."""
    monkeypatch.setitem(SCORING_RULES, ONE_GAME.id, ONE_GAME)
    monkeypatch.setitem(GAMES, MAINFRAME.id, MAINFRAME)


@pytest.fixture
def rehearsal(db: None) -> Rehearsal:
    """An event with its cards and players, before round 1."""
    importer.import_cards(MAINFRAME.id)
    tournament = make.make_event(0, game=MAINFRAME.id, deck_rules=SMALL, planned_rounds=ROUNDS)
    chance = random.Random(4)
    rehearsed = Rehearsal(tournament, make.owner_of(tournament), chance)
    for registration in rehearsed.enter([NewEntry(name) for name in NAMES]):
        player = Actor(player=registration.player)
        for side, text in LISTS.items():
            decklists_services.lock_deck(submit_deck(registration, side, text, player), player)
    return rehearsed


def test_event_has_the_defaults_of_its_game(rehearsal: Rehearsal):
    event = rehearsal.tournament

    assert (event.scoring_rule, event.bye_points, event.round_minutes) == (ONE_GAME.id, 3, 40)
    assert event.stages.get().system == "single"
    assert event.has_decks
    assert event.decks_required


def test_event_can_be_played_to_its_final_standings(rehearsal: Rehearsal, client: Client):
    for _ in range(ROUNDS):
        rehearsal.play_round()
    settings_services.finish_event(rehearsal.tournament, rehearsal.owner)

    event = Tournament.objects.get(pk=rehearsal.tournament.pk)
    snapshot = event.snapshots.newest()
    assert snapshot is not None
    rows = list(snapshot.rows.ranked())
    assert sorted(row.registration.player.name for row in rows) == sorted(NAMES)
    assert [row.rank for row in rows] == list(range(1, len(NAMES) + 1))
    # Each round has three tables worth three points, or two if drawn, and a bye.
    assert 27 <= sum(row.match_points for row in rows) <= 36
    for page in (event.get_absolute_url(), f"{event.get_absolute_url()}standings/"):
        assert client.get(page).status_code == 200


def test_result_form_asks_for_the_winner(rehearsal: Rehearsal):
    pairing = rehearsal.tables(rehearsal.open_round())[0]
    assert pairing.match is not None

    form = ResultForm({"game_1_winner": "2"}, match=pairing.match)

    assert form.is_valid(), form.errors
    assert pairing.match.rule.match_points(form.result) == {1: 0, 2: 3}


def test_cards_and_decks_use_the_types_of_the_game(rehearsal: Rehearsal):
    assert set(Card.objects.values_list("type", flat=True)) == {
        *MAINFRAME.types_of("corp"),
        *MAINFRAME.types_of("runner"),
    }
    verdict = decks_services.check_deck(LISTS[Side.RUNNER], game=MAINFRAME.id)
    assert [breach.code for breach in verdict.breaches] == ["deck_size"]
    file = decks_services.export_deck(LISTS[Side.CORP], game=MAINFRAME.id, form="plain_text")
    assert b"Honeypot" in file.body


def test_fourth_game_needs_at_most_ten_files():
    folder = Path(__file__).with_name("mainframe")
    game_files = [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    # Each app with a game column gets a migration of its choices.
    tables = {
        model._meta.app_label
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.choices and set(field.flatchoices) <= set(choices())
    }

    assert tables == {"decks", "matches", "rulings", "tournaments"}
    assert len(game_files) + len(ELSEWHERE) + len(tables) <= MAX_FILES
