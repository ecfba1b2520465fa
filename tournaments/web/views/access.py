"""Load objects for a view and check permissions. Every event view starts here.

Without permission to read an event, the response is the same 404 as for a missing event. With
permission to read but not to act, it is 403, or the login page for a stranger who might be staff.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from core.rate_limits import STRANGER, Person
from matches.models import Match, Seat
from players.queries import current_player
from tournaments.event import permissions, queries, visibility
from tournaments.event.actors import Actor
from tournaments.models import Pairing, Registration, Round, Tournament

Ability = Callable[[Actor, Tournament], bool]


def actor_of(request: HttpRequest) -> Actor:
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, player=current_player(request))


def counted_person(request: HttpRequest) -> Person:
    """The account or guest that rate limits count this request by; set as COUNTED_PERSON.

    Players without a current event count as strangers: an old registration must not bypass the
    limits per network address.
    """
    actor = actor_of(request)
    roles, roles_now = queries.roles_and_roles_now(actor.user) if actor.user else (0, 0)
    is_at_event = bool(roles_now) or (actor.player is not None and queries.plays_now(actor.player))
    if not roles and not is_at_event:
        return STRANGER
    return Person(actor.counted, has_role=bool(roles), is_at_event=is_at_event)


def open_event_or_404(slug: str, *, only: Sequence[str] = ()) -> Tournament:
    """The event, if everybody with its address can read it. `only`: columns to read."""
    events = Tournament.objects.only(*only) if only else queries.marked_if_outdated()
    tournament = get_object_or_404(events.order_by(), slug=slug)
    if not visibility.is_open(tournament):
        raise Http404("No event at this address.")
    return tournament


def event_or_404(
    request: HttpRequest, slug: str, *, only: Sequence[str] = ()
) -> tuple[Tournament, Actor]:
    """The event, if this person can read it, and the actor. `only`: columns to read."""
    actor = actor_of(request)
    events = Tournament.objects.only(*only) if only else queries.marked_if_outdated()
    if actor.user is None:
        tournament = get_object_or_404(events, slug=slug)
    else:
        tournament = get_object_or_404(queries.with_role_of(events, actor.user), slug=slug)
        queries.remember_role(tournament, actor.user, tournament.__dict__["found_role"])
    refuse_unseen(actor, tournament)
    return tournament, actor


def refuse_unseen(actor: Actor, tournament: Tournament) -> None:
    """Raise Http404, or a more helpful error for staff, unless the actor can see the event."""
    if not visibility.can_see(actor, tournament):
        if queries.is_importing(actor.user, tournament):
            raise permissions.ImportInProgress(tournament)
        refuse_without_factor(actor, tournament)
        raise Http404("No event at this address.")


def event_for(request: HttpRequest, slug: str, ability: Ability) -> tuple[Tournament, Actor]:
    """The event, if this person has the ability. Raise PermissionDenied."""
    tournament, actor = event_or_404(request, slug)
    if not ability(actor, tournament):
        refuse_without_factor(actor, tournament)
        raise PermissionDenied
    return tournament, actor


def refuse_without_factor(actor: Actor, tournament: Tournament) -> None:
    """Raise SecondFactorNeeded for staff whose role is suspended until they set one up."""
    if permissions.is_held_up(actor, tournament):
        raise permissions.SecondFactorNeeded(tournament)


def registration_or_404(request: HttpRequest, slug: str) -> tuple[Registration, Actor]:
    """The user's own registration for the event."""
    tournament, actor = event_or_404(request, slug)
    registration = queries.registration_of(actor.player, tournament)
    if registration is None:
        raise Http404("You are not registered for this event.")
    registration.tournament = tournament
    return registration, actor


def round_or_404(tournament: Tournament, actor: Actor, number: int) -> Round:
    """The round, if visible to this person. Drafts are 404 for the public."""
    round_ = get_object_or_404(queries.rounds(tournament).select_related("stage"), number=number)
    round_.stage.tournament = tournament
    if not visibility.can_see_round(actor, tournament, round_):
        raise Http404("No such round.")
    return round_


def table_or_404(round_: Round, table: int) -> Pairing:
    pairing = get_object_or_404(queries.pairings_by_table(round_), table_number=table)
    pairing.round = round_
    return pairing


def seen_table_or_404(
    request: HttpRequest, slug: str, number: int, table: int
) -> tuple[Pairing, Actor]:
    """The pairing at this URL with its event, if visible to this person; two queries."""
    pairing = queries.table_at(slug, number, table)
    if pairing is None:
        # Without access to the event, respond as for any of its URLs.
        event_or_404(request, slug)
        raise Http404("No such table.")
    actor, tournament = actor_of(request), pairing.round.stage.tournament
    refuse_unseen(actor, tournament)
    if not visibility.can_see_round(actor, tournament, pairing.round):
        raise Http404("No such round.")
    return pairing, actor


class MyTable(NamedTuple):
    """The user's own table in a round."""

    tournament: Tournament
    pairing: Pairing
    match: Match
    seat: Seat
    actor: Actor

    @property
    def place(self) -> tuple[str, int, int | None]:
        """Arguments of the table's URLs."""
        return self.tournament.slug, self.pairing.round.number, self.pairing.table_number


def my_table(request: HttpRequest, slug: str, number: int, table: int) -> MyTable:
    """The user's own table. Raise Http404 if not visible, PermissionDenied for other tables."""
    pairing, actor = seen_table_or_404(request, slug, number, table)
    assert pairing.match is not None
    seat = queries.seat_of(pairing.match, actor.player)
    if seat is None:
        raise PermissionDenied
    return MyTable(pairing.round.stage.tournament, pairing, pairing.match, seat, actor)
