"""Which version of a ruling is in force on a day: the one place that decides it.

A version is in force from its own day, or from the day its document was published. Of several
the newest holds. A ruling that another supersedes is in force until any version of that other one
is, and one that its document dropped until that day. What ended does not come back by itself.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from rulings.models import Ruling, RulingVersion


class State(StrEnum):
    """What a ruling is worth on a day."""

    NOT_YET = "not_yet"
    IN_FORCE = "in_force"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Standing:
    """A ruling on one day.

    `version` is the one in force, or the last that was; None when none was yet. `since` is the
    day this state began (of NOT_YET: the day it will be in force). `by` supersede it by then.
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
    """The first day of these words."""
    return version.in_force_from or version.ruling.document.published_on


def version_on(ruling: Ruling, day: date) -> RulingVersion | None:
    """The newest version that had begun by then, whether or not the ruling has ended since."""
    begun = (version for version in ruling.versions.all() if effective_from(version) <= day)
    return max(begun, key=lambda version: version.number, default=None)


def begins_on(ruling: Ruling) -> date | None:
    """The first day of its first words; None without a version."""
    return min(map(effective_from, ruling.versions.all()), default=None)


def standing_on(ruling: Ruling, day: date | None = None) -> Standing:
    """What it is worth on that day, or today; no queries on rulings of `rulings_in_full`."""
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
    """Those in force that day: the rule of `standing_on` as a filter."""
    superseding = Ruling.objects.filter(_begun(day), supersedes=OuterRef("pk"))
    stays = Q(withdrawn_on=None) | Q(withdrawn_on__gt=day)
    return rulings.filter(_begun(day), stays, ~Exists(superseding))


def _begun(day: date) -> Exists:
    own = Q(in_force_from__lte=day)
    of_document = Q(in_force_from=None, ruling__document__published_on__lte=day)
    return Exists(RulingVersion.objects.filter(own | of_document, ruling=OuterRef("pk")))


def _superseding(ruling: Ruling, day: date) -> list[tuple[date, Ruling]]:
    """(since when, which) of the rulings that stand in its place by that day, first to last."""
    others = [(begins_on(other), other) for other in ruling.superseded_by.all()]
    begun = [(first, other) for first, other in others if first is not None and first <= day]
    return sorted(begun, key=lambda row: (row[0], row[1].pk))
