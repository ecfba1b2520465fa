"""The private part of documents: calls, notes, penalties, decks and rulings."""

import json

import pytest

from rulings import services as rulings_services
from rulings.guide import PenaltyKind
from rulings.models import Ruling
from tests.factories.penalties import penalise, take_back
from tests.factories.submissions import submit
from tests.factories.tournaments import (
    make_event,
    make_user,
    owner_of,
    player_number,
    start_round,
    tables_of,
)
from tests.rulings.builders import write
from tournaments.event.permissions import Actor
from tournaments.files import services as files_services
from tournaments.files import whole_event
from tournaments.files.records import TournamentFileRefused
from tournaments.judging import calls, local_rulings, penalties
from tournaments.judging.local_rulings import Wording
from tournaments.models import LogAction, LogTopic
from tournaments.models.event_log import imported_action
from tournaments.registration import no_shows, roster_changes
from tournaments.undo.queries import LogFilter, matching_entries


def make_scene():
    event = make_event(4, game="anr")
    owner = owner_of(event)
    submit(player_number(event, 1))
    local = local_rulings.make(event, owner, "Slow play", Wording("Three minutes a turn."))
    table, second_table = tables_of(start_round(event))
    present, absent = (entry_of(event, seat) for seat in second_table.match.seats.all())
    no_shows.mark_missing(second_table, absent, Actor(player=present.player))
    no_shows.mark_missing(second_table, present, owner)
    call = calls.raise_call(table, owner, about="A trace")
    calls.answer(event, call, owner)
    version = local.ruling.current
    assert version is not None
    rulings_services.write_note(table.match, owner.user, "They agreed.", [version])
    seated = entry_of(event, table.match.seats.first())
    penalise(seated, PenaltyKind.GAME_LOSS, pairing=table, game=1)
    take_back(penalise(player_number(event, 1), PenaltyKind.WARNING))
    return event


def entry_of(event, seat):
    return event.registrations.get(player=seat.player)


def private(event):
    return json.loads(json.dumps(whole_event.event_document(event, private=True)))


def import_document(document, **options):
    return files_services.import_file(json.dumps(document).encode(), **options).tournament


def path_of_refusal(document):
    with pytest.raises(TournamentFileRefused) as refused:
        import_document(document, trusted=True)
    return refused.value.path


def without_log(document):
    event = document["event"]
    return {**event, "private": {**event["private"], "log": [], "local_rulings": []}}


def test_private_part_is_restored(event):
    document = private(event)
    part = document["event"]["private"]
    assert all(part[key] for key in ("penalties", "decks", "local_rulings"))

    again = private(import_document(document, trusted=True))

    assert without_log(again) == without_log(document)
    matches = tables_in(again)
    assert any(match["losses"] and match["notes"] and match["calls"] for match in matches)


def test_only_judges_see_imported_log_entries_of_judges(event):
    copy = import_document(private(event), trusted=True)
    actions = {LogAction.JUDGE_CALL_ANSWERED, LogAction.PENALTY_GIVEN}

    def read(**rights):
        entries = copy.readable_log(with_draft=True, **rights)
        return {entry.action for entry in entries} & {imported_action(action) for action in actions}

    assert read(with_checks=True) == {imported_action(action) for action in actions}
    assert read(with_checks=False) == set()


def test_imported_log_entries_are_found_by_topic(event):
    copy = import_document(private(event), trusted=True)

    entries = matching_entries(copy.log.all(), copy, LogFilter(kind=LogTopic.ROUNDS))

    assert imported_action(LogAction.ROUND_PUBLISHED) in {entry.action for entry in entries}


def test_log_contains_no_keys_of_a_merge():
    event = make_event(2)
    roster_changes.merge_entries(
        player_number(event, 1), player_number(event, 2), owner_of(event), "twice"
    )

    log = private(event)["event"]["private"]["log"]

    (merged,) = (entry for entry in log if entry["action"] == LogAction.ENTRIES_MERGED)
    assert (merged["before"], merged["after"]) == ({"number": 2}, {"number": 1})


def test_requirement_of_a_second_factor_is_restored(event):
    event.staff_need_second_factor = True
    event.save(update_fields=["staff_need_second_factor"])
    document = private(event)

    assert import_document(document, trusted=True).staff_need_second_factor
    assert import_document(document, owner=make_user()).staff_need_second_factor
    assert "second_factor" not in json.dumps(whole_event.event_document(event))


def test_optional_keys_may_be_missing(event):
    document = private(event)
    del document["event"]["private"]["staff_need_second_factor"]
    del document["event"]["private"]["local_rulings"][0]["basis"]
    del tables_in(document)[0]["absences"]
    del document["event"]["private"]["deck_checks"]

    assert not import_document(document, trusted=True).staff_need_second_factor


def test_note_cites_the_same_version_of_a_changed_ruling(event):
    ruling = event.local_rulings.get().ruling
    assert ruling.current is not None
    write(ruling, "Two minutes a turn.")

    document = private(event)
    again = private(import_document(document, trusted=True))

    assert cited_rulings(document) == cited_rulings(again) == {f"{ruling.code} v1"}


