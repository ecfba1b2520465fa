"""API of rulings: JSON and plain text."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import wraps
from textwrap import fill, indent
from typing import Any, TypeVar, cast

import django_filters
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.decorators import method_decorator
from django.utils.http import quote_etag
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from core.addresses import shared_address
from core.api_errors import not_found
from core.api_requests import Pagination
from core.api_viewsets import ApiViewSet, endpoint
from core.filters import ChoiceFilter, DayFilter
from core.rate_limits import rate_limited
from core.text import comparison_key
from decks import games
from decks.models import Card
from decks.services import nearest_cards
from rulings import queries
from rulings.models import (
    Citation,
    DocumentKind,
    LinkKind,
    Ruling,
    RulingDocument,
    RulingKind,
    RulingLink,
    RulingSection,
    RulingVersion,
)
from rulings.permissions import mark_private, rulings_readable_with_token
from rulings.search import RulingSearchResult, SearchHits, SearchReach, best_matches
from rulings.serializers import (
    DocumentSerializer,
    ExportSerializer,
    RulingDetailSerializer,
    RulingSerializer,
)
from rulings.words import LONGEST_TYPED

TEXT_WIDTH = 78  # characters
ApiDocument = Mapping[str, Any]


class TextRenderer(BaseRenderer):
    """Plain text for `?format=txt`: rulings, documents or errors."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return ("\n\n".join(_text_blocks(data)) + "\n").encode()


def _text_blocks(data: ApiDocument) -> Iterator[str]:
    if "detail" in data:
        yield data["detail"]
        for name, faults in data["errors"].items():
            yield f"{name}: {' '.join(map(str, faults))}"
    elif "rulings" in data and "documents" in data:
        yield _count_text(data["count"], data["as_of"])
        yield from map(_document_text, data["documents"])
        yield from map(_ruling_text, data["rulings"])
    elif "results" in data:
        yield _count_text(data["count"], None)
        if search := data.get("search"):
            yield from _search_text(search)
        yield from (
            _ruling_text(row) if "code" in row else _document_text(row) for row in data["results"]
        )
        if data["next"]:
            yield f"The next page: {data['next']}"
    else:
        yield _ruling_text(data)


def _count_text(count: int, day: str | None) -> str:
    return f"{count} in all{f', as in force on {day}' if day else ''}"


def _search_text(search: ApiDocument) -> Iterator[str]:
    if search["is_corrected"]:
        yield f"Showing results for: {search['words']}"
    if search["reach"] == "beginnings":
        yield "No exact match. These have words that begin with what you typed."
    if search["reach"] == "any":
        yield "No ruling has all of the words. These have some of them, most words first."


def _document_text(row: ApiDocument) -> str:
    name = " ".join(filter(None, (row["title"], row["edition"])))
    lines = [f"{name} ({row['published_on']}): {row['rulings']} rulings", row["page"]]
    return "\n".join([*lines, *([row["notice"]] if row["notice"] else [])])


def _ruling_text(row: ApiDocument) -> str:
    current = row["current"]
    section = " ".join(filter(None, (row["place"], row["heading"])))
    subject = f"{row['subject']}, {section}" if section else row["subject"]
    lines = [f"{row['short_code']} {subject} [{', '.join(_ruling_marks(row))}]"]
    if current is None:
        lines.append("    Nothing of it was in force.")
    else:
        lines += _indent_lines(current["text"].split("\n"))
        lines += _indent_lines(_source_text(citation) for citation in current["citations"])
        lines.append(f"    {row['document']}, version {current['number']}")
        lines.append(f"    In force from {current['effective_from']}")
    return "\n".join([*lines, *_relation_lines(row), f"    {row['short_address']}"])


def _ruling_marks(row: ApiDocument) -> Iterator[str]:
    yield row["kind"]
    if row["is_local"]:
        yield "local"
    if row["state"] != "in_force":
        yield row["state"].replace("_", " ")
    if row["relation"]:
        yield row["relation"]


def _source_text(citation: ApiDocument) -> str:
    source = citation["authority"]
    if citation["via"]:
        source += f" via {citation['via']}"
    if citation["about"]:
        source += f" on {citation['about']}"
    return ", ".join(str(part) for part in (source, citation["venue"], citation["date"]) if part)


def _relation_lines(row: ApiDocument) -> Iterator[str]:
    for words, codes in (("Supersedes", "supersedes"), ("Superseded by", "superseded_by")):
        if row[codes]:
            yield f"    {words} {', '.join(row[codes])}"
    if row["withdrawn_on"]:
        yield f"    Withdrawn on {row['withdrawn_on']}"
    if named := [link["name"] for link in row["links"]]:
        yield f"    See {', '.join(named)}"


