"""A table says why it is as it is."""

from matches.scoring import Role
from tests.tournaments.pairing.rounds import met
from tournaments.pairing import Entrant, PairedRound, Reason, pair_round
from tournaments.standings import PlayerId

NAMES: dict[PlayerId, str] = {1: "Ann", 2: "Bo", 3: "Cy", 4: "Di", 5: "Eve"}


def sentences(round_: PairedRound, table: int) -> list[str]:
    """The reasons of a table, without the one about roles."""
    (found,) = [paired for paired in round_.pairings if paired.number == table]
    return [reason.sentence(NAMES) for reason in found.reasons if reason.kind != "roles"]


def test_equal_scores_are_named() -> None:
    round_ = pair_round([Entrant(1, 1), Entrant(2, 1)], round_number=2, seed=1)

    assert sentences(round_, 1)[0].endswith("both have 1 point.")


def test_a_float_says_who_goes_where_and_why() -> None:
    field = [Entrant(1, 20), Entrant(2, 14), Entrant(3, 3), Entrant(4, 3)]
    round_ = pair_round(field, round_number=2, seed=1)

    assert sentences(round_, 1) == [
        "Ann plays down against Bo, 20 points against 14 points: nobody else has 20 points.",
        "No score in this round is nearer to Ann's than Bo's.",
        "Bo plays up against Ann: nobody else has 14 points.",
        "No score in this round is nearer to Bo's than Ann's.",
    ]


def test_an_odd_group_and_past_opponents_explain_a_float() -> None:
    pair = met(1, 2, Role.CORP, points=(20, 20))
    field = [*pair, Entrant(3, 8), Entrant(4, 8)]
    told = " ".join(sentences(pair_round(field, round_number=2, seed=1), 1))

    assert "all others with 20 points are past opponents" in told

    trio = [Entrant(player, 9) for player in (1, 2, 3)]
    told = " ".join(sentences(pair_round([*trio, Entrant(4, 0)], round_number=2, seed=1), 2))

    assert "3 players have 9 points, an odd number" in told


def test_a_float_for_the_sake_of_the_others_says_so() -> None:
    rivals = met(3, 4, Role.CORP, points=(5, 5))
    round_ = pair_round([Entrant(1, 9), Entrant(2, 9), *rivals], round_number=2, seed=1)

    assert "pairing all who have 9 points among themselves would" in sentences(round_, 1)[0]


def test_the_first_round_is_drawn_or_folded() -> None:
    drawn = pair_round([Entrant(1), Entrant(2)], round_number=1, seed=1)
    folded = pair_round([Entrant(1, seed=2), Entrant(2, seed=1)], round_number=1, seed=1)

    assert sentences(drawn, 1)[0].endswith("are drawn at random for the first round.")
    assert sentences(folded, 1) == ["Bo and Ann: seed 1 meets seed 2, as the fold has it."]


def test_a_bye_drawn_among_equals_says_so() -> None:
    round_ = pair_round([Entrant(player) for player in (1, 2, 3)], round_number=1, seed=1)

    assert (
        round_.byes[0]
        .reasons[0]
        .sentence(NAMES)
        .endswith(
            "has the bye: one of 3 players with the lowest score (0 points) among those without a "
            "bye, by lot where the other tables leave a choice."
        )
    )


def test_a_name_is_never_read_as_a_pattern() -> None:
    assert Reason("x", (1,), "{0} sits.").sentence({1: "{0.__class__}"}) == "{0.__class__} sits."


def test_the_parts_of_a_cost_are_told_per_table() -> None:
    field = [Entrant(1, 20), Entrant(2, 14), Entrant(3, 3)]
    round_ = pair_round(field, round_number=2, seed=1)

    assert round_.pairings[0].cost["point_gap"] == 36
    assert round_.pairings[0].point_gap == 6
    assert round_.byes[0].cost["point_gap"] == 16
    assert round_.cost["point_gap"] == 52
