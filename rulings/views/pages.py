"""The public pages of the rulings."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from decks.games import GameSystem
from decks.models import Card
from rulings import queries
from rulings.models import Ruling, RulingKind, RulingVersion, Section


@dataclass(frozen=True)
class KindFilter:
    """One way to narrow the index down."""

    kind: str
    label: str
    count: int


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All subjects by section; `?kind=` keeps those with rulings of that kind."""
    kind = request.GET.get("kind", "")
    kind = kind if kind in RulingKind.values else ""
    subjects = queries.subjects(kind)
    sections = [
        (section, [subject for subject in subjects if subject.section == section])
        for section in Section
    ]
    context = {
        "sections": [(section, found) for section, found in sections if found],
        "kind": kind,
        "kinds": _kind_filters(),
        "shown": sum(subject.rulings for subject in subjects),
    }
    return render(request, "rulings/index.html", context)


@require_safe
def card(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything the list says on one card; for htmx without a page around it."""
    shown = get_object_or_404(Card, game=GameSystem.ONR, slug=slug)
    context = {"card": shown, "rulings": queries.on_card(shown)}
    is_part = bool(request.headers.get("HX-Request"))
    answer = render(request, f"rulings/{'_on_card' if is_part else 'card'}.html", context)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


@require_safe
def subject(request: HttpRequest, slug: str) -> HttpResponse:
    """The rulings of a topic; a subject that is a card has the page of the card."""
    rulings = queries.on_subject(slug)
    if not rulings:
        raise Http404
    first = rulings[0]
    if first.card is not None:
        return redirect("rulings:card", slug=first.card.slug)
    context = {
        "subject": first.subject,
        "section": Section(first.section),
        "rulings": rulings,
        "referring": queries.sending_to(slug),
    }
    return render(request, "rulings/subject.html", context)


@require_safe
def ruling(request: HttpRequest, code: str, number: int | None = None) -> HttpResponse:
    """One ruling in its newest version, or in the version that was cited."""
    shown = get_object_or_404(queries.rulings_in_full(), code=code)
    version = _version_or_404(shown, number)
    before, after = queries.neighbours(shown)
    context = {
        "ruling": shown,
        "version": version,
        "is_current": version == shown.current,
        "referring": queries.referring_to(shown),
        "before": before,
        "after": after,
        "times_cited": queries.times_cited(shown),
        "cite_text": _cite_text(shown, version, request),
        "citing": _citing(request, _code_of(shown, version)),
    }
    return render(request, "rulings/ruling.html", context)


def _kind_filters() -> list[KindFilter]:
    counts = queries.counts_by_kind()
    labels = dict(RulingKind.choices)
    every = KindFilter("", "all", sum(counts.values()))
    return [every, *(KindFilter(kind, labels[kind], count) for kind, count in counts.items())]


def _version_or_404(shown: Ruling, number: int | None) -> RulingVersion:
    versions = shown.versions.all()
    wanted = (one for one in versions if number is None or one.number == number)
    version = next(iter(wanted), None)
    if version is None:
        raise Http404
    return version


def _cite_text(shown: Ruling, version: RulingVersion, request: HttpRequest) -> str:
    """What "Copy as citation" copies: text, code, who said it and when, the lasting address."""
    said = "; ".join(str(citation) for citation in version.citations.all())
    permalink = request.build_absolute_uri(version.get_absolute_url())
    source = f"{shown.code} v{version.number}, {shown.document}"
    dated = said or f"as of {shown.document.published_on}"
    return f"{shown.subject}: {version.text}\n({source}: {dated})\n{permalink}"


def _code_of(shown: Ruling, version: RulingVersion) -> str:
    """What names this version in a note: the bare code means the newest."""
    return shown.code if version == shown.current else f"{shown.code} v{version.number}"


def _citing(request: HttpRequest, code: str) -> dict[str, Any] | None:
    """Where a judge came from to look for a ruling, with the ruling put in."""
    citing = request.session.get("citing")
    if not isinstance(citing, dict) or not {"label", "url"} <= citing.keys():
        return None
    url = str(citing["url"])
    if not url_has_allowed_host_and_scheme(url, allowed_hosts=None):
        return None
    address, hash_mark, fragment = url.partition("#")
    joint = "&" if "?" in address else "?"
    query = urlencode({"rulings": code})
    return {
        "label": citing["label"],
        "url": f"{address}{joint}{query}{hash_mark}{fragment}",
    }
