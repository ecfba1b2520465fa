from typing import Any

import pytest

from engine.documents import commands
from tests.checker import check_pairing, check_standings
from tests.checker.samples import bye
from tests.factories.cuts import event_with_cut
from tests.factories.tournaments import (
    add_players,
    close_round,
    draft_round,
    enter_result,
    finish_round,
    fresh,
    get_round,
    join,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    tables_of,
    work_off,
)
from tournaments import tasks
from tournaments.event import engine_input
from tournaments.models import JobKind, LateEntry, Pairing, Tournament
from tournaments.registration import roster_changes, services
from tournaments.rounds import draft_changes, late_entries
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services
from tournaments.undo import services as undo_services


def make_scene() -> Tournament:
    return make_event(4, late_entry=LateEntry.BYES)


def points_of(event: Tournament, number: int, after: int) -> int:
    work_off(event)
    snapshot = event.snapshots.newest(after)
    return int(snapshot.rows.get(registration__number=number).match_points)


@pytest.mark.parametrize(
    ("policy", "points"), [(LateEntry.BYES, 20), (LateEntry.HALF, 10), (LateEntry.LOSSES, None)]
)
def test_missed_rounds_are_credited_by_policy(policy: str, points: int | None):
    event = make_event(4, late_entry=policy)
    play_round(event)
    play_round(event)

    (late,) = add_players(event, 1)

    rows = [(row.round.number, row.bye_points) for row in late.byes.for_missed_rounds()]
    assert rows == ([] if points is None else [(1, points), (2, points)])
    entrant = engine_input.entrants(event, [player_number(event, late.number)])[0]
    assert (entrant.match_points, entrant.byes) == (2 * (points or 0), len(rows))
    if points is not None:
        assert points_of(event, late.number, after=2) == 2 * points
        assert points_of(event, late.number, after=1) == points
        entry = event.log.get(action="missed rounds credited")
        assert entry.after == {"rounds": [1, 2], "points": points}


def test_half_of_an_odd_bye_is_rounded_down():
    event = make_event(4, late_entry=LateEntry.HALF, bye_points=3)
    play_round(event)

    (late,) = add_players(event, 1)

    assert late.byes.for_missed_rounds().get().bye_points == 1


def test_running_round_is_credited_when_closed(event: Tournament):
    start_round(event)
    (late,) = add_players(event, 1)
    assert not late.byes.for_missed_rounds().exists()

    finish_round(get_round(event, 1))
    rounds_services.reopen_round(get_round(event, 1), owner_of(event), "A slip")
    close_round(get_round(event, 1))

    assert [row.round.number for row in late.byes.for_missed_rounds()] == [1]
    assert points_of(event, late.number, after=1) == 20


def test_returning_player_is_not_a_late_entry():
    event = make_event(5, late_entry=LateEntry.BYES)
    play_round(event)
    services.drop_player(player_number(event, 1), owner_of(event))
    play_round(event)

    services.return_player(player_number(event, 1), owner_of(event))

    assert not player_number(event, 1).byes.for_missed_rounds().exists()


def test_undone_late_check_in_removes_the_credit():
    event = make_event(5, checked_in=False, late_entry=LateEntry.BYES)
    services.check_in(list(event.registrations.exclude(number=5)), owner_of(event))
    play_round(event)
    services.check_in([player_number(event, 5)], owner_of(event))
    assert player_number(event, 5).joined_in_round == 2

    services.undo_check_in(player_number(event, 5), owner_of(event))

    assert not player_number(event, 5).byes.for_missed_rounds().exists()
    roster_changes.remove_player(player_number(event, 5), owner_of(event))
    assert event.registrations.count() == 4


def test_late_entry_after_round_one_requires_a_reason():
    event = make_event(4, late_entry=LateEntry.NOBODY)
    start_round(event)
    settings_services.set_registration(event, owner_of(event), is_open=True)
    assert not fresh(event).can_register()

    with pytest.raises(late_entries.TooLate, match="No late entries after round 1"):
        join(event, "Mia")
    with pytest.raises(late_entries.TooLate):
        roster_changes.add_entries(event, [roster_changes.NewEntry("Mia")], owner_of(event))
    (late,) = roster_changes.add_entries(
        event, [roster_changes.NewEntry("Mia")], owner_of(event), late_reason="Her train was late"
    )
    with pytest.raises(late_entries.TooLate):
        services.check_in([late], owner_of(event))
    services.check_in([late], owner_of(event), late_reason="Her train was late")

    assert player_number(event, late.number).is_active
    reasons = event.log.filter(action="let in late").values_list("reason", flat=True)
    assert set(reasons) == {"Her train was late"}


