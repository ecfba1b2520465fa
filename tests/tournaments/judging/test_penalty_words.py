"""Previews of penalties and withdrawals, and the penalty part of other forms."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise
from tests.factories.pods import make_pods
from tests.factories.tournaments import make_event, player_number, start_round, tables_of
from tournaments.judging.forms import CallPenaltyForm
from tournaments.judging.penalties import Expectation, effect_of_penalty, effect_of_withdrawal
from tournaments.judging.penalties import tables_of_player as sat_at
from tournaments.models import Pairing, Registration, Tournament

GAME_LOSS, MATCH_LOSS, DISQUALIFICATION = (
    PenaltyKind.GAME_LOSS,
    PenaltyKind.MATCH_LOSS,
    PenaltyKind.DISQUALIFICATION,
)


def seat_first_player(event: Tournament) -> tuple[Registration, Pairing, str]:
    """Return the player on seat 1 of table 1 in a new round, the table, and the opponent's name."""
    pairing = tables_of(start_round(event))[0]
    own_seat, opponent_seat = pairing.match.seats.select_related("player").order_by("position")[:2]
    number = event.registrations.get(player=own_seat.player).number
    return player_number(event, number), pairing, opponent_seat.player.name


@pytest.mark.parametrize(
    ("settings", "kind", "sentence"),
    [
        ({}, GAME_LOSS, "Game 2 of table 1 goes to <bdi>{}</bdi>: 10 points."),
        ({}, MATCH_LOSS, "Both games of table 1 go to <bdi>{}</bdi>: 20 points."),
        (
            {"game": "anr", "scoring_rule": "anr_double"},
            MATCH_LOSS,
            "Both games of table 1 go to <bdi>{}</bdi>: 6 points.",
        ),
        (
            {"game": "anr", "scoring_rule": "anr_single", "system": "single"},
            GAME_LOSS,
            "The game of table 1 goes to <bdi>{}</bdi>: 3 points.",
        ),
    ],
)
def test_effect_of_a_loss_names_points_and_opponent(
    settings: dict[str, Any], kind: PenaltyKind, sentence: str
):
    place, pairing, opponent = seat_first_player(make_event(4, decks_required=False, **settings))

    first, state = effect_of_penalty(place, kind, pairing, 2).sentences

    assert first == sentence.format(opponent)
    assert state == "Round 1 is still open."


def test_loss_in_a_pod_means_the_last_place():
    place, pairing, _ = seat_first_player(make_pods(4))

    first, _ = effect_of_penalty(place, MATCH_LOSS, pairing, None).sentences

    assert first == (
        f"<bdi>{place.player.name}</bdi> keeps no victory points and comes last at table 1."
    )


def test_names_are_escaped_and_isolated():
    event = make_event(2, decks_required=False)
    place, pairing, _ = seat_first_player(event)
    opponent = pairing.match.seats.get(position=2).player
    opponent.name = "<i>כريم</i>"
    opponent.save(update_fields=["name"])
    (table,) = sat_at(place).values()

    first, _ = effect_of_penalty(place, GAME_LOSS, table, 1).sentences

    assert "<bdi>&lt;i&gt;כريم&lt;/i&gt;</bdi>" in first


def test_effects_without_a_table():
    place = player_number(make_event(2, decks_required=False), 1)

    assert (
        "the first game of their next match"
        in effect_of_penalty(place, GAME_LOSS, None, None).sentences[0]
    )
    (sentence,) = effect_of_penalty(place, DISQUALIFICATION, None, None).sentences
    assert sentence == "<bdi>Ada</bdi> is dropped and will not be paired again."


def test_effects_of_a_withdrawal():
    event = make_event(4, decks_required=False)
    place, pairing, _ = seat_first_player(event)
    caution = penalise(place, PenaltyKind.CAUTION)
    out = penalise(place, DISQUALIFICATION, pairing=pairing)
    tables = list(sat_at(place).values())

    assert "No result changes." in effect_of_withdrawal(caution, tables).sentences[0]
    result, state, registration = effect_of_withdrawal(out, tables).sentences
    assert result == "Table 1 of round 1 gets its reported result back."
    assert state == "Round 1 is still open."
    assert registration.endswith("can be paired again.")


def test_preview_mark_depends_on_its_sentences():
    place, pairing, _ = seat_first_player(make_event(4, decks_required=False))

    marks = {effect_of_penalty(place, GAME_LOSS, pairing, game).mark for game in (1, 2, 1)}

    assert len(marks) == 2


def test_expectation_has_an_ordinal():
    infraction = make_event(0).infraction_guide().infractions["slow-play"]

    assert [Expectation(infraction, earlier, GAME_LOSS).words for earlier in (0, 1, 6)] == [
        "First time at this event: game loss.",
        "Second time at this event: game loss.",
        "7th time at this event: game loss.",
    ]


def test_empty_penalty_part_gives_nothing():
    event = make_event(4, decks_required=False)
    _, pairing, _ = seat_first_player(event)

    part = CallPenaltyForm(event, pairing, {"penalty-kind": "warning"})

    assert part.is_valid()
    assert part.chosen_penalty is None
    assert not part.needs_preview(GAME_LOSS)


def test_costly_penalty_part_leads_to_the_whole_form():
    event = make_event(4, decks_required=False)
    place, pairing, _ = seat_first_player(event)
    sent = {"penalty-player": str(place.number), "penalty-infraction": "slow-play"}

    light = CallPenaltyForm(event, pairing, sent)
    hard = CallPenaltyForm(
        event, pairing, {**sent, "penalty-kind": "game_loss", "penalty-game": "2"}
    )
    without_player = CallPenaltyForm(event, pairing, {"penalty-infraction": "slow-play"})

    assert light.is_valid()
    assert not light.needs_preview(PenaltyKind.CAUTION)
    assert light.needs_preview(GAME_LOSS)
    assert hard.is_valid()
    assert hard.needs_preview(PenaltyKind.CAUTION)
    assert parse_qs(urlsplit(hard.review_url()).query) == {
        "table": ["1"],
        "round": ["1"],
        "call": ["1"],
        "player": [str(place.number)],
        "infraction": ["slow-play"],
        "kind": ["game_loss"],
        "game": ["2"],
    }
    assert not without_player.is_valid()
