"""Moments at which somebody begins to see more: pages that are kept must be new then."""

from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournaments.models import Stage, Tournament

Row = TypeVar("Row", bound=Model)


def with_moments(rows: QuerySet[Row], event: str = "pk") -> QuerySet[Any, Any]:
    """The same rows, each with the `moments_passed` of its `event`: a poll stays one query."""
    passed = Stage.objects.filter(tournament=OuterRef(event), decks_shown_at__lte=timezone.now())
    counted = passed.order_by().values("tournament").annotate(n=Count("pk")).values("n")
    return rows.annotate(moments_passed=Coalesce(Subquery(counted), 0))


def keep_moments(tournament: Tournament, passed: int) -> None:
    """The event was fetched beside another row, whose `moments_passed` these are."""
    tournament.__dict__["moments_passed"] = passed


def moments_passed(tournament: Tournament) -> int:
    """How many of the set times are past. No log entry and no new version tells of these."""
    known: int | None = tournament.__dict__.get("moments_passed")
    if known is None:
        known = tournament.stages.filter(decks_shown_at__lte=timezone.now()).count()
    return known


def next_moment(tournament: Tournament) -> datetime | None:
    """When the event will look otherwise although nobody changes it; None: never."""
    now = timezone.now()
    shown = tournament.stages.filter(decks_shown_at__gt=now)
    closing = tournament.registration_closes_at, tournament.decks_close_at
    moments = [*closing, *shown.values_list("decks_shown_at", flat=True)]
    return min((moment for moment in moments if moment and moment > now), default=None)
