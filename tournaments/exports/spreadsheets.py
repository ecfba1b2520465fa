"""Standings and roster as files for spreadsheets."""

from collections.abc import Mapping
from decimal import Decimal

from core.csv_tables import csv_bytes
from matches.scoring import Points
from tournaments import queries
from tournaments.models import RegistrationState, StandingSnapshot, Tournament
from tournaments.snapshots import shown_tie_breakers
from tournaments.standings import TIE_BREAKERS, as_decimal

STANDINGS = ("rank", "number", "name", "pronouns", "dropped", "match_points")
ROSTER = ("name", "pronouns", "seed", "first_round_bye", "number", "state")
"""The first four are what `roster.read_csv` reads."""


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
                as_cell(row.match_points),
                *(_figure(id_, row.tie_breakers.get(id_)) for id_ in shown),
            )
            for row in rows
        ),
    )


def as_cell(points: Points) -> int | Decimal:
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
