"""Rating rules, against the published example and formulas written out independently."""

import math
import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.scoring.results import Flag, GameEnd
from tests.tournaments.ratings.glicko_by_hand import by_the_paper
from tournaments.ratings import rules
from tournaments.ratings.rules import PODS, TWO, RatedGame, Strength

DAY = date(2026, 5, 2)
WON, LOST, DRAWN = (1, 2), (2, 1), (1, 1)


def game(*players: int, places: tuple[int, ...] = WON, day: int = 0, event: int = 1) -> RatedGame:
    return RatedGame(DAY + timedelta(day), event, players, places)


@st.composite
def evenings(draw: st.DrawFn, seats: tuple[int, int] = (2, 2)) -> list[RatedGame]:
    """Games of a few players in any order; some days are far apart."""
    played = []
    for _ in range(draw(st.integers(1, 25))):
        number = draw(st.integers(*seats))
        players = draw(st.permutations(range(1, 8)))[:number]
        points = draw(st.lists(st.integers(0, 3), min_size=number, max_size=number))
        places = tuple(1 + sum(other > own for other in points) for own in points)
        day = draw(st.sampled_from([0, 1, 6, 7, 13, 14, 15, 100, 3000]))
        event = 10 * day + draw(st.integers(1, 3))
        played.append(game(*players, places=places, day=day, event=event))
    return played


def test_published_example_of_glicko_2():
    # The paper rounds intermediate results: 1464.06, 151.52, 0.05999.
    before = {
        1: Strength(1500, 200, 0.06),
        2: Strength(1400, 30, 0.06),
        3: Strength(1550, 100, 0.06),
        4: Strength(1700, 300, 0.06),
    }

    after = TWO.day(before, [game(1, 2), game(1, 3, places=LOST), game(4, 1)])[1]

    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert round(after.deviation, 2) == 151.52
    assert f"{after.volatility:.7f}".startswith("0.05999")


