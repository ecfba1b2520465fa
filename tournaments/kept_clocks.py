"""The clock of a round in the log: kept when the round is taken back, laid back when that is."""

from typing import Any

from django.utils.dateparse import parse_datetime

from tournaments.models import Pairing, Round

MOMENTS = ("started_at", "paused_at")
COUNTS = ("paused_seconds", "extra_minutes")

Kept = dict[str, Any]


def kept(round_: Round) -> Kept:
    """What the round and its tables have of their clocks, as plain JSON."""
    moments = {name: getattr(round_, name) for name in MOMENTS}
    given = round_.pairings.exclude(extra_minutes=0)
    return {
        "state": str(round_.state),
        **{name: moment and moment.isoformat() for name, moment in moments.items()},
        **{name: getattr(round_, name) for name in COUNTS},
        "tables": [list(pair) for pair in given.values_list("pk", "extra_minutes")],
    }


def lay_back(round_: Round, told: Kept) -> None:
    """The clocks as they were kept, of tables that are still there. Time went on meanwhile."""
    moments = {name: told[name] and parse_datetime(told[name]) for name in MOMENTS}
    counts = {name: told[name] for name in COUNTS}
    Round.objects.filter(pk=round_.pk).update(state=told["state"], **moments, **counts)
    for pk, minutes in told["tables"]:
        Pairing.objects.filter(pk=pk, round=round_).update(extra_minutes=minutes)
