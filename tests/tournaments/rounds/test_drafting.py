"""Drafts re-paired in part or by hand; rounds unpublished or forced."""

from collections.abc import Iterable
from functools import partial

import pytest

from core.errors import ReasonMissing
from matches.models import Match
from tests.factories.tournaments import (
    add_players,
    draft_round,
    enter_result,
    fresh,
    games_for,
    get_round,
    make_event,
    meanwhile,
    owner_of,
    play_round,
    player_number,
    removed_meanwhile,
    sitting,
    start_round,
    table,
    tables_of,
)
from tests.queries import queries_of
from tests.tournaments.rounds.draft_steps import entries, lock, players_of, redraw, seats
from tournaments import tasks
from tournaments.event import engine_input
from tournaments.event.history import PlayerRemoved
from tournaments.models import Round, RoundState, Tournament
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes, services
from tournaments.rounds.draft_changes import ManualTable
from tournaments.rounds.draft_pages import draft_page
from tournaments.rounds.drafting import RoundStillOpen


def test_locked_tables_are_kept_when_the_rest_is_re_paired():
    event = make_event(players=12)
    draft = draft_round(event)
    locked_seats, before = seats(table(draft, 3)), [seats(pairing) for pairing in tables_of(draft)]
    lock(table(draft, 3))

    again = redraw(draft)

    assert seats(table(again, 3)) == locked_seats
    assert [seats(pairing) for pairing in tables_of(again)] != before
    assert players_of(again) == players_of(draft)
    assert again.seed != draft.seed
    assert Match.objects.count() == 6
    assert again.is_draft


def test_locked_bye_is_kept():
    event = make_event(players=7)
    draft = draft_round(event)
    bye = draft.pairings.get(match=None)
    lock(bye)

    again = redraw(draft)

    assert again.pairings.get(match=None).pk == bye.pk
    assert len(players_of(again)) == 7


def test_results_are_kept_when_the_rest_is_re_paired():
    event = make_event(players=8)
    round_ = play_round(event, tables=[1])
    done = table(round_, 1)

    again = redraw(round_, reason="Two friends had not checked in", keep=[])

    assert table(again, 1).match == done.match
    assert table(again, 1).match.is_settled
    assert again.state == RoundState.RUNNING
    assert len(players_of(again)) == 8
    entry = event.log.get(action="rest to be paired anew")
    assert entry.reason == "Two friends had not checked in"


def test_re_pairing_a_published_round_updates_public_pages(event: Tournament, round_: Round):
    before = fresh(event).version

    redraw(round_, reason="A mistake", keep=[])

    assert fresh(event).version > before


def test_reported_table_is_kept_like_a_locked_table(event: Tournament, round_: Round):
    pairing = table(round_, 1)
    results_services.report_result(
        pairing, pairing.match.seats.get(position=1), games_for(pairing), owner_of(event)
    )

    again = redraw(round_, reason="A mistake", keep=[])

    assert table(again, 1).match.reports.count() == 1


def test_re_pairing_removes_dropped_players_and_adds_latecomers(event: Tournament):
    round_ = start_round(event)
    registration_services.drop_player(player_number(event, 1), owner_of(event))
    add_players(event, 1)

    again = redraw(round_, reason="Ada went home", keep=[])

    assert players_of(again) == ["Bo", "Cy", "Di", "Ed"]


def test_re_pairing_a_published_round_requires_a_reason(event: Tournament, round_: Round):
    with pytest.raises(ReasonMissing):
        draft_changes.pair_the_rest(round_, owner_of(event), reason="  ")


def test_fully_locked_draft_cannot_be_re_paired():
    event = make_event(players=2)
    draft = draft_round(event)
    lock(table(draft, 1))

    with pytest.raises(draft_changes.NothingToPair):
        draft_changes.pair_the_rest(draft, owner_of(event))


def test_closed_round_cannot_be_re_paired(event: Tournament):
    round_ = play_round(event)

    with pytest.raises(services.WrongState):
        draft_changes.pair_the_rest(round_, owner_of(event), reason="Too late")
    with pytest.raises(services.WrongState):
        lock(table(round_, 1))


def test_dropped_player_at_a_locked_table_fails_the_job_by_name():
    event = make_event(players=6)
    draft = draft_round(event)
    lock(table(draft, 1))
    player, _other = sitting(table(draft, 1))
    registration_services.drop_player(player, owner_of(event))
    before = players_of(draft)

    job = draft_changes.pair_the_rest(draft, owner_of(event))
    tasks.pair_round(job.pk)

    job.refresh_from_db()
    assert job.has_failed
    assert job.error == f"{player.player} has dropped, but table 1 is locked. Unlock it first."
    assert players_of(draft) == before


