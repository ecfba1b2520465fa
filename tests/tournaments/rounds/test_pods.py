"""An event of Free Radicals with pods."""

from collections import Counter
from fractions import Fraction

import pytest

from engine.documents.commands import rank
from engine.documents.json_text import parse_json, write_json
from matches.scoring.results import MatchResult
from matches.services import FactionRefused
from tests.factories.pods import VICTORY_POINTS, draft_at, make_pods, places
from tests.factories.tournaments import (
    add_players,
    draft_round,
    enter_result,
    owner_of,
    play_round,
    player_number,
    start_round,
    table,
    tables_of,
    work_off,
)
from tournaments import tasks
from tournaments.event.permissions import Actor
from tournaments.files import whole_event
from tournaments.models import Pairing, Round, Standing, Tournament
from tournaments.results import services as results_services
from tournaments.results.queries import get_faction_draft
from tournaments.rounds import draft_changes, pages, services
from tournaments.rounds.reasons import reason_text


def seats(round_: Round) -> list[list[str]]:
    return [
        [seat.player.name for seat in pairing.match.seats.all()] for pairing in tables_of(round_)
    ]


def standings(event: Tournament) -> list[Standing]:
    snapshot = event.snapshots.newest()
    assert snapshot is not None
    return list(snapshot.rows.ranked())


def pick(pairing: Pairing, faction: str) -> None:
    """Choose this faction as the next player."""
    next_ = draft_at(pairing).next
    results_services.choose_faction(
        pairing, next_.seat, faction, owner_of(pairing.round.stage.tournament)
    )


def chosen_factions(pairing: Pairing) -> list[str]:
    return [pick_.faction.id if pick_.faction else "" for pick_ in draft_at(pairing).picks]


def test_nine_players_play_three_rounds_with_factions_and_standings():
    event = make_pods(9)
    meetings: Counter[frozenset[str]] = Counter()
    for _ in range(3):
        round_ = start_round(event)
        for pairing in tables_of(round_):
            for faction in ("farmers", "artisans", "merchants"):
                pick(pairing, faction)
            enter_result(pairing, places(pairing))
        services.close_round(round_, owner_of(event))
        work_off(event)
        names = seats(round_)
        assert sorted(map(len, names)) == [3, 3, 3]
        meetings.update(frozenset((a, b)) for pod in names for a in pod for b in pod if a < b)

    assert set(meetings.values()) == {1}
    rows = standings(event)
    assert [row.rank for row in rows] == list(range(1, 10))
    assert sum(row.match_points for row in rows) == 9 * (5 + 3 + 2)


def test_tie_breaker_by_victory_points_agrees_with_the_engine():
    event = make_pods(6, tie_breakers=["match_points", "victory_points", "lot"])
    for _ in range(2):
        play_round(event, play=places)

    rows = standings(event)
    totals = {row.registration.number: int(row.tie_breakers["victory_points"]) for row in rows}
    ranked = rank(parse_json(write_json(whole_event.event_document(event))))["standings"]

    assert sum(totals.values()) == 2 * 2 * sum(VICTORY_POINTS[:3])
    order = [(-row.match_points, -totals[row.registration.number]) for row in rows]
    assert order == sorted(order)
    assert {line["id"]: line["victory_points"] for line in ranked} == totals


def test_fractional_points_are_paired_and_shown_as_fractions():
    event = make_pods(8)
    play_round(event, play=lambda pairing: MatchResult(victory_points=(9, 9, 9, 1)))
    round_ = draft_round(event)

    texts = [
        reason_text(reason, {})
        for pairing in tables_of(round_)
        for reason in pairing.reasons
        if reason["kind"] in ("close_scores", "same_score")
    ]
    assert "Equal scores: 3⅓ each." in texts
    assert any(text.startswith("Scores at this table: 3⅓, 3⅓, 1, 1.") for text in texts)
    assert all(
        seat.points in (Fraction(10, 3), 1)
        for pairing in tables_of(event.rounds.get(number=1))
        for seat in pairing.match.seats.all()
    )


def test_pods_store_costs_and_certificate():
    round_ = draft_round(make_pods(8))

    assert round_.certificate["search"] == "exhaustive"
    assert set(table(round_, 1).cost) == {
        "second_short_pod",
        "repeat",
        "avoid_group",
        "point_gap",
        "seat_order",
    }


def test_costs_are_shown_in_points_for_any_unit():
    cost = {"second_short_pod": 0, "repeat": 3, "point_gap": 93_600, "seat_order": 2}

    assert pages.cost_in_words(cost, 60) == (
        "repeated table-mates 3",
        "squared point gap 26",
        "seat order 2",
    )
    assert pages.cost_in_words({"point_gap": 40_000}, 60) == ("squared point gap 100/9",)


def test_short_pods_are_spread_over_players():
    # Repeated opponents weigh more than short tables, so a player may never sit at one.
    event = make_pods(7)
    for _ in range(3):
        play_round(event, play=places)
    short = Counter(
        name for round_ in event.rounds for pod in seats(round_) if len(pod) == 3 for name in pod
    )

    assert sum(short.values()) == 9
    assert max(short.values()) == 2


def test_players_of_two_pods_are_swapped():
    event = make_pods(8)
    round_ = draft_round(event)
    first, second = seats(round_)[0][1], seats(round_)[1][3]
    entries = {entry.player.name: entry for entry in event.roster()}
    draft_changes.swap_seats(round_, entries[first], entries[second], owner_of(event))

    assert (seats(round_)[0][1], seats(round_)[1][3]) == (second, first)


