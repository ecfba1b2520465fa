"""Load objects for a view and check permissions. Every event view starts here.

Without permission to read an event, the response is the same 404 as for a missing event. With
permission to read but not to act, it is 403, or the login page for a stranger who might be staff.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeAlias

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from core.rate_limits import STRANGER_REQUESTER, Requester
from matches.models import Match, Seat
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.permissions import Actor, actor_of
from tournaments.models import Pairing, Registration, Round, Tournament
from tournaments.models.event_lists import TournamentQuerySet

PermissionCheck = Callable[[Actor, Tournament], bool]
P = ParamSpec("P")


class EventRequest(HttpRequest):
    """A request below an event. The decorator of the view sets the event and the actor."""

    event: Tournament
    actor: Actor
    # Set on pages with facts of the reader's own table.
    own_version: int | None


class RegistrationRequest(EventRequest):
    registration: Registration


class OwnTable(NamedTuple):
    pairing: Pairing
    match: Match
    seat: Seat


class TableRequest(EventRequest):
    table: OwnTable


EventView: TypeAlias = Callable[Concatenate[EventRequest, P], HttpResponse]
RegistrationView: TypeAlias = Callable[Concatenate[RegistrationRequest, P], HttpResponse]
TableView: TypeAlias = Callable[Concatenate[TableRequest, P], HttpResponse]


def counted_person(request: HttpRequest) -> Requester:
    """Return the account or guest that rate limits count this request by; set as COUNTED_PERSON."""
    # Players without a current event count as strangers: an old registration must not bypass the
    # limits per network address.
    actor = actor_of(request)
    roles, roles_now = Tournament.objects.count_roles(actor.user) if actor.user else (0, 0)
    is_at_event = bool(roles_now) or (
        actor.player is not None and Tournament.objects.has_player_now(actor.player)
    )
    if not roles and not is_at_event:
        return STRANGER_REQUESTER
    return Requester(actor.counted, has_role=bool(roles), is_at_event=is_at_event)


def _events_of_page(only: Sequence[str]) -> TournamentQuerySet:
    return Tournament.objects.only(*only) if only else Tournament.objects.with_outdated_standings()


def open_event_or_404(slug: str, *, only: Sequence[str] = ()) -> Tournament:
    """Return the event, if everybody with its address can read it. `only`: columns to read."""
    tournament = get_object_or_404(_events_of_page(only).order_by(), slug=slug)
    if not visibility.is_open_to_all(tournament):
        raise Http404("There is no event at this address.")
    return tournament


def event_or_404(
    request: HttpRequest, slug: str, *, only: Sequence[str] = ()
) -> tuple[Tournament, Actor]:
    """Return the event, if this person can read it, and the actor. `only`: columns to read."""
    actor, events = actor_of(request), _events_of_page(only)
    if actor.user is None:
        tournament = get_object_or_404(events, slug=slug)
    else:
        tournament = get_object_or_404(events.with_role_of(actor.user), slug=slug)
        tournament.remember_role(actor.user, tournament.__dict__["found_role"])
    refuse_unless_visible(actor, tournament)
    return tournament, actor


def refuse_unless_visible(actor: Actor, tournament: Tournament) -> None:
    """Raise Http404, or a more helpful error for staff, unless the actor can see the event."""
    if not visibility.can_see(actor, tournament):
        if tournament.is_imported_by(actor.user):
            raise event_permissions.ImportInProgress(tournament)
        refuse_without_factor(actor, tournament)
        raise Http404("There is no event at this address.")


def event_with_permission(
    request: HttpRequest, slug: str, ability: PermissionCheck
) -> tuple[Tournament, Actor]:
    """Return the event, if this person has the ability. Raise PermissionDenied."""
    tournament, actor = event_or_404(request, slug)
    if not ability(actor, tournament):
        refuse_without_factor(actor, tournament)
        raise PermissionDenied
    return tournament, actor


def refuse_without_factor(actor: Actor, tournament: Tournament) -> None:
    """Raise SecondFactorNeeded for staff whose role is suspended until they set one up."""
    if event_permissions.is_role_suspended(actor, tournament):
        raise event_permissions.SecondFactorNeeded(tournament)


def event_view(view: EventView[P]) -> Callable[..., HttpResponse]:
    """Set the event and the actor; 404 unless this person can read the event."""

    @wraps(view)
    def wrapper(
        request: EventRequest, slug: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        request.event, request.actor = event_or_404(request, slug)
        return view(request, *args, **kwargs)

    return wrapper


def registration_view(view: RegistrationView[P]) -> Callable[..., HttpResponse]:
    """Set the event, the actor and the user's own registration; 404 without one."""

    @wraps(view)
    def wrapper(
        request: RegistrationRequest, slug: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        request.event, request.actor = event_or_404(request, slug)
        registration = request.event.registration_of(request.actor.player)
        if registration is None:
            raise Http404("You are not registered for this event.")
        registration.tournament = request.event
        request.registration = registration
        return view(request, *args, **kwargs)

    return wrapper


def table_view(view: TableView[P]) -> Callable[..., HttpResponse]:
    """Set the event, the actor and the user's own table; two queries.

    404 if the table is not visible, 403 if the user does not play there.
    """

    @wraps(view)
    def wrapper(
        request: TableRequest, slug: str, number: int, table: int, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        pairing = Pairing.objects.for_player_page(slug, number, table)
        if pairing is None:
            # Without access to the event, respond as for any of its URLs.
            event_or_404(request, slug)
            raise Http404("This table does not exist.")
        request.event, request.actor = pairing.round.stage.tournament, actor_of(request)
        refuse_unless_visible(request.actor, request.event)
        if not visibility.can_see_round(request.actor, request.event, pairing.round):
            raise Http404("This round does not exist.")
        assert pairing.match is not None
        seat = pairing.match.seat_of(request.actor.player)
        if seat is None:
            raise PermissionDenied
        request.table = OwnTable(pairing, pairing.match, seat)
        return view(request, *args, **kwargs)

    return wrapper


def round_or_404(request: EventRequest, number: int) -> Round:
    rounds = request.event.rounds.select_related("stage")
    round_ = get_object_or_404(rounds, number=number)
    round_.stage.tournament = request.event
    if not visibility.can_see_round(request.actor, request.event, round_):
        raise Http404("This round does not exist.")
    return round_


def table_or_404(round_: Round, table: int) -> Pairing:
    pairing = get_object_or_404(round_.pairings.with_players(), table_number=table)
    pairing.round = round_
    return pairing
