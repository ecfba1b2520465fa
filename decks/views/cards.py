"""Card pages."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from core.rate_limits import rate_limited, typing_limited
from decks import games, queries, services
from decks.forms import CardSearch
from decks.models import Card, Side

CARDS_ON_A_PAGE = 50
INFLUENCE_PIP = "\u25cf"
# Seconds that a browser may cache autocomplete results.
COMPLETIONS_LAST = 300


@require_safe
@rate_limited("search")
def cards(request: HttpRequest) -> HttpResponse:
    form = CardSearch(request.GET)
    # Errors of unknown filters are shown on the form; valid filters still apply.
    form.is_valid()
    asked, game = form.cleaned_data, form.game_shown
    legal = asked.get("legal", "")
    found = queries.cards_matching(
        asked.get("q", ""),
        game=game,
        side=asked.get("side", ""),
        type_=asked.get("type", ""),
        faction=asked.get("faction", ""),
        set_=asked.get("set", ""),
        among=services.legal_cards(game, legal, timezone.localdate()) if legal else None,
    )
    page = Paginator(found, CARDS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "game": game,
        "games": [(one.id, one.name) for one in games.with_decks()],
        "page_obj": page,
        "is_narrowed": any(value for name, value in asked.items() if name != "game"),
        "nearest": [] if page.object_list else services.nearest_cards(game, asked.get("q", "")),
        "catalogue": queries.catalogue(game),
    }
    return render(request, "decks/cards.html", context)


@require_safe
def card(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    shown = get_object_or_404(queries.in_full(Card.objects.all()), game=game, slug=slug)
    context = {
        "card": shown,
        "faction": queries.faction_names(game).get(shown.faction, "") if shown.faction else "",
        "pips": INFLUENCE_PIP * (shown.influence_cost or 0),
        "printings": shown.printings.all(),
        "text_address": _text_address(shown),
        "standings": services.standings(shown, timezone.localdate()),
        "catalogue": queries.catalogue(game),
    }
    return render(request, "decks/card.html", context)


def _text_address(card: Card) -> str:
    codes = [printing.code for printing in card.printings.all()]
    address = card.game_played.card_text_address
    return address.format(code=codes[-1]) if address and codes else ""


@require_safe
@typing_limited
@cache_control(public=True, max_age=COMPLETIONS_LAST)
@conditional_page
def complete(request: HttpRequest) -> HttpResponse:
    """Autocomplete for `?game=&q=&side=`: up to ten cards as options of a datalist.

    `of` names the parameter with the typed text if it is not `q`, such as a form field.
    """
    game = request.GET.get("game") or games.DEFAULT.id
    side = request.GET.get("side", "")
    known = [one.id for one in games.with_decks()]
    if game not in known or side not in ("", *Side.values):
        allowed = f"game: {', '.join(known)}; side: {', '.join(Side.values)}"
        return HttpResponseBadRequest(f"Choose {allowed}.", content_type="text/plain")
    typed = request.GET.get(request.GET.get("of", "q"), "")
    found = services.completions(game, typed, side=side)
    return render(request, "decks/_options.html", {"cards": found})
