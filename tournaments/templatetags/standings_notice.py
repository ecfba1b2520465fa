"""Notice beside outdated standings."""

from typing import Any

from django import template

from tournaments.models import Tournament

register = template.Library()


@register.inclusion_tag("tournaments/results/_standings_notice.html")
def standings_notice(tournament: Tournament) -> dict[str, Any]:
    """Context of the notice: the first outdated round; empty if standings are current."""
    if not tournament.has_outdated_standings:
        return {}
    job = tournament.jobs.unfinished_standings().first()
    if job is None:
        return {}
    first, newest = job.payload["from_round"], tournament.snapshots.newest()
    return {
        "first": first,
        "is_update": newest is not None and newest.round.number >= first,
        "has_failed": job.has_failed,
    }