def test_job_does_not_restore_a_discarded_draft():
    event = make_event(players=6)
    draft = draft_round(event)
    job = draft_changes.pair_the_rest(draft, owner_of(event))
    draft_changes.discard_draft(draft, owner_of(event))

    tasks.pair_round(job.pk)

    assert not event.rounds.exists()
    assert draft_round(event).number == 1


def test_repeated_request_re_pairs_the_rest_once():
    event = make_event(players=8)
    draft = draft_round(event)

    first = draft_changes.pair_the_rest(draft, owner_of(event))
    second = draft_changes.pair_the_rest(draft, owner_of(event))
    tasks.pair_round(first.pk)
    tasks.pair_round(second.pk)

    assert first == second
    assert event.log.filter(action="rest paired anew").count() == 1


def test_published_round_without_results_is_unpublished(event: Tournament, round_: Round):
    before = fresh(event).version

    services.unpublish_round(round_, owner_of(event), "The wrong list was on the wall")

    again = get_round(event, 1)
    assert (again.state, again.published_at, again.started_at) == (RoundState.DRAFT, None, None)
    assert fresh(event).version > before
    assert event.log.get(action="round taken back").reason == "The wrong list was on the wall"


def test_round_with_a_report_cannot_be_unpublished(event: Tournament, round_: Round):
    pairing = table(round_, 2)
    results_services.report_result(
        pairing, pairing.match.seats.get(position=1), games_for(pairing), owner_of(event)
    )

    with pytest.raises(services.ResultsAreIn, match="table 2"):
        services.unpublish_round(round_, owner_of(event), "No")

    assert get_round(event, 1).state == RoundState.RUNNING


def test_next_round_requires_results_or_a_reason():
    event = make_event(players=6)
    play_round(event, tables=[1, 2])

    with pytest.raises(RoundStillOpen):
        draft_changes.request_pairing(event, 2, owner_of(event))
    job = draft_changes.request_pairing(event, 2, owner_of(event), force_reason="Table 3 plays on")
    tasks.pair_round(job.pk)

    entry = event.log.get(action="round closed by force")
    assert (entry.reason, entry.after) == ("Table 3 plays on", {"without_result": ["table 3"]})
    assert get_round(event, 2).is_draft


def test_unplayed_table_of_a_forced_round_counts_only_as_a_meeting():
    event = make_event(players=6)
    round_ = play_round(event, tables=[1, 2])
    missing = seats(table(round_, 3))
    draft_changes.request_pairing(event, 2, owner_of(event), force_reason="No time")

    records = {record.id: record for record in engine_input.standings_records(event)}
    numbers = [player.number for player in event.registrations.filter(player__name__in=missing)]
    closed_rounds = engine_input.closed_results(event)

    assert [records[number].rounds for number in numbers] == [(None,), (None,)]
    assert [meeting.opponent for meeting in closed_rounds.meetings[numbers[0]]] == [numbers[1]]


def test_late_result_counts_and_outdates_the_draft():
    event = make_event(players=6)
    round_ = play_round(event, tables=[1, 2])
    job = draft_changes.request_pairing(event, 2, owner_of(event), force_reason="No time")
    tasks.pair_round(job.pk)

    enter_result(table(round_, 3), games_for(table(round_, 3)))

    assert all(record.rounds[0] is not None for record in engine_input.standings_records(event))
    with pytest.raises(services.DraftIsOld, match="result of an earlier round"):
        services.publish_round(get_round(event, 2), owner_of(event))
    services.publish_round(redraw(get_round(event, 2)), owner_of(event))
    assert get_round(event, 2).state == RoundState.PUBLISHED


def test_re_paired_table_cannot_be_locked():
    event = make_event(players=8)
    draft = draft_round(event)
    old = table(draft, 1)
    redraw(draft)

    with pytest.raises(services.WrongState, match="was re-paired"):
        lock(old)


def test_round_paired_by_hand_has_the_chosen_tables():
    event = make_event(players=5, system="manual")
    draft = draft_round(event)
    assert not draft.pairings.exists()
    one, two, three, four, five = entries(event, 1, 2, 3, 4, 5)

    tables = [ManualTable(1, (two, one)), ManualTable(4, (three, four))]
    draft_changes.pair_by_hand(draft, tables, [five], owner_of(event))

    made = {pairing.table_number: seats(pairing) for pairing in draft.pairings.all()}
    assert made == {1: ["Bo", "Ada"], 4: ["Cy", "Di"], None: ["Ed"]}
    assert all(pairing.made_by_hand for pairing in draft.pairings.all())
    roles = (
        table(draft, 1).match.games.get(number=1).seats.values_list("seat__player__name", "role")
    )
    assert dict(roles) == {"Bo": "corp", "Ada": "runner"}


