"""Look-ahead: the planned rounds of a small field stay free of rematches."""

import random
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pairing.costs import DOUBLE_PROFILE, SINGLE_ONCE_PROFILE, SINGLE_PROFILE, PairingProfile
from engine.pairing.look_ahead import RoundOpenings, StepBudget, pair_bits, schedule_rounds
from engine.pairing.reason_texts import document_sentence, document_text
from engine.pairing.records import Entrant, LockedTable, PairedRound, PastMeeting
from engine.pairing.swiss import pair_round
from tests.checker import pairing as checker
from tests.checker.ahead import goals
from tests.checker.optimum import every_round
from tests.checker.swiss_costs import Costs
from tests.engine.pairing.documents import (
    History,
    as_document,
    as_documents,
    fields,
    play_round,
)
from tests.engine.pairing.rounds import couples
from tools.bench.look_ahead import CELLS, WALLS, played_through

# Number of levels about byes and meetings.
WEIGHTY = {"double": 4, "single": 3, "single_once": 4}


def best_cost(entrants: list[Entrant], system: str, rounds_left: int) -> tuple[int, ...]:
    """The lowest cost of the rounds that leave the most rounds possible, by trying every round."""
    players = as_documents(entrants)
    costs = Costs(players, system)
    rounds = [(costs.total(pairs), pairs) for pairs in every_round(list(players))]
    lowest = min(total for total, _ in rounds)
    weighty = lowest[: WEIGHTY[system]]
    allowed = sorted(
        (row for row in rounds if row[0][: WEIGHTY[system]] == weighty), key=lambda row: row[0]
    )
    good = (
        total
        for goal in goals(rounds_left, system)
        for total, pairs in allowed
        if goal.is_reached(players, pairs)
    )
    return next(good, lowest)


def cost_of(round_: PairedRound) -> tuple[int, ...]:
    return tuple(round_.cost.values())


def assert_keeps_plan(entrants: list[Entrant], rounds_left: int, profile: PairingProfile) -> None:
    planned = 2 + rounds_left
    round_ = pair_round(entrants, round_number=2, seed=1, profile=profile, planned_rounds=planned)
    assert cost_of(round_) == best_cost(entrants, profile.id, rounds_left)


@settings(max_examples=60)
@given(
    fields(min_players=3, max_players=7),
    st.integers(1, 8),
    st.sampled_from([DOUBLE_PROFILE, SINGLE_PROFILE, SINGLE_ONCE_PROFILE]),
)
def test_no_cheaper_round_keeps_the_plan(
    entrants: list[Entrant], rounds_left: int, profile: PairingProfile
) -> None:
    assert_keeps_plan(entrants, rounds_left, profile)


@pytest.mark.slow
@settings(max_examples=200)
@given(
    fields(min_players=8, max_players=10),
    st.integers(1, 5),
    st.sampled_from([DOUBLE_PROFILE, SINGLE_PROFILE, SINGLE_ONCE_PROFILE]),
)
def test_no_cheaper_round_of_ten_keeps_the_plan(
    entrants: list[Entrant], rounds_left: int, profile: PairingProfile
) -> None:
    assert_keeps_plan(entrants, rounds_left, profile)


@pytest.mark.parametrize(("players", "rounds"), CELLS)
def test_feasible_event_has_no_forced_rematch(players: int, rounds: int) -> None:
    tally = played_through(players, rounds, events=3)

    assert (tally.dead_ends, tally.unsure) == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rounds"), CELLS)
def test_no_feasible_event_of_a_hundred_has_a_forced_rematch(players: int, rounds: int) -> None:
    tally = played_through(players, rounds, events=100)

    assert (tally.dead_ends, tally.unsure) == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("players", range(4, 11))
def test_single_sided_events_have_no_third_meeting(players: int) -> None:
    is_odd = players % 2 == 1
    single_rounds = players - 1 + is_odd
    # With more rounds than players of an odd field, a player has a second bye; that is no dead end.
    total_rounds, walls = (
        (single_rounds + 2, ("third_meeting",)) if is_odd else (2 * single_rounds, WALLS)
    )

    all_met = played_through(players, single_rounds, events=50, profile=SINGLE_PROFILE)
    met_again = played_through(
        players, total_rounds, events=50, profile=SINGLE_PROFILE, walls=walls
    )

    assert (all_met.dead_ends, all_met.unsure) == (0, 0)
    assert (met_again.dead_ends, met_again.unsure) == (0, 0)


@pytest.mark.parametrize(("players", "rounds"), [(11, 11), (12, 11), (16, 15), (20, 19)])
def test_larger_field_can_be_paired_to_the_last_meeting(players: int, rounds: int) -> None:
    assert played_through(players, rounds, events=1).dead_ends == 0


