"""Fetch and ask: every page below an event starts with one of these.

Whoever may not read an event gets the same 404 as for an event that does not
exist; whoever may read it but not act gets 403, or the log-in page when a
stranger might be staff.
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
    """Who is asking."""
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, player=current_player(request))


def counted_person(request: HttpRequest) -> Person:
    """Return the account or guest that limits count this request by; COUNTED_PERSON names this.

    Players whose event is not on now are strangers: an old registration opens no way around the
    limits of an address.
    """
    actor = actor_of(request)
    roles, roles_now = queries.roles_and_roles_now(actor.user) if actor.user else (0, 0)
    is_at_event = bool(roles_now) or (actor.player is not None and queries.plays_now(actor.player))
    if not roles and not is_at_event:
        return STRANGER
    return Person(actor.counted, has_role=bool(roles), is_at_event=is_at_event)


def open_event_or_404(slug: str, *, only: Sequence[str] = ()) -> Tournament:
    """The event, if everybody may know of it; with `only` these columns are read."""
    events = Tournament.objects.only(*only) if only else queries.marked_if_outdated()
    tournament = get_object_or_404(events.order_by(), slug=slug)
    if not visibility.is_open(tournament):
        raise Http404("No event at this address.")
    return tournament


def event_or_404(
    request: HttpRequest, slug: str, *, only: Sequence[str] = ()
) -> tuple[Tournament, Actor]:
    """The event, if this person may know of it; with `only` these columns are read."""
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
    """Raise Http404 for who may not know of this event."""
    if not visibility.can_see(actor, tournament):
        if queries.is_importing(actor.user, tournament):
            raise permissions.ImportInProgress(tournament)
        refuse_without_factor(actor, tournament)
        raise Http404("No event at this address.")


def event_for(request: HttpRequest, slug: str, ability: Ability) -> tuple[Tournament, Actor]:
    """The event, for somebody who has this ability; PermissionDenied for all others."""
    tournament, actor = event_or_404(request, slug)
    if not ability(actor, tournament):
        refuse_without_factor(actor, tournament)
        raise PermissionDenied
    return tournament, actor


def refuse_without_factor(actor: Actor, tournament: Tournament) -> None:
    """Raise SecondFactorNeeded for staff whose role waits for a second factor."""
    if permissions.is_held_up(actor, tournament):
        raise permissions.SecondFactorNeeded(tournament)


def registration_or_404(request: HttpRequest, slug: str) -> tuple[Registration, Actor]:
    """The asking player's own place in the event."""
    tournament, actor = event_or_404(request, slug)
    registration = queries.registration_of(actor.player, tournament)
    if registration is None:
        raise Http404("You are not registered for this event.")
    registration.tournament = tournament
    return registration, actor


def round_or_404(tournament: Tournament, actor: Actor, number: int) -> Round:
    """A round this person may see; a draft does not exist for the public."""
    round_ = get_object_or_404(queries.rounds(tournament).select_related("stage"), number=number)
    round_.stage.tournament = tournament
    if not visibility.can_see_round(actor, tournament, round_):
        raise Http404("No such round.")
    return round_


def table_or_404(round_: Round, table: int) -> Pairing:
    """The pairing at a table of this round."""
    pairing = get_object_or_404(queries.pairings_by_table(round_), table_number=table)
    pairing.round = round_
    return pairing


def seen_table_or_404(
    request: HttpRequest, slug: str, number: int, table: int
) -> tuple[Pairing, Actor]:
    """The pairing at an address with its event, if this person may see it; two queries."""
    pairing = queries.table_at(slug, number, table)
    if pairing is None:
        # Whoever may not read the event is to learn no more of it than elsewhere.
        event_or_404(request, slug)
        raise Http404("No such table.")
    actor, tournament = actor_of(request), pairing.round.stage.tournament
    refuse_unseen(actor, tournament)
    if not visibility.can_see_round(actor, tournament, pairing.round):
        raise Http404("No such round.")
    return pairing, actor


class MyTable(NamedTuple):
    """The asking player's own table in a round."""

    tournament: Tournament
    pairing: Pairing
    match: Match
    seat: Seat
    actor: Actor

    @property
    def place(self) -> tuple[str, int, int | None]:
        """What its addresses are made of."""
        return self.tournament.slug, self.pairing.round.number, self.pairing.table_number


def my_table(request: HttpRequest, slug: str, number: int, table: int) -> MyTable:
    """404 for a table nobody may see; PermissionDenied for a table of others."""
    pairing, actor = seen_table_or_404(request, slug, number, table)
    assert pairing.match is not None
    seat = queries.seat_of(pairing.match, actor.player)
    if seat is None:
        raise PermissionDenied
    return MyTable(pairing.round.stage.tournament, pairing, pairing.match, seat, actor)
