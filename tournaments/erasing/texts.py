"""Every place of an event where words about people are kept, and the names taken out of them.

A new column that may hold such words belongs into `_places`; a test asks about every column.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.models import LogEntry as AdminEntry
from django.db.models import JSONField, Model, Q, QuerySet

from decks.models import Decklist, DecklistVersion
from matches.models import ResultReport
from rulings.models import JudgeCall, JudgeNote
from tournaments.erasing.words import Names
from tournaments.models import (
    DeckCheck,
    DeckReceipt,
    ImportedFile,
    Job,
    KeptAnswer,
    LogEntry,
    Pairing,
    Penalty,
    Round,
    StaffInvitation,
    Tournament,
    Upload,
    Webhook,
    WebhookDelivery,
)

AT_ONCE = 500


@dataclass(frozen=True)
class Place:
    """Rows of one table, and their columns that hold words."""

    rows: QuerySet[Any]
    columns: tuple[str, ...]
    is_free: bool = False
    """Sentences somebody typed: one that names the person goes whole, for it is about them."""


def take_names_out(events: Iterable[Tournament], names: Names) -> None:
    """Put the label in place of the names, in everything these events keep.

    Answers to writes belong to no event, but are kept for a day only: all are looked at.
    """
    for place in _places([event.pk for event in events]):
        _rewrite(place, names)


def _places(events: list[int]) -> Iterator[Place]:
    matches = Pairing.objects.filter(round__stage__tournament__in=events).exclude(match=None)
    of_matches = Q(match__in=matches.values("match"))
    of_event = Q(tournament__in=events)
    yield Place(Tournament.objects.filter(pk__in=events), ("description", "location"))
    log = LogEntry.objects.filter(of_event)
    yield Place(log, ("subject", "before", "after"))
    yield Place(log.exclude(reason=""), ("reason",), is_free=True)
    yield Place(Job.objects.filter(of_event), ("payload", "error"))
    yield Place(Webhook.objects.filter(of_event), ("disabled_why",))
    deliveries = WebhookDelivery.objects.filter(webhook__tournament__in=events)
    yield Place(deliveries, ("payload", "last_error"))
    yield Place(Upload.objects.filter(of_event), ("error",))
    rounds = Round.objects.filter(stage__tournament__in=events)
    yield Place(rounds, ("certificate", "relaxations"))
    pairings = Pairing.objects.filter(round__stage__tournament__in=events)
    yield Place(pairings, ("reasons", "cost"))
    files = ImportedFile.objects.filter(of_event)
    yield Place(files, ("file_name", "notices", "differences"))
    notes = JudgeNote.objects.filter(of_matches | Q(penalty__tournament__in=events))
    yield Place(notes, ("text",), is_free=True)
    yield Place(JudgeCall.objects.filter(of_matches), ("about",), is_free=True)
    reports = ResultReport.objects.filter(of_matches)
    yield Place(reports, ("result",))
    yield Place(reports.exclude(note=""), ("note",), is_free=True)
    yield Place(Penalty.objects.filter(of_event), ("withdrawn_reason",), is_free=True)
    receipts = DeckReceipt.objects.filter(submission__registration__tournament__in=events)
    yield Place(receipts, ("reason",), is_free=True)
    yield Place(DeckCheck.objects.filter(draw__tournament__in=events), ("note",), is_free=True)
    yield Place(StaffInvitation.objects.filter(of_event), ("note",))
    yield Place(KeptAnswer.objects.all(), ("answer",))
    yield Place(AdminEntry.objects.all(), ("object_repr", "change_message"))


def take_names_out_of_decks(decklists: QuerySet[Decklist], names: Names) -> None:
    """The same for decks that everybody may go on reading."""
    _rewrite(Place(decklists, ("title",)), names)
    versions = DecklistVersion.objects.filter(decklist__in=decklists)
    _rewrite(Place(versions, ("text", "breaches", "notices")), names)


def _rewrite(place: Place, names: Names) -> None:
    changed: list[Model] = []
    rows = place.rows.order_by("pk").only("pk", *place.columns)
    for row in rows.iterator(AT_ONCE):
        if _take_out(row, place, names):
            changed.append(row)
    # Not `save`: what a row says of itself is not to be made anew.
    place.rows.model._base_manager.bulk_update(changed, place.columns, batch_size=100)


def _take_out(row: Model, place: Place, names: Names) -> bool:
    """Whether a name was found in this row."""
    is_changed = False
    for column in place.columns:
        told, field = getattr(row, column), row._meta.get_field(column)
        found = _without(told, names, is_subject=column == "subject")
        if found != told:
            if isinstance(found, str) and not isinstance(field, JSONField):
                found = "" if place.is_free else found[: getattr(field, "max_length", None)]
            setattr(row, column, found)
            is_changed = True
    return is_changed


def _without(told: Any, names: Names, *, is_subject: bool) -> Any:
    if not isinstance(told, str):
        return names.in_json(told)
    return names.in_subject(told) if is_subject else names.in_words(told)
