"""Two reports and a decision of the organiser, sent in every order.

All three have opened their pages before. Each request is sent while the one before it is in
progress. OUTCOMES has the expected state of the match.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches import records as matches_records
from matches.models import Match
from tests.factories.tournaments import make_event, owner_of, start_round, tables_of
from tests.tournaments.races.clients import browsers, phones
from tests.tournaments.races.lock_order import run_in_order
from tournaments.models import Pairing, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(27)]

FIRST, SECOND, SPLIT = ("1", "1"), ("2", "2"), ("1", "2")
"""Winners of both games: results that differ in every field that counts."""
PLAYER_1, PLAYER_2, STAFF = "1", "2", "s"
CASES = {
    "both players report the same": {"a": (PLAYER_1, FIRST), "b": (PLAYER_2, FIRST), "o": SPLIT},
    "the players report differently": {"a": (PLAYER_1, FIRST), "b": (PLAYER_2, SECOND), "o": SPLIT},
    "one player corrects a slip": {"a": (PLAYER_1, FIRST), "b": (PLAYER_1, SECOND), "o": SPLIT},
    "all three report the same": {"a": (PLAYER_1, FIRST), "b": (PLAYER_2, FIRST), "o": FIRST},
}
"""Reports by sender: `a` and `b` are phones, `o` is the desk with the page of the open match."""
OUTCOMES: dict[str, dict[str, tuple[str, tuple[str, str] | None, str]]] = {
    "both players report the same": {
        "abo": ("confirmed", FIRST, "o"),
        "aob": ("confirmed", FIRST, "o"),
        "bao": ("confirmed", FIRST, "o"),
        "boa": ("confirmed", FIRST, "o"),
        "oab": ("decided", SPLIT, "ab"),
        "oba": ("decided", SPLIT, "ab"),
    },
    "the players report differently": {
        "abo": ("disputed", None, "o"),
        "aob": ("disputed", None, "o"),
        "bao": ("disputed", None, "o"),
        "boa": ("disputed", None, "o"),
        "oab": ("decided", SPLIT, "ab"),
        "oba": ("decided", SPLIT, "ab"),
    },
    "one player corrects a slip": {
        "abo": ("proposed", SECOND, "o"),
        "aob": ("proposed", SECOND, "o"),
        "bao": ("proposed", FIRST, "o"),
        "boa": ("proposed", FIRST, "o"),
        "oab": ("decided", SPLIT, "ab"),
        "oba": ("decided", SPLIT, "ab"),
    },
    "all three report the same": {
        "abo": ("confirmed", FIRST, "o"),
        "aob": ("confirmed", FIRST, "o"),
        "bao": ("confirmed", FIRST, "o"),
        "boa": ("confirmed", FIRST, "o"),
        "oab": ("decided", FIRST, ""),
        "oba": ("decided", FIRST, ""),
    },
}
"""By case and order: state of the match, settled or proposed result, refused senders.

A decision before any report is accepted; later reports are refused unless they are equal. After a
report the decision is refused with both results, because the desk has not seen the report. A
decision on the refreshed page is accepted.
"""


def fields(winners: tuple[str, str], prefix: str = "", **more: Any) -> dict[str, Any]:
    """Return the form data of a result; losers have no agenda points."""
    sent = dict(more)
    for game, winner in enumerate(winners, start=1):
        sent |= {f"game_{game}_winner": winner, f"game_{game}_points_{3 - int(winner)}": "0"}
    return {f"{prefix}{name}": value for name, value in sent.items()}


class Table:
    """A table with the phones of its players and the desk, each with an open page."""

    def __init__(self, event: Tournament, pairing: Pairing, desk: Client) -> None:
        self.pairing, self.desk = pairing, desk
        self.match = pairing.match
        self.place = [event.slug, pairing.round.number, pairing.table_number]
        places = event.registrations.select_related("player")
        self.phones = {
            str(seat.position): phones(places.get(player=seat.player_id), 2)
            for seat in self.match.seats.all()
        }

    def decide(self, winners: tuple[str, str], seen: int) -> Any:
        """Save the row of the table with the version of the match that the desk saw."""
        prefix = f"t{self.pairing.table_number}-"
        typed = fields(winners, prefix, seen=seen, corp="1")
        address = reverse("tournaments:enter", args=self.place)
        return self.desk.post(address, typed, headers={"HX-Request": "true"})

    def act(self, sender: str, case: dict[str, Any]) -> Callable[[], Any]:
        """Return the request of this sender."""
        if sender == "o":
            return partial(self.decide, case["o"], self.match.version)
        player, winners = case[sender]
        phone = self.phones[player].pop()
        headers = {"Accept": "application/json", "Idempotency-Key": sender}
        address = reverse("tournaments:report", args=self.place)
        return partial(phone.post, address, fields(winners), headers=headers)

    def outcome(self) -> tuple[str, tuple[str, str] | None]:
        """Return the state of the match, and the winners of its settled or proposed result."""
        match = Match.objects.get(pk=self.match.pk)
        result = matches_records.settled_result(match)
        if match.state == "proposed":
            result = matches_records.result_from_document(
                match.reports.get(state="proposed").result
            )
        winners = [game.position(game.winner) for game in result.games if game.winner]
        first, second = map(str, winners) if winners else ("", "")
        return match.state, (first, second) if winners else None


def test_every_order_ends_as_in_the_table_of_outcomes(figure: Callable[[str], None]):
    rows = [(case, order) for case, orders in OUTCOMES.items() for order in orders]
    event = make_event(players=2 * len(rows))
    desk = browsers(owner_of(event).user, 1)[0]
    tables = [Table(event, pairing, desk) for pairing in tables_of(start_round(event))]
    for (case, order), table in zip(rows, tables, strict=True):
        answers = run_in_order([table.act(sender, CASES[case]) for sender in order])

        by_sender = dict(zip(order, answers, strict=True))
        refused = "".join(
            sorted(sender for sender in order if by_sender[sender].status_code == 409)
        )
        assert {answer.status_code for answer in answers} <= {200, 409}
        assert (*table.outcome(), refused) == OUTCOMES[case][order], (case, order)
        if "o" in refused:
            assert_shows_both_results(by_sender["o"].content.decode())
            assert_refreshed_decision_is_accepted(table)
    figure(f"{len(rows)} orders of two reports and a decision forced, each as the table says")


def assert_shows_both_results(page: str) -> None:
    """Check that a refused decision shows the recorded and the entered result."""
    assert "You entered: game 1:" in page
    assert "Now recorded: game 1:" in page or " reports game 1:" in page


def assert_refreshed_decision_is_accepted(table: Table) -> None:
    """Check that a decision with the current version is accepted."""
    seen = Match.objects.get(pk=table.match.pk).version
    assert table.decide(SPLIT, seen).status_code == 200
    assert table.outcome() == ("decided", SPLIT)
