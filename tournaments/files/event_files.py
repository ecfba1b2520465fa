"""Export an event as tournament files of other programs.

Contains published rounds, settled results, the current standings and the identities that the reader
may see on public pages.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from django.utils.translation import gettext

from core.errors import Refusal
from decks.models import Card, Side
from engine.bracket.games import ResultRefused
from engine.standings.ranking import standings
from matches.models import GameSeat, Match, Seat
from matches.scoring.results import Flag, Points, Role
from matches.scoring.rules import scoring_rule
from players.models import Player
from tournaments.event import engine_input
from tournaments.event.pages import identities_beside_names
from tournaments.files import writing
from tournaments.files.records import (
    STRENGTHS,
    Dialect,
    FileBye,
    FileEvent,
    FilePlacing,
    FilePlayer,
    FileRound,
    FileSeat,
    FileTable,
    StatedFigures,
)
from tournaments.models import (
    Pairing,
    Registration,
    RegistrationState,
    Round,
    Stage,
    Standing,
    StandingSnapshot,
    Tournament,
)
from tournaments.rounds.cut import get_advancing_player_id, get_corp_player_id, get_cut

Strengths = Mapping[int, tuple[Fraction, Fraction]]
# Event number by the primary key of the player.
Numbers = Mapping[int, int]


def placings_of(stage: Stage) -> tuple[FilePlacing, ...]:
    """Places of a cut, best first; an undecided place has no player."""
    try:
        cut = get_cut(stage)
    except ResultRefused:
        # Results that contradict each other: all places are undecided until they are corrected.
        size = stage.entries.accepted().count()
        return tuple(FilePlacing(rank, None) for rank in range(1, size + 1))
    places = ((rank, cut.player_at(rank)) for rank in range(1, len(cut.entries) + 1))
    return tuple(
        FilePlacing(rank, player.number, cut.seeds[player.number])
        if player
        else FilePlacing(rank, None)
        for rank, player in places
    )


def _cut_round(round_: Round, pairings: Iterable[Pairing], numbers: Numbers) -> FileRound:
    # Readers draw the first column of the bracket in this order.
    ordered = sorted(
        pairings, key=lambda pairing: (pairing.bracket_game or 0, pairing.table_number or 0)
    )
    tables = tuple(_cut_table(pairing, numbers) for pairing in ordered if pairing.match is not None)
    return FileRound(tables, counts=round_.is_closed)


def _cut_table(pairing: Pairing, numbers: Numbers) -> FileTable:
    assert pairing.match is not None
    corp, winner = get_corp_player_id(pairing), get_advancing_player_id(pairing)
    default_role = None if corp is None else Role.RUNNER
    first, second = (
        FileSeat(
            numbers[seat.player_id], role=Role.CORP if seat.player_id == corp else default_role
        )
        for seat in pairing.match.seats.all()
    )
    return FileTable(
        number=pairing.table_number,
        seats=(first, second),
        winner=None if winner is None else numbers[winner],
    )


def _file_players(
    tournament: Tournament,
    pairings: Mapping[int, Iterable[Pairing]],
    numbers: Numbers,
    reader: Player | None,
) -> tuple[FilePlayer, ...]:
    """Players of the standings, best first, then paired players who are not in them yet.

    Before the first round is closed, the roster by number. Namesakes get their numbers appended,
    because readers draw brackets by name.
    """
    ranked = [*_ranked_players(tournament)]
    known = {entry.number for entry, _ in ranked}
    paired = frozenset(_paired_numbers(pairings, numbers))
    entries = tournament.registrations.not_waiting().select_related("player").order_by("number")
    ranked += [
        (entry, StatedFigures())
        for entry in entries
        if entry.number not in known and (not known or entry.number in paired)
    ]
    players = [_file_player(entry, figures) for entry, figures in ranked]
    return tuple(_with_identities(_with_unique_names(players), tournament, reader))


def _paired_numbers(pairings: Mapping[int, Iterable[Pairing]], numbers: Numbers) -> Iterator[int]:
    for pairing in chain.from_iterable(pairings.values()):
        if pairing.bye is not None:
            yield pairing.bye.number
        if pairing.match is not None:
            yield from (numbers[seat.player_id] for seat in pairing.match.seats.all())


def _ranked_players(tournament: Tournament) -> Iterator[tuple[Registration, StatedFigures]]:
    snapshot = tournament.snapshots.newest()
    if snapshot is None:
        return
    rows = list(snapshot.rows.ranked())
    strengths = _strengths_by_number(tournament, snapshot, rows)
    for row in rows:
        strength, extended = strengths[row.registration.number]
        points = Fraction(row.match_points)
        yield row.registration, StatedFigures(points, strength, extended, row.rank)


def _strengths_by_number(
    tournament: Tournament, snapshot: StandingSnapshot, rows: Sequence[Standing]
) -> Strengths:
    """Both strengths by number: stored, or computed if the event does not rank by them."""
    if all(row.tie_breakers.get(id_) for row in rows for id_ in STRENGTHS):
        return {
            row.registration.number: (
                Fraction(row.tie_breakers[STRENGTHS[0]]),
                Fraction(row.tie_breakers[STRENGTHS[1]]),
            )
            for row in rows
        }
    records = engine_input.standings_records(tournament, snapshot.round)
    table = standings(records, ("match_points",), seed=tournament.seed)
    computed = {
        int(line.id): (
            Fraction(line.strength_of_schedule),
            Fraction(line.extended_strength_of_schedule),
        )
        for line in table
    }
    nothing = (Fraction(0), Fraction(0))
    return {row.registration.number: computed.get(row.registration.number, nothing) for row in rows}


def _file_player(entry: Registration, figures: StatedFigures) -> FilePlayer:
    return FilePlayer(
        id=entry.number,
        name=entry.player.name,
        pronouns=entry.player.pronouns,
        dropped=entry.state == RegistrationState.DROPPED,
        stated=figures,
    )


def _with_unique_names(players: Sequence[FilePlayer]) -> list[FilePlayer]:
    counted = Counter(player.name for player in players)
    return [
        player
        if counted[player.name] == 1
        else replace(player, name=f"{player.name} ({player.id})")
        for player in players
    ]


def _with_identities(
    players: Iterable[FilePlayer], tournament: Tournament, reader: Player | None
) -> Iterator[FilePlayer]:
    shown = identities_beside_names(tournament, reader)
    titles = {line.title for lines in shown.values() for line in lines}
    factions = _factions(tournament.game, titles) if titles else {}
    for player in players:
        by_side = {line.side: line.title for line in shown.get(int(player.id), ())}
        corp, runner = by_side.get(Side.CORP), by_side.get(Side.RUNNER)
        yield replace(
            player,
            corp_identity=corp,
            runner_identity=runner,
            corp_faction=factions.get(corp or ""),
            runner_faction=factions.get(runner or ""),
        )


def _factions(game: str, titles: Iterable[str]) -> dict[str, str]:
    """Factions by identity, with the codes of other programs."""
    cards = Card.objects.filter(game=game, title__in=titles).exclude(faction="")
    return {
        title: faction.replace("_", "-")
        for title, faction in cards.order_by().values_list("title", "faction")
    }


class NoTournamentFile(Refusal):
    """Files of other programs do not support this game."""


def file_event(tournament: Tournament, reader: Player | None = None, page: str = "") -> FileEvent:
    """Build a record of the event for files of the NRTM family.

    `reader` is the recipient, None for the public; `page` is the address of the event. Raises
    NoTournamentFile for games played in pods.
    """
    rule = scoring_rule(tournament.scoring_rule)
    if not rule.has_roles:
        raise NoTournamentFile(
            gettext(
                "Other programs' tournament files support only two players per table, and this "
                "event has pods. Export the Datafort document, or the tables as CSV."
            )
        )
    rounds = list(tournament.rounds.published().select_related("stage__tournament"))
    swiss = [round_ for round_ in rounds if not round_.is_in_cut]
    cut = [round_ for round_ in rounds if round_.is_in_cut]
    pairings: dict[int, list[Pairing]] = {round_.pk: [] for round_ in rounds}
    for pairing in tournament.published_pairings():
        pairings[pairing.round_id].append(pairing)
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    placings = placings_of(cut[-1].stage) if cut else ()
    return FileEvent(
        name=tournament.name,
        dialect=Dialect.COBRA,
        game=tournament.game,
        system="single" if rule.games_per_match == 1 else "double",
        players=_file_players(tournament, pairings, numbers, reader),
        rounds=tuple(_swiss_round(round_, pairings[round_.pk], numbers) for round_ in swiss),
        planned_rounds=_planned_rounds(tournament),
        cut_rounds=tuple(_cut_round(round_, pairings[round_.pk], numbers) for round_ in cut),
        cut_size=len(placings),
        placings=placings,
        date=tournament.starts_on,
        page=page or tournament.get_absolute_url(),
    )


def _planned_rounds(tournament: Tournament) -> int:
    """Return the number of Swiss rounds; 0 if none were planned and no more are played."""
    is_over = tournament.is_finished or tournament.get_cut() is not None
    if tournament.planned_rounds or is_over:
        return tournament.planned_rounds or 0
    return tournament.round_target()


def nrtm_file(tournament: Tournament, reader: Player | None = None, *, page: str = "") -> bytes:
    """Export the event in Cobra's format."""
    return writing.write_cobra(file_event(tournament, reader, page))


