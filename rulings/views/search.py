"""Finding rulings by words, names and days, on a page and inside a form."""

from dataclasses import dataclass, replace
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from core.rate_limits import rate_limited
from rulings import queries
from rulings.forms import MOST_CITED
from rulings.models import Ruling, RulingVersion
from rulings.permissions import findable_by, readable_by
from rulings.queries import finding, names
from rulings.queries.finding import Narrowed
from rulings.queries.searching import Answer, best_matches
from rulings.search import MOST_HITS, Found
from rulings.search_forms import RulingSearch
from rulings.views.citing import cite_text, citing, is_citing
from rulings.words import LONGEST_TYPED

PAGE_SIZE = 20
MOST_PICKED = 8


@dataclass(frozen=True)
class Hit:
    """A ruling that was found, with the version that holds and the `words` that found it."""

    ruling: Ruling
    version: RulingVersion
    standing: queries.Standing
    words: str
    cite_text: str = ""
    cite_url: str = ""


@require_safe
@rate_limited("search")
@cache_control(private=True, no_cache=True)
@conditional_page
def search(request: HttpRequest) -> HttpResponse:
    """Words and filters in one address; a code leads straight to its ruling.

    For htmx the results alone, so that they follow the typing at little cost.
    """
    form = RulingSearch(request.GET)
    # A filter that cannot be read is named on the form; the others still hold.
    form.is_valid()
    is_part = request.headers.get("HX-Request") == "true"
    coded = queries.version_by_code(form.typed, readable_by(request))
    if coded and not is_part:
        return redirect(_page_of(coded, form.typed))
    context = _found(request, form) if not coded else _only(request, coded)
    template = "rulings/_search_found.html" if is_part else "rulings/search.html"
    answer = render(request, template, {"form": form, "typed": form.typed, **context})
    patch_vary_headers(answer, ["HX-Request"])
    return answer


@require_safe
@rate_limited("search")
@cache_control(private=True, no_cache=True)
@conditional_page
def pick(request: HttpRequest) -> HttpResponse:
    """`?q=`: at most eight rulings to tick inside a form, below those that are ticked already.

    `field` is the name of the field of the form, under which the ticked ones come along.
    """
    among, field = readable_by(request), request.GET.get("field", "rulings")
    chosen = _chosen(request.GET.getlist(field), among)
    typed = request.GET.get("q", "")[:LONGEST_TYPED].strip()
    coded = queries.version_by_code(typed, among)
    if coded:
        found: dict[str, Any] = {"picks": [_hit(request, coded.ruling, coded, typed)]}
    else:
        answer = _asked(typed, Narrowed(local=is_citing(request)), _among(request))
        rulings = finding.to_choose_from(answer.found.ids[:MOST_PICKED])
        picks = [_newest(request, ruling, answer.words) for ruling in rulings]
        found = {"picks": picks, "answer": answer, "most": answer.found.full}
    ticked = {version.ruling_id for version in chosen}
    found["picks"] = [one for one in found["picks"] if one.ruling.pk not in ticked]
    context = {**found, "chosen": chosen, "typed": typed, "field": field}
    return render(request, "rulings/_picks.html", context)


def _found(request: HttpRequest, form: RulingSearch) -> dict[str, Any]:
    """Everything the results print."""
    typed = form.typed
    answer = _asked(typed, form.narrowed(local=is_citing(request)), _among(request))
    page = Paginator(answer.found.ids, PAGE_SIZE).get_page(request.GET.get("page"))
    hits = [
        _newest(request, ruling, answer.words)
        for ruling in finding.to_choose_from(page.object_list)
    ]
    return {
        "answer": answer,
        "page_obj": page,
        "hits": hits,
        # Those behind the full matches of all pages, as far as they stand on this one.
        "partial": hits[max(answer.found.full - page.start_index() + 1, 0) :],
        "cards": names.cards_named(typed) if typed else [],
        "topics": names.topics_named(typed),
        "is_asked": bool(typed) or form.is_narrowed,
        "is_cut": len(answer.found.ids) >= MOST_HITS,
    }


def _among(request: HttpRequest) -> QuerySet[Ruling]:
    """The published rulings; behind a desk the local ones too of events its judge knows of."""
    return findable_by(request) if is_citing(request) else queries.published()


def _asked(typed: str, asked: Narrowed, readable: QuerySet[Ruling]) -> Answer:
    """Those with the words; where none has them all, those with the words that were meant."""
    among = finding.narrowed(asked, timezone.localdate(), readable)
    if not typed:
        has_filter = replace(asked, ended=False, local=False) != Narrowed()
        ids = finding.listed_first(among, asked.cards) if has_filter else []
        return Answer(Found(ids, full=len(ids)), "")
    return best_matches(typed, among, asked.cards)


def _only(request: HttpRequest, version: RulingVersion) -> dict[str, Any]:
    """The results of a code."""
    page = Paginator([version.ruling_id], PAGE_SIZE).get_page(1)
    hits = [_hit(request, version.ruling, version, "")]
    return {"page_obj": page, "hits": hits, "is_asked": True}


def _chosen(codes: list[str], among: QuerySet[Ruling]) -> list[RulingVersion]:
    """The version that each code means, of those that are codes."""
    versions = (queries.version_by_code(code, among) for code in codes[:MOST_CITED])
    return [version for version in versions if version is not None]


def _newest(request: HttpRequest, ruling: Ruling, words: str) -> Hit:
    """The words of today; of what has ended the last ones, of what is to come the first."""
    version = queries.standing_on(ruling).version or list(ruling.versions.all())[-1]
    return _hit(request, ruling, version, words)


def _hit(request: HttpRequest, ruling: Ruling, version: RulingVersion, words: str) -> Hit:
    to = citing(request, f"{ruling.short_code} v{version.number}")
    return Hit(
        ruling=ruling,
        version=version,
        standing=queries.standing_on(ruling),
        words=words,
        cite_text=cite_text(ruling, version, request),
        cite_url=to["url"] if to else "",
    )


def _page_of(version: RulingVersion, typed: str) -> str:
    """The page of the version that was named, or of the ruling where none was."""
    named = queries.names_a_version(typed)
    return version.get_absolute_url() if named else version.ruling.get_absolute_url()
