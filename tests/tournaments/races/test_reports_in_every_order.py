"""Two reports and a decision of the organiser at one moment, in every order there is.

All three have opened their pages before; then each sends while the one before it is at work.
OUTCOMES is the table of what becomes of the match.
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
from tests.tournaments.races.crowd import browsers, phones
from tests.tournaments.races.in_order import in_order
from tournaments.models import Pairing, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(27)]

FIRST, SECOND, SPLIT = ("1", "1"), ("2", "2"), ("1", "2")
"""Who wins both games: results that differ in every field that counts."""
PLAYER_1, PLAYER_2, STAFF = "1", "2", "s"
CASES = {
    "both players report the same": {"a": (PLAYER_1, FIRST), "b": (PLAYER_2, FIRST), "o": SPLIT},
    "the players report differently": {"a": (PLAYER_1, FIRST), "b": (PLAYER_2, SECOND), "o": SPLIT},
    "one player corrects a slip": {"a": (PLAYER_1, FIRST), "b": (PLAYER_1, SECOND), "o": SPLIT},
    "all three report the same": {"a": (PLAYER_1, FIRST), "b": (PLAYER_2, FIRST), "o": FIRST},
}
"""What each hand reports: `a` and `b` on phones, `o` at the desk on the page of the open match."""
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
"""By case and order: the state of the match, the result that stands or waits, who is refused.

Whoever decides at the desk before anybody has reported anything is right; the players read that
it is settled, unless they report the same. After a report the desk is refused with both results,
for it has not seen it, and can decide at once on what it sees then.
"""


def fields(winners: tuple[str, str], prefix: str = "", **more: Any) -> dict[str, Any]:
    """A result as a form sends it; nobody who lost has agenda points."""
    sent = dict(more)
    for game, winner in enumerate(winners, start=1):
        sent |= {f"game_{game}_winner": winner, f"game_{game}_points_{3 - int(winner)}": "0"}
    return {f"{prefix}{name}": value for name, value in sent.items()}


class Table:
    """One table with a phone of each player and the desk, all of them on their page."""

    def __init__(self, event: Tournament, pairing: Pairing, desk: Client) -> None:
        self.pairing, self.desk = pairing, desk
        self.match = pairing.match
        self.place = [event.slug, pairing.round.number, pairing.table_number]
        places = event.registrations.select_related("player")
        self.phones = {
            str(seat.position): phones(places.get(player=seat.player_id), 2)
            for seat in self.match.seats.all()
        }

    def decides(self, winners: tuple[str, str], seen: int) -> Any:
        """The desk saves the row of the table, with the version of the match it saw."""
        prefix = f"t{self.pairing.table_number}-"
        typed = fields(winners, prefix, seen=seen, corp="1")
        address = reverse("tournaments:enter", args=self.place)
        return self.desk.post(address, typed, headers={"HX-Request": "true"})

    def act(self, who: str, case: dict[str, Any]) -> Callable[[], Any]:
        """What this hand will do."""
        if who == "o":
            return partial(self.decides, case["o"], self.match.version)
        player, winners = case[who]
        phone = self.phones[player].pop()
        asks = {"Accept": "application/json", "Idempotency-Key": who}
        address = reverse("tournaments:report", args=self.place)
        return partial(phone.post, address, fields(winners), headers=asks)

    def outcome(self) -> tuple[str, tuple[str, str] | None]:
        """The state of the match, and who has won its games as it stands, or waits to stand."""
        match = Match.objects.get(pk=self.match.pk)
        result = matches_records.settled_result(match)
        if match.state == "proposed":
            result = matches_records.result_from_document(
                match.reports.get(state="proposed").result
            )
        winners = [game.position(game.winner) for game in result.games if game.winner]
        first, second = map(str, winners) if winners else ("", "")
        return match.state, (first, second) if winners else None


def test_every_order_ends_as_the_table_of_outcomes_says(figure: Callable[[str], None]):
    rows = [(case, order) for case, orders in OUTCOMES.items() for order in orders]
    event = make_event(players=2 * len(rows))
    desk = browsers(owner_of(event).user, 1)[0]
    tables = [Table(event, pairing, desk) for pairing in tables_of(start_round(event))]
    for (case, order), table in zip(rows, tables, strict=True):
        answers = in_order([table.act(who, CASES[case]) for who in order])

        by_hand = dict(zip(order, answers, strict=True))
        refused = "".join(sorted(who for who in order if by_hand[who].status_code == 409))
        assert {answer.status_code for answer in answers} <= {200, 409}
        assert (*table.outcome(), refused) == OUTCOMES[case][order], (case, order)
        if "o" in refused:
            assert_shows_both(by_hand["o"].content.decode())
            assert_can_decide_now(table)
    figure(f"{len(rows)} orders of two reports and a decision forced, each as the table says")


def assert_shows_both(page: str) -> None:
    """Whoever was too late reads what came first and what they typed."""
    assert "You entered: game 1:" in page
    assert "Now recorded: game 1:" in page or " reports game 1:" in page


def assert_can_decide_now(table: Table) -> None:
    """On the version they see then, the word of the staff stands."""
    seen = Match.objects.get(pk=table.match.pk).version
    assert table.decides(SPLIT, seen).status_code == 200
    assert table.outcome() == ("decided", SPLIT)