def test_round_paired_by_hand_cannot_be_re_paired():
    event = make_event(players=4, system="manual")
    draft = draft_round(event)
    draft_changes.pair_by_hand(draft, [ManualTable(1, entries(event, 1, 2))], [], owner_of(event))

    with pytest.raises(draft_changes.NothingToPair, match="by hand"):
        draft_changes.pair_the_rest(draft, owner_of(event))

    assert draft.pairings.count() == 1


def test_tables_that_are_chosen_again_keep_their_reasons():
    event = make_event(players=6)
    draft = draft_round(event)
    unchanged = table(draft, 2)
    first, two, three = (sitting(table(draft, number)) for number in (1, 2, 3))

    swapped = [
        ManualTable(1, (first[0], three[1])),
        ManualTable(2, tuple(two)),
        ManualTable(3, (three[0], first[1])),
    ]
    draft_changes.pair_by_hand(draft, swapped, [], owner_of(event))

    assert table(draft, 2).pk == unchanged.pk
    assert table(draft, 2).reasons
    assert [table(draft, number).made_by_hand for number in (1, 2, 3)] == [True, False, True]


@pytest.mark.parametrize(
    ("tables", "byes", "words"),
    [
        ([(1, (1, 2)), (2, (1, 3))], [], "Ada has two places"),
        ([(1, (1, 2))], [1], "Ada has two places"),
        ([(1, (1,))], [], "Table 1 needs 2 players, but has 1"),
        ([(1, (1, 2)), (1, (3, 4))], [], "Table 1 is used twice"),
        ([(0, (1, 2))], [], "not a valid number"),
        ([(1, (1, 5))], [], "Ed is not checked in"),
    ],
)
def test_invalid_tables_are_refused(
    event: Tournament, tables: Iterable[tuple[int, tuple[int, ...]]], byes: list[int], words: str
):
    add_players(event, 1, checked_in=False)
    draft = draft_round(event)
    before = players_of(draft)

    made = [ManualTable(number, entries(event, *numbers)) for number, numbers in tables]
    with pytest.raises(draft_changes.NotBySeats, match=words):
        draft_changes.pair_by_hand(draft, made, entries(event, *byes), owner_of(event))

    assert players_of(draft) == before


def test_player_who_left_during_the_request_is_not_seated():
    event = make_event(players=3, system="manual")
    draft = draft_round(event)
    tables, byes = [ManualTable(1, entries(event, 1, 2))], entries(event, 3)

    for number in (2, 3):
        dropped = player_number(event, number)
        with (
            pytest.raises(draft_changes.NotBySeats, match="is not checked in"),
            meanwhile(partial(registration_services.drop_player, dropped, owner_of(event))),
        ):
            draft_changes.pair_by_hand(draft, tables, byes, owner_of(event))
        with pytest.raises(PlayerRemoved), removed_meanwhile(player_number(event, number)):
            draft_changes.pair_by_hand(draft, tables, byes, owner_of(event))

    assert not draft.pairings.exists()


def test_players_of_an_avoid_group_are_not_paired(event: Tournament):
    event.registrations.filter(number__in=(1, 2)).update(avoid_group="car")

    draft = draft_round(event)

    assert ["Ada", "Bo"] not in [sorted(seats(pairing)) for pairing in tables_of(draft)]


def test_manual_table_shows_its_warnings_and_cost(event: Tournament):
    round_ = play_round(event)
    opponents = [entry.number for entry in sitting(table(round_, 1))]
    draft = draft_round(event)
    other_numbers = [number for number in (1, 2, 3, 4) if number not in opponents]

    tables = [
        ManualTable(1, entries(event, *opponents)),
        ManualTable(2, entries(event, *other_numbers)),
    ]
    draft_changes.pair_by_hand(draft, tables, [], owner_of(event))
    page = draft_page(get_round(event, 2))

    assert any("played each other, in round 1." in text for text in page.tables[0].warnings)
    assert "rematches 2" in page.cost


def test_draft_page_takes_a_constant_number_of_queries():
    counts = []
    for players in (6, 24):
        event = make_event(players=players)
        play_round(event)
        draft = get_round(event, draft_round(event).number)
        draft_changes.swap_seats(
            draft, player_number(event, 1), player_number(event, 2), owner_of(event)
        )
        counts.append(queries_of(draft_page, draft))

    assert counts[0] == counts[1]