def test_unknown_version_becomes_the_newest_of_its_ruling(event):
    document = private(event)
    code = event.local_rulings.get().ruling.code
    changed = json.loads(json.dumps(document).replace(f"{code} v1", f"{code} v7"))

    assert cited_rulings(private(import_document(changed, trusted=True))) == {f"{code} v1"}


def tables_in(document):
    return [pairing["match"] for pairing in document["event"]["stages"][0]["rounds"][0]["pairings"]]


def cited_rulings(document):
    notes = [note for match in tables_in(document) for note in match["notes"]]
    return {code for note in notes for code in note["cites"]}


def test_known_local_ruling_is_applied(event):
    ruling = event.local_rulings.get().ruling

    again = import_document(private(event), trusted=True)

    local = again.local_rulings.get()
    assert (local.ruling, local.made_here) == (ruling, False)


def test_unknown_local_ruling_is_created_only_from_a_trusted_file(event):
    document = private(event)
    document["event"]["private"]["local_rulings"][0]["code"] = "elsewhere-1"

    untrusted = import_document(document, owner=make_user())
    assert Ruling.objects.count() == 1
    again = import_document(document, trusted=True).local_rulings.get()

    assert not untrusted.local_rulings.exists()
    assert again.made_here
    ruling = again.ruling
    assert (ruling.subject, ruling.current.text) == ("Slow play", "Three minutes a turn.")


def test_basis_of_a_local_ruling_is_restored(event):
    known = event.local_rulings.get().ruling
    based = Wording("Two players agree.", (known.current,), reason="Both asked.")
    local_rulings.make(event, owner_of(event), "Bits", based)
    document = private(event)

    again = private(import_document(document, trusted=True))

    basis = again["event"]["private"]["local_rulings"][1]["basis"]
    assert basis == document["event"]["private"]["local_rulings"][1]["basis"]
    assert (basis["text"], basis["cites"]) == ("Both asked.", [f"{known.code} v1"])


def test_absences_are_restored(event):
    document = private(event)
    table = event.stages.get().rounds.get().pairings.get(table_number=2)
    table.absences.update(applied_at=table.absences.earliest("pk").told_at)
    decided = private(event)

    again = private(import_document(document, trusted=True))
    later = private(import_document(decided, trusted=True))

    absences = [match["absences"] for match in tables_in(again)]
    assert absences == [match["absences"] for match in tables_in(document)]
    assert tables_in(later)[1]["absences"] == tables_in(decided)[1]["absences"]
    assert [(absence["by"] is None, absence["username"] == "") for absence in absences[1]] == [
        (False, True),
        (True, False),
    ]
    assert not any(match["absences"] for match in tables_in(whole_event.event_document(event)))


@pytest.mark.parametrize(("key", "place"), [("player", 0), ("by", 0), ("player", 1)])
def test_invalid_absence_is_refused_with_its_path(event, key, place):
    document = private(event)
    missing = tables_in(document)[1]["absences"]
    missing[place][key] = missing[0]["player"] if place else 99

    path = f"$.event.stages[0].rounds[0].pairings[1].match.absences[{place}].{key}"
    assert path_of_refusal(document) == path


BREACH = {"code": "size", "message": "44 cards of 45"}


@pytest.mark.parametrize(
    ("part", "key", "value", "path_"),
    [
        ("local_rulings", "basis", {"text": 7}, ".text"),
        ("penalties", "kind", "shouting", ""),
        ("penalties", "expected", "shouting", ""),
        ("guide", "code", "Slow play", ""),
        ("guide", "ladder", ["warning", "shouting"], "[1]"),
        ("guide", "ladder", [["warning"]], "[0]"),
        ("decks", "breaches", ["Too small"], "[0]"),
        ("decks", "breaches", [{**BREACH, "code": 7}], "[0].code"),
        ("decks", "notices", [BREACH], "[0].cause"),
    ],
)
def test_invalid_private_value_is_refused_with_its_path(event, part, key, value, path_):
    document = private(event)
    change = {"code": "slow-play", "ladder": ["warning"]}
    document["event"]["private"]["guide"] = [change]
    document["event"]["private"][part][0][key] = value

    assert path_of_refusal(document) == f"$.event.private.{part}[0].{key}{path_}"


def test_changed_infraction_guide_is_restored(event):
    penalties.change_infraction(event, owner_of(event), "slow-play", ladder=["warning"])
    document = private(event)

    again = private(import_document(document, owner=make_user()))

    assert again["event"]["private"]["guide"] == document["event"]["private"]["guide"] != []


def test_local_ruling_is_applied_only_for_its_owner(event):
    document = private(event)

    by_stranger = import_document(document, owner=make_user())
    by_owner = import_document(document, owner=owner_of(event).user)

    assert not by_stranger.local_rulings.exists()
    assert by_owner.local_rulings.exists()
