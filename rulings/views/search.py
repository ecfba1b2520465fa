"""Search for rulings on a page and inside forms."""

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
    """A search result: the ruling, its version in force, and the `words` to mark."""

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
    """Search by words and filters; a code redirects to its ruling.

    htmx requests get only the results, for search as you type.
    """
    form = RulingSearch(request.GET)
    # Errors of invalid filters are shown on the form; valid filters still apply.
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
    """Offer up to eight rulings for `?q=` as checkboxes in a form, below the checked ones.

    `field` is the name of the form field, which also contains the checked rulings.
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
        # Partial matches follow the full matches of all pages; select those on this page.
        "partial": hits[max(answer.found.full - page.start_index() + 1, 0) :],
        "cards": names.cards_named(typed) if typed else [],
        "topics": names.topics_named(typed),
        "is_asked": bool(typed) or form.is_narrowed,
        "is_cut": len(answer.found.ids) >= MOST_HITS,
    }


def _among(request: HttpRequest) -> QuerySet[Ruling]:
    """Return the published rulings, and local ones of the judge's events when citing."""
    return findable_by(request) if is_citing(request) else queries.published()


def _asked(typed: str, asked: Narrowed, readable: QuerySet[Ruling]) -> Answer:
    """Search for the words with typo correction; without words, list the filtered rulings."""
    among = finding.narrowed(asked, timezone.localdate(), readable)
    if not typed:
        has_filter = replace(asked, ended=False, local=False) != Narrowed()
        ids = finding.listed_first(among, asked.cards) if has_filter else []
        return Answer(Found(ids, full=len(ids)), "")
    return best_matches(typed, among, asked.cards)


def _only(request: HttpRequest, version: RulingVersion) -> dict[str, Any]:
    page = Paginator([version.ruling_id], PAGE_SIZE).get_page(1)
    hits = [_hit(request, version.ruling, version, "")]
    return {"page_obj": page, "hits": hits, "is_asked": True}


def _chosen(codes: list[str], among: QuerySet[Ruling]) -> list[RulingVersion]:
    """Resolve the codes to versions; invalid codes are ignored."""
    versions = (queries.version_by_code(code, among) for code in codes[:MOST_CITED])
    return [version for version in versions if version is not None]


def _newest(request: HttpRequest, ruling: Ruling, words: str) -> Hit:
    """Result with today's version, or the last of an ended, or the first of a future ruling."""
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
    """URL of the named version, or of the ruling without a version."""
    named = queries.names_a_version(typed)
    return version.get_absolute_url() if named else version.ruling.get_absolute_url()
