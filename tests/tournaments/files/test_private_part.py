"""What the staff did comes back with an event: calls, notes, penalties, decks, rulings."""

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
    table, other = tables_of(start_round(event))
    here, gone = (entry_of(event, seat) for seat in other.match.seats.all())
    no_shows.mark_missing(other, gone, Actor(player=here.player))
    no_shows.mark_missing(other, here, owner)
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


def brought_in(document, **options):
    return files_services.import_file(json.dumps(document).encode(), **options).tournament


def refused_at(document):
    with pytest.raises(TournamentFileRefused) as refused:
        brought_in(document, trusted=True)
    return refused.value.path


def without_log(document):
    event = document["event"]
    return {**event, "private": {**event["private"], "log": [], "local_rulings": []}}


def test_all_that_the_staff_did_comes_back(event):
    document = private(event)
    part = document["event"]["private"]
    assert all(part[key] for key in ("penalties", "decks", "local_rulings"))

    again = private(brought_in(document, trusted=True))

    assert without_log(again) == without_log(document)
    matches = tables_in(again)
    assert any(one["losses"] and one["notes"] and one["calls"] for one in matches)


def test_only_judges_read_in_the_log_what_judges_did_elsewhere(event):
    copy = brought_in(private(event), trusted=True)
    actions = {LogAction.JUDGE_CALL_ANSWERED, LogAction.PENALTY_GIVEN}

    def read(**rights):
        entries = copy.readable_log(with_draft=True, **rights)
        return {entry.action for entry in entries} & {imported_action(one) for one in actions}

    assert read(with_checks=True) == {imported_action(one) for one in actions}
    assert read(with_checks=False) == set()


def test_what_was_done_elsewhere_is_found_under_its_topic(event):
    copy = brought_in(private(event), trusted=True)

    found = matching_entries(copy.log.all(), copy, LogFilter(kind=LogTopic.ROUNDS))

    assert imported_action(LogAction.ROUND_PUBLISHED) in {entry.action for entry in found}


def test_no_keys_of_a_merge_leave_with_the_log():
    event = make_event(2)
    roster_changes.merge_entries(
        player_number(event, 1), player_number(event, 2), owner_of(event), "twice"
    )

    log = private(event)["event"]["private"]["log"]

    (merged,) = (one for one in log if one["action"] == LogAction.ENTRIES_MERGED)
    assert (merged["before"], merged["after"]) == ({"number": 2}, {"number": 1})


def test_staff_who_needed_a_second_factor_need_it_again(event):
    event.staff_need_second_factor = True
    event.save(update_fields=["staff_need_second_factor"])
    document = private(event)

    assert brought_in(document, trusted=True).staff_need_second_factor
    assert brought_in(document, owner=make_user()).staff_need_second_factor
    assert "second_factor" not in json.dumps(whole_event.event_document(event))


def test_a_document_of_before_the_newer_keys_is_still_read(event):
    document = private(event)
    del document["event"]["private"]["staff_need_second_factor"]
    del document["event"]["private"]["local_rulings"][0]["basis"]
    del tables_in(document)[0]["absences"]
    del document["event"]["private"]["deck_checks"]

    assert not brought_in(document, trusted=True).staff_need_second_factor


def test_a_note_cites_the_version_it_cited_though_the_ruling_has_moved_on(event):
    ruling = event.local_rulings.get().ruling
    assert ruling.current is not None
    write(ruling, "Two minutes a turn.")

    document = private(event)
    again = private(brought_in(document, trusted=True))

    assert cited(document) == cited(again) == {f"{ruling.code} v1"}


def test_a_version_nobody_knows_here_is_the_newest_of_its_ruling(event):
    document = private(event)
    code = event.local_rulings.get().ruling.code
    changed = json.loads(json.dumps(document).replace(f"{code} v1", f"{code} v7"))

    assert cited(private(brought_in(changed, trusted=True))) == {f"{code} v1"}


def tables_in(document):
    """The matches of the first round."""
    return [one["match"] for one in document["event"]["stages"][0]["rounds"][0]["pairings"]]


