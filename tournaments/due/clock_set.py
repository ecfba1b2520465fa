"""The clock of the computer was set while people play: the clocks of their rounds go on as before.

A laptop that finds the right time when it meets a network must not end a round, nor give it an
hour. Only where one process is the whole site can it tell; several computers keep their time by
NTP. Moments that were typed, such as a closing time, are moments of the right time and stay.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from core.wall_clock import WallClock
from matches.models import ReportState, ResultReport
from tournaments import history, queries
from tournaments.actors import NOBODY
from tournaments.models import Pairing, Round, RoundState, Tournament

ACTION = "clock of the computer set"

_wall = WallClock()


def go_on_as_before() -> None:
    """Look whether the clock was set since this was asked last; then move what counts from it."""
    jump = _wall.jump()
    if jump:
        for tournament in queries.under_way():
            move(tournament, jump)


@transaction.atomic
def move(tournament: Tournament, jump: timedelta) -> None:
    """Move the beginnings of what is under way, so that as much time is left as before."""
    locked = history.lock(tournament)
    playing = Round.objects.filter(
        stage__tournament=locked, state__in=(RoundState.PUBLISHED, RoundState.RUNNING)
    )
    matches = Pairing.objects.filter(round__in=playing).values("match")
    reports = ResultReport.objects.filter(match__in=matches, state=ReportState.PROPOSED)
    reports.update(created_at=F("created_at") + jump)
    for round_ in playing.filter(started_at__isnull=False):
        round_.started_at = _moved(round_.started_at, jump)
        round_.paused_at = _moved(round_.paused_at, jump)
        round_.save(update_fields=["started_at", "paused_at"])
        reason = f"It was set {_in_words(jump)}; the round goes on with the time it had left."
        history.record(locked, NOBODY, ACTION, round_, reason=reason)


def _moved(moment: datetime | None, jump: timedelta) -> datetime | None:
    return None if moment is None else moment + jump


def _in_words(jump: timedelta) -> str:
    return f"{'forward' if jump > timedelta() else 'back'} by {abs(jump)}".split(".")[0]