def test_late_entries_end_with_the_set_round():
    event = make_event(4, late_entry_until=2)
    start_round(event)
    settings_services.set_registration(event, owner_of(event), is_open=True)
    assert join(event, "Mia").joined_in_round == 2

    finish_round(get_round(event, 1))
    draft_round(event)
    # A new draft can still include them.
    assert not fresh(event).is_too_late_to_join()
    rounds_services.publish_round(get_round(event, 2), owner_of(event))

    with pytest.raises(late_entries.TooLate, match="after round 2"):
        roster_changes.add_entries(event, [roster_changes.NewEntry("Noor")], owner_of(event))


def test_absent_players_are_dropped_with_round_one_and_return():
    event = make_event(6, checked_in=False, drops_absent=True)
    services.check_in(list(event.registrations.exclude(number__in=[5, 6])), owner_of(event))
    start_round(event)

    assert [entry.number for entry in event.registrations.dropped_for_absence()] == [5, 6]
    logged = event.log.filter(action="player dropped")
    assert {(entry.user, entry.after["dropped_by"]) for entry in logged} == {(None, "absent")}

    services.return_player(player_number(event, 5), owner_of(event))
    returned = player_number(event, 5)
    assert (returned.is_active, returned.joined_in_round, returned.dropped_by) == (True, 2, "")
    assert [entry.number for entry in event.registrations.dropped_for_absence()] == [6]


def test_no_late_entry_once_the_cut_is_made():
    event = event_with_cut(2, players=4)
    settings_services.set_registration(event, owner_of(event), is_open=True)

    with pytest.raises(late_entries.TooLate, match="once the cut is made"):
        join(event, "Mia")


def test_unpublished_round_is_not_credited(event: Tournament):
    start_round(event)
    (late,) = add_players(event, 1)
    draft_changes.request_pairing(event, 2, owner_of(event), force_reason="fire alarm")
    assert late.byes.for_missed_rounds().exists()

    rounds_services.reopen_round(get_round(event, 1), owner_of(event), "it was played by nobody")
    rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "with the newcomer")

    assert not late.byes.for_missed_rounds().exists()
    assert get_round(event, 1).changes_since_draft() == ([], [late])


def missed_rounds_of(event: Tournament, number: int) -> list[int]:
    rows = get_round(event, number).pairings.filter(cost__has_key="late_entry")
    return sorted(row.bye.number for row in rows.select_related("bye") if row.bye)


def test_reopened_round_is_credited_when_closed():
    event = make_event(4, late_entry=LateEntry.HALF)
    play_round(event)
    add_players(event, 2)
    assert missed_rounds_of(event, 1) == [5, 6]

    rounds_services.reopen_round(get_round(event, 1), owner_of(event), "a wrong result")
    services.drop_player(player_number(event, 6), owner_of(event))
    add_players(event, 1)
    assert missed_rounds_of(event, 1) == []
    rounds_services.close_round(get_round(event, 1), owner_of(event))

    # 5 was active, 6 had dropped, 7 was added.
    assert missed_rounds_of(event, 1) == [5, 6, 7]


def test_undone_close_removes_the_credits():
    event = make_event(4, late_entry=LateEntry.HALF)
    play_round(event)
    add_players(event, 1)
    rounds_services.reopen_round(get_round(event, 1), owner_of(event), "a wrong result")
    add_players(event, 1)

    undo_services.undo(event.log.get(action="round reopened"), owner_of(event))
    assert missed_rounds_of(event, 1) == [5, 6]
    undo_services.undo(event.log.filter(action="round closed").latest("pk"), owner_of(event))

    assert missed_rounds_of(event, 1) == []


def test_player_dropped_before_republishing_is_not_credited(event: Tournament):
    close_round_one_early_and_reopen(event)
    rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "start again")
    services.drop_player(player_number(event, 5), owner_of(event))
    rounds_services.publish_round(get_round(event, 1), owner_of(event))

    finish_round_one(event)

    assert missed_rounds_of(event, 1) == []


def close_round_one_early_and_reopen(event: Tournament) -> None:
    start_round(event)
    add_players(event, 1)
    draft_changes.request_pairing(event, 2, owner_of(event), force_reason="fire alarm")
    assert missed_rounds_of(event, 1) == [5]
    rounds_services.reopen_round(get_round(event, 1), owner_of(event), "it was a false alarm")


def finish_round_one(event: Tournament) -> None:
    finish_round(get_round(event, 1))


def test_player_dropped_before_an_undone_unpublishing_is_credited(event: Tournament):
    close_round_one_early_and_reopen(event)
    services.drop_player(player_number(event, 5), owner_of(event))
    rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "a slip of the finger")
    undo_services.undo(event.log.get(action="round taken back"), owner_of(event))

    finish_round_one(event)

    assert missed_rounds_of(event, 1) == [5]


