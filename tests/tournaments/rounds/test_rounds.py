"""Rounds requested, drafted, published, started and closed."""

from collections.abc import Callable
from datetime import timedelta
from time import perf_counter

import pytest
from django.utils import timezone

from core.jobs import JobState
from engine.pairing.round_robin import RoundRobinOver
from matches.models import Match
from tests.checker import shape
from tests.checker.reading import ids_of
from tests.factories.tournaments import (
    add_players,
    draft_round,
    enter_result,
    fresh,
    games_for,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    table,
    tables_of,
)
from tournaments import tasks
from tournaments.event import history
from tournaments.event import permissions as event_permissions
from tournaments.event import services as event_services
from tournaments.models import Job, Round, RoundState, Tournament
from tournaments.registration import services as registration_services
from tournaments.rounds import draft_changes, services
from tournaments.rounds.drafting import RoundStillOpen
from tournaments.settings import services as settings_services


def seats_by_table(round_: Round) -> list[tuple[int | None, list[str]]]:
    """Return each table with its players by seat; byes have no table."""
    return [
        (
            pairing.table_number,
            [seat.player.name for seat in pairing.match.seats.all()]
            if pairing.match
            else [str(pairing.bye and pairing.bye.player)],
        )
        for pairing in round_.pairings.with_players()
    ]


def request_pairing(event: Tournament, number: int = 1) -> Job:
    return draft_changes.request_pairing(event, number, owner_of(event))


def test_repeated_request_makes_one_job_and_one_round():
    event = make_event(players=8)

    first, second = request_pairing(event), request_pairing(event)
    tasks.pair_round(first.pk)
    third = request_pairing(event)
    tasks.pair_round(third.pk)

    assert first == second == third
    assert event.rounds.count() == 1
    assert Match.objects.count() == 4


def test_round_needs_two_checked_in_players():
    event = make_event(players=8, checked_in=False)

    with pytest.raises(draft_changes.NotEnoughPlayers, match="Check players in"):
        request_pairing(event)

    assert not event.jobs.exists()


def test_next_round_requires_a_closed_round(event: Tournament):
    start_round(event)

    with pytest.raises(RoundStillOpen, match="Close round 1"):
        request_pairing(event, 2)


def test_only_the_next_round_can_be_requested(event: Tournament):
    play_round(event)

    with pytest.raises(RoundStillOpen, match="Round 2 is next, not round 7"):
        request_pairing(event, 7)


def test_failed_job_leaves_nothing_and_can_be_retried(event: Tournament):
    job = request_pairing(event)
    # All players leave before the job runs.
    for number in (1, 2, 3, 4):
        registration_services.drop_player(player_number(event, number), owner_of(event))
    tasks.pair_round(job.pk)
    job.refresh_from_db()
    assert job.has_failed
    assert job.error
    assert not event.rounds.exists()

    for number in (1, 2, 3, 4):
        registration_services.return_player(player_number(event, number), owner_of(event))
    event_services.retry_job(job, owner_of(event))
    tasks.pair_round(job.pk)

    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.DONE, "")
    assert event.rounds.count() == 1


def test_job_is_labelled_until_done_and_not_retried(event: Tournament):
    job = request_pairing(event)
    assert event.jobs.shown_at_desk() == [job]
    assert job.get_kind_label() == "pair the round (round 1)"

    tasks.pair_round(job.pk)
    event_services.retry_job(job, owner_of(event))

    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert event.jobs.shown_at_desk() == []


def test_job_of_a_newer_release_does_not_block_others(event: Tournament):
    # During an upgrade two releases share a database.
    second_event = make_event(players=4, name="Autumn Run")
    newer, waiting = request_pairing(event), request_pairing(second_event)
    Job.objects.update(created_at=timezone.now() - timedelta(seconds=30))
    Job.objects.filter(pk=newer.pk).update(kind="of_next_year")

    tasks.sweep_jobs()

    states = Job.objects.in_bulk()
    assert (states[newer.pk].state, states[waiting.pk].state) == (JobState.QUEUED, JobState.DONE)


def test_discarded_draft_leaves_no_match_and_the_next_draft_differs():
    event = make_event(players=12)
    first = draft_round(event)
    tables = seats_by_table(first)

    draft_changes.discard_draft(first, owner_of(event))
    assert not Match.objects.exists()
    second = draft_round(event)

    assert second.seed != first.seed
    assert seats_by_table(second) != tables


