"""Time-driven changes of running events, checked every few seconds."""

import logging
from collections.abc import Callable

from tournaments.clinch.queries import to_look_ahead_at
from tournaments.clinch.services import keep_outlook
from tournaments.event import queries
from tournaments.models import Tournament
from tournaments.registration.services.no_shows import decide_no_shows
from tournaments.results.services.results import confirm_unanswered
from tournaments.series.services import recurring

logger = logging.getLogger(__name__)

# Each policy locks the event and checks again before it acts.
POLICIES: tuple[Callable[[Tournament], None], ...] = (
    confirm_unanswered,
    decide_no_shows,
)


def carry_out() -> None:
    """Apply all due changes. A failure in one event is logged and does not affect the rest.

    Due recurring events are opened first, because they do not exist yet.
    """
    recurring.open_due()
    for tournament in queries.under_way():
        for policy in POLICIES:
            _carry_out(policy, tournament)
    for tournament in to_look_ahead_at():
        _carry_out(keep_outlook, tournament)


def _carry_out(policy: Callable[[Tournament], None], tournament: Tournament) -> None:
    try:
        policy(tournament)
    except Exception:
        logger.exception("%s failed at %s", policy.__name__, tournament.slug)
