"""Changes in published lists of rulings: added, rewritten, superseded, withdrawn.

Changes are first counted by day, document and kind. Single changes are loaded only for days with
few enough to list.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from rulings.models import DocumentKind, Ruling, RulingDocument, RulingVersion

MOST_SHOWN = 20
# A day with more new rulings in a document is shown as one entry: a list was imported.
MOST_NEW = 7


class ChangeKind(StrEnum):
    ADDED = "added"
    REWRITTEN = "rewritten"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class ChangedDay:
    """Number of changes of a kind in a document on a day; `at` is the last of them."""

    kind: ChangeKind
    document: RulingDocument
    day: date
    at: datetime
    count: int

    @property
    def is_many(self) -> bool:
        return self.count > (MOST_NEW if self.kind is ChangeKind.ADDED else MOST_SHOWN)


@dataclass(frozen=True)
class Change:
    """A change of one ruling.

    `version` is the new or last version; `by` is the superseding ruling.
    """

    kind: ChangeKind
    ruling: Ruling
    version: RulingVersion | None
    at: datetime
    by: Ruling | None = None


def changed_days(game: str = "") -> list[ChangedDay]:
    """Return all days with changes, newest first, optionally of one game.

    Local rulings are excluded, because they apply only to their event.
    """
    documents = RulingDocument.objects.exclude(kind=DocumentKind.LOCAL)
    known = (documents.filter(game=game) if game else documents).in_bulk()
    days = [
        ChangedDay(kind, known[row["document"]], row["day"], row["at"], row["count"])
        for kind, row in _counted()
        if row["document"] in known
    ]
    order = list(ChangeKind)
    return sorted(days, key=lambda day: (-day.at.timestamp(), order.index(day.kind)))


def changes_of(days: Iterable[ChangedDay]) -> Mapping[ChangedDay, Sequence[Change]]:
    """Return the changes of these days, newest first; days with too many changes are skipped.

    Uses a fixed number of queries.
    """
    shown = {(day.kind, day.document.pk, day.day): day for day in days if not day.is_many}
    found: dict[ChangedDay, list[Change]] = defaultdict(list)
    few = shown.values()
    for change in (*_written(few), *_superseded(few), *_withdrawn(few)):
        key = (change.kind, change.ruling.document_id, timezone.localdate(change.at))
        if key in shown:
            found[shown[key]].append(change)
    return {day: sorted(changes, key=_newest_first) for day, changes in found.items()}


def _newest_first(change: Change) -> tuple[float, int]:
    return -change.at.timestamp(), change.ruling.number


def _counted() -> Iterator[tuple[ChangeKind, dict[str, Any]]]:
    versions = RulingVersion.objects.order_by().annotate(
        day=TruncDate("created_at"), document=F("ruling__document")
    )
    for kind, which in ((ChangeKind.ADDED, Q(number=1)), (ChangeKind.REWRITTEN, Q(number__gt=1))):
        rows = versions.filter(which).values("day", "document")
        for row in rows.annotate(count=Count("pk"), at=Max("created_at")):
            yield kind, dict(row)
    ended = Ruling.objects.filter(withdrawn_on__lte=timezone.localdate()).order_by()
    for end in ended.values("document", day=F("withdrawn_on")).annotate(count=Count("pk")):
        yield ChangeKind.WITHDRAWN, {**end, "at": _morning(end["day"])}
    yield from _superseded_days()


def _superseded_days() -> Iterator[tuple[ChangeKind, dict[str, Any]]]:
    days: dict[tuple[int, date], list[datetime]] = defaultdict(list)
    for row in _successions():
        days[row["to_ruling__document"], timezone.localdate(row["at"])].append(row["at"])
    for (document, day), moments in days.items():
        row = {"document": document, "day": day, "at": max(moments), "count": len(moments)}
        yield ChangeKind.SUPERSEDED, row


def _successions() -> QuerySet[Any, Any]:
    """Superseding and superseded rulings, with the time of the last superseding version."""
    pairs = Ruling.supersedes.through.objects.order_by("pk")
    at = Max("from_ruling__versions__created_at")
    written = pairs.filter(from_ruling__versions__isnull=False)
    return written.values("from_ruling", "to_ruling", "to_ruling__document").annotate(at=at)


def _written(days: Iterable[ChangedDay]) -> Iterator[Change]:
    wanted = [
        Q(ruling__document=day.document, created_at__date=day.day)
        for day in days
        if day.kind in (ChangeKind.ADDED, ChangeKind.REWRITTEN)
    ]
    versions = RulingVersion.objects.filter(_any(wanted))
    for version in versions.select_related("ruling__document"):
        kind = ChangeKind.ADDED if version.number == 1 else ChangeKind.REWRITTEN
        yield Change(kind, version.ruling, version, version.created_at)


def _superseded(days: Iterable[ChangedDay]) -> Iterator[Change]:
    wanted = {(day.document.pk, day.day) for day in days if day.kind is ChangeKind.SUPERSEDED}
    pairs = [
        row
        for row in _successions()
        if (row["to_ruling__document"], timezone.localdate(row["at"])) in wanted
    ]
    ids = {row[side] for row in pairs for side in ("from_ruling", "to_ruling")}
    rulings = _with_words().in_bulk(ids)
    for row in pairs:
        older, newer = rulings[row["to_ruling"]], rulings[row["from_ruling"]]
        yield Change(ChangeKind.SUPERSEDED, older, older.current, row["at"], newer)


def _withdrawn(days: Iterable[ChangedDay]) -> Iterator[Change]:
    ended = [day for day in days if day.kind is ChangeKind.WITHDRAWN]
    which = [Q(document=day.document, withdrawn_on=day.day) for day in ended]
    for ruling in _with_words().filter(_any(which)):
        assert ruling.withdrawn_on is not None
        at = _morning(ruling.withdrawn_on)
        yield Change(ChangeKind.WITHDRAWN, ruling, ruling.current, at)


def _with_words() -> QuerySet[Ruling]:
    return Ruling.objects.select_related("document").prefetch_related("versions")


def _any(conditions: Sequence[Q]) -> Q:
    return reduce(or_, conditions) if conditions else Q(pk__in=[])


def _morning(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
