"""Pages of the rules reference in numbered sections, and the infraction guide."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import conditional_page, require_safe

from core.kept_pages import kept_for_strangers
from rulings import queries, reference
from rulings.guide import shipped_guide
from rulings.importer.reference import shipped_pages
from rulings.models import DocumentKind, Ruling, RulingDocument, RulingVersion
from rulings.views import as_of, citing
from rulings.views.as_of import AsOf


@dataclass(frozen=True)
class Shown:
    """A section for display; `citing` is the link back to the staff page."""

    ruling: Ruling
    version: RulingVersion
    cite_text: str
    citing: dict[str, Any] | None

    @property
    def is_disagreement(self) -> bool:
        return self.ruling.heading.startswith(reference.DISAGREEMENT)


@require_safe
@conditional_page
@kept_for_strangers()
def rules(request: HttpRequest) -> HttpResponse:
    about = {page.slug: page.about for page in shipped_pages()}
    games = [
        (game, [(page, about.get(page.document.slug, "")) for page in pages])
        for game, pages in queries.rules_pages()
    ]
    return render(request, "rulings/reference/index.html", {"games": games})


@require_safe
@conditional_page
@kept_for_strangers(as_of.PARAMETER)
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a page with all its sections; `?as_of=` shows an earlier day."""
    document = get_object_or_404(RulingDocument, kind=DocumentKind.REFERENCE, slug=slug)
    asked = as_of.read(request)
    sections = list(_shown(request, document, asked))
    context = {
        "document": document,
        "about": next((one.about for one in shipped_pages() if one.slug == slug), ""),
        "as_of": asked,
        "sections": sections,
        "disagreements": [one for one in sections if one.is_disagreement],
    }
    return render(request, "rulings/reference/page.html", context)


def _shown(request: HttpRequest, document: RulingDocument, asked: AsOf) -> Iterator[Shown]:
    for ruling in queries.sections_of(document):
        standing = queries.standing_on(ruling, asked.day)
        version = standing.version if asked.day else ruling.current
        if version is None or standing.has_ended:
            continue
        yield Shown(
            ruling,
            version,
            citing.cite_text(ruling, version, request),
            citing.citing(request, f"{ruling.short_code} v{version.number}"),
        )


@require_safe
@kept_for_strangers()
def guide(request: HttpRequest) -> HttpResponse:
    """Show all infractions with their penalties; each has an anchor for citations."""
    return render(request, "rulings/guide.html", {"categories": shipped_guide().by_category()})
