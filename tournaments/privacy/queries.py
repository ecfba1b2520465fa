"""Obstacles to erasing a person, and people who have been inactive."""

from datetime import datetime

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from players.models import Player, User
from tournaments.models import (
    Registration,
    RegistrationState,
    Round,
    RoundState,
    Staff,
    StaffRole,
    Tournament,
)

MONTHS_PER_YEAR, LAST_COMMON_DAY = 12, 28


def open_events_owned(user: User) -> QuerySet[Tournament]:
    owned = Staff.objects.filter(user=user, role=StaffRole.OWNER).values("tournament")
    return _unfinished(Tournament.objects.filter(pk__in=owned))


def open_events_played(player: Player) -> QuerySet[Tournament]:
    """Unfinished events with a published round from which the player has not dropped."""
    staying = Registration.objects.filter(player=player).exclude(state=RegistrationState.DROPPED)
    return _unfinished(
        Tournament.objects.filter(_has_begun("pk"), pk__in=staying.values("tournament"))
    )


def future_registrations(player: Player) -> QuerySet[Registration]:
    places = Registration.objects.filter(
        ~_has_begun("tournament"), player=player, tournament__finished_at=None
    )
    return places.exclude(state=RegistrationState.DROPPED).select_related("tournament", "player")


def _has_begun(event: str) -> Exists:
    """Condition that the event has a round beyond a draft, which players cannot see."""
    rounds = Round.objects.filter(stage__tournament=OuterRef(event))
    return Exists(rounds.exclude(state=RoundState.DRAFT))


def _unfinished(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return events.filter(finished_at=None, practice_of=None).order_by("starts_on", "pk")


def shift_months(moment: datetime, months: int) -> datetime:
    """Shift by calendar months; days after the 28th become the 28th."""
    month = moment.year * MONTHS_PER_YEAR + moment.month - 1 + months
    return moment.replace(
        year=month // MONTHS_PER_YEAR,
        month=month % MONTHS_PER_YEAR + 1,
        day=min(moment.day, LAST_COMMON_DAY),
    )


def inactive_players(moment: datetime) -> QuerySet[Player]:
    """Players without an event, a login or a request to stay since this moment."""
    recent = Registration.objects.filter(_has_recent_event(moment)).values("player")
    players = Player.objects.filter(erased_at=None, merged_into=None, created_at__lt=moment)
    players = players.exclude(pk__in=recent).exclude(stays_from__gte=moment)
    active = User.objects.exclude(pk__in=_inactive_since(moment))
    return players.exclude(user__in=active).order_by("pk")


def inactive_accounts(moment: datetime) -> QuerySet[User]:
    """Accounts without a player that have been inactive since this moment."""
    return _inactive_since(moment).filter(player=None).order_by("pk")


def is_inactive(moment: datetime, user: User | None, player: Player | None) -> bool:
    """Return True if this exact pair of account and player is still inactive."""
    if player is not None:
        return inactive_players(moment).filter(pk=player.pk, user=user).exists()
    return user is not None and inactive_accounts(moment).filter(pk=user.pk).exists()


def _inactive_since(moment: datetime) -> QuerySet[User]:
    """Accounts without a login or staff role since then that own no unfinished event."""
    accounts = User.objects.filter(is_active=True, is_staff=False, is_superuser=False)
    accounts = accounts.filter(date_joined__lt=moment).exclude(last_login__gte=moment)
    owned = Q(role=StaffRole.OWNER, tournament__finished_at=None, tournament__practice_of=None)
    busy = Staff.objects.filter(_has_recent_event(moment) | owned)
    return accounts.exclude(pk__in=busy.values("user"))


def _has_recent_event(moment: datetime) -> Q:
    return Q(tournament__starts_on__gte=moment.date()) | Q(tournament__finished_at__gte=moment)


def erasure_time(user: User | None, player: Player | None) -> datetime | None:
    """Return when this person is erased if they stay inactive; None for never."""
    is_administrator = user is not None and (user.is_staff or user.is_superuser)
    if settings.FORGET_AFTER_MONTHS <= 0 or is_administrator:
        return None
    events = Tournament.objects.filter(
        Q(pk__in=Registration.objects.filter(player=player).values("tournament"))
        | Q(pk__in=Staff.objects.filter(user=user).values("tournament"))
    )
    moments: list[datetime | None] = [event.finished_at for event in events]
    moments += [
        datetime(*event.starts_on.timetuple()[:3], tzinfo=event.created_at.tzinfo)
        for event in events
    ]
    if player is not None:
        moments += [player.created_at, player.stays_from]
    if user is not None:
        moments += [user.date_joined, user.last_login]
    last = max(moment for moment in moments if moment is not None)
    return shift_months(last, settings.FORGET_AFTER_MONTHS)
