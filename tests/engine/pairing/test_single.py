"""Single-sided Swiss: sides owed to players, and costs of second meetings."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pairing.costs import DOUBLE_PROFILE, SINGLE_PROFILE, PairingProfile
from engine.pairing.reason_texts import document_sentence, document_text
from engine.pairing.records import Entrant, LockedTable, PairedRound, PastMeeting
from engine.pairing.swiss import pair_round
from engine.standings.records import PlayerId
from matches.scoring.results import Role
from tests.checker.optimum import least_cost
from tests.checker.swiss_costs import Costs, corps_by_rule
from tests.engine.pairing.documents import History, as_documents, fields, play_round
from tests.engine.pairing.rounds import met


def single(entrants: list[Entrant], seed: int = 1) -> PairedRound:
    return pair_round(entrants, round_number=3, seed=seed, profile=SINGLE_PROFILE)


def owed(player: int, balance: int, points: int = 0) -> Entrant:
    """A player with this surplus of Corp over Runner games, against opponents who left."""
    role = Role.CORP if balance > 0 else Role.RUNNER
    meetings = tuple(PastMeeting(f"gone {number}", role) for number in range(abs(balance)))
    return Entrant(player, points, opponents=meetings)


@pytest.mark.parametrize(
    ("first", "second", "price", "imbalances"),
    [
        (0, 0, 1, 0),
        (1, -1, 1, 0),
        (2, -2, 1, 0),
        (1, 0, 1, 0),
        (1, 1, 50, 1),
        (-1, -1, 50, 1),
        (2, 1, 50, 1),
        (2, 2, 50**2, 1),
        (3, 5, 50**3, 1),
        (40, 40, 50**10, 1),
    ],
)
def test_table_costs_fifty_to_the_imbalance_made_worse(
    first: int, second: int, price: int, imbalances: int
) -> None:
    round_ = single([owed(1, first), owed(2, second)])

    assert (round_.cost["closeness"], round_.cost["side_imbalance"]) == (price, imbalances)


def test_rematch_may_worsen_two_imbalances() -> None:
    first, second = met(1, 2, Role.RUNNER)
    field = [
        Entrant(1, opponents=(*first.opponents, *owed(1, 2).opponents)),
        Entrant(2, opponents=(*second.opponents, *owed(2, -3).opponents)),
    ]
    round_ = single(field)

    assert round_.pairings[0].corp == 1
    assert round_.cost["side_imbalance"] == 2
    assert round_.cost["closeness"] == 5 + 50**2
    (relaxation,) = round_.relaxations
    assert relaxation.kind == "side_imbalance"
    assert (
        "swap the roles of their last meeting, which makes a side imbalance worse"
        in document_text(relaxation)
    )


def test_second_meeting_costs_five_and_swaps_sides() -> None:
    field = [*met(1, 2, Role.CORP, points=(9, 9)), Entrant(3, 0), Entrant(4, 0)]
    round_ = single(field)

    table = round_.pairings[0]
    assert (table.corp, table.runner) == (2, 1)
    assert table.cost["closeness"] == 6
    assert round_.relaxations == ()


def test_reason_states_sides_before_and_after() -> None:
    (table,) = single([owed(1, 1), owed(2, -2)]).pairings

    assert document_sentence(table.reasons[-1], {1: "Ann", 2: "Bo"}) == (
        "Bo is Corp against Ann: Bo is owed it more. Corp minus Runner games: Bo -2 before and -1 "
        "after, Ann +1 before and 0 after."
    )


def test_locked_table_costs_by_its_roles() -> None:
    field = [*met(1, 2, Role.CORP), Entrant(3), Entrant(4)]
    lock = LockedTable(1, corp=1, runner=2)
    round_ = pair_round(
        field, round_number=2, seed=1, profile=SINGLE_PROFILE, locked=[lock]
    ).pairings[0]

    assert (round_.cost["same_roles"], round_.cost["side_imbalance"]) == (1, 2)
    assert round_.cost["closeness"] == 5 + 50


def test_exchange_may_repeat_the_roles_of_an_earlier_meeting() -> None:
    # All have met twice, and only Ann and Bo in the same roles both times.
    field = [
        Entrant(
            player,
            20 * (player % 2),
            opponents=tuple(
                PastMeeting(opponent, role if player < opponent else role.other)
                for opponent in range(1, 5)
                if opponent != player
                for role in (Role.CORP, Role.CORP if player + opponent == 3 else Role.RUNNER)
            ),
        )
        for player in range(1, 5)
    ]
    texts_of_reasons = [
        document_text(reason) for table in single(field).pairings for reason in table.reasons
    ]

    assert any(
        "make {2} and {3} meet again in roles that were played before" in text
        for text in texts_of_reasons
    )


@settings(max_examples=50)
@given(fields(), st.integers(0, 99))
def test_no_single_sided_round_is_cheaper(entrants: list[Entrant], seed: int) -> None:
    round_, players = single(entrants, seed), as_documents(entrants)

    assert tuple(round_.cost.values()) == least_cost(Costs(players, "single"), list(players))
    for table in round_.pairings:
        allowed = corps_by_rule(players[table.corp], players[table.runner], "single")
        assert table.corp in allowed


@settings(max_examples=20)
@given(fields(min_players=11, max_players=40), st.integers(0, 99))
def test_networkx_finds_no_cheaper_single_sided_round(entrants: list[Entrant], seed: int) -> None:
    players = as_documents(entrants)

    assert tuple(single(entrants, seed).cost.values()) == least_cost(
        Costs(players, "single"), list(players)
    )


@st.composite
def any_pasts(draw: st.DrawFn) -> list[Entrant]:
    """Implausible pasts: repeated meetings of a pair, one side only, many byes."""
    size = draw(st.integers(2, 9))
    players: list[PlayerId] = [
        str(number) if draw(st.booleans()) else number for number in range(size)
    ]
    history = History(list(players))
    for _ in range(draw(st.integers(0, 6))):
        corp, runner = draw(st.permutations(players))[:2]
        for _ in range(draw(st.integers(1, 30))):
            history.play(corp, runner, draw(st.sampled_from([-2, 0, 3, 9])), 0)
    for player in players:
        history.byes[player] = draw(st.integers(0, 20))
    return history.entrants()


@settings(max_examples=40)
@given(any_pasts(), st.sampled_from([DOUBLE_PROFILE, SINGLE_PROFILE]), st.integers(1, 12))
def test_every_player_has_a_place_after_any_past(
    entrants: list[Entrant], profile: PairingProfile, planned: int
) -> None:
    round_ = pair_round(entrants, round_number=2, seed=1, profile=profile, planned_rounds=planned)

    seated = [player for table in round_.pairings for player in (table.corp, table.runner)]
    seated += [bye.player for bye in round_.byes]
    assert sorted(map(repr, seated)) == sorted(repr(entrant.id) for entrant in entrants)


def test_ninety_players_far_out_of_balance_are_paired_exactly() -> None:
    chance = random.Random(1)
    field = [owed(player, chance.randint(9, 30), chance.randint(0, 30)) for player in range(91)]

    assert len(single(field).pairings) == 45


@pytest.mark.parametrize("size", [4, 7, 12])
def test_sides_stay_even_throughout_an_event(size: int) -> None:
    history, chance = History(list(range(1, size + 1))), random.Random(size)
    for number in range(1, 7):
        field = history.entrants()
        round_ = pair_round(
            field, round_number=number, seed=1, profile=SINGLE_PROFILE, planned_rounds=6
        )
        play_round(history, round_, chance)

    assert max(abs(entrant.balance) for entrant in history.entrants()) <= 2