def test_player_with_an_undone_check_in_is_not_credited(event: Tournament):
    close_round_one_early_and_reopen(event)
    services.undo_check_in(player_number(event, 5), owner_of(event))
    services.drop_player(player_number(event, 5), owner_of(event))

    finish_round_one(event)

    assert missed_rounds_of(event, 1) == []


@pytest.mark.parametrize("policy", [LateEntry.LOSSES, LateEntry.HALF])
def test_credit_keeps_its_points_after_a_change_of_policy(event: Tournament, policy: LateEntry):
    close_round_one_early_and_reopen(event)
    Tournament.objects.filter(pk=event.pk).update(late_entry=policy)

    finish_round_one(event)

    assert player_number(event, 5).byes.for_missed_rounds().get().bye_points == event.bye_points


def test_unpublishing_removes_credits_of_an_older_release(event: Tournament):
    close_round_one_early_and_reopen(event)
    late, (first, *_) = player_number(event, 5), tables_of(get_round(event, 1))
    Pairing.objects.create(round=first.round, bye=late, bye_points=20, cost={"late_entry": 1})

    rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "with the newcomer")
    assert missed_rounds_of(event, 1) == []
    undo_services.undo(event.log.get(action="round taken back"), owner_of(event))

    assert not get_round(event, 1).is_draft


def names_after(event: Tournament, number: int) -> list[str]:
    snapshot = event.snapshots.newest(number)
    assert snapshot is not None
    return sorted(row.registration.player.name for row in snapshot.rows.ranked())


def test_late_entry_is_not_in_earlier_standings():
    event = make_event(players=4)
    first = play_round(event)
    before = names_after(event, 1)
    add_players(event, 2)
    play_round(event)

    enter_result(tables_of(first)[0], sweep(2))
    work_off(event)

    assert names_after(event, 1) == before
    assert len(names_after(event, 2)) == 6


def test_player_in_standings_cannot_be_removed():
    event = make_event(players=5, checked_in=False)
    remaining = list(event.registrations.exclude(number=5))
    services.check_in(remaining, owner_of(event))
    draft_round(event)
    late = player_number(event, 5)
    services.check_in([late], owner_of(event))
    rounds_services.publish_round(get_round(event, 1), owner_of(event), leave_out_latecomers=True)
    finish_round(get_round(event, 1))
    tasks.recompute_standings(event.jobs.get(kind=JobKind.RECOMPUTE_STANDINGS).pk)
    assert late.player.name in names_after(event, 1)

    with pytest.raises(services.AlreadyPlayed, match="standings"):
        roster_changes.remove_player(late, owner_of(event))


Json = dict[str, Any]


def document_of(event: Tournament) -> Json:
    numbers = dict(event.registrations.values_list("player", "number"))
    rounds: list[list[Json]] = [[] for _ in event.rounds.closed_numbers()]
    for pairing in event.closed_pairings():
        rounds[pairing.round.number - 1].append(entry_of(pairing, numbers))
    players = [{"id": number} for number in sorted(numbers.values())]
    return {
        "datafort": 1,
        "system": "double",
        "seed": event.seed,
        "planned_rounds": 4,
        "players": players,
        "rounds": rounds,
    }


def entry_of(pairing: Pairing, numbers: dict[int, int]) -> Json:
    if pairing.bye is not None:
        return bye(pairing.bye.number, pairing.bye_points or 0)
    roles = zip(("corp", "runner"), pairing.match.seats.all(), strict=True)
    seats = [
        {"id": numbers[seat.player_id], "role": role, "points": seat.points} for role, seat in roles
    ]
    return {"table": pairing.table_number, "seats": seats}


@pytest.mark.parametrize("policy", LateEntry.values[1:])
def test_standings_agree_with_the_engine_and_the_checker(policy: str):
    event = make_event(players=6, late_entry=policy)
    play_round(event)
    play_round(event)
    add_players(event, 1)
    work_off(event)

    document = document_of(event)
    ranked = commands.rank(document)

    assert check_standings(document, ranked) == []
    snapshot = event.snapshots.newest()
    assert snapshot is not None
    rows = snapshot.rows.ranked()
    stored_points = {row.registration.number: row.match_points for row in rows}
    engine_points = {
        row["id"]: row["match_points"] for row in ranked["standings"] if row["id"] in stored_points
    }
    assert stored_points == engine_points
    assert check_pairing(document, commands.pair(document)) == []


@pytest.mark.parametrize("policy", [LateEntry.HALF, LateEntry.BYES])
def test_missed_round_counts_as_a_bye(policy: str):
    event = make_event(players=6, late_entry=policy)
    play_round(event)
    (late,) = add_players(event, 1)

    answer = commands.pair(document_of(event))
    drafted = draft_round(event).pairings.get(match=None)

    sits_out = next(entry["bye"] for entry in answer["pairings"] if "bye" in entry)
    assert late.number not in (sits_out, drafted.bye.number)
