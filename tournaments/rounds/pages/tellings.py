"""A result in words: what was told about each game, and the points it makes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from matches import queries, records
from matches.models import SPOKEN, Match, ReportState, ResultReport, Seat
from matches.records import from_document
from matches.scoring import (
    GameEnd,
    GameResult,
    MatchResult,
    Points,
    Role,
    ScoringRule,
    Share,
    added,
)


@dataclass(frozen=True)
class ToldSide:
    """One player in one game; `reason` says where the points come from."""

    name: str
    role: Role
    agenda_points: int | None
    points: Points
    reason: str
    has_won: bool


@dataclass(frozen=True)
class ToldGame:
    """One game in words, the Corp first; `winner` is empty when nobody won, `end` when not told."""

    number: int
    winner: str
    end: str
    sides: tuple[ToldSide, ToldSide]


@dataclass(frozen=True)
class ToldTotal:
    """What a player takes from the match, as a sum: `10 + 3 = 13`."""

    name: str
    points: Points
    sum: str


@dataclass(frozen=True)
class ToldPlace:
    """One player of a pod: faction and victory points, as far as told."""

    name: str
    faction: str
    victory_points: int


@dataclass(frozen=True)
class Telling:
    """A whole match in words."""

    games: tuple[ToldGame, ...]
    places: tuple[ToldPlace, ...]
    flags: tuple[str, ...]
    totals: tuple[ToldTotal, ...]


@dataclass(frozen=True)
class Word:
    """What one player said; `note` is what another had to say against it."""

    name: str
    note: str
    telling: Telling | None


def telling(match: Match, result: MatchResult) -> Telling | None:
    """This result of the match in words; None when there is none.

    Reads the seats of the match with their players: prefetch them for many.
    """
    if not result:
        return None
    seats = {seat.position: seat for seat in match.seats.all()}
    shares = match.rule.shares(result)
    return Telling(
        games=tuple(_told_game(game, seats, match.rule) for game in result.games),
        places=_told_places(result, seats),
        flags=tuple(sorted(flag.label for flag in result.flags)),
        totals=tuple(_total(seat, shares[seat.position]) for seat in seats.values()),
    )


def _told_game(game: GameResult, seats: Mapping[int, Seat], rule: ScoringRule) -> ToldGame:
    shares = rule.shares(MatchResult((game,)))
    corp, runner = (
        ToldSide(
            name=seats[game.position(role)].player.name,
            role=role,
            agenda_points=game.agenda_points(role),
            points=shares[game.position(role)][0].points,
            reason=shares[game.position(role)][0].reason,
            has_won=game.winner is role,
        )
        for role in (Role.CORP, Role.RUNNER)
    )
    winner = seats[game.position(game.winner)].player.name if game.winner else ""
    end = "" if game.end is GameEnd.NOT_TOLD else game.end.label
    return ToldGame(game.number, winner, end, (corp, runner))


def _told_places(result: MatchResult, seats: Mapping[int, Seat]) -> tuple[ToldPlace, ...]:
    """The seats of a pod, in order."""
    table = queries.factions() if any(result.factions) else {}
    told = dict(enumerate(result.factions, start=1))
    names = {position: table[id_].name if id_ in table else id_ for position, id_ in told.items()}
    return tuple(
        ToldPlace(seats[position].player.name, names.get(position, ""), points)
        for position, points in enumerate(result.victory_points, start=1)
    )


def _total(seat: Seat, shares: tuple[Share, ...]) -> ToldTotal:
    """A sum over games; what does not come from a game says where it comes from."""
    total = added(shares)
    parts = " + ".join(str(share.points) for share in shares)
    is_sum = len(shares) > 1
    told = f"{parts} = {total}" if is_sum else "".join(share.reason for share in shares)
    return ToldTotal(seat.player.name, total, told)


def open_report(match: Match) -> ResultReport | None:
    """The report that waits for an answer."""
    return proposed(spoken(match))


def proposed(told: Iterable[ResultReport]) -> ResultReport | None:
    """The one of these that waits for an answer."""
    return next((one for one in told if one.state == ReportState.PROPOSED), None)


def spoken(match: Match) -> list[ResultReport]:
    """All that players have said and nobody has settled, the oldest first; with who said it."""
    told = ResultReport.objects.select_related("seat__player").order_by("pk")
    return list(told.filter(match=match, state__in=SPOKEN, seat__isnull=False))


def last_words(match: Match, told: Iterable[ResultReport]) -> list[Word]:
    """What each player says now, by the reports that were `spoken`; the newest word of each."""
    newest = {report.seat_id: report for report in told}
    return [
        Word(report.seat.player.name, report.note, telling(match, from_document(report.result)))
        for report in newest.values()
        if report.seat is not None
    ]


def judged_games(match: Match) -> list[str]:
    """A sentence a game, or a player of a pod; none once the match has its result.

    Says what a judge decided and not why: players of the table and the staff may read it. Wants
    `match.seats` with their players.
    """
    if match.is_settled or not match.losses:
        return []
    losses, rule = records.losses_of(match), match.rule
    names = {seat.position: seat.player.name for seat in match.seats.all()}
    if not rule.has_roles:
        return [f"{names[loss.seat]} comes last here: a judge has decided it." for loss in losses]
    lost = {
        number: {loss.seat for loss in losses if loss.game in (None, number)}
        for number in range(1, rule.games_per_match + 1)
    }
    return [_sentence(number, names, losers) for number, losers in lost.items() if losers]


def _sentence(number: int, names: dict[int, str], losers: set[int]) -> str:
    winner = next((name for seat, name in names.items() if seat not in losers), None)
    won = f"{winner} wins it" if winner else "nobody wins it"
    return f"A judge has decided game {number}: {won}."
