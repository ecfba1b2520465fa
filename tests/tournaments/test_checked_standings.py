"""Standings of documents drawn at random, by tie-breakers in any order, against the checker."""

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.checker import check_standings
from tests.checker.samples import bye, event, pod, table
from tournaments import documents
from tournaments.standings import TIE_BREAKERS

Json = dict[str, Any]
POINTS = st.integers(-2, 6)
ORDERS = st.permutations(list(TIE_BREAKERS)).flatmap(
    lambda names: st.integers(1, len(names)).map(lambda count: names[:count])
)


@st.composite
def events(draw: st.DrawFn) -> Json:
    """Rounds that nobody paired: rematches, gaps, byes for anybody, points of few sizes."""
    size = draw(st.integers(1, 7))
    rounds = []
    for _ in range(draw(st.integers(0, 5))):
        players = draw(st.permutations(range(1, size + 1)))
        players = players[: draw(st.integers(0, size))]
        couples = zip(players[::2], players[1::2], strict=False)
        round_ = [
            table(number, *couple, draw(POINTS), draw(POINTS))
            for number, couple in enumerate(couples, start=1)
        ]
        if len(players) % 2:
            round_.append(bye(players[-1], draw(POINTS)))
        rounds.append(round_)
    document = event("double", size, *rounds, seed=draw(st.integers(0, 9)))
    for row in document["players"]:
        row["active"], row["seed"] = draw(st.booleans()), draw(st.none() | st.integers(1, 3))
    for seat in (seat for round_ in rounds for entry in round_ for seat in entry.get("seats", [])):
        seat["games_won"] = draw(st.integers(0, 2))
        seat["agenda_points"] = draw(st.none() | st.integers(0, 9))
    return document


@given(events(), st.none() | ORDERS)
def test_every_figure_and_the_order_are_as_reckoned(
    document: Json, order: list[str] | None
) -> None:
    document["tie_breakers"] = order

    assert check_standings(document, documents.rank(document)) == []


@given(events(), st.randoms(use_true_random=False))
def test_the_order_of_the_document_does_not_matter(document: Json, chance: random.Random) -> None:
    """Lots are drawn alike whoever is listed first, so the order is total."""
    shuffled = {**document, "players": chance.sample(document["players"], len(document["players"]))}

    assert documents.rank(shuffled) == documents.rank(document)


@given(events(), st.data())
def test_standings_of_an_earlier_round_can_be_read_again(
    document: Json, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(document["rounds"])))
    then = {**document, "rounds": document["rounds"][:number]}
    again = documents.rank({**document, "as_of_round": number})

    assert again["standings"] == documents.rank(then)["standings"]
    assert check_standings({**document, "as_of_round": number}, again) == []


@given(st.integers(2, 9), st.integers(1, 4), st.randoms(use_true_random=False))
def test_pods_are_ranked_as_reckoned(size: int, rounds: int, chance: random.Random) -> None:
    document = event("pods", size)
    for _ in range(rounds):
        players = chance.sample(range(1, size + 1), size)
        cut = size // 2 if size > 5 else size
        document["rounds"].append(
            [
                pod(number, *seated, points=tuple(chance.choices(range(6), k=len(seated))))
                for number, seated in enumerate((players[:cut], players[cut:]), start=1)
                if seated
            ]
        )

    assert check_standings(document, documents.rank(document)) == []
