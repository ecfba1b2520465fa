"""Card pages, and the public deck check."""

from http import HTTPStatus
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from core.errors import Refusal
from core.files import form_status
from core.rate_limits import limit_typing, rate_limited
from decks import games, queries, services
from decks.forms import CardSearchForm, DeckCheckForm
from decks.games import GameDefinition
from decks.legality.verdicts import DeckVerdict
from decks.models import Card, Side

CARDS_ON_A_PAGE = 50
INFLUENCE_PIP = "\u25cf"
# Seconds that a browser may cache autocomplete results.
COMPLETIONS_MAX_AGE = 300


@require_safe
@rate_limited("search")
def card_list(request: HttpRequest) -> HttpResponse:
    form = CardSearchForm(request.GET)
    # Errors of unknown filters are shown on the form; valid filters still apply.
    form.is_valid()
    filters, game = form.cleaned_data, form.game_shown
    legal = filters.get("legal", "")
    cards = queries.find_cards(
        filters.get("q", ""),
        game=game,
        side=filters.get("side", ""),
        type_=filters.get("type", ""),
        faction=filters.get("faction", ""),
        set_=filters.get("set", ""),
        among=services.legal_card_ids(game, legal, timezone.localdate()) if legal else None,
    )
    page = Paginator(cards, CARDS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "game": game,
        "games": [(game.id, game.name) for game in games.with_decks()],
        "page_obj": page,
        "is_narrowed": any(value for name, value in filters.items() if name != "game"),
        "nearest": [] if page.object_list else services.nearest_cards(game, filters.get("q", "")),
        "catalogue": queries.get_catalogue(game),
    }
    return render(request, "decks/cards.html", context)


@require_safe
def card_page(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    card = get_object_or_404(queries.with_printings(Card.objects.all()), game=game, slug=slug)
    codes = [printing.code for printing in card.printings.all()]
    text_address = card.game_played.card_text_address
    standings = services.card_standings(card, timezone.localdate())
    context = {
        "card": card,
        "faction": queries.faction_names(game).get(card.faction, "") if card.faction else "",
        "pips": INFLUENCE_PIP * (card.influence_cost or 0),
        "printings": card.printings.all(),
        "text_address": text_address.format(code=codes[-1]) if codes else "",
        "standings": standings,
        "periods": [period for standing in standings for period in standing.history],
        "catalogue": queries.get_catalogue(game),
    }
    return render(request, "decks/card.html", context)


@require_safe
@limit_typing
@cache_control(public=True, max_age=COMPLETIONS_MAX_AGE)
@conditional_page
def complete_titles(request: HttpRequest) -> HttpResponse:
    """Autocomplete for `?game=&q=&side=`; `of` names the parameter if it is not `q`."""
    game = request.GET.get("game") or games.DEFAULT.id
    side = request.GET.get("side", "")
    known = [definition.id for definition in games.with_decks()]
    if game not in known or side not in ("", *Side.values):
        allowed = f"game: {', '.join(known)}; side: {', '.join(Side.values)}"
        return HttpResponseBadRequest(f"Choose {allowed}.", content_type="text/plain")
    typed = request.GET.get(request.GET.get("of", "q"), "")
    cards = services.complete_titles(game, typed, side=side)
    return render(request, "decks/_options.html", {"cards": cards})


FIELD_OF_REFUSAL = {
    "rule_of_another_game": "identity",
    "side_unclear": "side",
    "nothing_read": "text",
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def check_page(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return _check_response(request)
    return _render_check(request, DeckCheckForm(initial={"date": timezone.localdate()}))


@rate_limited("expensive")
def _check_response(request: HttpRequest) -> HttpResponse:
    form = DeckCheckForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_check(request, form)
    text, arguments = form.source_text, form.check_arguments()
    verdict = None
    try:
        verdict = services.check_deck(text, **arguments)
    except Refusal as refusal:
        form.add_error(FIELD_OF_REFUSAL.get(refusal.code, NON_FIELD_ERRORS), str(refusal))
    likelier = None
    # Unknown cards, or an unclear side, may mean that the list is of another game.
    if verdict is None or any(breach.code == "unknown_card" for breach in verdict.breaches):
        likelier = services.likelier_game(text, arguments["game"])
    return _render_check(request, form.result_form() if verdict else form, verdict, likelier)


def _render_check(
    request: HttpRequest,
    form: DeckCheckForm,
    verdict: DeckVerdict | None = None,
    likelier: GameDefinition | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "verdict": verdict, "likelier": likelier}
    if verdict and verdict.slots:
        context["deck"] = services.deck_view(verdict)
    status = form_status(form, wrong=HTTPStatus.OK)
    return render(request, "decks/check.html", context, status=status)