def test_locked_pod_stays_when_the_rest_is_re_paired():
    event = make_pods(12)
    round_ = draft_round(event)
    locked_pod = seats(round_)[1]
    draft_changes.set_lock(table(round_, 2), owner_of(event), locked=True)
    tasks.pair_round(draft_changes.pair_the_rest(round_, owner_of(event)).pk)

    assert seats(round_)[1] == locked_pod
    assert sorted(map(len, seats(round_))) == [4, 4, 4]


def test_latecomer_is_seated_in_the_next_round():
    event = make_pods(8)
    play_round(event, play=places)
    add_players(event, 1)

    assert sorted(map(len, seats(start_round(event)))) == [3, 3, 3]


def test_player_with_the_lowest_score_chooses_first():
    event = make_pods(4)
    play_round(event, play=places)
    (pairing,) = tables_of(start_round(event))
    scores = {row.registration.number: row.match_points for row in standings(event)}

    order = [slot.number for slot in draft_at(pairing).picks]

    assert [scores[number] for number in order] == [1, 2, 3, 5]


def test_order_of_the_faction_draft_in_round_1_is_a_fixed_random_draw():
    event = make_pods(5)
    (pairing,) = tables_of(start_round(event))

    first, again = ([slot.number for slot in draft_at(pairing).picks] for _ in range(2))

    assert first == again
    assert sorted(first) == [1, 2, 3, 4, 5]


def test_factions_of_a_taken_colour_are_not_offered():
    (pairing,) = tables_of(start_round(make_pods(4)))
    pick(pairing, "farmers")

    offered = [faction.id for faction in draft_at(pairing).offered]

    assert len(offered) == 8
    assert not {"farmers", "executives"} & set(offered)
    with pytest.raises(FactionRefused, match="taken"):
        pick(pairing, "executives")
    with pytest.raises(FactionRefused, match="taken"):
        pick(pairing, "unheard-of")


def test_faction_is_chosen_in_turn_and_once():
    (pairing,) = tables_of(start_round(make_pods(4)))
    owner = owner_of(pairing.round.stage.tournament)
    first, second, *_ = draft_at(pairing).picks

    with pytest.raises(
        results_services.NotYourTurn, match=f"{first.seat.player} chooses before you"
    ):
        results_services.choose_faction(pairing, second.seat, "farmers", owner)
    results_services.choose_faction(pairing, first.seat, "farmers", owner)
    results_services.choose_faction(pairing, first.seat, "farmers", owner)
    with pytest.raises(results_services.NotYourTurn, match="You already have Farmers"):
        results_services.choose_faction(pairing, first.seat, "couriers", owner)

    assert chosen_factions(pairing) == ["farmers", "", "", ""]


def test_staff_set_and_correct_any_faction():
    (pairing,) = tables_of(start_round(make_pods(4)))
    owner = owner_of(pairing.round.stage.tournament)
    results_services.set_factions(pairing, {1: "couriers", 2: "farmers", 3: "paladins"}, owner)
    results_services.set_factions(pairing, {1: "farmers", 2: "couriers", 3: ""}, owner)
    by_position = {
        slot.seat.position: slot.faction.id if slot.faction else ""
        for slot in draft_at(pairing).picks
    }

    assert by_position == {1: "farmers", 2: "couriers", 3: "", 4: ""}
    with pytest.raises(
        FactionRefused, match=r"of the same colour \(blue\): Couriers, Entertainers"
    ):
        results_services.set_factions(pairing, {4: "entertainers"}, owner)


def test_reported_result_ends_the_draft_and_keeps_its_factions():
    event = make_pods(3)
    (pairing,) = tables_of(start_round(event))
    for faction in ("farmers", "couriers", "paladins"):
        pick(pairing, faction)
    by_position = {slot.seat.position: slot.faction.id for slot in draft_at(pairing).picks}
    enter_result(
        pairing,
        MatchResult(
            victory_points=(3, 2, 1), factions=tuple(by_position[place] for place in (1, 2, 3))
        ),
    )
    pairing.match.refresh_from_db()

    assert get_faction_draft(pairing.match, pairing.round) is None
    with pytest.raises(results_services.NoFactionsNow, match="a result has been reported"):
        results_services.set_factions(pairing, {1: "farmers"}, owner_of(event))


def test_factions_chosen_during_a_report_are_kept():
    event = make_pods(3)
    (pairing,) = tables_of(start_round(event))
    read = Pairing.objects.for_player_page(event.slug, 1, 1)
    assert read is not None
    first = read.match.seats.all()[0]
    results_services.set_factions(pairing, {1: "farmers"}, owner_of(event))

    results_services.report_result(read, first, places(pairing), Actor(player=first.player))

    (game,) = event.log.get(action="result reported").before["match"]["games"]
    assert {seat["position"]: seat["faction"] for seat in game["seats"]}[1] == "farmers"


def test_no_faction_draft_in_games_with_roles_or_in_a_draft_round(round_: Round):
    assert get_faction_draft(table(round_, 1).match, round_) is None

    pods = make_pods(4)
    (pairing,) = tables_of(draft_round(pods))
    with pytest.raises(results_services.NoFactionsNow, match="while the round is being played"):
        results_services.set_factions(pairing, {1: "farmers"}, owner_of(pods))


def test_promised_bye_of_round_1_is_kept_in_pods():
    event = make_pods(5)
    event.registrations.filter(number=3).update(first_round_bye=True)
    round_ = start_round(event)

    (bye,) = round_.pairings.exclude(bye=None)
    assert (bye.bye, bye.bye_points) == (player_number(event, 3), 5)
    assert list(map(len, seats(round_))) == [4]
