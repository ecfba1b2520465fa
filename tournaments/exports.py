"""Files for spreadsheets: the standings after a round, the roster, what the judges did."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from core.tabular import csv_bytes
from matches.scoring import Points
from tournaments import queries
from tournaments.models import RegistrationState, StandingSnapshot, Tournament
from tournaments.snapshots import shown_tie_breakers
from tournaments.standings import TIE_BREAKERS, as_decimal

STANDINGS = ("rank", "number", "name", "pronouns", "dropped", "match_points")
ROSTER = ("name", "pronouns", "seed", "first_round_bye", "number", "state")
"""The first four are what `roster.read_csv` reads."""
JUDGED = (
    *("what", "round", "table", "game", "at", "players", "about", "penalty", "expected"),
    *("judge", "text", "rulings", "minutes", "ended_at", "ended_by", "why"),
)


def standings_csv(snapshot: StandingSnapshot, places: Mapping[int, int] | None = None) -> bytes:
    """The stored standings, best first, with a column for each tie-breaker on the page.

    `places` are those with the cut, by number in the event: then they come first, empty where a
    place is open.
    """
    rows = list(queries.standing_rows(snapshot))
    shown = shown_tie_breakers(snapshot.tournament, [row.tie_breakers for row in rows])
    return csv_bytes(
        (*(["place"] if places else []), *STANDINGS, *shown),
        (
            (
                *([places.get(row.registration.number)] if places else []),
                row.rank,
                row.registration.number,
                row.registration.player.name,
                row.registration.player.pronouns,
                row.registration.state == RegistrationState.DROPPED,
                _points(row.match_points),
                *(_figure(id_, row.tie_breakers.get(id_)) for id_ in shown),
            )
            for row in rows
        ),
    )


def _points(points: Points) -> int | Decimal:
    """A share that is not whole as a decimal: a spreadsheet takes 10/3 for a day in March."""
    return points if isinstance(points, int) else Decimal(as_decimal(points))


def _figure(id_: str, exact: str | None) -> Decimal | None:
    printed = TIE_BREAKERS[id_].printed(exact)
    return Decimal(printed) if printed else None


def roster_csv(tournament: Tournament) -> bytes:
    """Everybody on the roster by number, as a list that another event can take over."""
    entries = tournament.registrations.select_related("player").order_by("number")
    return csv_bytes(
        ROSTER,
        (
            (
                entry.player.name,
                entry.player.pronouns,
                entry.seed,
                entry.first_round_bye,
                entry.number,
                entry.state,
            )
            for entry in entries
        ),
    )


def judged_csv(report: Mapping[str, Any]) -> bytes:
    """The report of the judges, as its JSON document has it: calls, penalties, local rulings."""
    rows = (*_calls(report["calls"]), *_penalties(report["penalties"]), *_local(report))
    return csv_bytes(JUDGED, ([row.get(name) for name in JUDGED] for row in rows))


def _calls(calls: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for call in calls:
        yield {
            "what": "appeal" if call["is_appeal"] else "call",
            **{name: call[name] for name in ("round", "table", "about", "minutes")},
            "at": call["raised_at"],
            "players": ", ".join(call["players"]),
            "judge": call["answered_by"] or call["taken_by"],
            "text": call["answer"],
            "rulings": _codes(call["rulings"]),
            "ended_at": call["answered_at"] or call["taken_back_at"],
            "ended_by": call["answered_by"],
        }


def _penalties(penalties: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    same = ("round", "table", "game", "penalty", "expected", "text")
    for penalty in penalties:
        yield {
            "what": "penalty taken back" if penalty["taken_back_at"] else "penalty",
            **{name: penalty[name] for name in same},
            "at": penalty["given_at"],
            "players": penalty["player"],
            "about": penalty["infraction_name"],
            "judge": penalty["given_by"],
            "rulings": _codes(penalty["rulings"]),
            "ended_at": penalty["taken_back_at"],
            "ended_by": penalty["taken_back_by"],
            "why": penalty["taken_back_why"],
        }


def _local(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for ruling in report["local_rulings"]:
        yield {
            "what": "local ruling",
            "about": ruling["subject"],
            "text": ruling["text"],
            "rulings": ruling["code"],
        }


def _codes(rulings: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(f"{one['code']} v{one['version']}" for one in rulings)
