"""Public pages of rulings: index, cards, rulings, booklet, rules reference and search.

Most show the state of a given day: `?as_of=1997-05-12`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

import segno
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from core.addresses import shared_url
from core.page_cache import cache_for_strangers
from core.rate_limits import rate_limited
from decks import games
from decks.models import Card
from rulings import permissions, queries, reference, search
from rulings.forms import MAX_CITED, RulingSearchForm
from rulings.guide import shipped_guide
from rulings.models import (
    DocumentKind,
    Ruling,
    RulingDocument,
    RulingKind,
    RulingSection,
    RulingVersion,
    card_url,
)
from rulings.reference_importer import shipped_pages
from rulings.search import MAX_HITS, RulingFilters, RulingSearchResult, SearchHits
from rulings.words import LONGEST_TYPED, difference

AS_OF_PARAMETER = "as_of"
DAY_PATTERN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DROPPED_PARAMETERS = (AS_OF_PARAMETER, "page")
LONGEST_SHOWN_DAY = 30  # characters of an invalid day


class RulingOnDay(NamedTuple):
    ruling: Ruling
    standing: queries.RulingStanding
    version: RulingVersion | None


@dataclass(frozen=True)
class AsOf:
    """The day of a page; None means today and shows every ruling."""

    day: date | None = None
    # Explains an invalid day.
    error: str = ""
    path: str = ""
    # The other query parameters, which the form for another day preserves.
    kept: tuple[tuple[str, str], ...] = ()

    @property
    def query(self) -> str:
        return f"?{AS_OF_PARAMETER}={self.day.isoformat()}" if self.day else ""

    @property
    def back(self) -> str:
        return f"{self.path}?{urlencode(self.kept)}" if self.kept else self.path

    def reading(self, ruling: Ruling) -> RulingOnDay:
        standing = queries.standing_on(ruling, self.day)
        return RulingOnDay(ruling, standing, standing.version if self.day else ruling.current)

    def readings(self, rulings: Iterable[Ruling]) -> list[RulingOnDay]:
        """Return the rulings that existed that day; ended and local rulings come last."""
        readings = map(self.reading, rulings)
        return sorted(
            (
                reading
                for reading in readings
                if reading.standing.version is not None or self.day is None
            ),
            key=lambda reading: (reading.standing.has_ended, reading.ruling.document.is_local),
        )


def read_as_of(request: HttpRequest) -> AsOf:
    typed = request.GET.get(AS_OF_PARAMETER, "").strip()
    day = _parse_day(typed)
    error = ""
    if typed and day is None:
        error = _(
            '"%(typed)s" is not a day. Enter year, month and day, such as 1997-05-12. This '
            "page shows what applies today."
        ) % {"typed": typed[:LONGEST_SHOWN_DAY]}
    kept = tuple(
        (name, str(value)) for name, value in request.GET.items() if name not in DROPPED_PARAMETERS
    )
    return AsOf(day, error, request.path, kept)


def _parse_day(typed: str) -> date | None:
    """Parse "today" or a date in the form year-month-day; None for anything else."""
    if typed.lower() == "today":
        return timezone.localdate()
    if not DAY_PATTERN.fullmatch(typed):
        return None
    try:
        return date.fromisoformat(typed)
    except ValueError:
        return None


# Citing: text to copy, and the link back to the page where a ruling is needed.


def cite_text(shown: Ruling, version: RulingVersion, request: HttpRequest) -> str:
    said = "; ".join(map(str, version.citations.all())) or f"as of {shown.document.published_on}"
    source = f"{shown.short_code} v{version.number}, {shown.document}"
    address = shared_url(request, version.short_url)
    return f"{shown.subject}: {version.text}\n({source}: {said})\n{address}"


def is_citing(request: HttpRequest) -> bool:
    return _citing_page(request) is not None


def citing_link(request: HttpRequest, code: str) -> dict[str, Any] | None:
    """Return the link back to the staff page, with the ruling filled in."""
    table = _citing_page(request)
    if table is None:
        return None
    address, hash_mark, fragment = str(table["url"]).partition("#")
    joint = "&" if "?" in address else "?"
    query = urlencode({"rulings": code})
    url = f"{address}{joint}{query}{hash_mark}{fragment}"
    return {"label": table["label"], "url": url}


def _citing_page(request: HttpRequest) -> dict[str, Any] | None:
    # Stored in the session by the staff page; external URLs are rejected.
    kept = request.session.get("citing")
    if not isinstance(kept, dict) or not {"label", "url"} <= kept.keys():
        return None
    return kept if url_has_allowed_host_and_scheme(str(kept["url"]), allowed_hosts=None) else None


# Index, documents, cards and topics.

RULINGS_ON_A_PAGE = 100


@dataclass(frozen=True)
class IndexChoice:
    value: str
    label: str
    count: int


@dataclass(frozen=True)
class CardPageGroup:
    """Rulings under one heading of a card's page; `source` is the subject they come from."""

    slug: str
    title: str
    readings: list[RulingOnDay]
    with_subject: bool = True
    source: str = ""
    keyword: str = ""
    url: str = ""


