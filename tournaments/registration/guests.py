"""Guests: their personal links and names."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from core.errors import Refusal
from players import services as player_services
from players.models import Player
from players.sessions import bind_guest, claim_url
from tournaments.event import history
from tournaments.event import permissions as event_permissions
from tournaments.event.permissions import Actor
from tournaments.models import LogAction, Registration, RegistrationState, Tournament

LINK_LIFETIME = timedelta(days=30)
MIN_LINK_LIFETIME = timedelta(days=7)
# Player fields shown on event pages.
PUBLIC_PLAYER_FIELDS = {"name", "pronouns", *player_services.PRIVACY_FIELDS}


class PlaysElsewhere(Refusal):
    """The link or new name would affect events of other organisers."""


class NamesThemselves(Refusal):
    """The player has an account and sets their own name."""


@transaction.atomic
def issue_claim_link(registration: Registration, actor: Actor) -> str:
    """Issue a guest's new personal link and return its secret, to be shown once.

    The previous link stops working. A link gives access to all of the player's events, so the actor
    must run them all, or be that player. It expires a month after the day of the event, and in a
    week at the earliest. The log records that a link was issued, without the secret. Raises
    PlaysElsewhere, PlayerHasAccount, PlayerErased.
    """
    tournament = history.lock(registration.tournament)
    if registration.player != actor.player:
        _refuse_events_of_others(registration.player, actor)
    secret = player_services.issue_claim(registration.player, link_expiry(tournament))
    history.record(tournament, actor, LogAction.CLAIM_LINK_GIVEN, registration.player)
    return secret


def start_session(request: HttpRequest | Request, registration: Registration) -> str:
    """Bind the session to the new guest, and return the address of their personal link."""
    secret = issue_claim_link(registration, Actor(player=registration.player))
    bind_guest(request, registration.player)
    return claim_url(request, secret)


@dataclass(frozen=True)
class ClaimLink:
    registration: Registration
    secret: str


@transaction.atomic
def issue_claim_links(
    tournament: Tournament, actor: Actor, *, replace_valid: bool = False
) -> list[ClaimLink]:
    """Issue links, by name, to players with neither an account nor a phone here.

    Links that still work are not replaced unless `replace_valid`. Players of other organisers'
    events and dropped players are left out. Constant number of queries.
    """
    locked = history.lock(tournament)
    find_entries = linkable_registrations if replace_valid else registrations_without_link
    entries = list(find_entries(locked, actor))
    guests = Player.objects.select_for_update().filter(
        pk__in=[entry.player_id for entry in entries], user=None, erased_at=None, claimed_at=None
    )
    still = {player.pk: player for player in guests}
    entries = [entry for entry in entries if entry.player_id in still]
    players = [still[entry.player_id] for entry in entries]
    secrets = player_services.issue_claims(players, link_expiry(locked))
    changes = [history.LoggedChange(player) for player in players]
    history.record_all(locked, actor, LogAction.CLAIM_LINK_GIVEN, changes)
    return [ClaimLink(*pair) for pair in zip(entries, secrets, strict=True)]


def registrations_without_link(tournament: Tournament, actor: Actor) -> QuerySet[Registration]:
    works = Q(player__claim_hash__isnull=False, player__claim_expires_at__gt=timezone.now())
    return linkable_registrations(tournament, actor).exclude(works)


def linkable_registrations(tournament: Tournament, actor: Actor) -> QuerySet[Registration]:
    """Return guests without a phone here, by name, if this actor may issue their links.

    Players who joined on their own phone are left out: a new link would log them out.
    """
    guests = (
        tournament.registrations.filter(player__erased_at=None)
        .exclude(state=RegistrationState.DROPPED)
        .exclude(pk__in=tournament.players_known_on_device().order_by().values("pk"))
    )
    runnable = event_permissions.runnable_events(actor, Tournament.objects.all()).order_by()
    elsewhere = (
        Registration.objects.exclude(tournament=tournament)
        .exclude(tournament__in=runnable.values("pk"))
        .filter(player__in=guests.order_by().values("player"))
        .order_by()
    )
    return guests.exclude(player__in=elsewhere.values("player")).select_related("player")


@transaction.atomic
def rename_guest(
    registration: Registration, actor: Actor, name: str, pronouns: str | None = None
) -> None:
    """Change the name of a guest as staff, and the pronouns unless None.

    The log stores the names, but not the pronouns. Nothing is logged if nothing changes. Raises
    NamesThemselves, PlaysElsewhere, NameNotUsable, PlayerErased, EventIsFinished, PlayerRemoved.
    """
    tournament = history.lock_unfinished(registration.tournament)
    history.reload_registration(registration)
    player = Player.objects.select_for_update().get(pk=registration.player_id)
    registration.player = player
    if player.user_id is not None:
        raise NamesThemselves(
            _("%(player)s has an account, so only they can change their name and pronouns.")
            % {"player": player}
        )
    _refuse_events_of_others(player, actor)
    old_name, old_pronouns = player.name, player.pronouns
    player_services.rename_player(player, name, pronouns)
    if (player.name, player.pronouns) == (old_name, old_pronouns):
        return
    before, after = {"name": old_name}, {"name": player.name}
    history.record(
        tournament, actor, LogAction.PLAYER_RENAMED, registration, before=before, after=after
    )


def link_expiry(tournament: Tournament) -> datetime:
    day = datetime.combine(tournament.starts_on, time.min, UTC)
    return max(day + LINK_LIFETIME, timezone.now() + MIN_LINK_LIFETIME)


def _refuse_events_of_others(player: Player, actor: Actor) -> None:
    events = Tournament.objects.filter(registrations__player=player).order_by()
    runnable = event_permissions.runnable_events(actor, events).values("pk")
    if events.exclude(pk__in=runnable).exists():
        raise PlaysElsewhere(
            _(
                "%(player)s also plays at events of other organisers, and this would change "
                "those too. Ask the administrator of this site."
            )
            % {"player": player}
        )


def renew_pages_after_rename(
    sender: type[Player],
    instance: Player,
    created: bool,
    update_fields: Collection[str] | None,
    **kwargs: Any,
) -> None:
    """Handle Player.post_save; the players app must not import events."""
    is_named = update_fields is None or PUBLIC_PLAYER_FIELDS & set(update_fields)
    if is_named and not created:
        # After the commit: the player is locked here, and the event must be locked first.
        transaction.on_commit(partial(renew_pages, instance.pk))


def renew_pages(player_id: int) -> None:
    events = Registration.objects.filter(player=player_id).values("tournament")
    history.bump_versions_of_events(Tournament.objects.filter(pk__in=events))
