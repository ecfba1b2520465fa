"""Where everybody came in an event with a cut: the bracket first, then the Swiss standings."""

from dataclasses import dataclass

from players.models import Player
from tournaments.event import queries
from tournaments.models import Registration, Tournament
from tournaments.rounds.elimination import Cut, cut_of


@dataclass(frozen=True)
class PlacingLine:
    """One place; without a name it is still open. `why` says what it comes from."""

    rank: int
    why: str
    name: str = ""
    pronouns: str = ""
    number: int | None = None
    is_me: bool = False


def placing_lines(tournament: Tournament, cut: Cut, me: Player | None = None) -> list[PlacingLine]:
    """All places, the winner first. Who was not in the cut follows in the order of the Swiss."""
    in_cut = [_line(rank, cut.placed(rank), cut, me) for rank in range(1, len(cut.entries) + 1)]
    snapshot = queries.newest_snapshot(tournament)
    rows = queries.standing_rows(snapshot).order_by("rank") if snapshot else []
    behind = [row for row in rows if row.registration.number not in cut.registrations]
    return in_cut + [
        _named(rank, f"Swiss, place {row.rank}", row.registration, me)
        for rank, row in enumerate(behind, start=len(in_cut) + 1)
    ]


def place_with_cut(tournament: Tournament, number: int) -> PlacingLine | None:
    """Where this player came with the cut; None while that is open, and without a public cut."""
    return next((line for line in _public_lines(tournament) if line.number == number), None)


def places_with_cut(tournament: Tournament) -> dict[int, int]:
    """The decided places by number in the event; empty without a public cut."""
    lines = _public_lines(tournament)
    return {line.number: line.rank for line in lines if line.number is not None}


def _public_lines(tournament: Tournament) -> list[PlacingLine]:
    stage = queries.cut_of_event(tournament)
    if stage is None or not queries.is_public_cut(stage):
        return []
    return placing_lines(tournament, cut_of(stage))


def _line(rank: int, player: Registration | None, cut: Cut, me: Player | None) -> PlacingLine:
    if player is None:
        return PlacingLine(rank, "Still open")
    return _named(rank, f"Cut, seed {cut.seeds[player.number]}", player, me)


def _named(rank: int, why: str, registration: Registration, me: Player | None) -> PlacingLine:
    player = registration.player
    return PlacingLine(
        rank=rank,
        why=why,
        name=player.name,
        pronouns=player.pronouns,
        number=registration.number,
        is_me=me is not None and me.pk == player.pk,
    )
