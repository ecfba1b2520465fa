"""An event as the tournament files of other programs tell it, from the tables.

Rounds that are published, results that are settled, the standings in force; identities as the
reader finds them on pages everybody may open.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.errors import Refusal
from matches.models import GameSeat, Match, Seat
from matches.scoring import Flag, Points, Role, scoring_rule
from players.models import Player
from tournaments.event import queries
from tournaments.interchange.exports.cut_files import cut_of_file
from tournaments.interchange.exports.player_files import file_players
from tournaments.interchange.formats import cobra
from tournaments.interchange.formats import trf as chess
from tournaments.interchange.formats.records import (
    Dialect,
    FileBye,
    FileEvent,
    FileRound,
    FileSeat,
    FileTable,
)
from tournaments.models import Pairing, Round, StaffRole, Tournament


class NoTournamentFile(Refusal):
    """No other program reads files of this game."""


@dataclass(frozen=True)
class Published:
    """The published rounds of an event, each with its tables; a constant number of queries."""

    tournament: Tournament

    @cached_property
    def rounds(self) -> list[Round]:
        """First to last, Swiss before the cut."""
        return list(queries.visible_rounds(self.tournament).select_related("stage__tournament"))

    @cached_property
    def pairings(self) -> dict[int, list[Pairing]]:
        """Tables and byes by round, in order."""
        found: dict[int, list[Pairing]] = {round_.pk: [] for round_ in self.rounds}
        for pairing in queries.published_pairings(self.tournament):
            found[pairing.round_id].append(pairing)
        return found

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The number in the event of each player."""
        return dict(self.tournament.registrations.values_list("player_id", "number"))


def file_event(tournament: Tournament, reader: Player | None = None, page: str = "") -> FileEvent:
    """What a file of the NRTM family can tell; raises NoTournamentFile for pods.

    `reader` is who will have it, None for everybody; `page` is the address of the event.
    """
    rule = scoring_rule(tournament.scoring_rule)
    if not rule.has_roles:
        raise NoTournamentFile(
            "Tournament files of other programs know two players at a table, this event has pods. "
            "Take Datafort's own document, or the tables as CSV."
        )
    told = Published(tournament)
    is_single = rule.games_per_match == 1
    rounds = [
        file_round(one, told.pairings[one.pk], told.numbers)
        for one in told.rounds
        if not one.stage.way.is_elimination
    ]
    cut = cut_of_file(tournament, told.rounds, told.pairings, told.numbers)
    return FileEvent(
        name=tournament.name,
        dialect=Dialect.COBRA,
        game=tournament.game,
        system="single" if is_single else "double",
        players=file_players(tournament, told.pairings, told.numbers, reader),
        rounds=tuple(rounds),
        cut_rounds=cut.rounds,
        cut_size=cut.size,
        placings=cut.placings,
        date=tournament.starts_on,
        owner=_owner(tournament),
        page=page or tournament.get_absolute_url(),
    )


def nrtm(
    tournament: Tournament,
    reader: Player | None = None,
    *,
    page: str = "",
) -> bytes:
    """The event as Cobra would write it."""
    return cobra.write(file_event(tournament, reader, page))


def nrtm_of_results(tournament: Tournament, *, page: str, abr_event: int | None) -> bytes:
    """As everybody may read it, for AlwaysBeRunning; `abr_event` is the event there that it is.

    Games of the cut nobody won are left out: there the first player would have lost them.
    """
    told = file_event(tournament, None, page)
    return cobra.write(replace(told, abr_event=abr_event, cut_rounds=_won(told.cut_rounds)))


def _won(rounds: tuple[FileRound, ...]) -> tuple[FileRound, ...]:
    tables = (tuple(one for one in round_.tables if one.winner is not None) for round_ in rounds)
    return tuple(FileRound(won) for won in tables if won)


def trf(tournament: Tournament, reader: Player | None = None) -> bytes:
    """The event as a report for chess programs, where a match is one game."""
    return chess.write(file_event(tournament, reader))


def _owner(tournament: Tournament) -> str:
    owner = tournament.staff.filter(role=StaffRole.OWNER).select_related("user").first()
    return owner.user.username if owner else ""


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
    played = seat.in_games()
    return FileSeat(
        id=numbers[seat.player_id],
        points=_whole(seat.points) if match.is_settled else None,
        corp_points=_points_as(Role.CORP, played, match),
        runner_points=_points_as(Role.RUNNER, played, match),
        role=_only_role(played, match),
    )


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