@pytest.mark.slow
@pytest.mark.parametrize("players", range(11, 25))
def test_larger_fields_have_no_forced_rematch(players: int) -> None:
    for rounds in range((players + 1) // 2, players + players % 2):
        assert played_through(players, rounds, events=5).dead_ends == 0


def rings_of_six(rings: int) -> list[Entrant]:
    """Each player has met their neighbours in a ring, and all players of the other rings.

    Opposite players have equal scores. Pairing all equals of a ring leaves two triangles, which
    cannot be paired without a rematch.
    """
    players = range(1, 6 * rings + 1)
    history = History(list(players))
    for first, second in combinations(players, 2):
        if (first - 1) // 6 != (second - 1) // 6 or second - first in (1, 5):
            history.play(first, second, 0, 0)
    history.points = {player: 10 * (player % 3) for player in players}
    return history.entrants()


def test_equal_scores_do_not_meet_if_that_spoils_the_last_round() -> None:
    greedy = pair_round(rings_of_six(1), round_number=3, seed=1)
    ahead = pair_round(rings_of_six(1), round_number=3, seed=1, planned_rounds=4)

    assert greedy.cost["point_gap"] == 0
    assert ahead.cost == {**greedy.cost, "point_gap": 200}
    sentences = [
        document_sentence(reason)
        for table in ahead.pairings
        for reason in table.reasons
        if reason.kind == "look_ahead"
    ]
    assert len(sentences) == 2
    assert "keeps the one round left free of rematches" in sentences[0]
    assert sentences[0].endswith("the round chosen without that would not.")
    assert (ahead.relaxations, ahead.notes) == ((), ())


def test_exchange_that_spoils_later_rounds_has_that_reason() -> None:
    ahead = pair_round(rings_of_six(1), round_number=3, seed=1, planned_rounds=4)
    reasons = " ".join(
        document_text(reason) for table in ahead.pairings for reason in table.reasons
    )

    assert (
        "would lower the sum of squared point gaps by 200, but then the one round left" in reasons
    )
    assert "could not all be paired without rematches" in reasons


def test_last_round_has_no_look_ahead() -> None:
    last = pair_round(rings_of_six(1), round_number=3, seed=1, planned_rounds=3)

    assert last == replace(
        pair_round(rings_of_six(1), round_number=3, seed=1), certificate=last.certificate
    )


def test_as_many_rounds_as_possible_stay_free_of_rematches() -> None:
    partial = pair_round(rings_of_six(1), round_number=3, seed=1, planned_rounds=6)

    assert partial.cost["point_gap"] == 200
    assert partial.certificate.engine_version == "3"
    assert [document_sentence(note) for note in partial.notes] == [
        "At most 2 of the 3 rounds left can be paired without rematches. This round is paired so "
        "that the next 2 can."
    ]
    sentences = [
        document_sentence(reason)
        for table in partial.pairings
        for reason in table.reasons
        if reason.kind == "look_ahead"
    ]
    assert "keeps the next 2 rounds free of rematches" in sentences[0]


def test_version_2_pairs_the_cheapest_round_if_the_plan_is_lost() -> None:
    old_round = pair_round(
        rings_of_six(1), round_number=3, seed=1, planned_rounds=6, engine_version="2"
    )

    assert old_round.cost["point_gap"] == 0
    assert old_round.certificate.engine_version == "2"
    assert [document_sentence(note) for note in old_round.notes] == [
        "However this round is paired, the 3 rounds left cannot be paired without rematches. This "
        "round is paired at the least cost."
    ]


def rematches_by_round(players: int, rounds: int, seed: int, profile: PairingProfile) -> list[int]:
    """Number of rematches in each round of an event."""
    history, chance = History(list(range(1, players + 1))), random.Random(seed)
    couples_met: set[frozenset[object]] = set()
    counts = []
    for number in range(1, rounds + 1):
        round_ = pair_round(
            history.entrants(),
            round_number=number,
            seed=seed,
            profile=profile,
            planned_rounds=rounds,
        )
        counts.append(len(couples_met & couples(round_)))
        couples_met |= couples(round_)
        play_round(history, round_, chance)
    return counts


@pytest.mark.parametrize("profile", [DOUBLE_PROFILE, SINGLE_ONCE_PROFILE])
@pytest.mark.parametrize("extra_rounds", [1, 3])
@pytest.mark.parametrize("players", range(3, 10))
def test_more_planned_rounds_than_opponents_keep_the_first_rounds_free(
    players: int, extra_rounds: int, profile: PairingProfile
) -> None:
    robin = players - 1 + players % 2
    counts = rematches_by_round(players, robin + extra_rounds, 1, profile)

    assert counts[: robin + 1] == [*[0] * robin, players // 2]


def test_six_players_with_six_planned_rounds_have_one_round_of_rematches() -> None:
    for seed in range(12):
        assert rematches_by_round(6, 6, seed, DOUBLE_PROFILE) == [0, 0, 0, 0, 0, 3]


def test_single_remaining_round_without_rematches_is_named() -> None:
    # Four players have two rounds without rematches left, and three rounds are planned.
    history = History([1, 2, 3, 4])
    history.play(1, 2, 0, 0)
    history.play(3, 4, 0, 0)
    ahead = pair_round(history.entrants(), round_number=2, seed=1, planned_rounds=4)

    assert [document_sentence(note) for note in ahead.notes] == [
        "Only one of the 2 rounds left can be paired without rematches. This round is paired so "
        "that the next one can."
    ]


def test_without_a_round_free_of_rematches_third_meetings_are_avoided() -> None:
    # Six players have all met once.
    history = History(list(range(1, 7)))
    for first, second in combinations(range(1, 7), 2):
        history.play(first, second, 0, 0)
    ahead = pair_round(history.entrants(), round_number=6, seed=1, planned_rounds=8)

    assert [document_sentence(note) for note in ahead.notes] == [
        "No way was found to pair another round without rematches. The 2 rounds left stay free of "
        "third meetings."
    ]


def test_locked_table_is_part_of_the_plan() -> None:
    lock = LockedTable(1, corp=1, runner=4)
    ahead = pair_round(rings_of_six(1), round_number=3, seed=1, planned_rounds=4, locked=[lock])

    assert couples(ahead) == {frozenset((1, 4)), frozenset((2, 6)), frozenset((3, 5))}


def test_locked_table_may_spoil_the_plan() -> None:
    locks = [LockedTable(1, corp=1, runner=4), LockedTable(2, corp=2, runner=5)]
    ahead = pair_round(rings_of_six(1), round_number=3, seed=1, planned_rounds=4, locked=locks)

    assert couples(ahead) >= {frozenset((3, 6))}
    assert [note.kind for note in ahead.notes] == ["look_ahead_part"]


def test_heavier_rules_take_precedence_over_the_plan() -> None:
    # Beside the locked table, a single round without rematches is left.
    history = History(list(range(1, 6)))
    for first, second in combinations(range(1, 6), 2):
        if (first, second) not in ((1, 2), (3, 4)):
            history.play(first, second, 0, 0)
    lock = LockedTable(1, corp=1, runner=2)
    ahead = pair_round(history.entrants(), round_number=5, seed=1, planned_rounds=6, locked=[lock])

    assert couples(ahead) == {frozenset((1, 2)), frozenset((3, 4))}
    assert [note.kind for note in ahead.notes] == ["look_ahead_part"]


def test_large_field_is_paired_at_the_least_cost_alone() -> None:
    field = [Entrant(player, player % 4) for player in range(30)]
    plain = pair_round(field, round_number=2, seed=1)
    planned = pair_round(field, round_number=2, seed=1, planned_rounds=5)

    assert planned.pairings == plain.pairings


def odd_halves(half: int, bridges: int) -> list[Entrant]:
    """Two odd halves, which have met each other except for `bridges` couples of equal score.

    Each round needs at least one table across the halves, and pairing equals uses up all of them.
    """
    history = History(list(range(1, 2 * half + 1)))
    for first in range(1, half + 1):
        for second in range(half + 1, 2 * half + 1):
            if first > bridges or second != first + half:
                history.play(first, second, 0, 0)
    index_in_half = {player: (player - 1) % half for player in range(1, 2 * half + 1)}
    history.points = {
        player: 10 * (1 + index) if index < bridges else 0
        for player, index in index_in_half.items()
    }
    return history.entrants()


@pytest.mark.parametrize("rounds_left", [1, 2])
def test_round_is_constructed_if_all_cheap_rounds_spoil_the_plan(rounds_left: int) -> None:
    # The cheapest rounds use all three tables across the halves; a good round uses a single one.
    planned = 9 + rounds_left
    ahead = pair_round(odd_halves(9, 3), round_number=9, seed=1, planned_rounds=planned)

    halves = [{int(player) > 9 for player in pair} for pair in couples(ahead)]
    assert halves.count({True, False}) == 1
    assert set(list(ahead.cost.values())[:4]) == {0}
    assert [note.kind for note in ahead.notes] == ["look_ahead_kept_somehow"]
    reasons = " ".join(
        document_text(reason) for table in ahead.pairings for reason in table.reasons
    )
    assert "the round chosen without that is not known to" in reasons
    assert "are not known to be possible without rematches" in reasons


def test_constructed_round_of_an_odd_field_has_a_bye() -> None:
    # Halves of nine and ten players: the bye in the larger half leaves two odd halves and a single
    # table across. All tables across have equal scores, so the cheapest round would use them up.
    field = [
        replace(entrant, byes=1, opponents=(*entrant.opponents, PastMeeting(19)))
        if int(entrant.id) <= 9
        else entrant
        for entrant in odd_halves(9, 3)
    ]
    field.append(Entrant(19, opponents=tuple(PastMeeting(player) for player in range(1, 10))))
    ahead = pair_round(field, round_number=9, seed=1, planned_rounds=10)

    halves = [{int(player) > 9 for player in pair} for pair in couples(ahead)]
    assert halves.count({True, False}) == 1
    assert [int(bye.player) > 9 for bye in ahead.byes] == [True]
    assert set(list(ahead.cost.values())[:4]) == {0}
    assert [note.kind for note in ahead.notes] == ["look_ahead_kept_somehow"]


def test_rounds_are_drawn_until_the_plan_is_kept() -> None:
    # Pairing equals spoils a ring, and the cheapest rounds do that in most rings.
    ahead = pair_round(rings_of_six(4), round_number=21, seed=1, planned_rounds=22)

    equals = [first for first, second in couples(ahead) if abs(int(first) - int(second)) == 3]
    assert sorted((int(first) - 1) // 6 for first in equals) == [0, 1, 2, 3]
    assert ahead.cost["rematch"] == 0
    assert [note.kind for note in ahead.notes] == ["look_ahead_kept_somehow"]


@pytest.mark.parametrize("size", [12, 13])
def test_after_all_meetings_the_last_round_has_no_third_meeting(size: int) -> None:
    history = History(list(range(size)))
    for first, second in combinations(range(size), 2):
        history.play(first, second, 0, 0)
    ahead = pair_round(history.entrants(), round_number=14, seed=1, planned_rounds=15)

    assert ahead.cost["rematch"] == 6
    assert [document_sentence(note) for note in ahead.notes] == [
        "No way was found to pair another round without rematches. The one round left stays free "
        "of third meetings."
    ]


def test_larger_field_keeps_as_many_rounds_as_are_found() -> None:
    # Four rounds need four tables across the halves, but there are three.
    ahead = pair_round(odd_halves(9, 3), round_number=9, seed=1, planned_rounds=12)

    halves = [{int(player) > 9 for player in pair} for pair in couples(ahead)]
    assert halves.count({True, False}) == 1
    assert document_sentence(ahead.notes[0]) == (
        "The next 2 of the 3 rounds left can be paired without rematches. Whether more can is not "
        "known."
    )
    assert [note.kind for note in ahead.notes] == ["look_ahead_part", "look_ahead_kept_somehow"]


@pytest.mark.parametrize("seed", range(6))
def test_plan_after_a_drop_is_for_the_remaining_players(seed: int) -> None:
    history, chance = History(list(range(1, 9))), random.Random(seed)
    rounds = []
    for number in range(1, 6):
        staying = [
            entrant for entrant in history.entrants() if number <= 2 or entrant.id not in (7, 8)
        ]
        rounds.append(pair_round(staying, round_number=number, seed=seed, planned_rounds=5))
        play_round(history, rounds[-1], chance)

    is_lost = bool(rounds[2].notes)
    assert is_lost == any(round_.cost["rematch"] for round_ in rounds)


@settings(max_examples=25)
@given(st.integers(11, 16), st.integers(0, 99))
def test_larger_fields_keep_the_heavier_rules(size: int, seed: int) -> None:
    history, chance = History(list(range(1, size + 1))), random.Random(seed)
    for number in range(1, 4):
        play_round(history, pair_round(history.entrants(), round_number=number, seed=seed), chance)
    field = history.entrants()
    plain = pair_round(field, round_number=4, seed=seed)
    ahead = pair_round(field, round_number=4, seed=seed, planned_rounds=size - 1)

    assert list(checker.faults(as_documents(field), as_document(ahead))) == []
    assert cost_of(ahead)[:4] == cost_of(plain)[:4]
    assert cost_of(ahead) >= cost_of(plain)


def fresh(size: int, rounds: int) -> RoundOpenings:
    """A field without past meetings, in which players may meet twice."""
    all_pairs = sum(pair_bits(size, *couple) for couple in combinations(range(size), 2))
    return RoundOpenings(size, rounds, once=all_pairs, twice=all_pairs).with_byes([0] * size)


def test_two_rounds_of_an_odd_field_need_two_possible_byes() -> None:
    openings = replace(fresh(3, 1), rounds=2, certain_byes=(), others=0b1)

    assert schedule_rounds(openings, StepBudget(100_000)) is None


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_too_few_possible_byes_are_hopeless(size: int) -> None:
    # Two meetings with everyone, and two byes each, take twice as many rounds as players.
    assert schedule_rounds(fresh(size, 2 * size), StepBudget(100_000)) is not None
    assert schedule_rounds(fresh(size, 2 * size + 1), StepBudget(0)) is None
