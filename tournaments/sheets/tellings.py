"""A result in words: what was told about each game, and the points it makes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from matches.models import Match, ReportState, ResultReport, Seat
from matches.records import from_documents
from matches.scoring import GameResult, Role, ScoringRule, arithmetic, game_points


@dataclass(frozen=True)
class ToldSide:
    """One player in one game; `reason` says where the points come from."""

    name: str
    role: Role
    agenda_points: int
    points: int
    reason: str
    has_won: bool


@dataclass(frozen=True)
class ToldGame:
    """One game in words, the Corp first; `winner` is empty when nobody won."""

    number: int
    winner: str
    end: str
    sides: tuple[ToldSide, ToldSide]


@dataclass(frozen=True)
class ToldTotal:
    """What a player takes from the match, as a sum: `10 + 3 = 13`."""

    name: str
    points: int
    sum: str


@dataclass(frozen=True)
class Telling:
    """A whole match in words."""

    games: tuple[ToldGame, ...]
    totals: tuple[ToldTotal, ...]


@dataclass(frozen=True)
class Word:
    """What one player said; `note` is what the opponent had to say against it."""

    name: str
    note: str
    telling: Telling | None


def telling(match: Match, games: Iterable[GameResult]) -> Telling | None:
    """These games of the match in words; None when there are none.

    Reads the seats of the match with their players: prefetch them for many.
    """
    told = tuple(games)
    if not told:
        return None
    seats = {seat.position: seat for seat in match.seats.all()}
    return Telling(
        games=tuple(_told_game(game, seats, match.rule) for game in told),
        totals=tuple(_total(seat, told, match.rule) for seat in seats.values()),
    )


def _told_game(game: GameResult, seats: Mapping[int, Seat], rule: ScoringRule) -> ToldGame:
    points, reasons = game_points(game, rule.loser_rule), arithmetic(game, rule)
    corp, runner = (
        ToldSide(
            name=seats[game.position(role)].player.name,
            role=role,
            agenda_points=game.agenda_points(role),
            points=points[role],
            reason=reasons[role],
            has_won=game.winner is role,
        )
        for role in (Role.CORP, Role.RUNNER)
    )
    winner = seats[game.position(game.winner)].player.name if game.winner else ""
    return ToldGame(game.number, winner, game.end.label, (corp, runner))


def _total(seat: Seat, games: tuple[GameResult, ...], rule: ScoringRule) -> ToldTotal:
    parts = [rule.match_points([game])[seat.position] for game in games]
    total = rule.match_points(games)[seat.position]
    return ToldTotal(seat.player.name, total, f"{' + '.join(map(str, parts))} = {total}")


def open_report(match: Match) -> ResultReport | None:
    """The report that waits for the opponent's answer."""
    reports = match.reports.filter(state=ReportState.PROPOSED, seat__isnull=False)
    return reports.select_related("seat__player").first()


def last_words(match: Match) -> list[Word]:
    """What each player says now, while the two do not agree yet; newest word of each."""
    spoken = match.reports.filter(
        state__in=(ReportState.PROPOSED, ReportState.DISPUTED), seat__isnull=False
    )
    newest = {report.seat_id: report for report in spoken.select_related("seat__player")}
    return [
        Word(report.seat.player.name, report.note, telling(match, from_documents(report.games)))
        for report in newest.values()
        if report.seat is not None
    ]
