"""Who reads an event, its rounds, its local rulings and what the staff note, and from when on."""

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

COUNTED = "^L-[0-9]+$"
"""A code as local rulings had them when they were numbered."""

KEPT_SECONDS = 60

VERSION_COLUMNS = (
    "version",
    "hall_version",
    "visibility",
    "practice_of",
    "registration_closes_at",
    "import_touched_at",
)
"""The columns of an event that decide whether a copy of its pages is still right, and for whom."""


def is_open(tournament: Tournament) -> bool:
    """Whether everybody who has the address reads the event; nobody does a sandbox."""
    return tournament.visibility != Visibility.PRIVATE and tournament.practice_of_id is None


def can_see(actor: Actor, tournament: Tournament) -> bool:
    """Read the event. A private one is for its staff, its players and invited players."""
    if is_open(tournament):
        return True
    if tournament.import_touched_at is not None:
        return False
    if permissions.is_staff(actor, tournament):
        return True
    is_playing = queries.registration_of(actor.player, tournament) is not None
    return is_playing or queries.is_invited(tournament, actor.player)


def can_know(actor: Actor, tournament: Tournament) -> bool:
    """Know that the event is there; of an unlisted one only who has its address knows."""
    is_public = tournament.visibility == Visibility.PUBLIC and tournament.practice_of_id is None
    return is_public or events_of_reader(actor).filter(pk=tournament.pk).exists()


def leads_to_person(tournament: Tournament, player: Player) -> bool:
    """Whether readers of the event find the player's page over all events: it names this one.

    Not from an unlisted event, of which only who has its address knows.
    """
    is_shown = not player.hides_history and player.erased_at is None
    is_known = tournament.visibility != Visibility.UNLISTED and tournament.practice_of_id is None
    return is_shown and is_known


def events_of_reader(actor: Actor) -> QuerySet[Tournament]:
    """The private side of `can_see` as a filter: events of this person, or all of them."""
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
    """Local rulings of events this person may read; `settings.LOCAL_RULINGS_FOR` names this.

    Everybody with its address reads an unlisted event, and a code nobody can count up is as good:
    `by_code` those are among them, but no search finds them.
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
    """The rulings this person may read, and so cite."""
    return ruling_permissions.readable(actor.user, actor.player, at=actor.token_made_at)


def can_see_drafts(actor: Actor, tournament: Tournament) -> bool:
    """Read rounds before they are published, and what the log says of them."""
    return permissions.can_run(actor, tournament)


def can_see_round(actor: Actor, tournament: Tournament, round_: Round) -> bool:
    """Read a round; a draft is for those who run the event."""
    if round_.is_draft:
        return can_see_drafts(actor, tournament)
    return can_see(actor, tournament)


def can_see_notes(actor: Actor, tournament: Tournament) -> bool:
    """Read what judges note on matches and answer to calls: judges alone."""
    return permissions.can_judge(actor, tournament)


def moments_passed(tournament: Tournament) -> int:
    """How many of the set times are past. No log entry and no new version says so."""
    now = timezone.now()
    return sum(moment <= now for moment in _set_times(tournament))


def _set_times(tournament: Tournament) -> list[datetime]:
    """When the stages show their decks, at the `hall_version` of this row or a newer one.

    They are read after the row, so what is kept for a version is never older than it says.
    """
    key = f"moments:{tournament.pk}:{tournament.hall_version}"
    kept: list[datetime] | None = caches["pages"].get(key)
    if kept is None:
        set_times = tournament.stages.values_list("decks_shown_at", flat=True).order_by()
        kept = [moment for moment in set_times if moment is not None]
        caches["pages"].set(key, kept, KEPT_SECONDS)
    return kept
