"""What a late entry was given counts the same in the event, in its document, and to the checker."""

from typing import Any

import pytest

from tests.checker import check_pairing, check_standings
from tests.checker.samples import bye
from tests.factories.tournaments import add_players, draft_round, make_event, play_round, work_off
from tournaments import documents, queries
from tournaments.models import LateEntry, Pairing, Tournament

pytestmark = pytest.mark.django_db

Json = dict[str, Any]


def document_of(event: Tournament) -> Json:
    """The closed rounds of an event as the engine reads them."""
    numbers = dict(event.registrations.values_list("player", "number"))
    rounds: list[list[Json]] = [[] for _ in queries.closed_round_numbers(event)]
    for pairing in queries.closed_pairings(event):
        rounds[pairing.round.number - 1].append(entry_of(pairing, numbers))
    players = [{"id": number} for number in sorted(numbers.values())]
    return {
        "datafort": 1,
        "system": "double",
        "seed": event.seed,
        "planned_rounds": 4,
        "players": players,
        "rounds": rounds,
    }


def entry_of(pairing: Pairing, numbers: dict[int, int]) -> Json:
    if pairing.bye is not None:
        return bye(pairing.bye.number, pairing.bye_points or 0)
    roles = zip(("corp", "runner"), pairing.match.seats.all(), strict=True)
    seats = [
        {"id": numbers[seat.player_id], "role": role, "points": seat.points} for role, seat in roles
    ]
    return {"table": pairing.table_number, "seats": seats}


@pytest.mark.parametrize("policy", LateEntry.values[1:])
def test_the_event_its_document_and_the_checker_agree(policy: str):
    event = make_event(players=6, late_entry=policy)
    play_round(event)
    play_round(event)
    add_players(event, 1)
    work_off(event)

    document = document_of(event)
    ranked = documents.rank(document)

    assert check_standings(document, ranked) == []
    snapshot = queries.newest_snapshot(event)
    assert snapshot is not None
    rows = queries.standing_rows(snapshot)
    ours = {row.registration.number: row.match_points for row in rows}
    theirs = {row["id"]: row["match_points"] for row in ranked["standings"] if row["id"] in ours}
    assert ours == theirs
    assert check_pairing(document, documents.pair(document)) == []


@pytest.mark.parametrize("policy", [LateEntry.HALF, LateEntry.BYES])
def test_a_missed_round_is_a_bye_already_had(policy: str):
    event = make_event(players=6, late_entry=policy)
    play_round(event)
    (late,) = add_players(event, 1)

    answer = documents.pair(document_of(event))
    drafted = draft_round(event).pairings.get(match=None)

    sits_out = next(entry["bye"] for entry in answer["pairings"] if "bye" in entry)
    assert late.number not in (sits_out, drafted.bye.number)
