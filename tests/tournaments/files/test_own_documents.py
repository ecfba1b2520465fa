"""A whole event goes out and comes in again as an equal one."""

import json
from datetime import date, time
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
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
# Each example is taken back, so all may share a database.
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


def document_of(tournament, **options):
    """The document as it goes out: as text, and read again."""
    return json.loads(json.dumps(whole_event.event_document(tournament, **options)))


def brought_in(document, **options):
    return files_services.import_file(json.dumps(document).encode(), **{"trusted": True, **options})


def snapshots(tournament):
    """The newest standings of every closed round."""
    numbers = tournament.rounds.closed_numbers()
    found = [tournament.snapshots.newest(number) for number in numbers]
    return [
        [(row.rank, row.registration.number, row.match_points, row.tie_breakers) for row in rows]
        for rows in (one.rows.ranked() for one in found if one)
    ]


@pytest.mark.parametrize(
    ("game", "players", "seed"),
    [("onr", 7, 3), ("anr", 8, 4), ("free_radicals", 9, 5)],
)
def test_a_simulated_event_comes_back_equal(game, players, seed):
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

    again = brought_in(document_of(event))

    assert again.answer["differences"] == []
    assert document_of(again.tournament) == document_of(event)
    assert snapshots(again.tournament) == snapshots(event)


@pytest.mark.parametrize("system", ["double_elimination", "single_elimination"])
def test_a_cut_and_a_late_entry_come_back_equal(system):
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

    again = brought_in(document_of(event))

    assert document_of(again.tournament) == document_of(event)
    assert snapshots(again.tournament) == snapshots(event)


def test_a_cut_that_was_chosen_by_hand_comes_back_and_passes_the_checker():
    event = make_event(8, game="anr")
    owner = owner_of(event)
    play_round(event)
    best = event.cut_candidates()[:4]
    system = "single_elimination"
    stage = cuts.make_cut(event, best, owner, system=system, scoring_rule="anr_single")
    decline(stage, best[0])
    cuts.change_cut(stage, CutChange(CutChangeKind.SEED, best[3].number, seed=1), owner, "Agreed")
    cuts.publish_cut(stage, owner)
    before_its_games = document_of(fresh(event))
    while not _is_decided(event):
        play_round(event, play=_first_wins)
    settings_services.finish_event(event, owner)
    event.refresh_from_db()
    document = document_of(event)

    again = brought_in(document)

    assert document_of(again.tournament) == document
    published = before_its_games["event"]["stages"][-1]
    assert published["seeds_shown_at"]
    assert not published["rounds"]
    brought = brought_in(before_its_games).tournament
    assert document_of(brought)["event"]["stages"][-1] == published
    entries = document["event"]["stages"][-1]["entries"]
    assert best[0].number not in {one["player"] for one in entries}
    assert (entries[0]["player"], entries[0]["seed"]) == (best[3].number, 1)
    seeds = [one["player"] for one in entries if not one["declined"]]
    question = {"datafort": 1, "system": system, "seed": document["seed"], "seeds": seeds}
    answer = bracket(parse_json(write_json(question | {"results": []})))
    assert check_bracket(question | {"results": []}, answer) == []
    assert {one["id"] for one in answer["games"][0]["seats"]} <= set(seeds)


def test_two_days_and_who_has_paid_come_back_from_the_private_document():
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

    again = brought_in(document).tournament

    assert (again.day_two_on, again.day_two_time, again.day_two_round) == (
        *(date(2026, 5, 3), time(10)),
        2,
    )
    assert again.day_two_opened_at == event.day_two_opened_at
    assert again.registrations.get(number=1).day_two_at
    assert again.registrations.get(number=2).paid_at


def test_the_engine_reads_the_document_as_it_is():
    event = make_event(6, game="anr")
    play_round(event)
    play_round(event)
    document = document_of(event, private=True)

    answer = rank(parse_json(write_json(document)))

    assert [(line["id"], line["rank"]) for line in answer["standings"]] == [
        (line["id"], line["rank"]) for line in document["standings"]
    ]


def test_a_figure_that_was_changed_in_the_document_is_a_difference():
    event = make_event(4, game="anr")
    play_round(event)
    document = document_of(event)
    document["standings"][0]["match_points"] = 99

    imported = brought_in(document)

    line = imported.answer["standings"][0]
    assert imported.answer["differences"] == [
        {
            "id": line["id"],
            "field": "match_points",
            "file": 99,
            "computed": line["match_points"],
        }
    ]


@pytest.mark.parametrize("value", ['"a\\u0000b"', "1e999", '"' + 201 * "9" + '"'])
def test_a_figure_no_database_keeps_is_refused(played, value):
    document = json.loads(played)
    document["standings"][0]["rank"] = "here"
    data = json.dumps(document).replace('"here"', value).encode()

    with pytest.raises(TournamentFileRefused) as refused:
        files_services.import_file(data, preview=True)

    assert refused.value.path == "$.standings[0].rank"


@pytest.mark.parametrize("points", ["1e3", "1E9999999999"])
def test_points_with_an_exponent_are_not_written_out(played, points):
    document = json.loads(played)
    pairing = document["event"]["stages"][0]["rounds"][0]["pairings"][0]
    pairing["match"]["seats"][0]["points"] = points

    with pytest.raises(TournamentFileRefused, match="a whole number, or a text") as refused:
        files_services.import_file(json.dumps(document).encode(), preview=True)

    assert refused.value.path.endswith(".match.seats[0].points")


