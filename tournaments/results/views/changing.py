"""A result of a closed round: what a change touches is shown before it counts."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict

from matches import records
from tournaments.event.actors import Actor
from tournaments.models import Pairing, Tournament
from tournaments.results.forms.entry import EntryForm
from tournaments.results.pages.results import result_in_words
from tournaments.results.queries import impact
from tournaments.results.services import results
from tournaments.web.views.staff_pages import desk_page

MARK = "impact"
"""The field that says what was seen."""
LOOK_AGAIN = "Something else has changed meanwhile. Look again, then apply."
SAY_WHY = "Say why the result changes, then apply."


def seen_impact(request: HttpRequest, pairing: Pairing) -> str | None:
    """The mark of what was seen; None where nothing need be, as the round is still played."""
    return request.POST.get(MARK, "") if pairing.round.is_closed else None


def unseen(
    request: HttpRequest, tournament: Tournament, actor: Actor, pairing: Pairing, form: EntryForm
) -> HttpResponse | None:
    """The page that shows what the valid form would touch; None when that has been seen.

    A result that was changed meanwhile is for the service to refuse.
    """
    match = form.match
    if not pairing.round.is_closed or form.cleaned_data["seen"] != match.version:
        return None
    touched, seen = impact(pairing, form.result), request.POST.get(MARK)
    recorded, note = records.settled_result(match), form["note"]
    lacks_reason = not form.cleaned_data["note"] and results.wants_reason(
        pairing, recorded, form.result
    )
    if seen == touched.mark and not lacks_reason:
        return None
    if seen is not None:
        messages.warning(request, SAY_WHY if seen == touched.mark else LOOK_AGAIN)
    context = {
        "pairing": pairing,
        "match": match,
        "impact": touched,
        "note": note,
        "before": result_in_words(match, recorded),
        "after": result_in_words(match, records.with_losses(match, form.result)),
        "kept": kept(request.POST, MARK, note.html_name),
    }
    status = HTTPStatus.OK if seen is None else HTTPStatus.CONFLICT
    return desk_page(
        request, tournament, actor, "tournaments/results/impact.html", context, status=status
    )


def kept(sent: QueryDict, *others: str) -> list[tuple[str, str]]:
    """What was typed, to be sent once more with the mark of what is seen now and `others`."""
    ours = ("csrfmiddlewaretoken", "idempotency_key", *others)
    return [
        (name, str(value)) for name, values in sent.lists() for value in values if name not in ours
    ]