def nrtm_results_file(tournament: Tournament, *, page: str, abr_event: int | None) -> bytes:
    """Export public data for AlwaysBeRunning; `abr_event` is the number of the event there.

    Games of the cut without a winner are omitted: AlwaysBeRunning would count them as losses of the
    first player.
    """
    event = file_event(tournament, None, page)
    decided = (
        tuple(table for table in round_.tables if table.winner is not None)
        for round_ in event.cut_rounds
    )
    cut_rounds = tuple(FileRound(tables) for tables in decided if tables)
    return writing.write_cobra(replace(event, abr_event=abr_event, cut_rounds=cut_rounds))


def trf_file(tournament: Tournament, reader: Player | None = None) -> bytes:
    """Export the event as a TRF report for chess programs; each match is one game."""
    return writing.write_trf(file_event(tournament, reader))


def _swiss_round(round_: Round, pairings: Iterable[Pairing], numbers: Numbers) -> FileRound:
    """Convert a Swiss round; unsettled tables have no scores."""
    tables, byes = [], []
    for pairing in pairings:
        if pairing.match is not None:
            tables.append(_file_table(pairing, pairing.match, numbers))
        elif pairing.bye is not None:
            byes.append(FileBye(pairing.bye.number, pairing.bye_points or 0))
    return FileRound(tuple(tables), tuple(byes), counts=round_.is_closed)