def test_players_of_two_tables_are_swapped(event: Tournament):
    draft = draft_round(event)
    first, second = (
        event.registration_of(table(draft, number).match.seats.get(position=1).player)
        for number in (1, 2)
    )
    assert first is not None
    assert second is not None
    before = seats_by_table(draft)

    draft_changes.swap_seats(draft, first, second, owner_of(event))

    names = {first.player.name: second.player.name, second.player.name: first.player.name}
    swapped = [(number, [names.get(name, name) for name in players]) for number, players in before]
    assert seats_by_table(draft) == swapped
    assert all(pairing.made_by_hand for pairing in tables_of(draft))


def test_players_of_one_table_swap_roles():
    event = make_event(players=2)
    draft = draft_round(event)
    ((_, before),) = seats_by_table(draft)

    draft_changes.swap_seats(
        draft, player_number(event, 1), player_number(event, 2), owner_of(event)
    )

    ((_, after),) = seats_by_table(draft)
    assert after == before[::-1]
    roles = {
        seat.seat.player.name: seat.role
        for seat in tables_of(draft)[0].match.games.get(number=1).seats.all()
    }
    assert roles == {after[0]: "corp", after[1]: "runner"}


def test_bye_can_be_swapped():
    event = make_event(players=3)
    draft = draft_round(event)
    bye = draft.pairings.get(match=None).bye
    assert bye is not None
    seat = tables_of(draft)[0].match.seats.get(position=1)
    registration = event.registration_of(seat.player)
    assert registration is not None

    draft_changes.swap_seats(draft, bye, registration, owner_of(event))

    assert draft.pairings.get(match=None).bye == registration
    assert [bye.player.name, seats_by_table(draft)[0][1][1]] == seats_by_table(draft)[0][1]


def test_published_tables_are_neither_swapped_nor_discarded(event: Tournament, round_: Round):
    with pytest.raises(services.NotADraft):
        draft_changes.swap_seats(
            round_, player_number(event, 1), player_number(event, 2), owner_of(event)
        )
    with pytest.raises(services.NotADraft, match="players have seen their tables"):
        draft_changes.discard_draft(round_, owner_of(event))

    assert event.rounds.count() == 1


def test_draft_is_outdated_when_a_player_left(event: Tournament):
    draft = draft_round(event)
    registration_services.drop_player(player_number(event, 2), owner_of(event))

    with pytest.raises(services.DraftIsOld, match="Bo dropped"):
        services.publish_round(draft, owner_of(event), leave_out_latecomers=True)

    assert get_round(event, 1).is_draft


def test_latecomers_can_be_left_out(event: Tournament):
    draft = draft_round(event)
    add_players(event, 1)

    with pytest.raises(services.DraftIsOld, match="Ed checked in"):
        services.publish_round(draft, owner_of(event))
    services.publish_round(draft, owner_of(event), leave_out_latecomers=True)

    assert get_round(event, 1).state == RoundState.PUBLISHED


def test_publishing_twice_is_logged_once(event: Tournament):
    draft = draft_round(event)

    services.publish_round(draft, owner_of(event))
    services.publish_round(draft, owner_of(event))

    assert event.log.filter(action="round published").count() == 1


def test_round_starts_once(event: Tournament, round_: Round):
    started = round_.started_at

    services.start_round(round_, owner_of(event))

    assert get_round(event, 1).started_at == started


def test_draft_cannot_be_started_or_closed(event: Tournament):
    draft = draft_round(event)

    with pytest.raises(services.WrongState):
        services.start_round(draft, owner_of(event))
    with pytest.raises(services.WrongState):
        services.close_round(draft, owner_of(event))


def test_round_with_open_tables_cannot_be_closed():
    event = make_event(players=6)
    round_ = play_round(event, tables=[2])

    with pytest.raises(services.ResultsMissing, match="without a settled result: 2"):
        services.close_round(round_, owner_of(event))


def test_closing_computes_standings_of_all_players():
    event = make_event(players=7)

    play_round(event)

    snapshot = event.snapshots.newest()
    assert sorted(row.rank for row in snapshot.rows.all()) == list(range(1, 8))  # type: ignore[misc]


def test_closed_round_is_reopened_with_its_results(event: Tournament):
    round_ = play_round(event)

    services.reopen_round(round_, owner_of(event), "table 2 was wrong")

    reopened = get_round(event, 1)
    assert reopened.state == RoundState.RUNNING
    assert not reopened.open_tables().exists()
    assert event.log.get(action="round reopened").reason == "table 2 was wrong"
    assert event.snapshots.newest() is None


def test_round_before_a_later_round_cannot_be_reopened(event: Tournament):
    first = play_round(event)
    draft = draft_round(event)

    with pytest.raises(RoundStillOpen, match="Discard its draft"):
        services.reopen_round(first, owner_of(event), "")
    services.publish_round(draft, owner_of(event))
    with pytest.raises(RoundStillOpen, match="A later round exists"):
        services.reopen_round(first, owner_of(event), "")


