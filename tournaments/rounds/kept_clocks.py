"""The clock of a round in the log: kept when the round is taken back, laid back when that is."""

from typing import Any

from django.utils.dateparse import parse_datetime

from matches.models import Seat
from tournaments.models import Pairing, Round

MOMENTS = ("started_at", "paused_at")
COUNTS = ("paused_seconds", "extra_minutes")

Kept = dict[str, Any]


def kept(round_: Round) -> Kept:
    """What the round and its tables have of their clocks, as plain JSON."""
    moments = {name: getattr(round_, name) for name in MOMENTS}
    given = round_.pairings.exclude(extra_minutes=0).exclude(match=None)
    return {
        "state": str(round_.state),
        **{name: moment and moment.isoformat() for name, moment in moments.items()},
        **{name: getattr(round_, name) for name in COUNTS},
        "tables": [[one.pk, one.extra_minutes, _seated(one)] for one in given],
    }


def lay_back(round_: Round, told: Kept) -> None:
    """The clocks as they were kept, of tables where the same sit. Time went on meanwhile."""
    moments = {name: told[name] and parse_datetime(told[name]) for name in MOMENTS}
    counts = {name: told[name] for name in COUNTS}
    Round.objects.filter(pk=round_.pk).update(state=told["state"], **moments, **counts)
    given = {pk: (minutes, seated) for pk, minutes, seated in told["tables"]}
    for table in Pairing.objects.filter(pk__in=given, round=round_).exclude(match=None):
        minutes, seated = given[table.pk]
        if _seated(table) == seated:
            Pairing.objects.filter(pk=table.pk).update(extra_minutes=minutes)


def _seated(table: Pairing) -> list[int]:
    """Who sits there, by key: the minutes are theirs."""
    seats = Seat.objects.filter(match=table.match_id)
    return sorted(seats.values_list("player", flat=True))