def _indent_lines(lines: Iterable[str]) -> list[str]:
    filled = (fill(line, TEXT_WIDTH - 4, break_long_words=False) for line in lines if line.strip())
    return [indent(line, "    ") for line in filled]


# Shared by all viewsets of rulings: JSON or text, and an ETag that costs two queries.


Action = TypeVar("Action", bound=Callable[..., Any])
FORMAT_PARAMETER = OpenApiParameter("format", enum=[JSONRenderer.format, TextRenderer.format])
# Part of every ETag. Increase it when the format of responses changes.
ETAG_VERSION = "2"

SEARCH_SCHEMA = {
    "type": ["object", "null"],
    "description": "How far the search reached; null without `search`.",
    "required": ["words", "is_corrected", "reach", "full"],
    "properties": {
        "words": {"type": "string", "description": "The words searched for."},
        "is_corrected": {
            "type": "boolean",
            "description": "True if `words` corrects a typo: no ruling has the words as typed.",
        },
        "reach": {
            "type": "string",
            "enum": [reach.value for reach in SearchReach],
            "description": "`exact`: all words; `beginnings`: words that begin with those typed; "
            "`any`: some of the words, most words first.",
        },
        "full": {
            "type": "integer",
            "description": "Number of results within `count` that match as `reach` describes. They "
            "come first, partial matches after them.",
        },
    },
}


def with_stamp_etag(action: Action) -> Action:
    """Add the ETag of the rulings, and answer 304 before querying anything else."""

    @wraps(action)
    def answered(view: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
        etag = _stamp_etag(request)
        answer = get_conditional_response(request, etag=etag)
        if answer is None:
            answer = action(view, request, *args, **kwargs)
        answer["ETag"] = etag
        return answer

    return cast(Action, answered)


def _stamp_etag(request: Request) -> str:
    parts = (
        queries.rulings_stamp(),
        # Which rulings are in force depends on the day.
        timezone.localdate(),
        request.build_absolute_uri(),
        shared_address(request),
        request.accepted_renderer.format,
        ETAG_VERSION,
    )
    return quote_etag(hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()[:32])


class SearchPagination(Pagination):
    """A page of rulings with the outcome of the search."""

    answer: RulingSearchResult | None = None

    def get_paginated_response(self, data: Any) -> Response:
        response = super().get_paginated_response(data)
        response.data["search"] = self._search()
        return response

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        described["properties"]["search"] = SEARCH_SCHEMA
        described["required"] = [*described["required"], "search"]
        return described

    def _search(self) -> dict[str, Any] | None:
        if self.answer is None:
            return None
        found = self.answer.found
        return {
            "words": self.answer.words,
            "is_corrected": self.answer.is_corrected,
            "reach": found.reach.value,
            "full": found.full,
        }


class ReadingViewSet(ApiViewSet):
    """Responses that change only with the rulings, the cards or the day.

    `?format=txt`, or text/plain in Accept, selects plain text.
    """

    tag = "rulings"
    renderer_classes = (JSONRenderer, TextRenderer)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        formats = [renderer.format for renderer in self.renderer_classes]
        if request.query_params.get("format", formats[0]) not in formats:
            raise ValidationError({"format": [f"Choose one of: {', '.join(formats)}."]})
        super().initial(request, *args, **kwargs)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "day": self.requested_day()}

    def requested_day(self) -> date | None:
        """Return the date of `?as_of=`. Raises ValidationError."""
        try:
            day: date | None = DayFilter(required=False).field.clean(
                self.request.query_params.get("as_of", "")
            )
        except DjangoValidationError as error:
            raise ValidationError({"as_of": error.messages}) from error
        return day


# Filters of rulings.


RulingQuerySet = QuerySet[Ruling]


