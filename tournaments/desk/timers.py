"""What the time of day does at an event by itself; looked at every few seconds."""

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

POLICIES: tuple[Callable[[Tournament], None], ...] = (
    confirm_unanswered,
    decide_no_shows,
)
"""What may fall due at an event under way. Each locks and looks again before it acts."""


def carry_out() -> None:
    """Do what has fallen due. Trouble at one event is logged and holds up no other.

    Evenings that come again open first: they are no events yet.
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
