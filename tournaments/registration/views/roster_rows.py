"""One player of the roster: checked in, dropped, back, removed, given a link."""

from collections import Counter
from collections.abc import Callable
from functools import partial, wraps

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from core.errors import StaleVersion
from players import services as players
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Registration, Tournament
from tournaments.registration.forms import SeedForm
from tournaments.registration.services import claims, registrations
from tournaments.registration.views.roster import counts, looks_like, rounds_seen
from tournaments.rounds.services import seeding
from tournaments.web.views.access import Ability
from tournaments.web.views.staff_pages import READ, WRITE, abilities, desk_page, staff_page, told

Change = Callable[[Registration], object]
MOST_WORDS = 200
"""Of a reason that is typed into a row."""
Tap = Callable[[Registration, Actor], None]
EXPECTED = (
    registrations.AlreadyPlayed,
    registrations.OrderIsFixed,
    registrations.TooLate,
    registrations.NotWaiting,
    StaleVersion,
)
NO_LINK = (players.PlayerHasAccount, players.PlayerErased, claims.PlaysElsewhere)


def entry_or_404(tournament: Tournament, number: int) -> Registration:
    """The registration with this number, with all its row of the roster prints."""
    entry = get_object_or_404(queries.roster(tournament), number=number)
    entry.tournament = tournament
    return entry


def _answer(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int, change: Change
) -> HttpResponse:
    """Change one player, then show the row to htmx, or the roster to anybody else.

    A form of the desk says so in `next` and leads back to it.
    """
    with told(request, *EXPECTED) as outcome:
        change(entry_or_404(tournament, number))
    if request.POST.get("next") == "desk":
        return redirect("tournaments:desk", slug=tournament.slug)
    if not getattr(request, "htmx", False):
        return redirect(f"{reverse('tournaments:roster', args=[tournament.slug])}#player-{number}")
    everybody = queries.everybody_on_roster(tournament)
    context = {
        **abilities(tournament, actor),
        **counts(Counter(one.state for one in everybody)),
        **rounds_seen(tournament, actor),
        "entry": entry_or_404(tournament, number),
        "looks_like": looks_like(everybody).get(number),
        "is_too_late": queries.is_too_late(tournament),
        "is_full": queries.is_full(tournament),
        "with_counts": True,
    }
    status = 200 if outcome.refusal is None else 409
    return render(request, "tournaments/registration/_roster_row.html", context, status=status)


def _tap(ability: Ability) -> Callable[[Tap], Callable[..., HttpResponse]]:
    """A button of the row that needs no more than the player."""

    def decorate(change: Tap) -> Callable[..., HttpResponse]:
        @staff_page(ability, WRITE)
        @wraps(change)
        def view(
            request: HttpRequest, tournament: Tournament, actor: Actor, number: int
        ) -> HttpResponse:
            return _answer(request, tournament, actor, number, lambda entry: change(entry, actor))

        return view

    return decorate


@_tap(permissions.can_open_desk)
def check_in(entry: Registration, actor: Actor) -> None:
    """The player is here."""
    registrations.check_in([entry], actor)


@_tap(permissions.can_open_desk)
def undo_check_in(entry: Registration, actor: Actor) -> None:
    """A slip of the finger: the player is not here."""
    registrations.undo_check_in(entry, actor)


@_tap(permissions.can_run)
def drop(entry: Registration, actor: Actor) -> None:
    """The player leaves."""
    registrations.drop(entry, actor)


@_tap(permissions.can_run)
def return_(entry: Registration, actor: Actor) -> None:
    """The player is back."""
    registrations.return_(entry, actor)


@staff_page(permissions.can_run, WRITE)
def move_up(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """From the waiting list onto the roster; over the limit with a `reason`."""
    reason = request.POST.get("reason", "").strip()[:MOST_WORDS]
    change = partial(registrations.move_up, actor=actor, reason=reason)
    return _answer(request, tournament, actor, number, change)


@staff_page(permissions.can_run, WRITE)
def let_in(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """Check in somebody who comes later than the event allows, with a `reason`."""
    reason = request.POST.get("reason", "").strip()[:MOST_WORDS]
    change = partial(_let_in, actor=actor, reason=reason)
    return _answer(request, tournament, actor, number, change)


def _let_in(entry: Registration, actor: Actor, reason: str) -> None:
    registrations.check_in([entry], actor, late_reason=reason)


@staff_page(permissions.can_run, WRITE)
def first_round_bye(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Give or take the bye of round 1, as `bye` (yes or no) says."""
    has_bye = request.POST.get("bye") == "yes"
    change = partial(registrations.set_first_round_bye, actor=actor, has_bye=has_bye)
    return _answer(request, tournament, actor, number, change)


@staff_page(permissions.can_run, WRITE)
def seed(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """Set or take away a player's seed and the group that is kept apart."""
    form = SeedForm(request.POST)
    if not form.is_valid():
        messages.error(request, form.words)
        return redirect(f"{reverse('tournaments:roster', args=[tournament.slug])}#player-{number}")
    change = partial(
        seeding.set_seed_and_group,
        actor=actor,
        seed=form.cleaned_data["seed"],
        avoid_group=form.cleaned_data["avoid_group"],
        seen=form.seen,
    )
    return _answer(request, tournament, actor, number, change)


@staff_page(permissions.can_run, WRITE)
def remove(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """Off the roster; only who has never been paired."""
    entry = entry_or_404(tournament, number)
    with told(request, registrations.AlreadyPlayed):
        registrations.remove(entry, actor)
        messages.success(request, f"{entry.player} is off the roster.")
    return redirect("tournaments:roster", slug=tournament.slug)


@staff_page(permissions.can_run, READ + WRITE)
def claim_link(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """A personal link for a guest, shown once, with its QR code.

    GET asks first, because a new link ends the former one.
    """
    entry = entry_or_404(tournament, number)
    context: dict[str, object] = {"entry": entry}
    if request.method == "POST":
        with told(request, *NO_LINK):
            secret = claims.issue_claim(entry, actor)
            link = request.build_absolute_uri(reverse("players:claim", args=[secret]))
            context |= {"link": link, "qr": segno.make(link, error="m").svg_data_uri(border=2)}
    response = desk_page(
        request, tournament, actor, "tournaments/registration/claim_link.html", context
    )
    if "link" in context:
        # Not on the page that asks: a form sent from there would lose its Origin.
        response["Referrer-Policy"] = "no-referrer"
    return response
