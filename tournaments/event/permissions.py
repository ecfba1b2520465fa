"""The actor behind a request, and permissions at an event."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players import factors
from players.models import Player, User
from players.queries import current_player
from tournaments.models import ApiToken, Staff, StaffRole, Tournament


@dataclass(frozen=True)
class Actor:
    """The account and the player behind a request. With neither: Datafort, or a stranger."""

    user: User | None = None
    player: Player | None = None
    # When the API token of the request was created.
    token_made_at: datetime | None = None
    # Primary key of the only event in which the token has a role.
    token_event: int | None = None

    @property
    def counted(self) -> str:
        """The key for rate limits: the account, else the guest; "" for a stranger."""
        if self.user is not None:
            return f"user-{self.user.pk}"
        return f"guest-{self.player.pk}" if self.player is not None else ""

    @property
    def sender(self) -> str:
        """The owner of idempotency keys: the player, else the account; "" for a stranger."""
        if self.player is not None:
            return f"player:{self.player.pk}"
        return f"user:{self.user.pk}" if self.user is not None else ""


NOBODY = Actor()


def actor_of(request: HttpRequest) -> Actor:
    """Return the actor of the session, or of the API token."""
    user = request.user if request.user.is_authenticated else None
    player, token = current_player(request), getattr(request, "auth", None)
    if not isinstance(token, ApiToken):
        return Actor(user, player)
    return Actor(user, player, token_made_at=token.created, token_event=token.tournament_id)


# Permissions at an event; tournaments.event.visibility decides what is visible.


class SecondFactorNeeded(PermissionDenied):
    """The event requires two-factor authentication and this account has none."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__("This event requires two-factor authentication for its staff.")
        self.tournament = tournament


