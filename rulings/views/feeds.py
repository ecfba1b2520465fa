"""Changes in the rulings as a page and an Atom feed, and the most cited rulings."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.contrib.syndication.views import Feed
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import quote_etag
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, etag, require_safe

from core.kept_pages import kept_for_strangers
from decks import games
from rulings import queries
from rulings.queries import Change, ChangedDay, ChangeKind

DAYS_ON_A_PAGE = 30
RULINGS_ON_A_PAGE = 50
MOST_ENTRIES = 100
# Characters that XML does not allow.
UNSPEAKABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class Entry:
    """An entry of the feed; `name` is permanent."""

    name: str
    title: str
    words: str
    link: str
    at: datetime


@dataclass(frozen=True)
class Asked:
    """Host and game of a requested feed; "" means all games."""

    host: str
    game: str


@require_safe
@conditional_page
@kept_for_strangers("game", "page")
def all_changes(request: HttpRequest) -> HttpResponse:
    """List the changes, newest first; `?game=` filters by game."""
    game = _game(request)
    page = Paginator(queries.changed_days(game), DAYS_ON_A_PAGE).get_page(request.GET.get("page"))
    changes = queries.changes_of(page.object_list)
    context = {
        "page_obj": page,
        "days": [(day, changes.get(day, ())) for day in page.object_list],
        **_games(game),
    }
    return render(request, "rulings/all_changes.html", context)


@require_safe
@conditional_page
@kept_for_strangers("game", "page")
def cited(request: HttpRequest) -> HttpResponse:
    """List the most cited rulings over all events, without naming events."""
    game = _game(request)
    counted = Paginator(queries.citation_counts(game), RULINGS_ON_A_PAGE)
    page = counted.get_page(request.GET.get("page"))
    context = {"page_obj": page, "cited": queries.most_cited(page.object_list), **_games(game)}
    return render(request, "rulings/most_cited.html", context)


class ChangesFeed(Feed):  # type: ignore[type-arg]
    """The newest changes; an imported list is a single entry."""

    feed_type = Atom1Feed
    title = "Rulings: what has changed"
    subtitle = "New rulings and versions, and what was superseded or withdrawn."
    author_name = "Datafort"
    description_template = "rulings/feed_entry.html"

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Asked:
        return Asked(request.get_host().partition(":")[0], _game(request))

    def link(self, asked: Asked) -> str:
        return f"{reverse('rulings:all_changes')}{_query(asked.game)}"

    def feed_url(self, asked: Asked) -> str:
        return f"{reverse('rulings:changes_feed')}{_query(asked.game)}"

    def feed_guid(self, asked: Asked) -> str:
        return _lasting(asked.host, f"changes{_query(asked.game)}")

    def items(self, asked: Asked) -> list[tuple[Asked, Entry]]:
        days = queries.changed_days(asked.game)[:MOST_ENTRIES]
        entries = islice(_entries(days), MOST_ENTRIES)
        return [(asked, entry) for entry in entries]

    def item_title(self, item: tuple[Asked, Entry]) -> str:
        return UNSPEAKABLE.sub("", item[1].title)

    def item_link(self, item: tuple[Asked, Entry]) -> str:
        return item[1].link

    def item_guid(self, item: tuple[Asked, Entry]) -> str:
        return _lasting(item[0].host, item[1].name)

    def item_updateddate(self, item: tuple[Asked, Entry]) -> datetime:
        return item[1].at


def _feed_etag(request: HttpRequest) -> str:
    # A withdrawal with a future date enters the feed on that day, so include today.
    parts = (queries.stamp(), timezone.localdate(), request.build_absolute_uri())
    return quote_etag(" ".join(map(str, parts)).replace('"', ""))


# Without no_cache, caches would guess a freshness lifetime from Last-Modified.
changes_feed = require_safe(
    cache_control(no_cache=True)(conditional_page(etag(_feed_etag)(ChangesFeed())))
)


def _entries(days: Iterable[ChangedDay]) -> Iterator[Entry]:
    days = list(days)
    changes = queries.changes_of(days)
    for day in days:
        if day.is_many:
            yield _many(day)
        else:
            yield from map(_one, changes.get(day, ()))


def _many(day: ChangedDay) -> Entry:
    what = {
        ChangeKind.ADDED: "new rulings",
        ChangeKind.REWRITTEN: "new versions",
        ChangeKind.SUPERSEDED: "rulings were superseded",
        ChangeKind.WITHDRAWN: "rulings were withdrawn",
    }[day.kind]
    title = f"{day.document}: {day.count} {what}"
    name = f"{day.document.slug}/{day.kind}/{day.day}"
    return Entry(name, title, f"{title}.", day.document.get_absolute_url(), day.at)


def _one(change: Change) -> Entry:
    ruling, version = change.ruling, change.version
    number = version.number if version else 0
    by = change.by.short_code if change.by else ""
    happened, name = {
        ChangeKind.ADDED: ("new ruling", "1"),
        ChangeKind.REWRITTEN: (f"version {number}", f"{number}"),
        ChangeKind.SUPERSEDED: (f"superseded by {by}", f"superseded-by/{by}"),
        ChangeKind.WITHDRAWN: ("withdrawn", f"withdrawn/{ruling.withdrawn_on}"),
    }[change.kind]
    words = version.text if version else ""
    if version and version.reason:
        words = f"{words}\n\nWhy: {version.reason}"
    title = f"{ruling.short_code} {ruling.subject}: {happened}"
    words = UNSPEAKABLE.sub("", words)
    return Entry(f"{ruling.short_code}/{name}", title, words, _page(change), change.at)


def _page(change: Change) -> str:
    is_written = change.kind in (ChangeKind.ADDED, ChangeKind.REWRITTEN)
    if is_written and change.version:
        return change.version.get_absolute_url()
    return change.ruling.get_absolute_url()


def _lasting(host: str, name: str) -> str:
    """Tag URI (RFC 4151): a permanent name, independent of URLs."""
    return f"tag:{host},2026-01-01:rulings/{name}"


def _query(game: str) -> str:
    return f"?game={game}" if game else ""


def _game(request: HttpRequest) -> str:
    game = request.GET.get("game", "")
    if game and game not in games.GAMES:
        raise Http404
    return game


def _games(game: str) -> dict[str, Any]:
    return {"game": game, "games": [("", "All games"), *games.choices()]}
