"""Time-driven changes of running events, checked every few seconds."""

import logging
from collections.abc import Callable

from tournaments.models import Tournament
from tournaments.outlook.queries import events_to_look_ahead
from tournaments.outlook.services import request_outlook
from tournaments.registration.no_shows import decide_no_shows
from tournaments.results.services import confirm_unanswered_reports
from tournaments.series import recurring

logger = logging.getLogger(__name__)

# Each policy locks the event and checks again before it acts.
POLICIES: tuple[Callable[[Tournament], None], ...] = (
    confirm_unanswered_reports,
    decide_no_shows,
)


def apply_due_changes() -> None:
    """Apply all due changes. A failure in one event is logged and does not affect the rest."""
    # Recurring events are opened first, because they do not exist yet.
    recurring.open_due_evenings()
    for tournament in Tournament.objects.under_way():
        for policy in POLICIES:
            _apply_policy(policy, tournament)
    for tournament in events_to_look_ahead():
        _apply_policy(request_outlook, tournament)


def _apply_policy(policy: Callable[[Tournament], None], tournament: Tournament) -> None:
    try:
        policy(tournament)
    except Exception:
        logger.exception("%s failed at %s", policy.__name__, tournament.slug)
