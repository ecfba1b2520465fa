"""Pairings and standings as text for a channel or a forum. A draft has none."""

from tournaments.event import queries
from tournaments.event.chat_text import escaped, pieces
from tournaments.models import Round, Tournament
from tournaments.results.pages.placings import places_with_cut
from tournaments.results.pages.standings import standings_table
from tournaments.rounds.pages.tables import SeatLine, TableLine, table_lines


def pairings_texts(round_: Round) -> list[str]:
    """The tables of a published round in order, in messages; none of a draft."""
    if round_.is_draft:
        return []
    heading = f"**Round {round_.number}: {escaped(round_.stage.tournament.name)}**"
    return pieces(heading, [_table(line) for line in table_lines(round_)])


def _table(line: TableLine) -> str:
    if line.is_bye:
        return f"Bye: {escaped(line.seats[0].name)}"
    between = ", " if line.is_pod else " against "
    return f"Table {line.table}: {between.join(map(_seat, line.seats))}"


def _seat(seat: SeatLine) -> str:
    role = f" ({seat.role.value.capitalize()})" if seat.role else ""
    return escaped(seat.name) + role


def standings_texts(tournament: Tournament) -> list[str]:
    """The newest standings, after a cut the places that are decided; none before round 1 closed."""
    snapshot = queries.newest_snapshot(tournament)
    if snapshot is None:
        return []
    after_round = f"Standings after round {snapshot.round.number}"
    title = "Final standings" if tournament.is_finished else after_round
    heading = f"**{title}: {escaped(tournament.name)}**"
    places = places_with_cut(tournament)
    ranked = sorted(
        standings_table(tournament, snapshot).lines,
        key=lambda line: places.get(line.number, line.rank),
    )
    lines = (
        f"**{places.get(line.number, line.rank)}** {escaped(line.name)}, {line.match_points} points"
        for line in ranked
    )
    return pieces(heading, lines)
