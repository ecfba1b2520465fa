"""Tables of Swiss as tournament files tell them."""

from collections.abc import Iterable, Mapping, Sequence

from matches.models import GameSeat, Match, Seat
from matches.scoring import Flag, Points, Role
from tournaments.interchange.records import FileBye, FileRound, FileSeat, FileTable
from tournaments.models import Pairing, Round

Numbers = Mapping[int, int]


def file_round(round_: Round, pairings: Iterable[Pairing], numbers: Numbers) -> FileRound:
    """A round of Swiss; its tables have no scores while they are not settled."""
    tables, byes = [], []
    for pairing in pairings:
        if pairing.match is not None:
            tables.append(_table(pairing, pairing.match, numbers))
        elif pairing.bye is not None:
            byes.append(FileBye(pairing.bye.number, pairing.bye_points or 0))
    return FileRound(tuple(tables), tuple(byes), counts=round_.is_closed)


def _table(pairing: Pairing, match: Match, numbers: Numbers) -> FileTable:
    one, two = (_seat(seat, match, numbers) for seat in match.seats.all())
    flags = match.flags if match.is_settled else []
    return FileTable(
        number=pairing.table_number,
        seats=(one, two),
        intentional_draw=Flag.INTENTIONAL_DRAW in flags,
        two_for_one=Flag.TWO_FOR_ONE in flags,
    )


def _seat(seat: Seat, match: Match, numbers: Numbers) -> FileSeat:
    played = _played(seat, match)
    return FileSeat(
        id=numbers[seat.player_id],
        points=_whole(seat.points) if match.is_settled else None,
        corp_points=_points_as(Role.CORP, played, match),
        runner_points=_points_as(Role.RUNNER, played, match),
        role=_only_role(played, match),
    )


def _played(seat: Seat, match: Match) -> list[GameSeat]:
    """The seat in each game of the match, first to last."""
    games = match.games.all()
    return [part for game in games for part in game.seats.all() if part.seat_id == seat.pk]


def _only_role(played: Sequence[GameSeat], match: Match) -> Role | None:
    if match.rule.games_per_match != 1 or not played[0].role:
        return None
    return Role(played[0].role)


def _points_as(role: Role, played: Sequence[GameSeat], match: Match) -> int | None:
    """What the seat made in this role; None where only the total is known."""
    if not match.is_settled:
        return None
    known = [part for part in played if part.points is not None]
    if Flag.TWO_FOR_ONE in match.flags and known:
        # The first game counts as both, so each role has half of it.
        return _whole(known[0].points) // 2
    return sum((_whole(part.points) for part in known if part.role == role), 0) if known else None


def _whole(points: Points | None) -> int:
    """Points between two players are whole; only a shared place of a pod is not."""
    return int(points or 0)