def cited(document):
    notes = [note for match in tables_in(document) for note in match["notes"]]
    return {code for note in notes for code in note["cites"]}


def test_a_local_ruling_that_is_known_here_holds_again(event):
    ruling = event.local_rulings.get().ruling

    again = brought_in(private(event), trusted=True)

    local = again.local_rulings.get()
    assert (local.ruling, local.made_here) == (ruling, False)


def test_a_local_ruling_nobody_knows_here_is_written_from_a_trusted_file_alone(event):
    document = private(event)
    document["event"]["private"]["local_rulings"][0]["code"] = "elsewhere-1"

    mine = brought_in(document, owner=make_user())
    assert Ruling.objects.count() == 1
    again = brought_in(document, trusted=True).local_rulings.get()

    assert not mine.local_rulings.exists()
    assert again.made_here
    assert (again.ruling.subject, again.ruling.current.text) == (
        "Slow play",
        "Three minutes a turn.",
    )


def test_what_a_local_ruling_rests_on_comes_back(event):
    known = event.local_rulings.get().ruling
    based = Wording("Two players agree.", (known.current,), reason="Both asked.")
    local_rulings.make(event, owner_of(event), "Bits", based)
    document = private(event)

    again = private(brought_in(document, trusted=True))

    basis = again["event"]["private"]["local_rulings"][1]["basis"]
    assert basis == document["event"]["private"]["local_rulings"][1]["basis"]
    assert (basis["text"], basis["cites"]) == ("Both asked.", [f"{known.code} v1"])


def test_who_was_missing_at_a_table_comes_back(event):
    document = private(event)
    table = event.stages.get().rounds.get().pairings.get(table_number=2)
    table.absences.update(applied_at=table.absences.earliest("pk").told_at)
    decided = private(event)

    again = private(brought_in(document, trusted=True))
    later = private(brought_in(decided, trusted=True))

    absences = [match["absences"] for match in tables_in(again)]
    assert absences == [match["absences"] for match in tables_in(document)]
    assert tables_in(later)[1]["absences"] == tables_in(decided)[1]["absences"]
    assert [(one["by"] is None, one["username"] == "") for one in absences[1]] == [
        (False, True),
        (True, False),
    ]
    assert not any(match["absences"] for match in tables_in(whole_event.event_document(event)))


@pytest.mark.parametrize(("key", "place"), [("player", 0), ("by", 0), ("player", 1)])
def test_an_absence_that_cannot_be_is_refused_with_its_place(event, key, place):
    document = private(event)
    missing = tables_in(document)[1]["absences"]
    missing[place][key] = missing[0]["player"] if place else 99

    path = f"$.event.stages[0].rounds[0].pairings[1].match.absences[{place}].{key}"
    assert refused_at(document) == path


def test_a_basis_that_is_none_is_refused_with_its_place(event):
    document = private(event)
    document["event"]["private"]["local_rulings"][0]["basis"] = {"text": 7}

    assert refused_at(document) == "$.event.private.local_rulings[0].basis.text"


BREACH = {"code": "size", "message": "44 cards of 45"}


@pytest.mark.parametrize(
    ("part", "key", "value", "at"),
    [
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
def test_what_no_page_of_the_judges_can_show_is_refused_with_its_place(event, part, key, value, at):
    document = private(event)
    change = {"code": "slow-play", "ladder": ["warning"]}
    document["event"]["private"]["guide"] = [change]
    document["event"]["private"][part][0][key] = value

    assert refused_at(document) == f"$.event.private.{part}[0].{key}{at}"


def test_a_changed_guide_comes_back(event):
    penalties.change_infraction(event, owner_of(event), "slow-play", ladder=["warning"])
    document = private(event)

    again = private(brought_in(document, owner=make_user()))

    assert again["event"]["private"]["guide"] == document["event"]["private"]["guide"] != []


def test_a_stranger_takes_up_no_local_ruling_of_others(event):
    document = private(event)

    mine = brought_in(document, owner=make_user())
    owners = brought_in(document, owner=owner_of(event).user)

    assert not mine.local_rulings.exists()
    assert owners.local_rulings.exists()
