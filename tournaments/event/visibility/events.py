"""Visibility of events, rounds, local rulings and staff notes."""

from datetime import datetime

from django.core.cache import caches
from django.db.models import Q, QuerySet
from django.utils import timezone

from players import factors
from players.models import Player, User
from rulings import permissions as ruling_permissions
from rulings.models import Ruling
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import (
    InvitedPlayer,
    LocalRuling,
    Registration,
    Round,
    Staff,
    Tournament,
    Visibility,
)

# Format of old local ruling codes, which were numbered and can be guessed.
COUNTED = "^L-[0-9]+$"

KEPT_SECONDS = 60

# Columns that decide whether a cached page is current, and which readers may see it.
VERSION_COLUMNS = (
    "version",
    "hall_version",
    "visibility",
    "practice_of",
    "registration_closes_at",
    "import_touched_at",
)


def is_open(tournament: Tournament) -> bool:
    """Return True if everybody with the address can read the event."""
    return tournament.visibility != Visibility.PRIVATE and tournament.practice_of_id is None


def can_see(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the actor can read the event.

    A private event is for its staff, players and invited players.
    """
    if is_open(tournament):
        return True
    if tournament.import_touched_at is not None:
        return False
    if permissions.is_staff(actor, tournament):
        return True
    is_playing = queries.registration_of(actor.player, tournament) is not None
    return is_playing or queries.is_invited(tournament, actor.player)


def can_know(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the actor may learn that the event exists.

    An unlisted event is known only by its address.
    """
    is_public = tournament.visibility == Visibility.PUBLIC and tournament.practice_of_id is None
    return is_public or events_of_reader(actor).filter(pk=tournament.pk).exists()


def leads_to_person(tournament: Tournament, player: Player) -> bool:
    """Return True if the event links to the player's profile, which lists this event.

    Never from an unlisted event, which is known only by its address.
    """
    is_shown = not player.hides_history and player.erased_at is None
    is_known = tournament.visibility != Visibility.UNLISTED and tournament.practice_of_id is None
    return is_shown and is_known


def events_of_reader(actor: Actor) -> QuerySet[Tournament]:
    """The private side of `can_see` as a filter: the actor's events, or all for administrators."""
    if actor.user and factors.is_administrator(actor.user, at=actor.token_made_at):
        return Tournament.objects.filter(import_touched_at=None)
    mine = Q(pk__in=Registration.objects.filter(player=actor.player).values("tournament"))
    invited = InvitedPlayer.objects.filter(player=actor.player, declined_at=None)
    mine |= Q(pk__in=invited.values("tournament"))
    if actor.user is not None:
        roles = Staff.objects.filter(user=actor.user)
        if not factors.has_factor(actor.user, at=actor.token_made_at):
            roles = roles.filter(tournament__staff_need_second_factor=False)
        mine |= Q(pk__in=roles.values("tournament"))
    return Tournament.objects.filter(mine, import_touched_at=None)


def local_rulings_for(
    user: User | None, player: Player | None, at: datetime | None, by_code: bool
) -> QuerySet[Ruling]:
    """Local rulings of events this person can read; set as `settings.LOCAL_RULINGS_FOR`.

    With `by_code`, includes unlisted events unless the code can be guessed. Searches never find
    these.
    """
    public = Q(tournament__visibility=Visibility.PUBLIC)
    unlisted = Q(tournament__visibility=Visibility.UNLISTED) & ~Q(ruling__short_code__regex=COUNTED)
    mine = Q(pk__in=[])
    if user is not None or player is not None:
        mine = Q(tournament__in=events_of_reader(Actor(user, player, at)))
    real = Q(tournament__practice_of=None)
    open_ = public | unlisted if by_code else public
    held = LocalRuling.objects.filter((real & open_) | mine)
    return Ruling.objects.filter(pk__in=held.values("ruling"))


def rulings_for(actor: Actor) -> QuerySet[Ruling]:
    """The rulings this actor can read and cite."""
    return ruling_permissions.readable(actor.user, actor.player, at=actor.token_made_at)


def can_see_drafts(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the actor can see unpublished rounds and their log entries."""
    return permissions.can_run(actor, tournament)


def can_see_round(actor: Actor, tournament: Tournament, round_: Round) -> bool:
    if round_.is_draft:
        return can_see_drafts(actor, tournament)
    return can_see(actor, tournament)


def can_see_notes(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the actor can read judges' notes on matches and answers to calls."""
    return permissions.can_judge(actor, tournament)


def moments_passed(tournament: Tournament) -> int:
    """Number of scheduled times in the past. They change pages without a new version."""
    now = timezone.now()
    return sum(moment <= now for moment in _set_times(tournament))


def _set_times(tournament: Tournament) -> list[datetime]:
    """When the stages show their decks, as of this `hall_version` or a newer one.

    Read after the event row, so the cached times are never older than the version.
    """
    key = f"moments:{tournament.pk}:{tournament.hall_version}"
    kept: list[datetime] | None = caches["pages"].get(key)
    if kept is None:
        set_times = tournament.stages.values_list("decks_shown_at", flat=True).order_by()
        kept = [moment for moment in set_times if moment is not None]
        caches["pages"].set(key, kept, KEPT_SECONDS)
    return kept
