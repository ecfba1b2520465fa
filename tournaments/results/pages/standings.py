"""The standings as pages show them."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.standings import TIE_BREAKERS
from engine.standings.tie_breakers import TieBreaker
from matches.scoring import Points
from players.models import Player
from tournaments.event import queries
from tournaments.event.snapshots import shown_tie_breakers, tie_breakers_of
from tournaments.models import RegistrationState, StandingSnapshot, Tournament


class StandingLine(NamedTuple):
    """One line of the standings; `figures` follow the headings of the table."""

    rank: int
    name: str
    pronouns: str
    number: int
    match_points: Points
    figures: tuple[tuple[str, str], ...]
    has_dropped: bool
    is_me: bool

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.number,)


@dataclass(frozen=True)
class StandingsTable:
    """Standings with the (heading, name) of each tie-breaker that is shown."""

    headings: tuple[tuple[str, str], ...]
    lines: tuple[StandingLine, ...]


def standings_table(
    tournament: Tournament, snapshot: StandingSnapshot, me: Player | None = None
) -> StandingsTable:
    """The stored standings with every tie-breaker that can differ between players."""
    rows = list(queries.standing_rows(snapshot))
    shown = shown_tie_breakers(tournament, [row.tie_breakers for row in rows])
    return StandingsTable(
        headings=tuple((TIE_BREAKERS[id_].heading, TIE_BREAKERS[id_].name) for id_ in shown),
        lines=tuple(
            StandingLine(
                rank=row.rank,
                name=row.registration.player.name,
                pronouns=row.registration.player.pronouns,
                number=row.registration.number,
                match_points=row.match_points,
                figures=tuple(
                    (
                        TIE_BREAKERS[id_].heading,
                        TIE_BREAKERS[id_].printed(row.tie_breakers.get(id_)),
                    )
                    for id_ in shown
                ),
                has_dropped=row.registration.state == RegistrationState.DROPPED,
                is_me=me is not None and row.registration.player_id == me.pk,
            )
            for row in rows
        ),
    )


def tie_breakers_in_words(tournament: Tournament) -> list[TieBreaker]:
    """What decides between equal players of this event, in order."""
    return [TIE_BREAKERS[id_] for id_ in tie_breakers_of(tournament)]
