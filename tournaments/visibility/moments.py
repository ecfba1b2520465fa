"""Moments at which somebody begins to see decks: pages that are kept must be new then."""

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournaments.models import Stage, Tournament


def with_moments(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """The same events, each with its `moments_passed`, so that a poll stays one query."""
    passed = Stage.objects.filter(tournament=OuterRef("pk"), decks_shown_at__lte=timezone.now())
    counted = passed.order_by().values("tournament").annotate(n=Count("pk")).values("n")
    return events.annotate(moments_passed=Coalesce(Subquery(counted), 0))


def moments_passed(tournament: Tournament) -> int:
    """How many of the set times are past. No log entry and no new version tells of these."""
    known: int | None = tournament.__dict__.get("moments_passed")
    if known is None:
        known = tournament.stages.filter(decks_shown_at__lte=timezone.now()).count()
    return known
