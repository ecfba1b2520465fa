"""Reports nobody answers: after the minutes the event allows they stand."""

from django.db import transaction
from django.utils import timezone

from matches import records
from matches import services as matches
from matches.models import ResultReport
from tournaments.event import history
from tournaments.event.actors import NOBODY
from tournaments.models import LogAction, Pairing, Tournament
from tournaments.results import queries as result_queries


def confirm_unanswered(tournament: Tournament) -> None:
    """Confirm what was reported long enough ago and has no answer; what is disputed never."""
    for pairing, report in result_queries.unanswered(tournament, timezone.now()):
        _confirm(tournament, pairing, report)


@transaction.atomic
def _confirm(tournament: Tournament, pairing: Pairing, report: ResultReport) -> None:
    locked = history.lock(tournament)
    # Looked at again under the lock: an answer may have come first, or a round been closed.
    still_due = result_queries.unanswered(locked, timezone.now())
    if locked.is_finished or (pairing, report) not in still_due:
        return
    assert pairing.match is not None
    match = matches.held(pairing.match)
    before = matches.remembered(match)
    match = matches.confirm_unanswered(match, report.pk)
    told = records.summary(records.settled_result(match))
    history.record(
        locked,
        NOBODY,
        LogAction.RESULT_CONFIRMED_BY_TIME,
        pairing,
        before={"match": before},
        after={"result": told, **records.standing_of(match)},
        reason=f"Nobody answered for {locked.confirm_after_minutes} minutes.",
    )
