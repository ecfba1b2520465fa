"""The notice beside stored standings that are being recomputed."""

from typing import Any

from django import template

from tournaments.event import queries
from tournaments.models import Tournament

register = template.Library()


@register.inclusion_tag("tournaments/results/_standings_notice.html")
def standings_notice(tournament: Tournament) -> dict[str, Any]:
    """Show from which round on the standings are outdated; nothing if they are current."""
    first = queries.standings_outdated_from(tournament)
    newest = queries.newest_snapshot(tournament) if first is not None else None
    is_update = newest is not None and first is not None and newest.round.number >= first
    return {"first": first, "is_update": is_update}
