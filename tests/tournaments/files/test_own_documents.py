"""Export and import of whole events as Datafort documents."""

import json
from datetime import date, time
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import translation
from hypothesis import HealthCheck, given, settings

from engine.documents.commands import bracket, rank
from engine.documents.json_text import parse_json, write_json
from matches.scoring.results import GameEnd, GameResult, MatchResult, Role
from tests.checker.event import check_bracket
from tests.factories.cuts import decline
from tests.factories.tournaments import (
    draft_round,
    fresh,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
)
from tests.factories.whole_events import documents
from tournaments.files import event_files, whole_event
from tournaments.files import services as files_services
from tournaments.files.document_shapes import OPTIONAL_SETTINGS, RATED_SETTING
from tournaments.files.records import TournamentFileRefused
from tournaments.models import LateEntry, Registration, Tournament, Visibility
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.results.rules import CutChange, CutChangeKind
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services

Json = Any
# Each example is rolled back, so all can share a database.
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


def document_of(tournament, **options):
    """Export the event, encoded as JSON and decoded again."""
    return json.loads(json.dumps(whole_event.event_document(tournament, **options)))


def import_document(document, **options):
    return files_services.import_file(json.dumps(document).encode(), **{"trusted": True, **options})


def snapshots(tournament):
    """The standings of each closed round."""
    newest = (tournament.snapshots.newest(number) for number in tournament.rounds.closed_numbers())
    return [
        [
            (row.rank, row.registration.number, row.match_points, row.tie_breakers)
            for row in snapshot.rows.ranked()
        ]
        for snapshot in newest
        if snapshot
    ]


@pytest.mark.parametrize(
    ("game", "players", "seed"),
    [("onr", 7, 3), ("anr", 8, 4), ("free_radicals", 9, 5)],
)
def test_simulated_event_is_restored(game, players, seed):
    owner = make_user()
    call_command(
        "simulate_tournament",
        game=game,
        players=players,
        rounds=3,
        seed=seed,
        keep=owner.username,
        verbosity=0,
    )
    event = Tournament.objects.get()

    again = import_document(document_of(event))

    assert again.answer["differences"] == []
    assert document_of(again.tournament) == document_of(event)
    assert snapshots(again.tournament) == snapshots(event)


@pytest.mark.parametrize("system", ["double_elimination", "single_elimination"])
def test_cut_and_late_entry_are_restored(system):
    event = make_event(7, game="anr", late_entry=LateEntry.HALF)
    owner = owner_of(event)
    play_round(event)
    registration_services.drop_player(player_number(event, 7), owner)
    late = roster_changes.add_entries(event, [roster_changes.NewEntry("Zoë")], owner)
    registration_services.check_in(late, owner)
    play_round(event)
    best = event.cut_candidates()[:4]
    cuts.make_cut(event, best, owner, system=system, scoring_rule="anr_single")
    while not event.get_cut() or not _is_decided(event):
        play_round(event, play=_first_wins)
    settings_services.finish_event(event, owner)
    event.refresh_from_db()

    again = import_document(document_of(event))

    assert document_of(again.tournament) == document_of(event)
    assert snapshots(again.tournament) == snapshots(event)


