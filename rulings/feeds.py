"""Changes in published lists of rulings, as pages and as a feed, and the most cited rulings.

Changes are first counted by day, document and kind. Single changes are loaded only for days with
few enough to list.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any

from django.contrib.syndication.views import Feed
from django.core.paginator import Paginator
from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import TruncDate
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, etag, require_safe

from core.page_cache import cache_for_strangers
from decks import games
from rulings import queries
from rulings.models import DocumentKind, Ruling, RulingDocument, RulingVersion

MAX_CHANGES_OF_A_DAY = 20
# A day with more new rulings in a document is shown as one entry: a list was imported.
MAX_NEW_OF_A_DAY = 7


class RulingChangeKind(StrEnum):
    ADDED = "added"
    REWRITTEN = "rewritten"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class ChangedDay:
    kind: RulingChangeKind
    document: RulingDocument
    day: date
    at: datetime
    count: int

    @property
    def is_many(self) -> bool:
        return self.count > (
            MAX_NEW_OF_A_DAY if self.kind is RulingChangeKind.ADDED else MAX_CHANGES_OF_A_DAY
        )


@dataclass(frozen=True)
class RulingChange:
    """`version` is the new or last version; `by` is the superseding ruling."""

    kind: RulingChangeKind
    ruling: Ruling
    version: RulingVersion | None
    at: datetime
    by: Ruling | None = None


def changed_days(game: str) -> list[ChangedDay]:
    """Return all days with changes, newest first, optionally of one game.

    Local rulings are excluded, because they apply only to their event.
    """
    documents = RulingDocument.objects.exclude(kind=DocumentKind.LOCAL)
    known = (documents.filter(game=game) if game else documents).in_bulk()
    days = [
        ChangedDay(kind, known[row["document"]], row["day"], row["at"], row["count"])
        for kind, row in _change_counts()
        if row["document"] in known
    ]
    order = list(RulingChangeKind)
    return sorted(days, key=lambda day: (-day.at.timestamp(), order.index(day.kind)))


def changes_of_days(days: Iterable[ChangedDay]) -> Mapping[ChangedDay, Sequence[RulingChange]]:
    """Return the changes of these days, newest first, without days that have too many."""
    shown = {(day.kind, day.document.pk, day.day): day for day in days if not day.is_many}
    found: dict[ChangedDay, list[RulingChange]] = defaultdict(list)
    few = shown.values()
    for change in (*_written_changes(few), *_superseding_changes(few), *_withdrawals(few)):
        key = (change.kind, change.ruling.document_id, timezone.localdate(change.at))
        if key in shown:
            found[shown[key]].append(change)
    return {
        day: sorted(changes, key=lambda change: (-change.at.timestamp(), change.ruling.number))
        for day, changes in found.items()
    }


def _change_counts() -> Iterator[tuple[RulingChangeKind, dict[str, Any]]]:
    versions = RulingVersion.objects.order_by().annotate(
        day=TruncDate("created_at"), document=F("ruling__document")
    )
    for kind, which in (
        (RulingChangeKind.ADDED, Q(number=1)),
        (RulingChangeKind.REWRITTEN, Q(number__gt=1)),
    ):
        rows = versions.filter(which).values("day", "document")
        for row in rows.annotate(count=Count("pk"), at=Max("created_at")):
            yield kind, dict(row)
    ended = Ruling.objects.filter(withdrawn_on__lte=timezone.localdate()).order_by()
    for end in ended.values("document", day=F("withdrawn_on")).annotate(count=Count("pk")):
        yield RulingChangeKind.WITHDRAWN, {**end, "at": _start_of_day(end["day"])}
    days: dict[tuple[int, date], list[datetime]] = defaultdict(list)
    for pair in _successions():
        days[pair["to_ruling__document"], timezone.localdate(pair["at"])].append(pair["at"])
    for (document, day), moments in days.items():
        count = {"document": document, "day": day, "at": max(moments), "count": len(moments)}
        yield RulingChangeKind.SUPERSEDED, count


def _successions() -> QuerySet[Any, Any]:
    """Superseding and superseded rulings, with the time of the last superseding version."""
    pairs = Ruling.supersedes.through.objects.order_by("pk")
    at = Max("from_ruling__versions__created_at")
    written = pairs.filter(from_ruling__versions__isnull=False)
    return written.values("from_ruling", "to_ruling", "to_ruling__document").annotate(at=at)


def _written_changes(days: Iterable[ChangedDay]) -> Iterator[RulingChange]:
    wanted = [
        Q(ruling__document=day.document, created_at__date=day.day)
        for day in days
        if day.kind in (RulingChangeKind.ADDED, RulingChangeKind.REWRITTEN)
    ]
    versions = RulingVersion.objects.filter(_any_condition(wanted))
    for version in versions.select_related("ruling__document"):
        kind = RulingChangeKind.ADDED if version.number == 1 else RulingChangeKind.REWRITTEN
        yield RulingChange(kind, version.ruling, version, version.created_at)


def _superseding_changes(days: Iterable[ChangedDay]) -> Iterator[RulingChange]:
    wanted = {(day.document.pk, day.day) for day in days if day.kind is RulingChangeKind.SUPERSEDED}
    pairs = [
        row
        for row in _successions()
        if (row["to_ruling__document"], timezone.localdate(row["at"])) in wanted
    ]
    ids = {row[side] for row in pairs for side in ("from_ruling", "to_ruling")}
    rulings = _rulings_with_versions().in_bulk(ids)
    for row in pairs:
        older, newer = rulings[row["to_ruling"]], rulings[row["from_ruling"]]
        yield RulingChange(RulingChangeKind.SUPERSEDED, older, older.current, row["at"], newer)


def _withdrawals(days: Iterable[ChangedDay]) -> Iterator[RulingChange]:
    ended = [day for day in days if day.kind is RulingChangeKind.WITHDRAWN]
    which = [Q(document=day.document, withdrawn_on=day.day) for day in ended]
    for ruling in _rulings_with_versions().filter(_any_condition(which)):
        assert ruling.withdrawn_on is not None
        at = _start_of_day(ruling.withdrawn_on)
        yield RulingChange(RulingChangeKind.WITHDRAWN, ruling, ruling.current, at)


def _rulings_with_versions() -> QuerySet[Ruling]:
    return Ruling.objects.select_related("document").prefetch_related("versions")


def _any_condition(conditions: Sequence[Q]) -> Q:
    return reduce(or_, conditions) if conditions else Q(pk__in=[])


def _start_of_day(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


# Changes in the rulings as a page and an Atom feed, and the most cited rulings.


DAYS_ON_A_PAGE = 30
CITED_ON_A_PAGE = 50
MAX_ENTRIES = 100
# Characters that XML does not allow.
NOT_ALLOWED_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class FeedEntry:
    # Permanent and unique.
    guid: str
    title: str
    words: str
    link: str
    at: datetime


@dataclass(frozen=True)
class FeedRequest:
    host: str
    game: str


@require_safe
@conditional_page
@cache_for_strangers("game", "page")
def all_changes(request: HttpRequest) -> HttpResponse:
    """List the changes, newest first; `?game=` filters by game."""
    game = _requested_game(request)
    page = Paginator(changed_days(game), DAYS_ON_A_PAGE).get_page(request.GET.get("page"))
    changes = changes_of_days(page.object_list)
    context = {
        "page_obj": page,
        "days": [(day, changes.get(day, ())) for day in page.object_list],
        **_game_context(game),
    }
    return render(request, "rulings/all_changes.html", context)


@require_safe
@conditional_page
@cache_for_strangers("game", "page")
def most_cited_rulings(request: HttpRequest) -> HttpResponse:
    # Over all events, without naming events.
    game = _requested_game(request)
    counted = Paginator(queries.citation_counts(game), CITED_ON_A_PAGE)
    page = counted.get_page(request.GET.get("page"))
    context = {
        "page_obj": page,
        "cited": queries.load_cited_rulings(page.object_list),
        **_game_context(game),
    }
    return render(request, "rulings/most_cited.html", context)


class ChangesFeed(Feed):  # type: ignore[type-arg]
    feed_type = Atom1Feed
    title = "Rulings: what has changed"
    subtitle = "New rulings and versions, and what was superseded or withdrawn."
    author_name = "Datafort"
    description_template = "rulings/feed_entry.html"

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> FeedRequest:
        return FeedRequest(request.get_host().partition(":")[0], _requested_game(request))

    def link(self, feed: FeedRequest) -> str:
        return f"{reverse('rulings:all_changes')}{_game_query(feed.game)}"

    def feed_url(self, feed: FeedRequest) -> str:
        return f"{reverse('rulings:changes_feed')}{_game_query(feed.game)}"

    def feed_guid(self, feed: FeedRequest) -> str:
        return _tag_uri(feed.host, f"changes{_game_query(feed.game)}")

    def items(self, feed: FeedRequest) -> list[FeedEntry]:
        days = changed_days(feed.game)[:MAX_ENTRIES]
        return list(islice(_feed_entries(feed.host, days), MAX_ENTRIES))

    def item_title(self, item: FeedEntry) -> str:
        return NOT_ALLOWED_IN_XML.sub("", item.title)

    def item_link(self, item: FeedEntry) -> str:
        return item.link

    def item_guid(self, item: FeedEntry) -> str:
        return item.guid

    def item_updateddate(self, item: FeedEntry) -> datetime:
        return item.at


def _feed_etag(request: HttpRequest) -> str:
    # A withdrawal with a future date enters the feed on that day, so include today.
    parts = (
        queries.rulings_stamp(),
        timezone.localdate(),
        request.build_absolute_uri(),
        get_language(),
    )
    return quote_etag(" ".join(map(str, parts)).replace('"', ""))


# Without no_cache, caches would guess a freshness lifetime from Last-Modified.
changes_feed = require_safe(
    cache_control(no_cache=True)(conditional_page(etag(_feed_etag)(ChangesFeed())))
)


def _feed_entries(host: str, days: Sequence[ChangedDay]) -> Iterator[FeedEntry]:
    changes = changes_of_days(days)
    for day in days:
        if day.is_many:
            yield _day_entry(host, day)
        else:
            for change in changes.get(day, ()):
                yield _change_entry(host, change)


def _day_entry(host: str, day: ChangedDay) -> FeedEntry:
    what = {
        RulingChangeKind.ADDED: "new rulings",
        RulingChangeKind.REWRITTEN: "new versions",
        RulingChangeKind.SUPERSEDED: "rulings were superseded",
        RulingChangeKind.WITHDRAWN: "rulings were withdrawn",
    }[day.kind]
    title = f"{day.document}: {day.count} {what}"
    guid = _tag_uri(host, f"{day.document.slug}/{day.kind}/{day.day}")
    return FeedEntry(guid, title, f"{title}.", day.document.get_absolute_url(), day.at)


def _change_entry(host: str, change: RulingChange) -> FeedEntry:
    ruling, version = change.ruling, change.version
    number = version.number if version else 0
    by = change.by.short_code if change.by else ""
    happened, name = {
        RulingChangeKind.ADDED: ("new ruling", "1"),
        RulingChangeKind.REWRITTEN: (f"version {number}", f"{number}"),
        RulingChangeKind.SUPERSEDED: (f"superseded by {by}", f"superseded-by/{by}"),
        RulingChangeKind.WITHDRAWN: ("withdrawn", f"withdrawn/{ruling.withdrawn_on}"),
    }[change.kind]
    words = version.text if version else ""
    if version and version.reason:
        words = f"{words}\n\nWhy: {version.reason}"
    title = f"{ruling.short_code} {ruling.subject}: {happened}"
    words = NOT_ALLOWED_IN_XML.sub("", words)
    is_written = change.kind in (RulingChangeKind.ADDED, RulingChangeKind.REWRITTEN)
    page: RulingVersion | Ruling = version if is_written and version else ruling
    guid = _tag_uri(host, f"{ruling.short_code}/{name}")
    return FeedEntry(guid, title, words, page.get_absolute_url(), change.at)


def _tag_uri(host: str, name: str) -> str:
    # RFC 4151: a permanent name, independent of URLs.
    return f"tag:{host},2026-01-01:rulings/{name}"


def _game_query(game: str) -> str:
    return f"?game={game}" if game else ""


def _requested_game(request: HttpRequest) -> str:
    game = request.GET.get("game", "")
    if game and game not in games.GAMES:
        raise Http404
    return game


def _game_context(game: str) -> dict[str, Any]:
    return {"game": game, "games": [("", "All games"), *games.choices()]}
