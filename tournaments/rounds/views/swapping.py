"""A draft changed seat by seat: two swapped, tables locked, the rest paired anew."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from core.form_fields import whole_number
from tournaments.event import permissions, queries
from tournaments.event.actors import Actor
from tournaments.models import Tournament
from tournaments.rounds.forms import SwapForm
from tournaments.rounds.pages.draft import draft_sheet
from tournaments.rounds.pages.swapping import swap_preview
from tournaments.rounds.services import draft_guards, drafting, rounds
from tournaments.web.views.access import round_or_404
from tournaments.web.views.staff_pages import (
    WRITE,
    ReasonForm,
    cleaned,
    desk_page,
    seen_id,
    staff_page,
    told,
)


@staff_page(permissions.can_run)
def preview(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """What the swap of the two who are ticked would break, for the bar below the draft."""
    round_ = round_or_404(tournament, actor, number)
    form = SwapForm(request.GET, list(queries.roster(tournament)))
    found = swap_preview(round_, *form.cleaned_data["player"]) if form.is_valid() else None
    context = {"preview": found, "ticked": len(set(request.GET.getlist("player")))}
    return render(request, "tournaments/rounds/_swap_bar.html", context)


@staff_page(permissions.can_run, WRITE)
def swap(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """Two players change places; what that breaks is shown first and wants a second yes."""
    round_ = round_or_404(tournament, actor, number)
    form = SwapForm(request.POST, list(queries.roster(tournament)))
    if not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors["player"])))
        return redirect("tournaments:draft", slug=tournament.slug, number=number)
    one, other = form.cleaned_data["player"]
    found = swap_preview(round_, one, other) if round_.is_draft else None
    if found is not None and found.asks and request.POST.get("confirmed") != found.key:
        context = {"round": round_, "preview": found, "seen": seen_id(request) or ""}
        return desk_page(
            request, tournament, actor, "tournaments/rounds/swap.html", context, status=409
        )
    with told(request, rounds.NotADraft, draft_guards.DraftHasChanged):
        drafting.swap_seats(round_, one, other, actor, seen=seen_id(request))
        messages.success(request, f"{one.player} and {other.player} have changed places.")
    return redirect("tournaments:draft", slug=tournament.slug, number=number)


@staff_page(permissions.can_run, WRITE)
def lock(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """Keep the `pairing` when the rest is paired anew, or let it go, as `locked` says."""
    round_ = round_or_404(tournament, actor, number)
    address = reverse("tournaments:draft", args=[tournament.slug, number])
    keys = _keys([request.POST.get("pairing", "")])
    pairings = round_.pairings.select_related("round__stage__tournament")
    pairing = pairings.filter(pk__in=keys).first()
    if pairing is None:
        messages.error(request, "This table is not in the draft any more. Here it is as it stands.")
        return redirect(address)
    with told(request, rounds.WrongState, rounds.NotADraft):
        drafting.set_lock(pairing, actor, locked=request.POST.get("locked") == "yes")
    return redirect(f"{address}#pairing-{pairing.pk}")


@staff_page(permissions.can_run, WRITE)
def rest(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """Pair everybody anew who is at no kept table; a published round wants a reason."""
    round_ = round_or_404(tournament, actor, number)
    reason = request.POST.get("reason", "").strip()[:500]
    expected = (
        drafting.NothingToPair,
        drafting.ReasonMissing,
        rounds.WrongState,
        rounds.NotADraft,
    )
    keep = None if round_.is_draft else _keys(request.POST.getlist("keep"))
    with told(request, *expected):
        drafting.pair_the_rest(round_, actor, reason=reason, keep=keep)
        _tell_the_job(request, tournament, number)
    page = "draft" if round_.is_draft else "change"
    return redirect(f"tournaments:{page}", slug=tournament.slug, number=number)


def _tell_the_job(request: HttpRequest, tournament: Tournament, number: int) -> None:
    job = queries.pairing_job(tournament, number)
    if job is not None and job.has_failed:
        messages.error(request, job.error)
    elif job is not None and job.is_live:
        messages.info(request, "The other tables are being paired anew.")
    else:
        messages.success(request, "The other tables are paired anew.")


def _keys(typed: list[str]) -> list[int]:
    """Primary keys as they were sent; what is no number is none."""
    found = (whole_number(key, 18) for key in typed)
    return [key for key in found if key is not None]


@staff_page(permissions.can_run)
def change(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """A published round changed after all: taken back, or its open tables paired anew."""
    round_ = round_or_404(tournament, actor, number)
    if round_.is_draft:
        return redirect("tournaments:draft", slug=tournament.slug, number=number)
    sheet = draft_sheet(round_)
    context = {
        "round": round_,
        "sheet": sheet,
        "told": [row for row in sheet.rows if queries.is_reported(row.pairing)],
        "open": [row for row in sheet.rows if not queries.is_reported(row.pairing)],
        "reason_form": ReasonForm(),
    }
    return desk_page(request, tournament, actor, "tournaments/rounds/change.html", context)


@staff_page(permissions.can_run, WRITE)
def unpublish(
    request: HttpRequest, tournament: Tournament, actor: Actor, number: int
) -> HttpResponse:
    """Make a published round a draft again, with a reason for the log."""
    round_ = round_or_404(tournament, actor, number)
    with told(request, rounds.ResultsAreIn, rounds.WrongState, rounds.NotADraft):
        said = cleaned(ReasonForm(request.POST), "Say why the round is taken back.")
        rounds.unpublish(round_, actor, said["reason"])
        words = f"Round {number} is a draft again. Players do not see it any more."
        messages.success(request, words)
        return redirect("tournaments:draft", slug=tournament.slug, number=number)
    return redirect("tournaments:change", slug=tournament.slug, number=number)
