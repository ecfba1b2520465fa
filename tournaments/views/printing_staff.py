"""What staff print: slips for the tables, the poster with the way in."""

import io

import segno
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from matches.scoring import scoring_rule
from tournaments import permissions, queries
from tournaments.actors import Actor
from tournaments.models import Tournament
from tournaments.sheets.slips import blank_slips as blank_slips_of
from tournaments.sheets.slips import slips as slips_of
from tournaments.views.access import event_or_404, round_or_404
from tournaments.views.behind import desk_page, staff_page


@staff_page(permissions.can_open_desk)
def slips(request: HttpRequest, tournament: Tournament, actor: Actor, number: int) -> HttpResponse:
    """A slip for each table, four to a page, in cutting order."""
    round_ = round_or_404(tournament, actor, number)
    context = {
        "round": round_,
        "slips": slips_of(round_),
        "rule": scoring_rule(round_.stage.scoring_rule),
    }
    return desk_page(request, tournament, actor, "slips.html", context)


@staff_page(permissions.can_open_desk)
def blank_slips(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Four slips with nothing on them, for when the site is out of reach."""
    stage = queries.current_stage(tournament)
    context = {
        "round": None,
        "slips": blank_slips_of(stage),
        "rule": scoring_rule(stage.scoring_rule),
    }
    return desk_page(request, tournament, actor, "slips.html", context)


@staff_page(permissions.can_open_desk)
def poster(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The join code and its QR code, for the door."""
    context = {"join_address": _join_address(request, tournament)}
    return desk_page(request, tournament, actor, "poster.html", context)


@require_safe
def qr(request: HttpRequest, slug: str) -> HttpResponse:
    """The QR code of the join address, or of the event (?to=event); dark on light always."""
    tournament, _ = event_or_404(request, slug)
    image = io.BytesIO()
    address, title = _join_address(request, tournament), "Join code"
    if request.GET.get("to") == "event":
        address, title = request.build_absolute_uri(tournament.get_absolute_url()), "Event page"
    segno.make(address, error="m", micro=False).save(
        image, kind="svg", border=4, scale=8, dark="#10202b", light="#fff", title=title
    )
    response = HttpResponse(image.getvalue(), content_type="image/svg+xml")
    # The code may be opened alone: an image runs nothing.
    response["Cache-Control"] = "private, max-age=3600"
    return response


def _join_address(request: HttpRequest, tournament: Tournament) -> str:
    path = reverse("tournaments:join_code", args=[tournament.join_code])
    return request.build_absolute_uri(path)