@extend_schema_field(OpenApiTypes.BOOL)
class BooleanChoiceFilter(ChoiceFilter):
    """`true` or `false`, for the filter set to apply."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=[("true", "yes"), ("false", "no")], **kwargs)

    def filter(self, qs: QuerySet[Any], value: str) -> QuerySet[Any]:
        return qs


def _document_choices() -> list[tuple[str, str]]:
    return [(slug, slug) for slug in RulingDocument.objects.values_list("slug", flat=True)]


class ScopeFilter(django_filters.FilterSet):
    """Filters by game, document and day. Withdrawn and local rulings are opt-in."""

    game = ChoiceFilter(choices=games.choices(), field_name="document__game")
    document = ChoiceFilter(
        choices=_document_choices, field_name="document__slug", help_text="The slug of a document."
    )
    as_of = DayFilter(method="in_force", help_text="Only rulings in force on this day.")
    all = BooleanChoiceFilter(
        help_text="`true`: also rulings that were withdrawn; with `search`, "
        "all that are no longer in force."
    )
    local = BooleanChoiceFilter(
        help_text="`true`: also rulings of head judges, which apply at their events."
    )

    def in_force(self, rulings: RulingQuerySet, name: str, value: Any) -> RulingQuerySet:
        """Keep rulings in force that day, in the wording of that day."""
        return queries.in_force_on(rulings, value)

    def filter_queryset(self, queryset: Any) -> Any:
        asked = self.form.cleaned_data
        rulings = super().filter_queryset(queryset)
        if asked["all"] != "true" and not asked["as_of"]:
            gone = Q(withdrawn_on__isnull=False, withdrawn_on__lte=timezone.localdate())
            rulings = rulings.exclude(gone)
        if asked["local"] != "true" and not asked["document"]:
            rulings = rulings.exclude(document__kind=DocumentKind.LOCAL)
        return rulings


class RulingFilter(ScopeFilter):
    search = django_filters.CharFilter(
        method="keep_all",
        max_length=LONGEST_TYPED,
        help_text="Words or a code. Put phrases in quotes; vir* finds words that begin with vir. "
        "The best matches come first. Only rulings in force are found, unless `all` or "
        "`as_of` says otherwise.",
    )
    section = ChoiceFilter(choices=RulingSection.choices)
    kind = ChoiceFilter(choices=RulingKind.choices)
    subject = django_filters.CharFilter(
        method="on_subject", max_length=120, help_text="A subject, or its slug."
    )
    card = django_filters.CharFilter(
        method="on_card",
        max_length=140,
        help_text="A card the ruling is about: its slug, title or another spelling. "
        "Of Netrunner, unless `game` says otherwise.",
    )
    related = BooleanChoiceFilter(
        help_text="`true`: with `card`, also rulings that it inherits, that name it or that "
        "refer to it, in the order of the card's page."
    )
    authority = django_filters.CharFilter(
        method="cited", max_length=80, help_text="Part of the name of the source."
    )

    @classmethod
    def get_filters(cls) -> Any:
        """Add `from`, which is a keyword in Python, and `to`."""
        days = {
            "from": DayFilter(method="cited", help_text="Published on this day or later."),
            "to": DayFilter(method="cited", help_text="Published on this day or earlier."),
        }
        return {**super().get_filters(), **days}

    def keep_all(self, rulings: RulingQuerySet, name: str, value: str) -> RulingQuerySet:
        """Leave the search to RulingViewSet.list, which ranks its results."""
        return rulings

    def filter_queryset(self, queryset: Any) -> Any:
        asked = self.form.cleaned_data
        rulings = super().filter_queryset(queryset)
        if asked["search"] and asked["all"] != "true" and not asked["as_of"]:
            rulings = queries.in_force_on(rulings, timezone.localdate())
        return rulings

    def on_subject(self, rulings: RulingQuerySet, name: str, value: str) -> RulingQuerySet:
        return rulings.filter(Q(subject_slug=value) | Q(subject_key=comparison_key(value)))

    def on_card(self, rulings: RulingQuerySet, name: str, value: str) -> RulingQuerySet:
        """Filter by card. RulingViewSet.list applies `related`."""
        card = self.requested_card()
        if card is None or self.form.cleaned_data["related"] == "true":
            return rulings
        about = RulingLink.objects.filter(kind=LinkKind.ABOUT, card=card).values("ruling")
        return rulings.filter(Q(card=card) | Q(pk__in=about))

    def cited(self, rulings: RulingQuerySet, name: str, value: Any) -> RulingQuerySet:
        """Filter by a source of the current version: its name and dates."""
        asked = self.form.cleaned_data
        newest = RulingVersion.objects.filter(ruling=OuterRef(OuterRef("pk"))).order_by("-number")
        sources = Citation.objects.filter(version=Subquery(newest.values("pk")[:1]))
        if who := asked["authority"]:
            sources = sources.filter(Q(authority__icontains=who) | Q(via__icontains=who))
        if asked["from"]:
            sources = sources.filter(date__gte=asked["from"])
        if asked["to"]:
            sources = sources.filter(date__lte=asked["to"])
        return rulings.filter(Exists(sources))

    def requested_card(self) -> Card | None:
        """Return the card of `?card=`. The ValidationError suggests similar titles."""
        asked = self.form.cleaned_data
        if not (typed := asked["card"]):
            return None
        game = asked["game"] or games.DEFAULT.id
        key = comparison_key(typed)
        named = Q(slug=typed.lower()) | Q(title_key=key) | Q(aliases__alias_key=key)
        card = Card.objects.filter(named, game=game).order_by("pk").first()
        if card is None:
            nearest = ", ".join(near.title for near in nearest_cards(game, typed))
            hint = f"Did you mean {nearest}?" if nearest else "Look it up at /api/v1/cards/."
            raise ValidationError({"card": [f"There is no such card of {game}. {hint}"]})
        return card


# Rulings and their documents.


AS_OF_API_PARAMETER = OpenApiParameter(
    "as_of", OpenApiTypes.DATE, description="`state` and `current` as they were on this day."
)


class RulingViewSet(ReadingViewSet):
    """Rulings and their documents."""

    queryset = queries.rulings_in_full()

    @endpoint(
        "rulings_list",
        "Rulings",
        RulingSerializer(many=True),
        parameters=[FORMAT_PARAMETER],
        filters=RulingFilter,
    )
    @method_decorator(rate_limited("search"))
    @with_stamp_etag
    def list(self, request: Request) -> Response:
        """Rulings in the order of their documents, or the best matches of a search first.

        A search corrects typos and includes partial matches. `search` describes its outcome.
        """
        rulings = self.filter_queryset(self.get_queryset())
        relations: Mapping[int, str] = {}
        if request.query_params.get("related") == "true":
            relations = self._relations()
            rulings = rulings.filter(pk__in=relations)
        page = self._page(rulings, relations)
        context = {**self.get_serializer_context(), "relations": relations}
        return self.get_paginated_response(RulingSerializer(page, many=True, context=context).data)

    @endpoint(
        "rulings_export",
        "All rulings at once",
        ExportSerializer,
        parameters=[FORMAT_PARAMETER],
        filters=ScopeFilter,
    )
    @method_decorator(rate_limited("expensive"))
    @with_stamp_etag
    def export(self, request: Request) -> Response:
        """Every ruling with all its versions in one answer, for an offline copy."""
        rulings = self.filter_queryset(self.get_queryset())
        used = {ruling.document_id for ruling in rulings}
        body = {
            "count": len(rulings),
            "as_of": self.requested_day(),
            "documents": [document for document in _counted_documents() if document.pk in used],
            "rulings": rulings,
        }
        return Response(ExportSerializer(body, context=self.get_serializer_context()).data)

    @endpoint(
        "rulings_documents",
        "Documents",
        DocumentSerializer(many=True),
        parameters=[FORMAT_PARAMETER],
    )
    @with_stamp_etag
    def documents(self, request: Request) -> Response:
        """Lists, rules pages and collections that contain rulings, with their notices."""
        return self.list_response(_counted_documents(), DocumentSerializer)

    @endpoint(
        "rulings_read",
        "One ruling",
        RulingDetailSerializer,
        parameters=[AS_OF_API_PARAMETER, FORMAT_PARAMETER],
    )
    @with_stamp_etag
    def retrieve(self, request: Request, code: str) -> Response:
        """A ruling by its code or short code, with all its versions."""
        found = queries.find_by_code(code, rulings_readable_with_token(request))
        if found is None:
            raise not_found("Ruling", code)
        ruling = queries.rulings_in_full(Ruling.objects.filter(pk=found.pk)).get()
        context = self.get_serializer_context()
        answer = Response(RulingDetailSerializer(ruling, context=context).data)
        return mark_private(answer, ruling)

    def _relations(self) -> dict[int, str]:
        """Return the relation of each ruling to the requested card. Raises ValidationError."""
        asked = RulingFilter(self.request.query_params, self.get_queryset())
        card = asked.requested_card() if asked.is_valid() else None
        if card is None:
            raise ValidationError({"related": ["Name a card as well: ?card=lockjaw&related=true."]})
        return dict(queries.relations_to(card))

    @property
    def pagination_class(self) -> type[Pagination] | None:  # type: ignore[override]
        return SearchPagination if self.action == "list" else super().pagination_class

    def _page(self, rulings: QuerySet[Ruling], relations: Mapping[int, str]) -> Any:
        """Return the page, best matches or closest relations first."""
        typed = self.request.query_params.get("search", "").strip()
        if typed:
            answer = _search_result(typed, rulings)
            assert isinstance(self.paginator, SearchPagination)
            self.paginator.answer = answer
            return queries.rulings_in_order(self.paginate_queryset(answer.found.ids) or [])
        if not relations:
            return self.paginate_queryset(rulings)
        kept = set(rulings.values_list("pk", flat=True))
        return queries.rulings_in_order(
            self.paginate_queryset([pk for pk in relations if pk in kept]) or []
        )


def _search_result(typed: str, rulings: QuerySet[Ruling]) -> RulingSearchResult:
    """Search these rulings as the search page does. A code finds only its ruling."""
    coded = queries.version_by_code(typed, rulings)
    if coded:
        return RulingSearchResult(SearchHits([coded.ruling_id], full=1), typed)
    return best_matches(typed, rulings)


def _counted_documents() -> QuerySet[RulingDocument]:
    counted = RulingDocument.objects.annotate(rulings_in_it=queries.count_of_published())
    return counted.order_by("game", "published_on", "pk")