def test_a_moment_in_a_zone_far_off_is_the_same_moment(played):
    document = json.loads(played)
    document["event"]["settings"]["registration_closes_at"] = "2026-05-02T10:00:00+23:59"

    again = brought_in(document).tournament

    assert again.registration_closes_at.isoformat() == "2026-05-01T10:01:00+00:00"


def test_the_public_part_holds_nothing_private():
    event = make_event(4, game="anr")
    group = player_number(event, 1)
    group.avoid_group = "canary"
    group.save()
    play_round(event)

    text = json.dumps(document_of(event))

    assert "canary" not in text
    assert event.join_code not in text
    assert document_of(event)["event"]["seed"] is None
    assert "canary" in json.dumps(document_of(event, private=True))


def test_what_the_staff_know_of_a_player_is_shown_when_the_rounds_show_it_or_never():
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
    for hidden in (before, after):
        assert not any(hidden[key] for key in ("dropped_by", "dropped_at", "checked_in_at"))
    assert document_of(event, private=True)["event"]["players"][0]["dropped_by"] == "no_show"


def test_the_order_of_a_round_robin_is_public_with_its_first_round():
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
        ("stages.0.rounds.0.pairings.0.match.seats.0.id", 77),
        ("stages.0.rounds.0.pairings.0.match.flags", ["odd"]),
        ("stages.0.rounds.0.pairings.0.match.games", []),
        ("stages.0.rounds.1.number", 1),
        ("players.1.id", 1),
        ("players.0.name", ""),
        ("players.0.name", "gus@x.org"),
    ],
)
def test_what_would_break_a_page_is_refused(played, path, value):
    document = json.loads(played)
    at = document["event"]
    *steps, last = (int(step) if step.isdecimal() else step for step in path.split("."))
    for step in steps:
        at = at[step]
    at[last] = value

    with pytest.raises(TournamentFileRefused) as refused:
        brought_in(document)

    assert refused.value.path.startswith("$.event.")


def test_an_event_that_was_public_is_unlisted_until_its_owner_lists_it(event):
    Tournament.objects.filter(pk=event.pk).update(visibility=Visibility.PUBLIC)
    document = document_of(fresh(event))

    assert brought_in(document).tournament.visibility == Visibility.PUBLIC
    assert brought_in(document, trusted=False).tournament.visibility == Visibility.UNLISTED


def make_scene() -> Tournament:
    event = make_event(4, game="anr")
    play_round(event)
    play_round(event)
    return event


@pytest.fixture
def played(event):
    return json.dumps(document_of(event))


def test_the_private_part_comes_back_from_a_trusted_file(event):
    helper = make_user("helper")
    event.staff.create(user=helper, role="judge")
    registration = player_number(event, 1)
    registration.avoid_group = "north"
    registration.save()
    document = document_of(event, private=True)

    again = brought_in(document, trusted=True).tournament
    strange = brought_in(document, owner=make_user("me"), trusted=False).tournament

    back = document_of(again, private=True)["event"]
    assert back["players"] == document["event"]["players"]
    assert back["stages"] == document["event"]["stages"]
    assert [one["username"] for one in back["private"]["staff"]] == [
        one["username"] for one in document["event"]["private"]["staff"]
    ]
    assert len(back["private"]["log"]) > len(document["event"]["private"]["log"])
    assert [one.user.username for one in strange.staff.all()] == ["me"]


LEFT_OUT = {name: field.default for name, field in {**OPTIONAL_SETTINGS, **RATED_SETTING}.items()}
"""What a document does not say where it is as usual."""


def holds(there: Json, wanted: Json, path: str = "$") -> None:
    """Everything that was wanted is there; keys that were left out may say anything."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            if key in there or value != LEFT_OUT.get(key):
                holds(there[key], value, f"{path}.{key}")
    elif isinstance(wanted, list):
        assert len(there) == len(wanted), path
        for place, value in enumerate(wanted):
            holds(there[place], value, f"{path}[{place}]")
    else:
        assert there == wanted, path


def without_log(document: Json) -> Json:
    """That an event was imported is new in its log."""
    document["event"]["private"]["log"] = []
    return document


def assert_comes_back_equal(document: Json) -> None:
    with transaction.atomic():
        event = brought_in(document, trusted=True).tournament
        whole = without_log(document_of(event, private=True))
        again = brought_in(whole, trusted=True).tournament

        holds(whole["event"], document["event"])
        assert without_log(document_of(again, private=True)) == whole
        assert document_of(again) == document_of(event)
        assert snapshots(again) == snapshots(event)
        if event.game != "free_radicals":
            assert event_files.nrtm_file(again, page="x") == event_files.nrtm_file(event, page="x")
        transaction.set_rollback(True)


@pytest.mark.goal("G13")
@settings(max_examples=5, suppress_health_check=SHARED)
@given(document=documents())
def test_an_event_drawn_by_chance_comes_back_equal(document: Json):
    assert_comes_back_equal(document)


@pytest.mark.goal("G13")
@pytest.mark.slow
@settings(max_examples=400, suppress_health_check=SHARED)
@given(document=documents())
def test_many_events_come_back_equal(document: Json):
    assert_comes_back_equal(document)
