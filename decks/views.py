"""Pages of the card table."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from decks import queries
from decks.forms import CardSearch
from decks.models import Card

CARDS_ON_A_PAGE = 50


@require_safe
def cards(request: HttpRequest) -> HttpResponse:
    """All cards, or those a search asks for."""
    form = CardSearch(request.GET)
    # A filter that does not exist is named on the form; the others still hold.
    form.is_valid()
    asked = form.cleaned_data
    found = queries.cards_matching(
        asked.get("q", ""),
        side=asked.get("side", ""),
        type_=asked.get("type", ""),
        set_name=asked.get("set", ""),
    )
    page = Paginator(found, CARDS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page_obj": page, "is_narrowed": any(asked.values())}
    return render(request, "decks/cards.html", context)


@require_safe
def card(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """The facts of one card."""
    card = get_object_or_404(Card.objects.prefetch_related("aliases"), game=game, slug=slug)
    trail = [("Cards", reverse("decks:cards"))]
    return render(request, "decks/card.html", {"card": card, "trail": trail})
