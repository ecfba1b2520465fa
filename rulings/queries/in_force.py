"""The only definition of which version of a ruling is in force on a day.

A version is in force from its own date, or from the publication of its document. The newest of
several versions applies. A superseded ruling is in force until any version of the superseding
ruling is. A withdrawn ruling is in force until the day before `withdrawn_on`. Rulings that ended do
not return automatically.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from rulings.models import Ruling, RulingVersion


class State(StrEnum):
    NOT_YET = "not_yet"
    IN_FORCE = "in_force"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Standing:
    """Status of a ruling on a day.

    `version` is the version in force, or the last that was; None before the first. `since` is the
    start of this state (for NOT_YET: the day it takes effect). `by` are the rulings that supersede
    it by then.
    """

    state: State
    version: RulingVersion | None
    since: date | None
    by: tuple[Ruling, ...] = ()

    @property
    def is_in_force(self) -> bool:
        return self.state is State.IN_FORCE

    @property
    def has_ended(self) -> bool:
        return self.state in (State.SUPERSEDED, State.WITHDRAWN)


def effective_from(version: RulingVersion) -> date:
    return version.in_force_from or version.ruling.document.published_on


def version_on(ruling: Ruling, day: date) -> RulingVersion | None:
    """Return the newest version that took effect by then, even if the ruling has ended since."""
    begun = (version for version in ruling.versions.all() if effective_from(version) <= day)
    return max(begun, key=lambda version: version.number, default=None)


def begins_on(ruling: Ruling) -> date | None:
    """Return the first day of the ruling; None without a version."""
    return min(map(effective_from, ruling.versions.all()), default=None)


def standing_on(ruling: Ruling, day: date | None = None) -> Standing:
    """Return the status on that day (default: today); no queries after `rulings_in_full`."""
    day = day or timezone.localdate()
    first = begins_on(ruling)
    if first is None or first > day:
        return Standing(State.NOT_YET, None, first)
    by = _superseding(ruling, day)
    ends = [(begun, State.SUPERSEDED) for begun, _ in by]
    if ruling.withdrawn_on and ruling.withdrawn_on <= day:
        ends.append((ruling.withdrawn_on, State.WITHDRAWN))
    if not ends:
        version = version_on(ruling, day)
        return Standing(State.IN_FORCE, version, effective_from(version) if version else None)
    end, state = min(ends)
    last = version_on(ruling, max(end, first))
    return Standing(state, last, end, tuple(other for _, other in by))


def in_force_on(rulings: QuerySet[Ruling], day: date) -> QuerySet[Ruling]:
    """Filter for rulings in force on that day; must match `standing_on`."""
    superseding = Ruling.objects.filter(_begun(day), supersedes=OuterRef("pk"))
    stays = Q(withdrawn_on=None) | Q(withdrawn_on__gt=day)
    return rulings.filter(_begun(day), stays, ~Exists(superseding))


def _begun(day: date) -> Exists:
    own = Q(in_force_from__lte=day)
    of_document = Q(in_force_from=None, ruling__document__published_on__lte=day)
    return Exists(RulingVersion.objects.filter(own | of_document, ruling=OuterRef("pk")))


def _superseding(ruling: Ruling, day: date) -> list[tuple[date, Ruling]]:
    """Return (first day, ruling) for the rulings that supersede it by that day, oldest first."""
    others = [(begins_on(other), other) for other in ruling.superseded_by.all()]
    begun = [(first, other) for first, other in others if first is not None and first <= day]
    return sorted(begun, key=lambda row: (row[0], row[1].pk))
