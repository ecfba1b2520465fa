"""Pages of rulings by game, kind, document, topic and card."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import conditional_page, require_safe

from core.kept_pages import kept_for_strangers
from decks import games
from decks.models import Card
from rulings import queries
from rulings.models import DocumentKind, RulingDocument, RulingKind, Section, card_url
from rulings.views import as_of
from rulings.views.as_of import AsOf, Reading

RULINGS_ON_A_PAGE = 100


@dataclass(frozen=True)
class Choice:
    value: str
    label: str
    count: int


@dataclass(frozen=True)
class Group:
    """Rulings under one heading of a card's page; `source` is the subject they come from."""

    slug: str
    title: str
    readings: list[Reading]
    with_subject: bool = True
    source: str = ""
    keyword: str = ""
    url: str = ""


@require_safe
@conditional_page
@kept_for_strangers("game", "kind", as_of.PARAMETER)
def index(request: HttpRequest) -> HttpResponse:
    """Show the subjects of a game by section; `?game=`, `?kind=` and `?as_of=` filter."""
    asked = as_of.read(request)
    choices = _games()
    game = _asked(request, "game", [one.value for one in choices])
    kind = _asked(request, "kind", ["", *RulingKind.values])
    in_game, shown = queries.listed(game), queries.listed(game, kind)
    if asked.day:
        in_game = queries.in_force_on(in_game, asked.day)
        shown = queries.in_force_on(shown, asked.day)
    subjects = queries.subjects(shown)
    context = {
        "as_of": asked,
        "games": choices,
        "game": game,
        "game_on_paper": game or games.DEFAULT.id,
        "kind": kind,
        "kinds": _kinds(queries.counts_by_kind(in_game)),
        "sections": _sections(subjects),
        "documents": queries.documents(game),
    }
    return render(request, "rulings/index.html", context)


@require_safe
@conditional_page
@kept_for_strangers("page", as_of.PARAMETER)
def document(request: HttpRequest, slug: str) -> HttpResponse:
    asked = as_of.read(request)
    shown = get_object_or_404(RulingDocument, slug=slug)
    if shown.kind == DocumentKind.REFERENCE:
        return redirect(shown)
    rulings = queries.rulings_in_full().filter(document=shown)
    page = Paginator(rulings, RULINGS_ON_A_PAGE).get_page(request.GET.get("page"))
    readings = [asked.reading(ruling) for ruling in page.object_list]
    there = [one for one in readings if one.version is not None]
    context = {
        "as_of": asked,
        "document": shown,
        "page_obj": page,
        "readings": there,
        "later": len(readings) - len(there),
    }
    return render(request, "rulings/document.html", context)


@require_safe
@conditional_page
@kept_for_strangers(as_of.PARAMETER)
def card(request: HttpRequest, slug: str, game: str = games.DEFAULT.id) -> HttpResponse:
    """Show all rulings that concern a card; htmx requests get only the fragment."""
    shown = get_object_or_404(Card, game=game, slug=slug)
    asked = as_of.read(request)
    found = queries.on_card(shown)
    groups = _groups(found, asked)
    context = {
        "as_of": asked,
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
@kept_for_strangers(as_of.PARAMETER)
def subject(request: HttpRequest, slug: str, game: str = games.DEFAULT.id) -> HttpResponse:
    """Show the rulings on a topic; a card subject redirects to the page of the card."""
    rulings = queries.on_subject(slug, game)
    if not rulings:
        raise Http404
    asked = as_of.read(request)
    first = rulings[0]
    if first.document.kind == DocumentKind.REFERENCE:
        return redirect(first.document)
    if on_card := next((one.card for one in rulings if one.card is not None), None):
        return redirect(f"{card_url(on_card.game, on_card.slug)}{asked.query}")
    readings = asked.readings(rulings)
    context = {
        "as_of": asked,
        "subject": first.subject,
        "section": Section(first.section),
        "game": games.GAMES[game],
        "readings": readings,
        "later": len(rulings) - len(readings),
        "referring": asked.readings(queries.sending_to(slug, game)),
    }
    return render(request, "rulings/subject.html", context)


@require_safe
def card_of_game(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """Show a card of any game; cards of the default game redirect to their short URL."""
    return card(request, slug, game) if game != games.DEFAULT.id else redirect("rulings:card", slug)


@require_safe
def subject_of_game(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    if game == games.DEFAULT.id:
        return redirect("rulings:subject", slug)
    return subject(request, slug, game)


def _games() -> list[Choice]:
    counts = queries.counts_by_game()
    return [Choice(game, name, counts[game]) for game, name in games.choices() if game in counts]


def _asked(request: HttpRequest, name: str, allowed: Sequence[str]) -> str:
    """Return the query parameter if allowed, otherwise the first allowed value."""
    value = request.GET.get(name, "")
    return value if value in allowed else next(iter(allowed), "")


def _kinds(counts: dict[str, int]) -> list[Choice]:
    labels = dict(RulingKind.choices)
    every = Choice("", "all", sum(counts.values()))
    return [every, *(Choice(kind, labels[kind], count) for kind, count in counts.items())]


def _sections(subjects: Sequence[queries.Subject]) -> list[tuple[Section, list[queries.Subject]]]:
    found = [(part, [one for one in subjects if one.section == part]) for part in Section]
    return [(section, of_it) for section, of_it in found if of_it]


def _groups(found: queries.CardRulings, asked: AsOf) -> list[Group]:
    """Return the non-empty groups of a card's page, errata first."""
    groups = [
        Group("errata", "Errata", asked.readings(found.errata), with_subject=False),
        Group("own", "On this card", asked.readings(found.own), with_subject=False),
        *(_handed_down(one, asked) for one in found.inherited),
        Group("followed", "Where these send you", asked.readings(found.followed)),
        Group("mentioning", "Rulings that name this card", asked.readings(found.mentioning)),
        Group("referring", "Rulings that send you here", asked.readings(found.referring)),
    ]
    return [group for group in groups if group.readings]


def _handed_down(one: queries.Inherited, asked: AsOf) -> Group:
    return Group(
        f"inherited-{one.slug}",
        f"Inherited from {one.name}",
        asked.readings(one.rulings),
        source=one.name,
        keyword=one.keyword,
        url=one.url,
    )
