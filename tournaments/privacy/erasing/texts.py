"""Find all text about people in an event and remove names from it.

Add every new column that may hold such text to `_places`; a test checks all columns.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry as AdminEntry
from django.db.models import JSONField, Model, Q, QuerySet

from core.text import clean
from decks.models import Decklist, DecklistVersion
from matches.models import ResultReport, Seat
from players.models import Player
from rulings.models import JudgeCall, JudgeNote
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
    Series,
    SeriesLogEntry,
    StaffInvitation,
    Tournament,
    Upload,
    Webhook,
    WebhookDelivery,
)

OWN_APPS = ("players", "decks", "matches", "rulings", "tournaments")
# Maximum length of a log subject: the last name in it may be cut off.
CUT_AT = 160
SHORTEST_HALF = 3
WORDS_OF_EVENT = ("description", "location", "address", "entry_fee", "contact", "links")
# Common words are not treated as names, so that a player called "the" does not empty all notes.
# Case matters: Will and Can are names.
COMMON = frozenset(
    """
    a about after all also am an and any are as at be been before but by can corp could deck did
    do does draw drop end event for from game games had has have he her him his how if in into is
    it its judge just last late lost match may me more my new no not note of off on one only open
    or our out over penalty play player players points report result round rounds ruling runner
    seat she so staff table than that the their them then they this time to told too two under
    until up was we were what when where which who why will win with won you your
    And Corp Game Judge Match Player Round Runner Table The They This
    """.split()  # noqa: SIM905 - it is read as a text
)


class Names:
    """The names of a person, and the label that replaces them.

    A name of one word matches with its exact case, a longer name in any case. Both match whole
    words only. Common words and names with fewer than two letters ("7", "X") match only as the
    whole text.

    Names of `others` stay: a player who briefly takes the name "Bob Smith" does not affect the real
    Bob Smith.
    """

    def __init__(self, names: Iterable[str], label: str, others: Iterable[str] = ()) -> None:
        self.label = label
        self.known = {clean(name) for name in names if clean(name)} - {label}
        self.of_others: set[str] = set()
        self.in_text = _any_of(filter(_is_distinctive, self.known))
        alike = [name for name in others if self.in_words(name) != name]
        self.of_others = {_key(name) for name in alike}
        self.in_text = _any_of([*filter(_is_distinctive, self.known), *alike])
        self.codes = _codes()

    def in_words(self, text: str) -> str:
        """Return the text without the names."""
        whole = clean(text)
        if whole in self.known and _key(whole) not in self.of_others:
            return self.label
        return self.in_text.sub(self._instead, text)

    def _instead(self, found: re.Match[str]) -> str:
        return found[0] if _key(found[0]) in self.of_others else self.label

    def in_subject(self, text: str) -> str:
        """Like `in_words`, for a text that may end in the middle of a name."""
        found = self.in_words(text)
        if len(text) < CUT_AT:
            return found
        for name in self.known:
            for length in range(len(name) - 1, SHORTEST_HALF - 1, -1):
                if found.endswith(name[:length]):
                    return f"{found[: len(found) - length]}{self.label}"[:CUT_AT]
        return found[:CUT_AT]

    def in_json(self, value: Any) -> Any:
        """Return the document without the names; keys and codes ("judge", "open") stay."""
        if isinstance(value, str):
            return value if value in self.codes else self.in_words(value)
        if isinstance(value, list):
            return [self.in_json(one) for one in value]
        if isinstance(value, dict):
            return {key: self.in_json(one) for key, one in value.items()}
        return value


def _key(name: str) -> str:
    """Comparison key: equal for two spellings of the same name."""
    return name if name.isalnum() else name.casefold()


def _is_distinctive(name: str) -> bool:
    """Return True if the name identifies a person within a sentence."""
    letters = sum(character.isalpha() for character in name)
    return letters > 1 and name not in COMMON


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Match longer names first, so that "Ada Lovelace" does not become "Player 17 Lovelace"."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    found = (re.escape(name) if name.isalnum() else f"(?i:{re.escape(name)})" for name in ordered)
    # `(?!)` never matches.
    return re.compile(rf"(?<!\w)(?:{'|'.join(found) or '(?!)'})(?!\w)")


def _codes() -> frozenset[str]:
    """All choice values of the models: codes, even if a player has the same name."""
    fields = (
        field
        for app in OWN_APPS
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.get_fields()
    )
    return frozenset(
        str(value) for field in fields for value, _ in getattr(field, "flatchoices", ()) if value
    )


AT_ONCE = 500


@dataclass(frozen=True)
class Place:
    """Rows of a table and their text columns."""

    rows: QuerySet[Any]
    columns: tuple[str, ...]
    # Free text that names the person is about them, so it is deleted completely.
    is_free: bool = False


def take_names_out(events: Iterable[Tournament], names: Names) -> None:
    """Replace the names in all text of these events."""
    for place in _places([event.pk for event in events]):
        _rewrite(place, names)


def take_names_out_elsewhere(series: Iterable[Series], names: Names) -> None:
    """Replace the names in these series and in data that belongs to no event.

    Stored responses and the admin log are read completely; responses expire after a day.
    """
    keys = [one.pk for one in series]
    log = SeriesLogEntry.objects.filter(series__in=keys)
    _rewrite(Place(log, ("subject", "before", "after")), names)
    _rewrite(Place(Series.objects.filter(pk__in=keys), ("description",)), names)
    _rewrite(Place(KeptAnswer.objects.all(), ("answer",)), names)
    _rewrite(Place(AdminEntry.objects.all(), ("object_repr", "change_message")), names)


def _places(events: list[int]) -> Iterator[Place]:
    matches = Pairing.objects.filter(round__stage__tournament__in=events).exclude(match=None)
    of_matches = Q(match__in=matches.values("match"))
    of_event = Q(tournament__in=events)
    yield Place(Tournament.objects.filter(pk__in=events), WORDS_OF_EVENT)
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


def take_names_out_of_own(players: Iterable[Player], names: Names) -> None:
    """Replace the names in text that is only about these players, ignoring namesakes."""
    matches = Seat.objects.filter(player__in=players).values("match")
    own = Q(match__in=matches)
    log = LogEntry.objects.filter(registration__player__in=players)
    _rewrite(Place(log, ("subject", "before", "after")), names)
    _rewrite(Place(JudgeNote.objects.filter(own), ("text",), is_free=True), names)
    _rewrite(Place(JudgeCall.objects.filter(own), ("about",), is_free=True), names)
    _rewrite(Place(ResultReport.objects.filter(own), ("note",), is_free=True), names)


def take_names_out_of_decks(decklists: QuerySet[Decklist], names: Names) -> None:
    """Replace the names in decks that stay public."""
    _rewrite(Place(decklists, ("title",)), names)
    versions = DecklistVersion.objects.filter(decklist__in=decklists)
    _rewrite(Place(versions, ("text", "breaches", "notices")), names)


def _rewrite(place: Place, names: Names) -> None:
    changed: list[Model] = []
    rows = place.rows.order_by("pk").only("pk", *place.columns)
    for row in rows.iterator(AT_ONCE):
        if _take_out(row, place, names):
            changed.append(row)
    # Not `save`: only the text may change.
    place.rows.model._base_manager.bulk_update(changed, place.columns, batch_size=100)


def _take_out(row: Model, place: Place, names: Names) -> bool:
    """Replace the names in a row; return True if it changed."""
    is_changed = False
    for column in place.columns:
        kept, field = getattr(row, column), row._meta.get_field(column)
        found = _without(kept, names, is_subject=column == "subject")
        if found != kept:
            if isinstance(found, str) and not isinstance(field, JSONField):
                found = "" if place.is_free else found[: getattr(field, "max_length", None)]
            setattr(row, column, found)
            is_changed = True
    return is_changed


def _without(kept: Any, names: Names, *, is_subject: bool) -> Any:
    if not isinstance(kept, str):
        return names.in_json(kept)
    return names.in_subject(kept) if is_subject else names.in_words(kept)