def test_changed_cut_is_restored_and_passes_the_checker():
    event = make_event(8, game="anr")
    owner = owner_of(event)
    play_round(event)
    best = event.cut_candidates()[:4]
    system = "single_elimination"
    stage = cuts.make_cut(event, best, owner, system=system, scoring_rule="anr_single")
    decline(stage, best[0])
    cuts.change_cut(stage, CutChange(CutChangeKind.SEED, best[3].number, seed=1), owner, "Agreed")
    cuts.publish_cut(stage, owner)
    without_games = document_of(fresh(event))
    while not _is_decided(event):
        play_round(event, play=_first_wins)
    settings_services.finish_event(event, owner)
    event.refresh_from_db()
    document = document_of(event)

    again = import_document(document)

    assert document_of(again.tournament) == document
    with translation.override("de"):
        assert document_of(event) == document
        private = document_of(event, private=True)
    assert private == document_of(event, private=True)
    published = without_games["event"]["stages"][-1]
    assert published["seeds_shown_at"]
    assert not published["rounds"]
    restored = import_document(without_games).tournament
    assert document_of(restored)["event"]["stages"][-1] == published
    entries = document["event"]["stages"][-1]["entries"]
    assert best[0].number not in {entry["player"] for entry in entries}
    assert (entries[0]["player"], entries[0]["seed"]) == (best[3].number, 1)
    seeds = [entry["player"] for entry in entries if not entry["declined"]]
    question = {"datafort": 1, "system": system, "seed": document["seed"], "seeds": seeds}
    answer = bracket(parse_json(write_json(question | {"results": []})))
    assert check_bracket(question | {"results": []}, answer) == []
    assert {seat["id"] for seat in answer["games"][0]["seats"]} <= set(seeds)


def test_second_day_and_payments_are_restored_from_the_private_document():
    event = make_event(
        4, day_two_on=date(2026, 5, 3), day_two_time=time(10), day_two_round=2, entry_fee="5 EUR"
    )
    play_round(event)
    event.refresh_from_db()
    registration_services.open_day_two_check_in(event, owner_of(event))
    registration_services.check_in([player_number(event, 1)], owner_of(event))
    roster_changes.set_paid(event, [player_number(event, 2)], owner_of(event), has_paid=True)
    event.refresh_from_db()
    document = document_of(event, private=True)

    again = import_document(document).tournament

    day_two = (again.day_two_on, again.day_two_time, again.day_two_round)
    assert day_two == (date(2026, 5, 3), time(10), 2)
    assert again.day_two_opened_at == event.day_two_opened_at
    assert again.registrations.get(number=1).day_two_at
    assert again.registrations.get(number=2).paid_at


def test_engine_reads_the_document():
    event = make_event(6, game="anr")
    play_round(event)
    play_round(event)
    document = document_of(event, private=True)

    answer = rank(parse_json(write_json(document)))

    assert [(line["id"], line["rank"]) for line in answer["standings"]] == [
        (line["id"], line["rank"]) for line in document["standings"]
    ]


def test_changed_figure_is_a_difference():
    event = make_event(4, game="anr")
    play_round(event)
    document = document_of(event)
    document["standings"][0]["match_points"] = 99

    imported = import_document(document)

    line = imported.answer["standings"][0]
    difference = {"field": "match_points", "file": 99, "computed": line["match_points"]}
    assert imported.answer["differences"] == [{"id": line["id"], **difference}]


@pytest.mark.parametrize("value", ['"a\\u0000b"', "1e999", '"' + 201 * "9" + '"'])
def test_figure_that_a_database_cannot_store_is_refused(played_event, value):
    document = json.loads(played_event)
    document["standings"][0]["rank"] = "here"
    data = json.dumps(document).replace('"here"', value).encode()

    with pytest.raises(TournamentFileRefused) as refused:
        files_services.import_file(data, preview=True)

    assert refused.value.path == "$.standings[0].rank"


@pytest.mark.parametrize("points", ["1e3", "1E9999999999"])
def test_points_with_an_exponent_are_refused(played_event, points):
    document = json.loads(played_event)
    pairing = document["event"]["stages"][0]["rounds"][0]["pairings"][0]
    pairing["match"]["seats"][0]["points"] = points

    with pytest.raises(TournamentFileRefused, match="a whole number, or a string") as refused:
        files_services.import_file(json.dumps(document).encode(), preview=True)

    assert refused.value.path.endswith(".match.seats[0].points")


def test_time_with_a_large_offset_is_converted_to_utc(played_event):
    document = json.loads(played_event)
    document["event"]["settings"]["registration_closes_at"] = "2026-05-02T10:00:00+23:59"

    again = import_document(document).tournament

    assert again.registration_closes_at.isoformat() == "2026-05-01T10:01:00+00:00"


