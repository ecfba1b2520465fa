"""Finding rulings by words."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rulings import queries
from rulings.models import Ruling
from rulings.search import search as find
from rulings.words import highlight

PAGE_SIZE = 20


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """`?q=`: cards and topics of that name, and rulings with these words, best first."""
    typed = request.GET.get("q", "")
    found = find(typed)
    page = Paginator(found.ids, PAGE_SIZE).get_page(request.GET.get("page"))
    rulings = queries.in_order(page.object_list)
    context = {
        "typed": typed,
        "reach": found.reach.value,
        "page_obj": page,
        "hits": [(ruling, highlight.passages(_words_of(ruling), typed)) for ruling in rulings],
        "cards": queries.cards_named(typed),
        "topics": queries.topics_named(typed),
        "exact": queries.find_by_code(typed),
    }
    return render(request, "rulings/search.html", context)


def _words_of(found: Ruling) -> str:
    return found.current.text if found.current else ""
