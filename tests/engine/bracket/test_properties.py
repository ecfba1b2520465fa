"""Properties of every bracket of 2 to 64 players."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from engine.bracket.games import bracket_for
from engine.standings.records import PlayerId
from tests.engine.bracket.events import after, by_chance, play_out, seeds_of

SIZES = st.integers(2, 64)
CHANCES = st.integers(0, 2**16)
SINGLE_KINDS = st.booleans()


def losses(played):
    return Counter(
        seat.id for game, result in played for seat in game.seats if seat.id != result.winner
    )


def order(state):
    return [placing.id for placing in state.placings]


@given(size=SIZES, fixed=SINGLE_KINDS, chance=CHANCES)
def test_single_elimination_ends_with_one_loss_for_each_loser(size, fixed, chance):
    bracket = bracket_for("single_elimination", size, fixed=fixed)

    played, state = play_out(bracket, by_chance(chance))

    assert len(played) == size - 1
    assert sorted(order(state)) == seeds_of(bracket)
    assert losses(played) == Counter(order(state)[1:])


@given(size=SIZES, chance=CHANCES)
def test_double_elimination_ends_with_two_losses_for_each_loser(size, chance):
    played, state = play_out(bracket_for("double_elimination", size), by_chance(chance))
    winner, *losers = order(state)
    loss_counts = losses(played)

    assert loss_counts[winner] == len(played) - (2 * size - 2)
    assert [loss_counts[player] for player in losers] == [2] * (size - 1)
    assert sorted([winner, *losers]) == seeds_of(bracket_for("double_elimination", size))


@given(size=SIZES, chance=CHANCES)
def test_reset_is_played_if_and_only_if_the_final_is_won_from_below(size, chance):
    bracket = bracket_for("double_elimination", size)
    played, state = play_out(bracket, by_chance(chance))
    winners = {game.number: result.winner for game, result in played}
    from_above = state.states[bracket.final.number].players[0]

    assert (bracket.reset.number in winners) == (winners[bracket.final.number] != from_above)
    assert losses(played)[from_above] <= 2
    assert state.states[bracket.reset.number].is_needed is (len(played) == 2 * size - 1)


@given(
    size=SIZES, system=st.sampled_from(["single_elimination", "double_elimination"]), chance=CHANCES
)
def test_eliminated_players_do_not_play(size, system, chance):
    played, _ = play_out(bracket_for(system, size), by_chance(chance))
    allowed = 1 if system == "single_elimination" else 2
    loss_counts: Counter[PlayerId] = Counter()

    for game, result in played:
        assert all(loss_counts[seat.id] < allowed for seat in game.seats)
        loss_counts.update(seat.id for seat in game.seats if seat.id != result.winner)


@given(size=SIZES, chance=CHANCES)
def test_each_round_of_a_reseeded_bracket_pairs_best_with_worst(size, chance):
    bracket = bracket_for("single_elimination", size)
    played, _ = play_out(bracket, by_chance(chance))
    remaining = seeds_of(bracket)

    for round_ in range(1, max(game.round for game in bracket.games) + 1):
        games = [
            (game, result)
            for game, result in played
            if bracket.by_number[game.number].round == round_
        ]
        playing = remaining[len(remaining) - 2 * len(games) :]
        assert [tuple(seat.id for seat in game.seats) for game, _ in games] == list(
            zip(playing[: len(games)], reversed(playing[len(games) :]), strict=True)
        )
        eliminated = {
            seat.id for game, outcome in games for seat in game.seats if seat.id != outcome.winner
        }
        remaining = [player for player in remaining if player not in eliminated]
        # After the first round all remaining players have a game.
        assert len(remaining).bit_count() == 1


@given(
    size=SIZES, system=st.sampled_from(["single_elimination", "double_elimination"]), chance=CHANCES
)
def test_order_of_the_results_changes_nothing(size, system, chance):
    bracket = bracket_for(system, size)
    played, state = play_out(bracket, by_chance(chance))
    results = [result for _, result in played]
    first_half = results[: len(results) // 2]

    assert after(bracket, random.Random(chance).sample(results, len(results))) == state
    assert after(bracket, first_half[::-1]) == after(bracket, first_half)


@given(size=SIZES, chance=CHANCES)
def test_roles_are_even_within_the_cut_as_far_as_the_pairs_allow(size, chance):
    played, _ = play_out(bracket_for("double_elimination", size), by_chance(chance))
    balance: Counter[PlayerId] = Counter()

    for game, result in played:
        first, second = game.seats
        if game.chooser is None and game.number != 2 * size - 1:
            corp, runner = (first, second) if first.role == "corp" else (second, first)
            assert balance[corp.id] <= balance[runner.id]
        for seat in game.seats:
            is_corp = seat.role == "corp" if seat.role else seat.id == result.corp
            balance[seat.id] += 1 if is_corp else -1
