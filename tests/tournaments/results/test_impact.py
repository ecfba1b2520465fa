"""The impact of a changed result."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from matches.scoring.results import Flag, GameEnd, GameResult, MatchResult, Role
from tests.factories.cuts import make_cut
from tests.factories.pods import make_pods, places
from tests.factories.tournaments import (
    draft_round,
    enter_result,
    fresh,
    make_event,
    owner_of,
    play_round,
    start_round,
    sweep,
    table,
    tables_of,
    work_off,
)
from tests.queries import queries_of
from tests.shared_rows import shared_rows
from tournaments.models import Pairing, Tournament
from tournaments.results import services
from tournaments.results.queries import Impact, SeedMove, get_impact


def anr_game(number: int, winner: Role | None, end: GameEnd = GameEnd.NOT_RECORDED) -> GameResult:
    return GameResult(number, number, winner, end)


def anr_split(pairing: Pairing) -> MatchResult:
    first = Role.CORP if (pairing.table_number or 0) % 2 else Role.RUNNER
    return MatchResult((anr_game(1, first), anr_game(2, Role.CORP)))


SWAPPED = MatchResult(
    (
        GameResult(1, 2, Role.CORP, GameEnd.FLATLINE, 0, 5),
        GameResult(2, 1, None, GameEnd.TIME, 3, 4),
    )
)
TWICE = MatchResult((anr_game(1, Role.RUNNER),), frozenset({Flag.TWO_FOR_ONE}))
AGREED = MatchResult((), frozenset({Flag.INTENTIONAL_DRAW}))
BOTH_LOST = MatchResult(tuple(anr_game(number, None, GameEnd.DOUBLE_LOSS) for number in (1, 2)))
ANR: dict[str, Any] = {
    "game": "anr",
    "scoring_rule": "anr_double",
    "tie_breakers": ["match_points", "games_won"],
}
ONR: dict[str, Any] = {"tie_breakers": ["match_points", "games_won", "agenda_point_difference"]}


def played_event(players: int = 8, rounds: int = 3, play: Any = None, **settings: Any):
    event = make_event(players=players, **settings)
    for _ in range(rounds):
        play_round(event, play=play)
    return event


def ranks(event: Tournament) -> dict[str, tuple[int, object]]:
    snapshot = event.snapshots.newest()
    assert snapshot is not None
    rows = snapshot.rows.ranked()
    return {row.registration.player.name: (row.rank, row.match_points) for row in rows}


def apply(event: Tournament, pairing: Pairing, result: MatchResult) -> None:
    """Change the result and run the job that follows."""
    enter_result(pairing, result)
    work_off(event)


def old_table(event: Tournament, number: int = 1, round_number: int = 1) -> Pairing:
    round_ = event.rounds.select_related("stage__tournament").get(number=round_number)
    pairing = table(round_, number)
    pairing.round = round_
    return pairing


def make_events() -> dict[str, Tournament]:
    pods = make_pods(8)
    for _ in range(2):
        play_round(pods, play=places)
    return {
        "onr": played_event(**ONR),
        "odd": played_event(**ONR, players=9),
        "anr": played_event(**ANR, play=anr_split),
        "pods": pods,
    }


@pytest.fixture(scope="module")
def scenes(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[dict[str, Tournament]]:
    """Events with eight players, with nine, of Android: Netrunner, and with pods."""
    yield from shared_rows(django_db_blocker, make_events)


@pytest.fixture
def event(scenes: dict[str, Tournament]) -> Tournament:
    return fresh(scenes["onr"])


@pytest.mark.parametrize(
    ("scene", "result"),
    [
        ("onr", sweep(2, 6)),
        ("odd", SWAPPED),
        ("anr", TWICE),
        ("anr", AGREED),
        ("anr", BOTH_LOST),
        ("anr", MatchResult(totals=(1, 4))),
        ("pods", MatchResult(victory_points=(9, 9, 20, 30))),
    ],
)
def test_impact_equals_the_recomputed_standings(
    scenes: dict[str, Tournament], scene: str, result: MatchResult
):
    event = fresh(scenes[scene])
    pairing, before = old_table(event), ranks(event)

    moved = get_impact(pairing, result).moved
    apply(event, pairing, result)

    after = ranks(event)
    assert moved
    assert {move.name: (move.new_rank, move.new_points) for move in moved} == {
        name: line for name, line in after.items() if line != before[name]
    }
    assert {move.name: (move.rank, move.points) for move in moved} == {
        name: line for name, line in before.items() if line != after[name]
    }


def test_computing_the_impact_changes_nothing(event: Tournament):
    pairing, before, version = old_table(event), ranks(event), fresh(event).version

    get_impact(pairing, sweep(2, 6))

    assert (ranks(event), fresh(event).version) == (before, version)
    assert not event.jobs.filter(state="queued").exists()


def test_unchanged_result_moves_nothing_but_lists_the_later_tables(event: Tournament):

    impact = get_impact(old_table(event), sweep(1, 1))

    assert impact.moved == ()
    assert all(seat.points == seat.new_points for later in impact.later for seat in later.seats)


def test_later_tables_show_old_and_new_points_of_both_players(event: Tournament):
    pairing = old_table(event)
    names = [seat.player.name for seat in pairing.match.seats.all()]

    tables = get_impact(pairing, sweep(2, 6)).later

    assert [later.round_number for later in tables] == [2, 2, 3, 3]
    assert all(later.is_paired_by_results and not later.is_draft for later in tables)
    second = {seat.name: seat for later in tables[:2] for seat in later.seats}
    first, opponent = (second[name] for name in names)
    # The loser keeps agenda points as Runner: seat 2 in game 1, seat 1 in game 2.
    assert (first.points, first.new_points) == (20, 6)
    assert (opponent.points, opponent.new_points) == (1, 20)
    assert [seat.new_points - seat.points for name, seat in second.items() if name not in names]


def test_draft_paired_by_the_old_result_is_listed_as_outdated(event: Tournament):
    assert get_impact(old_table(event), sweep(2)).old_draft is None

    draft_round(event)

    impact = get_impact(old_table(event), sweep(2))
    assert impact.old_draft == 4
    assert [later.round_number for later in impact.later if later.is_draft] == [4, 4]


def test_cut_impact_lists_players_in_and_out(event: Tournament):
    make_cut(event, 4)
    order = list(ranks(event))
    pairing, result = next(
        (candidate, sweep(2 if seat_of(candidate, order[0]) == 1 else 1, 6))
        for candidate in tables_of(old_table(event).round)
        if seat_of(candidate, order[0])
    )

    cut = get_impact(pairing, result).cut
    apply(event, pairing, result)

    new_order = list(ranks(event))
    seeds = {name: seed for seed, name in enumerate(order[:4], start=1)}
    new_seeds = {name: seed for seed, name in enumerate(new_order[:4], start=1)}
    expected = {
        SeedMove(name, seeds.get(name), new_seeds.get(name))
        for name in {*seeds, *new_seeds}
        if seeds.get(name) != new_seeds.get(name)
    }
    assert set(cut.seeds) == expected != set()
    assert (cut.is_public, cut.is_by_hand) == (False, False)


def seat_of(pairing: Pairing, name: str) -> int:
    """Return the position of a player at the table, 0 for none."""
    return next(
        (seat.position for seat in pairing.match.seats.all() if seat.player.name == name), 0
    )


def test_cut_with_manual_seeds_does_not_follow_the_standings(event: Tournament):
    stage = make_cut(event, 4)
    first, second = stage.entries.order_by("seed")[:2]
    first.seed, second.seed = 5, 1
    first.save()
    second.save()
    first.seed = 2
    first.save()

    cut = get_impact(old_table(event), sweep(2, 6)).cut

    assert (cut.is_by_hand, cut.seeds) == (True, ())


def test_late_result_is_shown_like_a_change():
    event = make_event(players=4)
    start_round(event)
    pairing = old_table(event)
    for other_pairing in tables_of(pairing.round)[1:]:
        enter_result(other_pairing, sweep(1))
    pairing.round.state = "closed"
    pairing.round.save()

    moved = get_impact(pairing, sweep(1, 2)).moved

    assert {(move.points, move.new_points) for move in moved} >= {(0, 20), (0, 2)}


def test_mark_changes_with_the_impact(event: Tournament):
    pairing, second_pairing = old_table(event, 1), old_table(event, 2)
    seen = get_impact(pairing, sweep(2, 6)).mark
    assert get_impact(pairing, sweep(2, 6)).mark == seen

    apply(event, second_pairing, sweep(2, 0))

    assert get_impact(pairing, sweep(2, 6)).mark != seen


def test_change_based_on_an_outdated_impact_is_refused(event: Tournament):
    pairing, owner = old_table(event, 1), owner_of(event)
    seen: Impact = get_impact(pairing, sweep(2, 6))
    options: dict[str, Any] = {"seen_version": pairing.match.version, "note": "So."}
    apply(event, old_table(event, 2), sweep(2, 0))

    with pytest.raises(services.ImpactChanged, match="Review it again"):
        services.decide_result(pairing, sweep(2, 6), owner, **options, seen_impact=seen.mark)
    again = get_impact(pairing, sweep(2, 6))
    services.decide_result(pairing, sweep(2, 6), owner, **options, seen_impact=again.mark)

    pairing.match.refresh_from_db()
    assert pairing.match.version == options["seen_version"] + 1


def test_number_of_queries_does_not_depend_on_the_players(event: Tournament):
    costs = []
    for tournament in (event, played_event(players=12, **ONR)):
        make_cut(tournament, 4)
        pairing = old_table(tournament)
        costs.append(queries_of(get_impact, pairing, sweep(2, 6)))

    assert costs[0] == costs[1] <= 25