def _file_table(pairing: Pairing, match: Match, numbers: Numbers) -> FileTable:
    first, second = (_file_seat(seat, match, numbers) for seat in match.seats.all())
    flags = match.flags if match.is_settled else []
    return FileTable(
        number=pairing.table_number,
        seats=(first, second),
        intentional_draw=Flag.INTENTIONAL_DRAW in flags,
        two_for_one=Flag.TWO_FOR_ONE in flags,
    )


def _file_seat(seat: Seat, match: Match, numbers: Numbers) -> FileSeat:
    played = seat.game_seats()
    has_role = match.rule.games_per_match == 1 and played[0].role
    return FileSeat(
        id=numbers[seat.player_id],
        points=_whole_points(seat.points) if match.is_settled else None,
        corp_points=_points_as(Role.CORP, played, match),
        runner_points=_points_as(Role.RUNNER, played, match),
        role=Role(played[0].role) if has_role else None,
    )


def _points_as(role: Role, played: Sequence[GameSeat], match: Match) -> int | None:
    """Points of the seat in this role; None if only the total is known."""
    if not match.is_settled:
        return None
    known = [game for game in played if game.points is not None]
    if Flag.TWO_FOR_ONE in match.flags and known:
        # The first game counts twice, so each role gets half of its points.
        return _whole_points(known[0].points) // 2
    if not known:
        return None
    return sum(_whole_points(game.points) for game in known if game.role == role)


def _whole_points(points: Points | None) -> int:
    """Points between two players are whole; only shared places in a pod are fractional."""
    return int(points or 0)
