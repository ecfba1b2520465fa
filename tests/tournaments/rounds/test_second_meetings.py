"""The setting that avoids rematches."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from rest_framework.exceptions import ValidationError as ApiValidationError

from engine.documents.commands import pair
from matches.scoring.results import GameEnd, GameResult, MatchResult, Role
from tests.factories.tournaments import draft_round, fresh, make_event, owner_of, play_round
from tournaments.event.engine_input import closed_results, stage_avoids_second_meetings
from tournaments.files import documents
from tournaments.files.documents import convert_engine_document, engine_document
from tournaments.files.records import TournamentFileRefused
from tournaments.models import Pairing, Tournament
from tournaments.outlook.services import get_forecast_course
from tournaments.rounds import draft_changes
from tournaments.rounds.draft_pages import draft_page
from tournaments.settings.api import change_from_body
from tournaments.settings.forms import SettingsForm

pytestmark = pytest.mark.django_db


def single_sided_event(players: int, **settings: Any) -> Tournament:
    return make_event(players, game="anr", scoring_rule="anr_single", **settings)


def avoids_rematches(event: Tournament) -> bool:
    stage = event.current_stage()
    active = [entry.number for entry in event.registrations.active()]
    return stage_avoids_second_meetings(stage, closed_results(event), active)


@pytest.mark.parametrize(
    ("players", "rounds", "setting", "expected"),
    [
        (6, 5, None, True),
        (6, 6, None, False),
        (6, 6, True, True),
        (6, 5, False, False),
        (6, None, None, True),
    ],
)
def test_setting_overrides_the_default_for_the_planned_rounds(
    players: int, rounds: int | None, setting: bool | None, expected: bool
):
    event = single_sided_event(players, planned_rounds=rounds, avoid_second_meetings=setting)

    assert avoids_rematches(event) is expected
    assert ("second_meeting" in draft_round(event).certificate["cost"]) is expected


def test_matches_of_two_games_never_avoid_rematches():
    assert not avoids_rematches(
        make_event(6, game="anr", planned_rounds=5, avoid_second_meetings=True)
    )


def corp_wins(pairing: Pairing) -> MatchResult:
    return MatchResult(games=(GameResult(1, 1, Role.CORP, GameEnd.FLATLINE),))


def test_planned_round_robin_has_no_rematch():
    event = single_sided_event(6, planned_rounds=5)
    for _ in range(5):
        play_round(event, play=corp_wins)

    meetings = [
        frozenset(pairing.players)
        for round_ in event.rounds
        for pairing in round_.pairings.with_players()
    ]
    assert len(set(meetings)) == len(meetings) == 15


def test_draft_shows_the_cost_of_a_rematch_made_by_hand():
    event = single_sided_event(4, planned_rounds=3)
    play_round(event, play=corp_wins)
    round_ = draft_round(event)
    first = event.rounds.get(number=1)
    first_player, opponent = next(iter(first.pairings.with_players())).players
    entries = {entry.player_id: entry for entry in event.roster()}
    pairing = next(p for p in round_.pairings.with_players() if first_player in p.players)
    partner = next(player for player in pairing.players if player != first_player)
    draft_changes.swap_seats(round_, entries[partner], entries[opponent], owner_of(event))

    parts = [row.parts for row in draft_page(round_).tables]
    assert sum(part["second_meeting"] for part in parts) == 2


@pytest.mark.parametrize("value", [True, False, None])
def test_api_changes_the_setting(value: bool | None):
    event = single_sided_event(4, avoid_second_meetings=not value)

    change_from_body(event, owner_of(event), {"avoid_second_meetings": value})

    assert fresh(event).avoid_second_meetings is value


def test_setting_does_not_exist_for_other_games():
    event = make_event(4)

    assert "avoid_second_meetings" not in SettingsForm(instance=event).fields
    with pytest.raises(ApiValidationError, match="no such setting"):
        change_from_body(event, owner_of(event), {"avoid_second_meetings": True})


@pytest.mark.parametrize("value", [True, False, None])
def test_form_shows_and_saves_the_setting(value: bool | None):
    form = SettingsForm(instance=single_sided_event(4, avoid_second_meetings=value))
    chosen = {True: "True", False: "False", None: ""}[value]

    assert f'<option value="{chosen}" selected>' in str(form["avoid_second_meetings"])


def test_forecast_uses_the_setting():
    event = single_sided_event(6, planned_rounds=5)
    play_round(event, play=corp_wins)
    round_ = event.rounds.get(number=1)

    assert get_forecast_course(event, round_).avoids_second_meetings


@pytest.mark.parametrize("value", [True, False])
def test_engine_document_imports_and_exports_the_setting(value: bool):
    document = {
        "datafort": 1,
        "system": "single",
        "planned_rounds": 6,
        "avoid_second_meetings": value,
        "players": [{"id": number, "name": f"Player {number}"} for number in range(1, 5)],
        "rounds": [],
    }

    event, _ = convert_engine_document(document, game="anr", today=date(2026, 5, 2))

    assert event["settings"]["avoid_second_meetings"] is value
    assert engine_document(event)["avoid_second_meetings"] is value
    assert "avoid_second_meetings" in documents.TOP_LEVEL_KEYS
    assert ("second_meeting" in pair(engine_document(event))["cost"]) is value


@pytest.mark.parametrize("key", ["planned_rounds", "rounds"])
def test_more_than_200_rounds_are_not_imported(key: str):
    document = {
        "datafort": 1,
        "system": "single",
        "players": [{"id": 1}, {"id": 2}],
        key: 201 if key == "planned_rounds" else [[]] * 201,
    }

    with pytest.raises(
        TournamentFileRefused, match="at most 200 rounds, and this document has 201"
    ) as no:
        convert_engine_document(document, game="anr", today=date(2026, 5, 2))

    assert no.value.path == f"$.{key}"


def test_help_page_lists_the_rematch_rule(client: Client):
    page = client.get("/help/pairing/").text

    assert "<li>Rematches</li>" in page[page.index('id="single"') :]
    assert "Rematches are avoided if the planned rounds fit a round robin" in page
