"""Undo of penalties and results in the log."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import Refusal
from matches import records as matches_records
from matches.models import Match, MatchState
from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise, take_back
from tests.factories.tournaments import (
    add_staff,
    close_round,
    enter_result,
    finish_round,
    fresh,
    make_event,
    owner_of,
    player_number,
    start_round,
    sweep,
    tables_of,
)
from tests.matches.builders import rows
from tests.tournaments.judging.penalties.tables import match_of, points, position, table_with
from tournaments.event.permissions import Actor
from tournaments.models import (
    LogEntry,
    Penalty,
    Registration,
    RegistrationState,
    Round,
    StaffRole,
    Tournament,
)
from tournaments.undo import services as undo_services
from tournaments.undo.undo_rules import CannotUndo

GAME_LOSS, MATCH_LOSS = PenaltyKind.GAME_LOSS, PenaltyKind.MATCH_LOSS
PENALTY_GIVEN, PENALTY_WITHDRAWN = "penalty given", "penalty withdrawn"


def last_entry(event: Tournament, action: str) -> LogEntry:
    return event.log.filter(action=action).latest("pk")


def undo_last(event: Tournament, action: str) -> LogEntry:
    return undo_services.undo(last_entry(event, action), owner_of(event))


def test_undo_withdraws_a_penalty_and_redo_reinstates_the_penalty(
    event: Tournament, ada: Registration
):
    round_ = start_round(event)
    enter_result(table_with(round_, ada), sweep(position(round_, ada)))
    given_ = penalise(ada, GAME_LOSS, game=1)

    plan = undo_services.preview_undo(last_entry(event, PENALTY_GIVEN), owner_of(event))
    assert plan.sentence.startswith("Game loss for Tardiness of Ada will be withdrawn")
    assert points(round_, ada) == (10, 10), "a preview must not change anything"
    done = undo_last(event, PENALTY_GIVEN)
    assert (done.action, done.undoes.action) == (PENALTY_WITHDRAWN, PENALTY_GIVEN)
    assert points(round_, ada) == (20, 0)
    given_.refresh_from_db()
    assert given_.withdrawn_reason.startswith("Undid:")

    undo_last(event, PENALTY_WITHDRAWN)
    assert points(round_, ada) == (10, 10)
    given_.refresh_from_db()
    assert given_.is_in_force


def test_undo_of_a_withdrawal_disqualifies_again(event: Tournament, ada: Registration):
    round_ = start_round(event)
    take_back(penalise(ada, PenaltyKind.DISQUALIFICATION))

    undo_last(event, PENALTY_WITHDRAWN)

    assert player_number(event, ada.number).state == RegistrationState.DROPPED
    assert points(round_, ada) == (0, 20)
    assert match_of(round_, ada).losses == [{"seat": position(round_, ada), "game": None}]


def test_withdrawn_penalty_cannot_be_withdrawn_by_undo(event: Tournament, ada: Registration):
    take_back(penalise(ada))

    with pytest.raises(CannotUndo, match="came later and depends on this"):
        undo_last(event, PENALTY_GIVEN)


def test_judges_can_undo_and_scorekeepers_cannot(event: Tournament, ada: Registration):
    penalise(ada)
    entry = last_entry(event, PENALTY_GIVEN)
    permissions = {
        role: undo_services.can_undo(entry, Actor(user=add_staff(event, role)), event)
        for role in (StaffRole.SCOREKEEPER, StaffRole.JUDGE)
    }

    assert permissions == {StaffRole.SCOREKEEPER: False, StaffRole.JUDGE: True}


def test_undone_result_with_a_penalty_leaves_the_penalty_waiting(
    event: Tournament, ada: Registration
):
    round_ = start_round(event)
    enter_result(table_with(round_, ada), sweep(position(round_, ada)))
    penalise(ada, GAME_LOSS, game=1)

    undo_last(event, "result entered")
    assert points(round_, ada) == (None, None)

    enter_result(table_with(round_, ada), sweep(position(round_, ada)))
    assert points(round_, ada) == (10, 10)


def test_preview_names_a_later_decision(event: Tournament, ada: Registration):
    round_ = start_round(event)
    enter_result(table_with(round_, ada), sweep(1))
    enter_result(table_with(round_, ada), sweep(2))
    penalise(ada, GAME_LOSS, game=1)

    plan = undo_services.preview_undo(last_entry(event, "result changed"), owner_of(event))

    assert plan.sentence.endswith("A ruling has changed the result since.")


def test_undo_cannot_leave_an_open_table_in_a_closed_round(event: Tournament, ada: Registration):
    round_ = start_round(event)
    lost = penalise(ada, MATCH_LOSS)
    for pairing in round_.open_tables():
        enter_result(pairing, sweep(1))
    enter_result(table_with(round_, ada), sweep(1))
    close_round(round_)
    take_back(lost)
    changed = event.log.filter(action="result changed").latest("pk")

    with pytest.raises(CannotUndo, match="is closed and needs all its results"):
        undo_services.preview_undo(changed, owner_of(event))


def test_result_of_a_match_loss_has_an_impact(event: Tournament, ada: Registration):
    round_ = start_round(event)
    penalise(ada, MATCH_LOSS)
    enter_result(table_with(round_, ada), sweep(1))
    finish_round(round_)

    plan = undo_services.preview_undo(last_entry(event, "result changed"), owner_of(event))

    assert plan.impact.moved == ()


ACTIONS = ("result", "game", "match", "warning", "withdraw", "undo")


def act(name: str, event: Tournament, round_: Round, chance: random.Random) -> None:
    place = player_number(event, chance.randint(1, 4))
    if name == "result":
        enter_result(chance.choice(tables_of(round_)), sweep(chance.choice((1, 2))))
    elif name == "game":
        penalise(place, GAME_LOSS, game=chance.choice((1, 2)))
    elif name == "match":
        penalise(place, MATCH_LOSS)
    elif name == "warning":
        penalise(place, PenaltyKind.WARNING)
    elif name == "withdraw" and (standing := Penalty.objects.filter(withdrawn_at=None).first()):
        take_back(standing)
    elif name == "undo":
        undo_services.undo(chance.choice(list(event.log.all())), owner_of(event))


@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(actions=st.lists(st.sampled_from(ACTIONS), max_size=8), seed=st.integers(0, 999))
def test_withdrawing_all_penalties_restores_the_reports(actions: list[str], seed: int):
    event, chance = make_event(players=4), random.Random(seed)
    round_ = start_round(event)
    for name in actions:
        try:
            act(name, fresh(event), round_, chance)
        except Refusal:
            continue

    for penalty in event.penalties.filter(withdrawn_at=None):
        take_back(penalty)

    for match in Match.objects.filter(pk__in=[table.match_id for table in tables_of(round_)]):
        assert match.losses == []
        with_penalties_gone = rows(match)
        confirmed = match.reports.filter(state="confirmed").last()
        assert match.is_settled == (confirmed is not None)
        if confirmed is None:
            assert match.state == MatchState.OPEN
            continue
        pairing = next(table for table in tables_of(round_) if table.match_id == match.pk)
        enter_result(pairing, matches_records.result_from_document(confirmed.result))
        assert rows(match) == with_penalties_gone