def test_public_document_contains_no_private_data():
    event = make_event(4, game="anr")
    entry = player_number(event, 1)
    entry.avoid_group = "canary"
    entry.save()
    play_round(event)

    text = json.dumps(document_of(event))

    assert "canary" not in text
    assert event.join_code not in text
    assert document_of(event)["event"]["seed"] is None
    assert "canary" in json.dumps(document_of(event, private=True))


def test_staff_fields_of_a_player_are_public_only_once_revealed_by_rounds():
    event = make_event(4)
    Registration.objects.filter(pk=player_number(event, 1).pk).update(
        seed=7, first_round_bye=True, state="dropped", dropped_by="no_show"
    )

    before = document_of(event)["event"]["players"][0]
    play_round(event)
    after = document_of(event)["event"]["players"][0]

    assert (before["seed"], before["first_round_bye"]) == (None, False)
    assert (after["seed"], after["first_round_bye"]) == (7, True)
    assert after["state"] == "dropped"
    for document in (before, after):
        assert not any(document[key] for key in ("dropped_by", "dropped_at", "checked_in_at"))
    assert document_of(event, private=True)["event"]["players"][0]["dropped_by"] == "no_show"


def test_order_of_a_round_robin_is_public_with_its_first_round():
    event = make_event(4, system="round_robin")

    def order(*, private: bool = False) -> Any:
        return document_of(event, private=private)["event"]["stages"][0]["entries"]

    draft = draft_round(event)
    drafted, for_staff = order(), order(private=True)
    rounds_services.publish_round(draft, owner_of(event))

    assert (drafted, len(for_staff)) == ([], 4)
    assert order() == for_staff


def _is_decided(event):
    stage = event.get_cut()
    assert stage is not None
    return rounds_cut.get_cut(stage).winner is not None


def _first_wins(pairing):
    return MatchResult(games=(GameResult(1, 1, Role.CORP, GameEnd.AGENDA),))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("settings.time_zone", "Moon/Base"),
        ("settings.table_numbers", "9-1"),
        ("settings.starts_on", "9999-12-31"),
        ("settings.name", " "),
        ("stages.0.number", 2),
        ("stages.0.system", "double_elimination"),
        ("settings.deck_rules", {"format_id": 3}),
        ("stages.0.rounds.0.pairings.0.reasons", [{"kind": "x", "text": "{0.__class__}"}]),
        ("stages.0.rounds.0.pairings.0.reasons", [{"kind": "x", "text": "{{}"}]),
        ("stages.0.rounds.0.pairings.0.match.seats.0.id", 77),
        ("stages.0.rounds.0.pairings.0.match.flags", ["odd"]),
        ("stages.0.rounds.0.pairings.0.match.games", []),
        ("stages.0.rounds.1.number", 1),
        ("players.1.id", 1),
        ("players.0.name", ""),
        ("players.0.name", "gus@x.org"),
    ],
)
def test_value_that_would_break_a_page_is_refused(played_event, path, value):
    document = json.loads(played_event)
    node = document["event"]
    *steps, last = (int(step) if step.isdecimal() else step for step in path.split("."))
    for step in steps:
        node = node[step]
    node[last] = value

    with pytest.raises(TournamentFileRefused) as refused:
        import_document(document)

    assert refused.value.path.startswith("$.event.")


def test_braces_in_the_name_of_a_group_are_imported():
    event = make_event(players=2)
    event.registrations.update(avoid_group="{0} {x}")
    draft_round(event)
    document = document_of(event, private=True)

    copy = import_document(document).tournament

    assert '"{{0}} {{x}}"' in json.dumps(document["event"]["stages"]).replace("\\", "")
    assert document_of(copy, private=True)["event"]["stages"] == document["event"]["stages"]


