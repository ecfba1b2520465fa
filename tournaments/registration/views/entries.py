"""Rename a player, merge entries, and issue personal links."""

import segno
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from players import services as player_services
from tournaments.event import permissions, queries
from tournaments.models import Registration, Tournament
from tournaments.registration.forms import MergeForm, RenameForm
from tournaments.registration.pages import claim_address
from tournaments.registration.services import merging, profiles, registrations
from tournaments.registration.views.roster import entry_or_404
from tournaments.rounds.services import late_entries
from tournaments.web.views.access import EventRequest
from tournaments.web.views.idempotent import ShownOnce, once
from tournaments.web.views.staff_pages import READ, WRITE, RefusalsShown, desk_page, staff_page

MADE_BEFORE = (
    "These links were made before and are shown once, so nothing was done now. "
    "If the sheet is lost, make new links for all."
)
NO_LINK = (player_services.PlayerHasAccount, player_services.PlayerErased, profiles.PlaysElsewhere)
NO_NAME = (
    player_services.NameNotUsable,
    player_services.PlayerErased,
    profiles.NamesThemselves,
    profiles.PlaysElsewhere,
)
NO_MERGE = (
    merging.CannotMerge,
    registrations.AlreadyPlayed,
    registrations.OrderIsFixed,
    late_entries.TooLate,
)


@staff_page(permissions.can_run, READ + WRITE)
def entry(request: EventRequest, number: int) -> HttpResponse:
    """Edit a player's name and pronouns, or merge a duplicate entry."""
    place = entry_or_404(request.event, number)
    player = place.player
    form = RenameForm(
        request.POST or None, initial={"name": player.name, "pronouns": player.pronouns}
    )
    status = 422 if form.is_bound else 200
    if form.is_valid():
        with RefusalsShown(request, *NO_NAME):
            name, pronouns = form.cleaned_data["name"], form.cleaned_data["pronouns"]
            profiles.rename(place, request.actor, name, pronouns)
            messages.success(request, f"Saved: number {number} is {name}")
            return _to_row(request.event, number)
        status = 409
    return _entry_page(request, place, form, status)


@staff_page(permissions.can_run, WRITE)
def merge(request: EventRequest, number: int) -> HttpResponse:
    """Remove a duplicate entry of the same player from the roster."""
    place = entry_or_404(request.event, number)
    form = MergeForm(request.POST, others=_others(place))
    status = 422
    if form.is_valid():
        other = entry_or_404(request.event, form.cleaned_data["other"])
        with RefusalsShown(request, *NO_MERGE):
            merging.merge(place, other, request.actor, form.cleaned_data["reason"])
            messages.success(request, f"Merged: number {other.number} is now number {number}.")
            return _to_row(request.event, number)
        status = 409
    return _entry_page(request, place, None, status, form)


def _entry_page(
    request: EventRequest,
    place: Registration,
    form: RenameForm | None,
    status: int,
    merge_form: MergeForm | None = None,
) -> HttpResponse:
    player = place.player
    context = {
        "entry": place,
        "form": form or RenameForm(initial={"name": player.name, "pronouns": player.pronouns}),
        "merge_form": merge_form or MergeForm(others=_others(place)),
    }
    return desk_page(request, "tournaments/registration/roster_entry.html", context, status)


def _others(place: Registration) -> list[Registration]:
    """All remaining entries on the roster, by name."""
    return [one for one in queries.roster(place.tournament) if one.pk != place.pk]


def _to_row(tournament: Tournament, number: int) -> HttpResponse:
    return redirect(f"{reverse('tournaments:roster', args=[tournament.slug])}#player-{number}")


@staff_page(permissions.can_run, READ + WRITE)
def claim_link(request: EventRequest, number: int) -> HttpResponse:
    """Issue a personal link for a guest, shown once with its QR code.

    GET asks for confirmation, because a new link ends the previous one.
    """
    entry = entry_or_404(request.event, number)
    context: dict[str, object] = {"entry": entry}
    if request.method == "POST":
        with RefusalsShown(request, *NO_LINK):
            secret = profiles.issue_claim(entry, request.actor)
            link = claim_address(request, secret)
            context |= {"link": link, "qr": segno.make(link, error="m").svg_data_uri(border=2)}
    response = desk_page(request, "tournaments/registration/claim_link.html", context)
    if "link" in context:
        # Not on the confirmation page: a form sent from there would lose its Origin header.
        response["Referrer-Policy"] = "no-referrer"
    return response


@once
@staff_page(permissions.can_run, READ + WRITE)
def claim_links(request: EventRequest) -> HttpResponse:
    """Print personal links for players without one, or new links for all, shown once.

    GET asks for confirmation, because new links end the previous ones. A form sent twice issues no
    further links.
    """
    event, actor = request.event, request.actor
    template = "tournaments/registration/claim_links.html"
    if request.method != "POST":
        context: dict[str, object] = {
            "waiting": profiles.without_link(event, actor).count(),
            "all": profiles.linkable(event, actor).count(),
        }
        return desk_page(request, template, context)
    given = profiles.issue_claims(event, actor, anew="anew" in request.POST)
    links = [(one.registration, claim_address(request, one.secret)) for one in given]
    context = {"sheet": [(one, link, _qr(link)) for one, link in links], "is_made": True}
    response = desk_page(request, template, context)
    if links:
        again = reverse("tournaments:claim_links", args=[event.slug])
        response = ShownOnce(response, again, MADE_BEFORE)
    response["Referrer-Policy"] = "no-referrer"
    return response


def _qr(link: str) -> str:
    return segno.make(link, error="m").svg_data_uri(border=2, light="#fff")
