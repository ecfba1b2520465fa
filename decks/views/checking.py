"""Public page to check a pasted list; nothing is stored."""

from http import HTTPStatus
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.errors import Refusal
from core.rate_limits import rate_limited
from core.uploads import status_of
from decks import services
from decks.forms import DeckCheckForm
from decks.games import Game
from decks.legality.verdict import Verdict

FIELD_OF_REFUSAL = {
    "rule_of_another_game": "identity",
    "side_unclear": "side",
    "nothing_read": "text",
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return _checked(request)
    return _page(request, DeckCheckForm(initial={"date": timezone.localdate()}), None)


@rate_limited("expensive")
def _checked(request: HttpRequest) -> HttpResponse:
    form = DeckCheckForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form, None)
    text, game = form.source_text(), form.asked()["game"]
    verdict = _judged(form)
    likelier = services.likelier_game(text, game) if _reads_strangely(verdict) else None
    if verdict is None:
        return _page(request, form, None, likelier)
    return _page(request, form.again(), verdict, likelier)


def _reads_strangely(verdict: Verdict | None) -> bool:
    """True if the list contains unknown cards, or its side is unclear."""
    return verdict is None or any(one.code == "unknown_card" for one in verdict.breaches)


def _judged(form: DeckCheckForm) -> Verdict | None:
    """Return the verdict, or None after adding the refusal to the form."""
    try:
        return services.check(form.source_text(), **form.asked())
    except Refusal as refusal:
        form.add_error(FIELD_OF_REFUSAL.get(refusal.code, NON_FIELD_ERRORS), str(refusal))
        return None


def _page(
    request: HttpRequest,
    form: DeckCheckForm,
    verdict: Verdict | None,
    likelier: Game | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "verdict": verdict, "likelier": likelier}
    if verdict and verdict.slots:
        context["deck"] = services.shown_deck(verdict)
    status = status_of(form, wrong=HTTPStatus.OK)
    return render(request, "decks/check.html", context, status=status)