def test_public_event_of_an_untrusted_file_becomes_unlisted(event):
    Tournament.objects.filter(pk=event.pk).update(visibility=Visibility.PUBLIC)
    document = document_of(fresh(event))

    assert import_document(document).tournament.visibility == Visibility.PUBLIC
    assert import_document(document, trusted=False).tournament.visibility == Visibility.UNLISTED


def make_scene() -> Tournament:
    event = make_event(4, game="anr")
    play_round(event)
    play_round(event)
    return event


@pytest.fixture
def played_event(event):
    return json.dumps(document_of(event))


def test_private_part_is_restored_only_from_a_trusted_file(event):
    helper = make_user("helper")
    event.staff.create(user=helper, role="judge")
    registration = player_number(event, 1)
    registration.avoid_group = "north"
    registration.save()
    document = document_of(event, private=True)

    again = import_document(document, trusted=True).tournament
    untrusted = import_document(document, owner=make_user("me"), trusted=False).tournament

    restored = document_of(again, private=True)["event"]
    assert restored["players"] == document["event"]["players"]
    assert restored["stages"] == document["event"]["stages"]
    assert [staff["username"] for staff in restored["private"]["staff"]] == [
        staff["username"] for staff in document["event"]["private"]["staff"]
    ]
    assert len(restored["private"]["log"]) > len(document["event"]["private"]["log"])
    assert [staff.user.username for staff in untrusted.staff.all()] == ["me"]


@pytest.mark.parametrize("system", ["double_elimination", "single_elimination"])
def test_document_keeps_the_kind_of_the_planned_cut(system: str):
    event = make_event(planned_cut=4, planned_cut_system=system)

    document = document_of(event)
    imported = import_document(document)

    is_omitted = "planned_cut_system" not in document["event"]["settings"]
    assert is_omitted == (system == "double_elimination")
    assert imported.tournament.planned_cut_system == system


@pytest.mark.parametrize(("language", "imported"), [("", ""), ("de", "de"), ("xx", "")])
def test_document_keeps_a_known_language(language: str, imported: str):
    document = document_of(make_event(language=language))

    assert document["event"]["settings"].get("language", "") == language
    assert ("language" in document["event"]["settings"]) == bool(language)
    assert import_document(document).tournament.language == imported


# Values that a document omits.
OMITTED_DEFAULTS = {
    name: field.default for name, field in {**OPTIONAL_SETTINGS, **RATED_SETTING}.items()
}


def assert_contains(actual: Json, expected: Json, path: str = "$") -> None:
    """Check that `expected` is contained in `actual`, which may have omitted defaults."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            if key in actual or value != OMITTED_DEFAULTS.get(key):
                assert_contains(actual[key], value, f"{path}.{key}")
    elif isinstance(expected, list):
        assert len(actual) == len(expected), path
        for place, value in enumerate(expected):
            assert_contains(actual[place], value, f"{path}[{place}]")
    else:
        assert actual == expected, path


def without_log(document: Json) -> Json:
    # The import itself adds a log entry.
    document["event"]["private"]["log"] = []
    return document


def assert_restored(document: Json) -> None:
    with transaction.atomic():
        event = import_document(document, trusted=True).tournament
        whole = without_log(document_of(event, private=True))
        again = import_document(whole, trusted=True).tournament

        assert_contains(whole["event"], document["event"])
        assert without_log(document_of(again, private=True)) == whole
        assert document_of(again) == document_of(event)
        assert snapshots(again) == snapshots(event)
        if event.game != "free_radicals":
            assert event_files.nrtm_file(again, page="x") == event_files.nrtm_file(event, page="x")
        transaction.set_rollback(True)


@pytest.mark.goal("G13")
@settings(max_examples=5, suppress_health_check=SHARED)
@given(document=documents())
def test_random_event_is_restored(document: Json):
    assert_restored(document)


@pytest.mark.goal("G13")
@pytest.mark.slow
@settings(max_examples=400, suppress_health_check=SHARED)
@given(document=documents())
def test_many_random_events_are_restored(document: Json):
    assert_restored(document)
