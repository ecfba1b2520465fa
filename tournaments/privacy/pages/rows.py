"""Rows about a person, limited to those they may see."""

from collections.abc import Callable
from typing import Any, TypeAlias

from django.db.models import Model, OuterRef, Q, QuerySet, Subquery

from core.model_fields import ExactField
from matches.models import GameSeat, Seat
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import LogEntry, Pairing, RoundState

Rows: TypeAlias = QuerySet[Any]


def of_user(model: type[Model], field: str = "user") -> Callable[[Actor], Rows]:
    """Rows whose `field` is the account; none for a guest."""

    def rows(actor: Actor) -> Rows:
        found = model._default_manager.order_by("pk")
        return found.filter(**{field: actor.user.pk}) if actor.user else found.none()

    return rows


def of_player(model: type[Model], field: str) -> Callable[[Actor], Rows]:
    """Rows whose `field` is the player; none for an account without a player."""

    def rows(actor: Actor) -> Rows:
        found = model._default_manager.order_by("pk")
        return found.filter(**{field: actor.player.pk}) if actor.player else found.none()

    return rows


def log(actor: Actor) -> Rows:
    """Log entries by or about this person, as far as they may read the log."""
    found: list[int] = []
    for event in queries.events_of(actor.user, actor.player):
        judges = permissions.can_judge(actor, event)
        entries = queries.readable_log(event, with_draft=False, with_checks=judges)
        found += entries.filter(_mine(actor)).values_list("pk", flat=True)
    return LogEntry.objects.filter(pk__in=found).order_by("pk")


def _mine(actor: Actor) -> Q:
    mine = Q(pk__in=[])
    if actor.user is not None:
        mine |= Q(user=actor.user)
    if actor.player is not None:
        mine |= Q(player=actor.player) | Q(registration__player=actor.player)
    return mine


def games(actor: Actor) -> Rows:
    """Games of visible tables; a draft's sides are never shown."""
    tables = results(actor).exclude(match=None)
    return of_player(GameSeat, "seat__player")(actor).filter(game__match__in=tables.values("match"))


def results(actor: Actor) -> Rows:
    """Tables and byes of published rounds; drafts are never shown."""
    mine = Q(pk__in=[])
    if actor.player is not None:
        mine = Q(match__seats__player=actor.player) | Q(bye__player=actor.player)
    shown = Pairing.objects.filter(mine).exclude(round__state=RoundState.DRAFT)
    own_seat = Seat.objects.filter(match=OuterRef("match"), player=actor.player)
    points = Subquery(own_seat.values("points"), output_field=ExactField())
    return shown.annotate(my_points=points).order_by("round__stage__tournament", "round__number")