@require_safe
@conditional_page
@cache_for_strangers("game", "kind", AS_OF_PARAMETER)
def index(request: HttpRequest) -> HttpResponse:
    as_of = read_as_of(request)
    counts = queries.counts_by_game()
    game_choices = [
        IndexChoice(id_, name, counts[id_]) for id_, name in games.choices() if id_ in counts
    ]
    game = _allowed_parameter(request, "game", [choice.value for choice in game_choices])
    kind = _allowed_parameter(request, "kind", ["", *RulingKind.values])
    in_game = queries.index_rulings(game)
    if as_of.day:
        in_game = queries.in_force_on(in_game, as_of.day)
    shown = in_game.filter(kind=kind) if kind else in_game
    counts = queries.counts_by_kind(in_game)
    kind_choices = [
        IndexChoice("", "all", sum(counts.values())),
        *(
            IndexChoice(value, str(RulingKind(value).label), count)
            for value, count in counts.items()
        ),
    ]
    subjects = queries.subjects_of(shown)
    sections = [
        (section, [subject for subject in subjects if subject.section == section])
        for section in RulingSection
    ]
    context = {
        "as_of": as_of,
        "games": game_choices,
        "game": game,
        "game_on_paper": game or games.DEFAULT.id,
        "kind": kind,
        "kinds": kind_choices,
        "sections": [(section, subjects) for section, subjects in sections if subjects],
        "documents": queries.documents_of_game(game),
    }
    return render(request, "rulings/index.html", context)


@require_safe
@conditional_page
@cache_for_strangers("page", AS_OF_PARAMETER)
def document(request: HttpRequest, slug: str) -> HttpResponse:
    as_of = read_as_of(request)
    shown = get_object_or_404(RulingDocument, slug=slug)
    if shown.kind == DocumentKind.REFERENCE:
        return redirect(shown)
    rulings = queries.rulings_in_full().filter(document=shown)
    page = Paginator(rulings, RULINGS_ON_A_PAGE).get_page(request.GET.get("page"))
    readings = [as_of.reading(ruling) for ruling in page.object_list]
    there = [reading for reading in readings if reading.version is not None]
    context = {
        "as_of": as_of,
        "document": shown,
        "page_obj": page,
        "readings": there,
        "later": len(readings) - len(there),
    }
    return render(request, "rulings/document.html", context)


@require_safe
@conditional_page
@cache_for_strangers(AS_OF_PARAMETER)
def card(request: HttpRequest, slug: str, game: str = games.DEFAULT.id) -> HttpResponse:
    """Show all rulings that concern a card; htmx requests get only the fragment."""
    shown = get_object_or_404(Card, game=game, slug=slug)
    as_of = read_as_of(request)
    found = queries.card_rulings(shown)
    groups = _card_page_groups(found, as_of)
    context = {
        "as_of": as_of,
        "card": shown,
        "groups": groups,
        "later": len(found) - sum(len(group.readings) for group in groups),
    }
    is_part = request.headers.get("HX-Request") == "true"
    answer = render(request, f"rulings/{'_on_card' if is_part else 'card'}.html", context)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


@require_safe
@conditional_page
@cache_for_strangers(AS_OF_PARAMETER)
def subject(request: HttpRequest, slug: str, game: str = games.DEFAULT.id) -> HttpResponse:
    rulings = queries.rulings_on_subject(slug, game)
    if not rulings:
        raise Http404
    as_of = read_as_of(request)
    first = rulings[0]
    if first.document.kind == DocumentKind.REFERENCE:
        return redirect(first.document)
    if on_card := next((ruling.card for ruling in rulings if ruling.card is not None), None):
        return redirect(f"{card_url(on_card.game, on_card.slug)}{as_of.query}")
    readings = as_of.readings(rulings)
    context = {
        "as_of": as_of,
        "subject": first.subject,
        "section": RulingSection(first.section),
        "game": games.GAMES[game],
        "readings": readings,
        "later": len(rulings) - len(readings),
        "referring": as_of.readings(queries.rulings_linking_to(slug, game)),
    }
    return render(request, "rulings/subject.html", context)