@pytest.mark.slow
@pytest.mark.goal("G11")
@pytest.mark.parametrize("players", [64, 500, 1_000])
def test_request_becomes_a_draft_with_every_player(players: int, figure: Callable[[str], None]):
    event = make_event(players)
    play_round(event)
    present = [
        registration.number for registration in event.registrations.filter(state="checked_in")
    ]
    began = perf_counter()

    round_ = draft_round(fresh(event))

    duration = perf_counter() - began
    figure(
        f"{players} players: {duration:.2f} s from the first click to the draft, beside other tests"
    )
    by_player = dict(event.registrations.values_list("player_id", "number"))
    seats_by_table = [
        {
            "table": registration.table_number,
            "seats": [{"id": by_player[seat.player_id]} for seat in seats],
        }
        for registration in round_.pairings.with_players()
        if registration.match and (seats := registration.match.seats.all())
    ]
    assert list(shape.seating_faults(seats_by_table, present, "$")) == []
    assert list(shape.table_faults(seats_by_table, "$")) == []
    assert len([id_ for entry in seats_by_table for id_ in ids_of(entry)]) == players


class TestCloseAndPair:
    def test_round_is_closed_and_the_next_round_queued(self):
        event = make_event(players=8)
        round_ = finished_tables(event)

        job = draft_changes.close_and_pair(round_, owner_of(event))

        assert get_round(event, 1).is_closed
        assert (job.payload["number"], job.is_live) == (2, True)
        tasks.pair_round(job.pk)
        assert get_round(event, 2).is_draft

    def test_second_click_returns_the_same_job(self):
        event = make_event(players=8)
        round_ = finished_tables(event)

        first = draft_changes.close_and_pair(round_, owner_of(event))
        second = draft_changes.close_and_pair(get_round(event, 1), owner_of(event))

        assert first == second
        assert event.log.filter(action="round closed").count() == 1
        assert event.log.filter(action="pairing asked for", subject="round 2").count() == 1

    def test_missing_result_is_refused(self):
        event = make_event(players=8)
        round_ = finished_tables(event, tables=[1, 2, 3])

        with pytest.raises(services.ResultsMissing, match="without a settled result: 1"):
            draft_changes.close_and_pair(round_, owner_of(event))

        assert not get_round(event, 1).is_closed

    def test_round_stays_open_if_the_next_round_cannot_be_paired(self):
        event = make_event(players=4)
        round_ = finished_tables(event)
        for number in (1, 2, 3):
            registration_services.drop_player(player_number(event, number), owner_of(event))

        with pytest.raises(draft_changes.NotEnoughPlayers):
            draft_changes.close_and_pair(round_, owner_of(event))

        assert not get_round(event, 1).is_closed
        assert not event.log.filter(action="round closed").exists()

    def test_draft_is_refused(self):
        event = make_event(players=4)
        round_ = draft_round(event)

        with pytest.raises(services.WrongState, match="Publish this draft"):
            draft_changes.close_and_pair(round_, owner_of(event))

    def test_discarded_draft_is_refused(self):
        event = make_event(players=4)
        round_ = draft_round(event)
        draft_changes.discard_draft(get_round(event, 1), owner_of(event))

        with pytest.raises(services.NotADraft):
            draft_changes.close_and_pair(round_, owner_of(event))

    def test_round_robin_that_is_played_out_is_refused(self):
        event = make_event(players=2, system="round_robin")
        round_ = finished_tables(event)

        with pytest.raises(RoundRobinOver):
            draft_changes.close_and_pair(round_, owner_of(event))

        assert not get_round(event, 1).is_closed

    def test_finished_event_is_refused(self):
        event = make_event(players=4)
        round_ = play_round(event)
        settings_services.finish_event(event, owner_of(event))

        with pytest.raises(history.EventIsFinished):
            draft_changes.close_and_pair(round_, owner_of(event))

    def test_large_event_of_a_new_account_is_refused(self, monkeypatch: pytest.MonkeyPatch):
        event = make_event(players=4)
        round_ = finished_tables(event)
        monkeypatch.setattr(event_permissions, "why_too_large", lambda *_: "Too large.")

        with pytest.raises(draft_changes.EventTooLarge, match="Too large"):
            draft_changes.close_and_pair(round_, owner_of(event))

        assert not get_round(event, 1).is_closed


def finished_tables(event: Tournament, tables: list[int] | None = None) -> Round:
    """Start a round and enter results for these tables, or for all; leave the round open."""
    round_ = start_round(event)
    for pairing in tables_of(round_):
        if tables is None or pairing.table_number in tables:
            enter_result(pairing, games_for(pairing))
    return get_round(event, round_.number)