class ImportInProgress(PermissionDenied):
    """The event is still being imported. Raised for the importer only."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__("The import of this event is in progress.")
        self.tournament = tournament


class OrganisersOnly(PermissionDenied):
    def __init__(self) -> None:
        super().__init__(
            "On this site, only staff of the site can create events."
            if settings.ORGANISERS == "staff"
            else "On this site, only approved accounts can create events."
        )


@dataclass(frozen=True)
class Ability:
    """A permission with its roles, described in words."""

    words: str | Promise
    roles: frozenset[StaffRole]


_RUNNERS = frozenset({StaffRole.OWNER, StaffRole.ORGANISER})
_SCORERS = _RUNNERS | {StaffRole.SCOREKEEPER, StaffRole.HEAD_JUDGE}
_JUDGES = _RUNNERS | {StaffRole.HEAD_JUDGE, StaffRole.JUDGE}
_HEAD_JUDGES = _RUNNERS | {StaffRole.HEAD_JUDGE}

OWN = Ability(
    gettext_lazy(
        "Assign and remove roles, invite helpers, hand over the event, reopen it after "
        "it is finished, delete it before round 1"
    ),
    frozenset({StaffRole.OWNER}),
)
RUN = Ability(
    gettext_lazy(
        "Change settings and the roster, drop players, pair, publish and close rounds, "
        "run the clock, lock and reveal decks, finish the event"
    ),
    _RUNNERS,
)
SCORE = Ability(gettext_lazy("Enter and change results, resolve disputes"), _SCORERS)
MARK_PAID = Ability(gettext_lazy("Mark players as paid"), _RUNNERS | {StaffRole.SCOREKEEPER})
JUDGE = Ability(
    gettext_lazy(
        "Answer judge calls, give penalties, see and check decks, write notes on "
        "matches, give tables extra time"
    ),
    _JUDGES,
)
HEAD_JUDGE = Ability(
    gettext_lazy(
        "Answer appeals and calls passed to the head judge, disqualify players, change "
        "the infraction guide, write local rulings, see the judges' report"
    ),
    _HEAD_JUDGES,
)
DESK = Ability(
    gettext_lazy(
        "Open the desk, check players in, mark players as missing, see the roster and "
        "the log, print"
    ),
    _SCORERS | _JUDGES,
)
STREAM = Ability(gettext_lazy("See a private event and its stream page"), frozenset(StaffRole))
ABILITIES = (OWN, RUN, SCORE, MARK_PAID, JUDGE, HEAD_JUDGE, DESK, STREAM)


def abilities_by_role() -> dict[str, list[str]]:
    """Return the abilities of each role, in words and in the order of the table."""
    return {
        str(role.label): [str(ability.words) for ability in ABILITIES if role in ability.roles]
        for role in StaffRole
    }


def refuse_unless_organiser(user: User | AnonymousUser) -> None:
    """Raise OrganisersOnly if this account may not create events and series."""
    # An approved account has Django's permission to add tournaments, directly or from a group.
    if settings.ORGANISERS == "anybody" or user.is_staff or user.is_superuser:
        return
    if settings.ORGANISERS == "approved" and user.has_perm("tournaments.add_tournament"):
        return
    raise OrganisersOnly


def _can(actor: Actor, tournament: Tournament, ability: Ability) -> bool:
    return _has_role(actor, tournament, ability) and not _lacks_second_factor(actor, tournament)


def _has_role(actor: Actor, tournament: Tournament, ability: Ability) -> bool:
    if actor.user is None or actor.token_event not in (None, tournament.pk):
        return False
    if factors.is_administrator(actor.user, at=actor.token_made_at):
        return True
    return tournament.role_of(actor.user) in ability.roles


def _lacks_second_factor(actor: Actor, tournament: Tournament) -> bool:
    if actor.user is None or not tournament.staff_need_second_factor:
        return False
    return not factors.has_factor(actor.user, at=actor.token_made_at)


def is_role_suspended(actor: Actor, tournament: Tournament) -> bool:
    """Return True if the role is suspended until two-factor authentication is set up."""
    # A token must be made after its account set up the second factor.
    return _lacks_second_factor(actor, tournament) and _has_role(actor, tournament, STREAM)


def is_staff(actor: Actor, tournament: Tournament) -> bool:
    return _can(actor, tournament, STREAM)


def rate_limit_key(actor: Actor, tournament: Tournament) -> str:
    """Return the rate-limit key of staff and players of the event; "" for strangers."""
    if is_staff(actor, tournament):
        return actor.counted
    is_playing = (
        actor.player is not None and tournament.registrations.filter(player=actor.player).exists()
    )
    return actor.counted if is_playing else ""


def can_own(actor: Actor, tournament: Tournament) -> bool:
    """Change the staff, reopen a finished event."""
    return _can(actor, tournament, OWN)


def can_run(actor: Actor, tournament: Tournament) -> bool:
    return _can(actor, tournament, RUN)


def can_enter_results(actor: Actor, tournament: Tournament) -> bool:
    return _can(actor, tournament, SCORE)


def can_mark_paid(actor: Actor, tournament: Tournament) -> bool:
    return _can(actor, tournament, MARK_PAID)


def can_judge(actor: Actor, tournament: Tournament) -> bool:
    return _can(actor, tournament, JUDGE)


def can_head_judge(actor: Actor, tournament: Tournament) -> bool:
    return _can(actor, tournament, HEAD_JUDGE)


def can_open_desk(actor: Actor, tournament: Tournament) -> bool:
    return _can(actor, tournament, DESK)


def can_see_desk_link(actor: Actor, tournament: Tournament) -> bool:
    """Return True if pages link to the desk. Staff without their second factor get help there."""
    return can_open_desk(actor, tournament) or is_role_suspended(actor, tournament)


def is_desk_role(role: str) -> bool:
    return role in DESK.roles


def events_with_desk_role(actor: Actor) -> set[int]:
    roles = Staff.objects.filter(user=actor.user, role__in=DESK.roles)
    return set(roles.values_list("tournament", flat=True))


def events_run_by(actor: Actor) -> set[int]:
    roles = Staff.objects.filter(user=actor.user, role__in=RUN.roles)
    return set(roles.values_list("tournament", flat=True))


def runnable_events(actor: Actor, events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    if actor.user is None:
        return events.none()
    if actor.token_event is not None:
        events = events.filter(pk=actor.token_event)
    if not factors.is_administrator(actor.user, at=actor.token_made_at):
        roles = Staff.objects.filter(user=actor.user, role__in=RUN.roles)
        events = events.filter(pk__in=roles.values("tournament"))
    if not factors.has_factor(actor.user, at=actor.token_made_at):
        events = events.filter(staff_need_second_factor=False)
    return events


def why_too_large(user: User, players: int, rounds: int) -> str:
    """Return why this account cannot have an event of this size; empty if it can."""
    most: int = settings.MAX_EVENT_LINES
    if players * rounds <= most or factors.is_administrator(user):
        return ""
    return _(
        "%(players)s players in %(rounds)s rounds are more than this site allows. Players times "
        "rounds can be at most %(most)s. Ask the site's administrator."
    ) % {"players": f"{players:,}", "rounds": rounds, "most": f"{most:,}"}


def has_a_role(user: User) -> bool:
    """Return True if the account has a role at any event; set as `settings.HAS_A_ROLE`."""
    return Staff.objects.filter(user=user).exists()