@given(evenings())
def test_glicko_2_follows_the_paper_day_by_day(played: list[RatedGame]):
    computed = {(line.player, line.day): line.strength for line in rules.rate(played, TWO)}

    own: dict[int, tuple[float, float, float]] = {}
    seen: dict[int, date] = {}
    expected = {}
    for day in sorted({game.day for game in played}):
        today = [game for game in played if game.day == day]
        first_days = {}
        for player in {player for game in today for player in game.players}:
            value, deviation, sigma = own.get(player, (1500, 350, 0.06))
            # The day is a period, and so is every earlier week without play.
            weeks = max(0, (day - seen.get(player, day)).days // 7 - 1)
            wide = math.sqrt(deviation**2 + weeks * (sigma * 173.7178) ** 2)
            first_days[player] = (value, min(350.0, wide), sigma)
        for player in first_days:
            results = []
            for game in (game for game in today if player in game.players):
                place, seat = game.places, game.players.index(player)
                score = (place[1 - seat] > place[seat]) + (place[0] == place[1]) / 2
                results.append((*first_days[game.players[1 - seat]][:2], score))
            own[player] = expected[player, day] = by_the_paper(first_days[player], results)
            seen[player] = day

    assert computed.keys() == expected.keys()
    for key, (value, deviation, sigma) in expected.items():
        assert computed[key].value == pytest.approx(value, abs=0.01)
        assert computed[key].deviation == pytest.approx(deviation, abs=0.01)
        assert computed[key].volatility == pytest.approx(sigma, abs=1e-6)


def by_weng_and_lin(
    table: Sequence[tuple[float, float]], places: Sequence[int]
) -> list[tuple[float, float]]:
    """Return (mu, sigma) of each player by algorithm 4 of the paper, for teams of one."""
    c = math.sqrt(sum(sigma**2 + (25 / 6) ** 2 for _, sigma in table))
    after = []
    for (mu, sigma), place in zip(table, places, strict=True):
        omega, delta = 1 / places.count(place), 0.0
        for ahead in (rank for rank in places if rank <= place):
            behind = (mean for (mean, _), rank in zip(table, places, strict=True) if rank >= ahead)
            chance = math.exp(mu / c) / sum(math.exp(mean / c) for mean in behind)
            omega -= chance / places.count(ahead)
            delta += chance * (1 - chance) / places.count(ahead)
        narrower = max(1 - sigma**2 / c**2 * (sigma / c) * delta, 0.0001)
        after.append((mu + sigma**2 / c * omega, sigma * math.sqrt(narrower)))
    return after


@given(evenings(seats=(2, 5)))
def test_pods_follow_weng_and_lin_and_tables_of_a_day_add_up(played: list[RatedGame]):
    computed = {(line.player, line.day): line.strength for line in rules.rate(played, PODS)}

    points = 400 / math.log(10) / (math.sqrt(2) * 25 / 6)
    own: dict[int, tuple[float, float]] = {}
    seen: dict[int, date] = {}
    for day in sorted({game.day for game in played}):
        today = [game for game in played if game.day == day]
        first_days = {}
        for player in {player for game in today for player in game.players}:
            mu, sigma = own.get(player, (25, 25 / 3))
            weeks = max(1, (day - seen.get(player, day)).days // 7)
            first_days[player] = (mu, min(25 / 3, math.sqrt(sigma**2 + weeks * (25 / 300) ** 2)))
        precision = {player: sigma**-2 for player, (_, sigma) in first_days.items()}
        weighted = {player: mu * sigma**-2 for player, (mu, sigma) in first_days.items()}
        for game in today:
            after = by_weng_and_lin([first_days[player] for player in game.players], game.places)
            for player, (mu, sigma) in zip(game.players, after, strict=True):
                had_mu, had_sigma = first_days[player]
                precision[player] += sigma**-2 - had_sigma**-2
                weighted[player] += mu * sigma**-2 - had_mu * had_sigma**-2
        for player in first_days:
            mu, sigma = weighted[player] / precision[player], precision[player] ** -0.5
            own[player], seen[player] = (mu, sigma), day
            assert computed[player, day].value == pytest.approx(1500 + (mu - 25) * points)
            assert computed[player, day].deviation == pytest.approx(sigma * points)


@pytest.mark.parametrize(("method", "seats"), [(TWO, (2, 2)), (PODS, (2, 5))])
@given(data=st.data())
def test_order_of_games_does_not_change_a_bit(
    method: rules.RatingMethod, seats: tuple[int, int], data: st.DataObject
):
    played = data.draw(evenings(seats=seats))
    shuffled = data.draw(st.permutations(played))
    turned = [
        _turned(game, data.draw(st.permutations(range(len(game.players))))) for game in shuffled
    ]

    assert _bits(rules.rate(turned, method)) == _bits(rules.rate(played, method))


@pytest.mark.parametrize(("method", "seats"), [(TWO, (2, 2)), (PODS, (2, 5))])
@given(data=st.data())
def test_continuing_from_any_day_does_not_change_a_bit(
    method: rules.RatingMethod, seats: tuple[int, int], data: st.DataObject
):
    played = data.draw(evenings(seats=seats))
    first = data.draw(st.sampled_from(sorted({game.day for game in played})))
    lines = list(rules.rate(played, method))
    before = {line.player: line for line in lines if line.day < first}

    later = rules.rate([game for game in played if game.day >= first], method, before)

    assert _bits(later) == _bits(line for line in lines if line.day >= first)


def _turned(game: RatedGame, order: Sequence[int]) -> RatedGame:
    """Return the same game with its players in another order."""
    players = tuple(game.players[seat] for seat in order)
    return RatedGame(game.day, game.event, players, tuple(game.places[seat] for seat in order))


def _bits(lines) -> Mapping[tuple[int, date], tuple[str, str, str, int, int]]:
    return {
        (line.player, line.day): (
            line.strength.value.hex(),
            line.strength.deviation.hex(),
            str(line.strength.volatility),
            line.games,
            line.events,
        )
        for line in lines
    }


@pytest.mark.parametrize("method", [TWO, PODS])
def test_frequent_winner_is_ahead_and_more_certain_every_day(method: rules.RatingMethod):
    chance = random.Random(3)
    played = [
        game(1, 2, places=WON if chance.random() < 0.8 else LOST, day=day // 4)
        for day in range(120)
    ]

    lines = [line for line in rules.rate(played, method) if line.player == 1]

    assert [line.games for line in lines] == list(range(4, 121, 4))
    assert lines[-1].strength.value > rules.START_RATING + 50
    assert lines[-1].strength.deviation < lines[5].strength.deviation < lines[0].strength.deviation
    assert not lines[-1].strength.is_provisional


@pytest.mark.parametrize("method", [TWO, PODS])
def test_absent_player_is_less_certain_up_to_the_start_value(method: rules.RatingMethod):
    (line, _) = rules.rate([game(1, 2)], method)
    strength = line.strength

    assert strength.after(6, method) == strength
    assert strength.after(70, method).deviation > strength.after(69, method).deviation
    assert strength.after(10_000_000, method).deviation == method.start().deviation
    assert strength.after(10_000_000, method).value == strength.value


ENDS = [(GameEnd.AGENDA, 1), (GameEnd.FLATLINE, 2)]


@pytest.mark.parametrize(
    ("ended", "totals", "flags", "expected"),
    [
        (ENDS, [], [], [WON, LOST]),
        ([(GameEnd.TIME, None), (GameEnd.NOT_RECORDED, 1)], [], [], [DRAWN, WON]),
        ([(GameEnd.CONCESSION, 2)], [], [], [LOST]),
        ([(GameEnd.AGENDA, 1)], [], [Flag.TWO_FOR_ONE], [WON]),
        (ENDS, [], [Flag.INTENTIONAL_DRAW], []),
        ([(GameEnd.NO_SHOW, 1), (GameEnd.JUDGE, 1), (GameEnd.DOUBLE_LOSS, None)], [], [], []),
        ([(GameEnd.AGENDA, 1), (GameEnd.JUDGE, 2)], [], [], [WON]),
        ([], [6, 0], [], [WON, WON]),
        ([], [3, 3], [], [WON, LOST]),
        ([], [1, 4], [], [LOST, DRAWN]),
        ([], [2, 2], [], [DRAWN, DRAWN]),
        ([], [3, 0], [], [WON]),
        ([], [6, 0], [Flag.TWO_FOR_ONE], [WON]),
        ([], [0, 0], [], []),
        ([], [5, 2], [], []),
        ([], [9, 9], [], []),
        ([], [], [], []),
    ],
)
def test_only_played_games_count(ended, totals, flags, expected):
    assert sorted(rules.places_in_games(ended, totals, flags, 2)) == sorted(expected)
