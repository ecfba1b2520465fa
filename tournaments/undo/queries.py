"""Queries on the event log, and on earlier standings and pairings."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from players.models import Player, User
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.permissions import Actor
from tournaments.models import (
    LogAction,
    LogEntry,
    LogTopic,
    ProgramReason,
    Standing,
    StandingSnapshot,
    Tournament,
)
from tournaments.models.event_log import stored_values


@dataclass(frozen=True)
class LogFilter:
    """Filters of the event log; an empty field filters nothing."""

    words: str = ""
    round_number: int | None = None
    # Player number in the event.
    player: int | None = None
    user: int | None = None
    by_player: int | None = None
    kind: LogTopic | None = None


def readable_entries(tournament: Tournament, actor: Actor) -> QuerySet[LogEntry]:
    """Return the entries that the actor may see, with everything a line shows."""
    entries = tournament.readable_log(
        with_draft=visibility.can_see_drafts(actor, tournament),
        with_checks=event_permissions.can_judge(actor, tournament),
    )
    return entries.select_related("round", "registration__player", "undoes", "undone_by")


def matching_entries(
    entries: QuerySet[LogEntry], tournament: Tournament, log_filter: LogFilter
) -> QuerySet[LogEntry]:
    condition = Q()
    if log_filter.round_number is not None:
        condition &= Q(round__number=log_filter.round_number)
    if log_filter.player is not None:
        place = tournament.registrations.filter(number=log_filter.player)
        tables = tournament.log.filter(pairing__match__seats__player__in=place.values("player"))
        condition &= Q(registration__in=place) | Q(pk__in=tables.values("pk"))
    if log_filter.kind:
        of_topic = (action for action in LogAction if action.topic == log_filter.kind)
        condition &= Q(action__in=stored_values(of_topic))
    if log_filter.user is not None:
        condition &= Q(user=log_filter.user)
    elif log_filter.by_player is not None:
        condition &= Q(user=None, player=log_filter.by_player)
    for word in log_filter.words.split():
        condition &= _contains(word)
    return entries.filter(condition)


def _contains(word: str) -> Q:
    # The log shows the labels of actions and reasons, not the stored codes.
    key = word.casefold()
    actions = [action for action in LogAction if key in action.words.casefold()]
    reasons = [reason for reason in ProgramReason if key in reason.label.casefold()]
    return (
        Q(action__in=actions)
        | Q(reason__in=reasons)
        | Q(action__icontains=word)
        | Q(subject__icontains=word)
        | Q(reason__icontains=word)
    )


def log_actors(tournament: Tournament) -> tuple[list[User], list[Player]]:
    """Return the accounts and guests with an entry in the log; two queries."""
    users = User.objects.filter(pk__in=tournament.log.exclude(user=None).values("user"))
    guests = tournament.log.filter(user=None).exclude(player=None)
    players = Player.objects.filter(pk__in=guests.values("player"))
    return list(users.order_by("username")), list(players.order_by("sort_key"))


def entries_with_pairings(entries: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    has_pairings = Q(after__has_key="pairings") | Q(before__has_key="pairings")
    return entries.filter(has_pairings).order_by("pk")


def standings_by_number(snapshot: StandingSnapshot) -> dict[int, Standing]:
    rows = snapshot.rows.select_related("registration__player")
    return {row.registration.number: row for row in rows}
