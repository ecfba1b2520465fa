"""Reasons for each table; with a gap, also the nearer opponents and what prevented them."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pairing.costs import DOUBLE_PROFILE, SINGLE_PROFILE, PairingProfile
from engine.pairing.reason_texts import document_sentence, document_text
from engine.pairing.reasons import STAFF_REASONS
from engine.pairing.records import Entrant, PairedRound, PairingReason, PastMeeting
from engine.pairing.swiss import pair_round
from engine.standings.records import PlayerId
from matches.scoring.results import Role
from tests.checker.swiss_costs import LEVELS, Cost, Costs
from tests.engine.pairing.documents import as_documents, fields
from tests.engine.pairing.rounds import met

NAMES: dict[PlayerId, str] = {1: "Ann", 2: "Bo", 3: "Cy", 4: "Di", 5: "Eve", 6: "Flo"}


def sentences(round_: PairedRound, table: int) -> list[str]:
    """The reasons of a table, without the one about roles."""
    (pairing,) = [paired for paired in round_.pairings if paired.number == table]
    return [
        document_sentence(reason, NAMES) for reason in pairing.reasons if reason.kind != "roles"
    ]


def test_equal_scores_are_named() -> None:
    round_ = pair_round([Entrant(1, 1), Entrant(2, 1)], round_number=2, seed=1)

    assert sentences(round_, 1)[0].endswith("both have 1 point.")


def test_float_names_players_and_reason() -> None:
    field = [Entrant(1, 20), Entrant(2, 14), Entrant(3, 3), Entrant(4, 3)]
    round_ = pair_round(field, round_number=2, seed=1)

    assert sentences(round_, 1) == [
        "Ann plays down against Bo, 20 points against 14 points: nobody else has 20 points.",
        "No score in this round is nearer to Ann's than Bo's.",
        "Bo plays up against Ann: nobody else has 14 points.",
        "No score in this round is nearer to Bo's than Ann's.",
    ]


def test_odd_group_and_past_opponents_explain_a_float() -> None:
    pair = met(1, 2, Role.CORP, points=(20, 20))
    field = [*pair, Entrant(3, 8), Entrant(4, 8)]
    reasons = " ".join(sentences(pair_round(field, round_number=2, seed=1), 1))

    assert "all others with 20 points are past opponents" in reasons

    trio = [Entrant(player, 9) for player in (1, 2, 3)]
    reasons = " ".join(sentences(pair_round([*trio, Entrant(4, 0)], round_number=2, seed=1), 2))

    assert "3 players have 9 points, an odd number" in reasons


def test_float_caused_by_other_tables_has_that_reason() -> None:
    rivals = met(3, 4, Role.CORP, points=(5, 5))
    round_ = pair_round([Entrant(1, 9), Entrant(2, 9), *rivals], round_number=2, seed=1)

    assert "pairing all who have 9 points among themselves would" in sentences(round_, 1)[0]


def test_first_round_is_drawn_or_folded() -> None:
    drawn = pair_round([Entrant(1), Entrant(2)], round_number=1, seed=1)
    folded = pair_round([Entrant(1, seed=2), Entrant(2, seed=1)], round_number=1, seed=1)

    assert sentences(drawn, 1)[0].endswith("are drawn at random for the first round.")
    assert sentences(folded, 1) == ["Bo and Ann: seed 1 meets seed 2, as the fold has it."]


def test_bye_drawn_among_equals_has_that_reason() -> None:
    round_ = pair_round([Entrant(player) for player in (1, 2, 3)], round_number=1, seed=1)

    assert document_sentence(round_.byes[0].reasons[0], NAMES).endswith(
        "has the bye: one of 3 players with the lowest score (0 points) among those without a "
        "bye, by lot where the other tables leave a choice."
    )


def test_braces_in_a_name_are_no_placeholders() -> None:
    reason = PairingReason("locked", (1,), "locked_bye")

    assert document_sentence(reason, {1: "{0.__class__}"}) == "{0.__class__} keeps the bye."


def test_parts_of_a_cost_are_shown_per_table() -> None:
    field = [Entrant(1, 20), Entrant(2, 14), Entrant(3, 3)]
    round_ = pair_round(field, round_number=2, seed=1)

    assert round_.pairings[0].cost["point_gap"] == 36
    assert round_.byes[0].cost["point_gap"] == 16
    assert round_.cost["point_gap"] == 52


SHOWN = ("nobody_nearer", "nearer", "exchange")


def meet(*tables: tuple[int, int, int]) -> dict[int, tuple[PastMeeting, ...]]:
    """All players with past meetings from (round, Corp, Runner)."""
    meetings: dict[int, tuple[PastMeeting, ...]] = {}
    for number, corp, runner in tables:
        meetings[corp] = (*meetings.get(corp, ()), PastMeeting(runner, Role.CORP, number))
        meetings[runner] = (*meetings.get(runner, ()), PastMeeting(corp, Role.RUNNER, number))
    return meetings


def reasons_at(round_: PairedRound, number: int) -> list[str]:
    """Reasons at a table against nearer opponents."""
    (table,) = [table for table in round_.pairings if table.number == number]
    shown = [reason for reason in table.reasons if reason.kind.startswith(SHOWN)]
    return [document_sentence(reason, NAMES) for reason in shown]


def test_past_opponent_is_named_with_the_round() -> None:
    meetings = meet((1, 1, 2), (2, 3, 1))
    field = [Entrant(1, 20, opponents=meetings[1]), Entrant(2, 18, opponents=meetings[2])]
    field += [Entrant(3, 18, opponents=meetings[3]), Entrant(4, 0)]
    round_ = pair_round(field, round_number=3, seed=1)

    assert set(reasons_at(round_, 1)[:2]) == {
        "Ann and Bo have closer scores, but met in round 1.",
        "Ann and Cy have closer scores, but met in round 2.",
    }


def test_past_opponent_of_an_unknown_round_met_before() -> None:
    field = [
        Entrant(1, 20, opponents=(PastMeeting(2),)),
        Entrant(2, 20, opponents=(PastMeeting(1),)),
        Entrant(3, 0),
        Entrant(4, 0),
    ]

    assert "Ann and Bo have closer scores, but met before." in reasons_at(
        pair_round(field, round_number=2, seed=1), 1
    )


def test_avoid_group_reasons_are_for_staff_only() -> None:
    field = [Entrant(player, 20, avoid_group="shop") for player in (1, 2)]
    round_ = pair_round([*field, Entrant(3, 0), Entrant(4, 0)], round_number=2, seed=1)
    barred = [reason for reason in round_.pairings[0].reasons if reason.kind == "nearer_group"]

    assert "Ann and Bo have closer scores, but are in one group." in reasons_at(round_, 1)
    assert barred
    assert "nearer_group" in STAFF_REASONS


def test_players_owed_the_same_side_have_that_reason() -> None:
    dropped_opponent = (PastMeeting("gone", Role.CORP),)
    field = [Entrant(player, 9, opponents=dropped_opponent) for player in (1, 2)]
    field += [
        Entrant(player, 0, opponents=(PastMeeting("left", Role.RUNNER),)) for player in (3, 4)
    ]
    round_ = pair_round(field, round_number=2, seed=1, profile=SINGLE_PROFILE)

    assert any(line.endswith("but are owed the same side.") for line in reasons_at(round_, 1))


def test_roles_that_a_rematch_would_swap_the_wrong_way_are_named() -> None:
    corp_meetings = (PastMeeting("gone", Role.CORP), PastMeeting("left", Role.CORP))
    runner_meetings = (PastMeeting("gone", Role.RUNNER), PastMeeting("left", Role.RUNNER))
    field = [
        Entrant(1, 9, opponents=(PastMeeting(2, Role.RUNNER), *corp_meetings)),
        Entrant(2, 9, opponents=(PastMeeting(1, Role.CORP), *runner_meetings)),
        *(Entrant(player, 0) for player in (3, 4)),
    ]
    round_ = pair_round(field, round_number=4, seed=1, profile=SINGLE_PROFILE)

    assert reasons_at(round_, 1)[0] == (
        "Ann and Bo have closer scores, but would have to swap the roles of their last meeting, "
        "which makes a side imbalance worse."
    )


def test_exchange_that_makes_other_players_meet_again_is_reported() -> None:
    meetings = meet((1, 2, 4))
    field = [Entrant(1, 20), Entrant(2, 1, opponents=meetings[2])]
    field += [Entrant(3, 19), Entrant(4, 0, opponents=meetings[4])]

    assert reasons_at(pair_round(field, round_number=2, seed=1), 1)[0] == (
        "Cy has the nearest score to Ann's among those whom no rule bars. An exchange of opponents "
        "with one table for that, Ann with Cy and Bo with Di, would make Bo and Di meet again."
    )


def test_exchange_that_makes_gaps_larger_shows_by_how_much() -> None:
    field = [Entrant(1, 10), Entrant(2, 8), Entrant(3, 7), Entrant(4, 5)]
    round_ = pair_round(field, round_number=2, seed=1)

    assert reasons_at(round_, 1)[-1] == (
        "Cy has the nearest score to Bo's among those whom no rule bars. An exchange of opponents "
        "with one table for that, Bo with Cy and Ann with Di, would raise the sum of squared "
        "point gaps by 18."
    )


def test_bye_above_the_lowest_score_names_the_exchange() -> None:
    meetings = meet((1, 1, 2))
    field = [
        Entrant(1, 9, opponents=meetings[1]),
        Entrant(2, 9, opponents=meetings[2]),
        Entrant(3, 0),
    ]
    (bye,) = pair_round(field, round_number=2, seed=1).byes

    (exchange,) = [reason for reason in bye.reasons if reason.kind == "exchange"]
    assert document_sentence(exchange, NAMES).endswith(", would make Ann and Bo meet again.") or (
        document_sentence(exchange, NAMES).endswith(", would make Bo and Ann meet again.")
    )


def test_only_twenty_equals_are_compared_and_the_reason_says_so() -> None:
    field = [Entrant(player, 10) for player in range(61)] + [Entrant(99, 0)]
    round_ = pair_round(field, round_number=2, seed=1)
    texts = [document_text(reason) for table in round_.pairings for reason in table.reasons]

    assert any("(one of 60, of whom 20 were compared)" in text for text in texts)


def exchanges(round_: PairedRound) -> Iterator[PairingReason]:
    lists = [table.reasons for table in round_.pairings] + [bye.reasons for bye in round_.byes]
    for reasons in lists:
        yield from (reason for reason in reasons if reason.kind.startswith("exchange"))


def extra_cost(costs: Costs, round_: PairedRound, reason: PairingReason) -> Cost:
    """Extra cost of the stated exchange, recomputed."""
    opponents: dict[PlayerId, PlayerId | None] = {bye.player: None for bye in round_.byes}
    for table in round_.pairings:
        opponents |= {table.corp: table.runner, table.runner: table.corp}
    players = [*reason.players, None]
    splits = {"swap_tables": 2, "swap_bye": 2, "swap_gives_bye": 1}
    split = splits[reason.params["details"][0]]
    if split == 1:
        players = [players[0], None, *players[1:3]]
    after = [(players[0], players[1]), (players[2], players[3])]
    moved = [seat for couple in after for seat in couple if seat is not None]
    before = {frozenset((player, opponents[player])) for player in moved}
    old = costs.total([(first, second) for first, second in map(tuple, before)])
    return tuple(new - old_value for new, old_value in zip(costs.total(after), old, strict=True))


@settings(max_examples=50)
@given(
    fields(min_players=4, max_players=12),
    st.sampled_from([DOUBLE_PROFILE, SINGLE_PROFILE]),
    st.integers(0, 99),
)
def test_stated_exchange_costs_are_correct(
    entrants: list[Entrant], profile: PairingProfile, seed: int
) -> None:
    round_ = pair_round(entrants, round_number=3, seed=seed, profile=profile)
    costs = Costs(as_documents(entrants), profile.id)
    for reason in exchanges(round_):
        extra = extra_cost(costs, round_, reason)
        assert extra >= costs.nothing
        if extra == costs.nothing:
            assert document_text(reason).endswith("would cost the same, so the lot has chosen.")
        elif not any(extra[:-1]):
            assert document_text(reason).endswith(f" by {extra[-1]}.")
        else:
            level = LEVELS[profile.id][next(index for index, value in enumerate(extra) if value)]
            level_texts = {
                "second_bye": "bye number",
                "avoid_group": "in one group",
                "side_imbalance": "side imbalance",
            }
            assert level_texts.get(level, "meet again") in document_text(reason)