@require_safe
def card_of_game(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    return card(request, slug, game) if game != games.DEFAULT.id else redirect("rulings:card", slug)


@require_safe
def subject_of_game(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    if game == games.DEFAULT.id:
        return redirect("rulings:subject", slug)
    return subject(request, slug, game)


def _allowed_parameter(request: HttpRequest, name: str, allowed: Sequence[str]) -> str:
    value = request.GET.get(name, "")
    return value if value in allowed else next(iter(allowed), "")


def _card_page_groups(found: queries.CardRulings, as_of: AsOf) -> list[CardPageGroup]:
    groups = [
        CardPageGroup("errata", _("Errata"), as_of.readings(found.errata), with_subject=False),
        CardPageGroup("own", _("On this card"), as_of.readings(found.own), with_subject=False),
        *(
            CardPageGroup(
                f"inherited-{inherited.slug}",
                _("Inherited from %(inherited)s") % {"inherited": inherited.name},
                as_of.readings(inherited.rulings),
                source=inherited.name,
                keyword=inherited.keyword,
                url=inherited.url,
            )
            for inherited in found.inherited
        ),
        CardPageGroup("followed", _("Rulings that these refer to"), as_of.readings(found.followed)),
        CardPageGroup(
            "mentioning", _("Rulings that name this card"), as_of.readings(found.mentioning)
        ),
        CardPageGroup(
            "referring", _("Rulings that refer to this card"), as_of.readings(found.referring)
        ),
    ]
    return [group for group in groups if group.readings]


# A ruling.


@require_safe
@conditional_page
@cache_for_strangers(AS_OF_PARAMETER)
def ruling(request: HttpRequest, code: str, number: int | None = None) -> HttpResponse:
    """Show a ruling in its newest version, that of a day, or a cited version."""
    shown = _ruling_or_404(request, code)
    as_of = read_as_of(request) if number is None else AsOf()
    version = _version_or_404(shown, number, as_of)
    before, after = queries.neighbouring_rulings(shown)
    short_address = shared_url(request, version.short_url)
    led_to = (
        queries.cross_reference_targets(shown) if shown.kind == RulingKind.CROSS_REFERENCE else []
    )
    context = {
        "as_of": as_of,
        "ruling": shown,
        "version": version,
        "standing": queries.standing_on(shown, as_of.day),
        "is_current": version == shown.current,
        "led_to": as_of.readings(led_to),
        "referring": queries.rulings_referring_to(shown),
        "before": before,
        "after": after,
        "times_cited": queries.times_cited(shown),
        "cite_text": cite_text(shown, version, request),
        "short_address": short_address,
        "qr": qr_data_uri(short_address),
        "citing": citing_link(request, f"{shown.short_code} v{version.number}"),
        "can_write": permissions.can_write_rulings(request.user),
    }
    return permissions.mark_private(render(request, "rulings/ruling.html", context), shown)


@require_safe
@conditional_page
@cache_for_strangers("from", "to")
def ruling_changes(request: HttpRequest, code: str) -> HttpResponse:
    """Show the changes between two versions (`?from=1&to=2`): words and sources."""
    shown = _ruling_or_404(request, code)
    versions = {version.number: version for version in shown.versions.all()}
    newest = max(versions, default=0)
    new = versions.get(_number_parameter(request, "to", newest))
    old = versions.get(_number_parameter(request, "from", new.number - 1 if new else newest - 1))
    context: dict[str, Any] = {"ruling": shown, "old": old, "new": new}
    if old and new:
        before, after = queries.version_sources(old), queries.version_sources(new)
        context |= {
            "pieces": difference(old.text, new.text),
            "sources": [
                (source, source in before, source in after)
                for source in dict.fromkeys([*before, *after])
            ],
            "same_sources": before == after,
        }
    return permissions.mark_private(render(request, "rulings/difference.html", context), shown)


@require_safe
def short_url(request: HttpRequest, short: str, number: int | None = None) -> HttpResponse:
    found = get_object_or_404(permissions.rulings_readable_by(request), short_code=short.upper())
    if number is None:
        query = request.GET.urlencode()
        return redirect(f"{found.get_absolute_url()}{'?' if query else ''}{query}")
    return redirect(get_object_or_404(RulingVersion, ruling=found, number=number))


def _ruling_or_404(request: HttpRequest, code: str) -> Ruling:
    return get_object_or_404(
        queries.rulings_in_full(permissions.rulings_readable_by(request)), code=code
    )


def _version_or_404(shown: Ruling, number: int | None, as_of: AsOf) -> RulingVersion:
    # A ruling that is newer than the day shows its first version, marked as such.
    versions = list(shown.versions.all())
    if number is not None:
        versions = [version for version in versions if version.number == number]
    elif as_of.day:
        in_force = queries.standing_on(shown, as_of.day).version
        versions = [in_force] if in_force else versions[-1:]
    if not versions:
        raise Http404
    return versions[0]


def _number_parameter(request: HttpRequest, name: str, otherwise: int) -> int:
    typed = request.GET.get(name, "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 6 else otherwise


# Booklets.


@require_safe
@rate_limited("expensive")
@cache_control(private=True, no_cache=True)
@conditional_page
def booklet(request: HttpRequest, game: str) -> HttpResponse:
    # The template caches the result for an hour, by game, day and wording. Any change of a ruling
    # or card invalidates it.
    if game not in games.GAMES:
        raise Http404("There is no such game.")
    today = timezone.localdate()
    with_originals = request.GET.get("wording") == "original"
    online = shared_url(request, f"{reverse('rulings:index')}?game={game}")

    def load_booklet() -> queries.Booklet:
        return queries.get_booklet(game, today, with_originals=with_originals)

    context = {
        "booklet": SimpleLazyObject(load_booklet),
        "stamp": queries.rulings_stamp(),
        "game": games.GAMES[game],
        "today": today,
        "with_originals": with_originals,
        "online": online,
        "qr": qr_data_uri(online),
    }
    return render(request, "rulings/booklet.html", context)


def qr_data_uri(address: str) -> str:
    # Always dark on light, so that cameras can read it.
    code = segno.make(address, error="m", micro=False)
    image: str = code.svg_data_uri(border=3, dark="#10202b", light="#fff")
    return image


# The rules reference and the infraction guide.


@dataclass(frozen=True)
class ShownSection:
    ruling: Ruling
    version: RulingVersion
    cite_text: str
    citing: dict[str, Any] | None

    @property
    def is_disagreement(self) -> bool:
        return self.ruling.heading.startswith(reference.DISAGREEMENT)


@require_safe
@conditional_page
@cache_for_strangers()
def rules_index(request: HttpRequest) -> HttpResponse:
    about = {page.slug: page.about for page in shipped_pages()}
    games = [
        (game, [(page, about.get(page.slug, "")) for page in pages])
        for game, pages in queries.rules_pages()
    ]
    return render(request, "rulings/reference/index.html", {"games": games})


@require_safe
@conditional_page
@cache_for_strangers(AS_OF_PARAMETER)
def rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    document = get_object_or_404(RulingDocument, kind=DocumentKind.REFERENCE, slug=slug)
    as_of = read_as_of(request)
    sections = list(_shown_sections(request, document, as_of))
    context = {
        "document": document,
        "about": next((page.about for page in shipped_pages() if page.slug == slug), ""),
        "as_of": as_of,
        "sections": sections,
        "disagreements": [section for section in sections if section.is_disagreement],
    }
    return render(request, "rulings/reference/page.html", context)


def _shown_sections(
    request: HttpRequest, document: RulingDocument, as_of: AsOf
) -> Iterator[ShownSection]:
    for ruling in queries.sections_of(document):
        standing = queries.standing_on(ruling, as_of.day)
        version = standing.version if as_of.day else ruling.current
        if version is None or standing.has_ended:
            continue
        yield ShownSection(
            ruling,
            version,
            cite_text(ruling, version, request),
            citing_link(request, f"{ruling.short_code} v{version.number}"),
        )


@require_safe
@cache_for_strangers()
def guide(request: HttpRequest) -> HttpResponse:
    return render(request, "rulings/guide.html", {"categories": shipped_guide().by_category()})


# Search.

HITS_ON_A_PAGE = 20
MAX_PICKED = 8


@dataclass(frozen=True)
class SearchHit:
    """A search result: the ruling, its version in force, and the `words` to mark."""

    ruling: Ruling
    version: RulingVersion
    standing: queries.RulingStanding
    words: str
    cite_text: str = ""
    cite_url: str = ""


@require_safe
@rate_limited("search")
@cache_control(private=True, no_cache=True)
@conditional_page
def search_page(request: HttpRequest) -> HttpResponse:
    """Search by words and filters; a code redirects to its ruling.

    htmx requests get only the results, for search as you type.
    """
    form = RulingSearchForm(request.GET)
    # Errors of invalid filters are shown on the form; valid filters still apply.
    form.is_valid()
    is_part = request.headers.get("HX-Request") == "true"
    coded = queries.version_by_code(form.typed, permissions.rulings_readable_by(request))
    if coded and not is_part:
        if queries.has_version_number(form.typed):
            return redirect(coded)
        return redirect(coded.ruling)
    if coded:
        hit = _search_hit(request, coded.ruling, "", coded)
        page = Paginator([coded.ruling_id], HITS_ON_A_PAGE).get_page(1)
        context = {"page_obj": page, "hits": [hit], "is_asked": True}
    else:
        context = _search_context(request, form)
    template = "rulings/_search_found.html" if is_part else "rulings/search.html"
    answer = render(request, template, {"form": form, "typed": form.typed, **context})
    patch_vary_headers(answer, ["HX-Request"])
    return answer


@require_safe
@rate_limited("search")
@cache_control(private=True, no_cache=True)
@conditional_page
def pick_rulings(request: HttpRequest) -> HttpResponse:
    """Offer up to eight rulings for `?q=` as checkboxes in a form, below the checked ones.

    `field` is the name of the form field, which also contains the checked rulings.
    """
    among, field = permissions.rulings_readable_by(request), request.GET.get("field", "rulings")
    codes = request.GET.getlist(field)[:MAX_CITED]
    versions = [queries.version_by_code(code, among) for code in codes]
    chosen = [version for version in versions if version is not None]
    typed = request.GET.get("q", "")[:LONGEST_TYPED].strip()
    coded = queries.version_by_code(typed, among)
    if coded:
        found: dict[str, Any] = {"picks": [_search_hit(request, coded.ruling, typed, coded)]}
    else:
        answer = _search_or_filter(
            typed, RulingFilters(local=is_citing(request)), _searched_rulings(request)
        )
        rulings = search.rulings_for_list(answer.found.ids[:MAX_PICKED])
        picks = [_search_hit(request, ruling, answer.words) for ruling in rulings]
        found = {"picks": picks, "answer": answer, "most": answer.found.full}
    ticked = {version.ruling_id for version in chosen}
    found["picks"] = [pick for pick in found["picks"] if pick.ruling.pk not in ticked]
    context = {**found, "chosen": chosen, "typed": typed, "field": field}
    return render(request, "rulings/_picks.html", context)


def _search_context(request: HttpRequest, form: RulingSearchForm) -> dict[str, Any]:
    typed = form.typed
    answer = _search_or_filter(
        typed, form.filters(local=is_citing(request)), _searched_rulings(request)
    )
    page = Paginator(answer.found.ids, HITS_ON_A_PAGE).get_page(request.GET.get("page"))
    hits = [
        _search_hit(request, ruling, answer.words)
        for ruling in search.rulings_for_list(page.object_list)
    ]
    return {
        "answer": answer,
        "page_obj": page,
        "hits": hits,
        # Partial matches follow the full matches of all pages; select those on this page.
        "partial": hits[max(answer.found.full - page.start_index() + 1, 0) :],
        "cards": search.cards_named(typed) if typed else [],
        "topics": search.topics_named(typed),
        "is_asked": bool(typed) or form.is_narrowed,
        "is_cut": len(answer.found.ids) >= MAX_HITS,
    }


def _searched_rulings(request: HttpRequest) -> QuerySet[Ruling]:
    # Local rulings of the judge's events only when citing.
    return (
        permissions.rulings_findable_by(request)
        if is_citing(request)
        else queries.published_rulings()
    )


def _search_or_filter(
    typed: str, filters: RulingFilters, readable: QuerySet[Ruling]
) -> RulingSearchResult:
    """Search for the words with typo correction; without words, list the filtered rulings."""
    among = search.filter_rulings(filters, timezone.localdate(), readable)
    if not typed:
        has_filter = replace(filters, ended=False, local=False) != RulingFilters()
        ids = search.filtered_keys(among, filters.cards) if has_filter else []
        return RulingSearchResult(SearchHits(ids, full=len(ids)), "")
    return search.best_matches(typed, among, filters.cards)


def _search_hit(
    request: HttpRequest, ruling: Ruling, words: str, version: RulingVersion | None = None
) -> SearchHit:
    standing = queries.standing_on(ruling)
    # The version of today, or the last of an ended, or the first of a future ruling.
    version = version or standing.version or list(ruling.versions.all())[-1]
    to = citing_link(request, f"{ruling.short_code} v{version.number}")
    return SearchHit(
        ruling=ruling,
        version=version,
        standing=standing,
        words=words,
        cite_text=cite_text(ruling, version, request),
        cite_url=to["url"] if to else "",
    )
