"""The draft of factions at a table: who chooses next, and what is left (DESIGN 4.1 and 4.4)."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.pairing.pods import draft_order
from engine.standings import PlayerId
from matches import queries as match_queries
from matches import records
from matches.models import Match, MatchState, Seat
from matches.scoring import Faction
from tournaments.event import field, queries
from tournaments.models import Registration, Round


@dataclass(frozen=True)
class Pick:
    """One seat in the order of the draft; `faction` is None until it is chosen."""

    seat: Seat
    number: int
    faction: Faction | None


@dataclass(frozen=True)
class FactionDraft:
    """All picks in order. `offered` are the factions of colours nobody at the table has."""

    picks: tuple[Pick, ...]
    offered: tuple[Faction, ...]

    @property
    def next(self) -> Pick | None:
        """Whose turn it is; None when all have chosen."""
        return next((pick for pick in self.picks if pick.faction is None), None)


def faction_draft(match: Match | None, round_: Round) -> FactionDraft | None:
    """The draft at a table; None where there are no factions, or a result is told already.

    The lowest score before the round chooses first, a lot of the event decides among equals. A
    constant number of queries.
    """
    if match is None or match.rule.has_roles or match.state != MatchState.OPEN:
        return None
    seats = {seat.player_id: seat for seat in match.seats.all()}
    known = match_queries.factions()
    chosen = dict(enumerate(records.factions_of(match), start=1))
    return FactionDraft(
        picks=tuple(
            Pick(seats[player], number, _faction(chosen.get(seats[player].position, ""), known))
            for player, number in _order(round_, list(seats))
        ),
        offered=tuple(_offered(known, [id_ for id_ in chosen.values() if id_])),
    )


def _faction(id_: str, known: Mapping[str, Faction]) -> Faction | None:
    if not id_:
        return None
    return known.get(id_, Faction(id_, id_, ""))


def _offered(known: Mapping[str, Faction], chosen: list[str]) -> list[Faction]:
    taken = {known[id_].colour for id_ in chosen if id_ in known}
    free = (faction for faction in known.values() if faction.colour not in taken)
    return sorted(free, key=lambda faction: (faction.colour, faction.name))


def _order(round_: Round, players: list[int]) -> list[tuple[int, int]]:
    """(player by key, number in the event), the first to choose first."""
    tournament = round_.stage.tournament
    entries: dict[PlayerId, Registration] = {
        entry.number: entry for entry in tournament.registrations.filter(player__in=players)
    }
    before = queries.rounds(tournament).filter(number__lt=round_.number).last()
    past = field.history(tournament, before) if before is not None else field.History(0)
    scores = {number: past.record(entry).match_points for number, entry in entries.items()}
    # One lot for each round, however often it is paired anew.
    order = draft_order(scores, seed=tournament.seed + round_.number)
    return [(entries[number].player_id, entries[number].number) for number in order]
