"""A report whose time is over, and the opponent who objects at that moment."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from core.errors import Refusal
from matches.models import Match, ResultReport
from tests.factories.tournaments import make_event, start_round, sweep, tables_of
from tests.tournaments.races.hands import at_once
from tournaments.actors import Actor
from tournaments.due import confirming
from tournaments.models import Pairing, Tournament
from tournaments.services import results

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.check(27)]

TICKS = 4


def overdue(event: Tournament) -> tuple[Pairing, ResultReport]:
    pairing = tables_of(start_round(event))[0]
    seat = pairing.match.seats.select_related("player").get(position=1)
    with time_machine.travel(timezone.now() - timedelta(minutes=20), tick=False):
        results.report(pairing, seat, sweep(1), Actor(player=seat.player))
    return pairing, pairing.match.reports.get()


def test_one_of_dispute_and_time_comes_first_and_the_other_changes_nothing():
    event = make_event(players=2, confirm_after_minutes=15)
    pairing, report = overdue(event)
    other = pairing.match.seats.select_related("player").get(position=2)

    def objects():
        return results.dispute(pairing, other, report.pk, Actor(player=other.player), "No")

    *_, objection = at_once([*[lambda: confirming.confirm_unanswered(event)] * TICKS, objects])

    log = event.log.filter(action__in=("result confirmed by time", "result disputed"))
    assert log.count() == 1
    state = Match.objects.get(pk=pairing.match.pk).state
    expected = "confirmed" if isinstance(objection, Refusal) else "disputed"
    assert (state, ResultReport.objects.get(pk=report.pk).state) == (expected, expected)
