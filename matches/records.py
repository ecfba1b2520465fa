"""Between the tables and the scoring rules: results as documents and as records.

A document is what a report keeps: {"games": [{"number", "corp", "winner", "end",
"corp_agenda_points", "runner_agenda_points"}], "flags": [...], "totals": [...],
"victory_points": [...], "factions": [...]}. In a game `corp` is the position of the seat that
played the Corp and `winner` a role or null; the last three lists go by seat. Equal results are
equal documents.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from matches import scoring
from matches.models import Match, ReportState, ResultReport
from matches.scoring import Flag, GameEnd, GameResult, GameRow, Loss, MatchResult, Role, from_rows

Document = dict[str, Any]
NOTHING_REPORTED = MatchResult()


def from_document(document: Document) -> MatchResult:
    """The result of a stored report."""
    games = [_game_from(game) for game in document["games"]]
    return MatchResult(
        games=tuple(sorted(games, key=lambda game: game.number)),
        flags=frozenset(map(Flag, document["flags"])),
        totals=tuple(document["totals"]),
        victory_points=tuple(document["victory_points"]),
        factions=tuple(document["factions"]),
    )


def _game_from(game: Document) -> GameResult:
    return GameResult(
        number=game["number"],
        corp=game["corp"],
        winner=Role(game["winner"]) if game["winner"] else None,
        end=GameEnd(game["end"]),
        corp_agenda_points=game["corp_agenda_points"],
        runner_agenda_points=game["runner_agenda_points"],
    )


def to_document(result: MatchResult) -> Document:
    """The result as a report keeps it, games in order of number."""
    return {
        "games": [
            {
                "number": game.number,
                "corp": game.corp,
                "winner": game.winner.value if game.winner else None,
                "end": game.end.value,
                "corp_agenda_points": game.corp_agenda_points,
                "runner_agenda_points": game.runner_agenda_points,
            }
            for game in sorted(result.games, key=lambda game: game.number)
        ],
        "flags": sorted(flag.value for flag in result.flags),
        "totals": list(result.totals),
        "victory_points": list(result.victory_points),
        "factions": list(result.factions),
    }


def settled_result(match: Match) -> MatchResult:
    """The settled result of a match; an empty one, which is false, while it has none.

    It is what `services.settling.settle` has written. Reads games, their seats and the seats of
    the match: prefetch "games__seats" and "seats" for many matches.
    """
    if not match.is_settled:
        return MatchResult()
    return from_rows(
        rows(match),
        has_roles=match.rule.has_roles,
        flags=match.flags,
        totals=(seat.typed_points for seat in match.seats.all()),
    )


def rows(match: Match) -> list[GameRow]:
    """What each seat is in each game; no query where games, their seats and seats are fetched."""
    positions = {seat.pk: seat.position for seat in match.seats.all()}
    return [
        GameRow(
            game.number,
            game.end,
            positions[game.winner_id] if game.winner_id else None,
            positions[played.seat_id],
            *(played.role, played.faction, played.agenda_points, played.victory_points),
        )
        for game in match.games.all()
        for played in game.seats.all()
    ]


def corps(match: Match) -> dict[int, int]:
    """The position of the Corp by game, as the players sit or as they reported; none in a pod.

    Reads what `settled_result` reads.
    """
    return {row.number: row.position for row in rows(match) if row.role == Role.CORP}


def confirmed_report(match: Match) -> ResultReport | None:
    """The word that counts: the last confirmed one; None while no report is settled.

    Reads the reports of the match, prefetched or not.
    """
    confirmed = (one for one in match.reports.all() if one.state == ReportState.CONFIRMED)
    return max(confirmed, key=lambda report: report.pk, default=None)


def reported_result(match: Match) -> MatchResult:
    """What was reported of a settled match, before anything a judge took; empty for nothing."""
    if match.losses:
        report = confirmed_report(match)
        return from_document(report.result) if report else MatchResult()
    return settled_result(match)


def losses_of(match: Match) -> list[Loss]:
    """What judges took from somebody at this table."""
    return [Loss(kept["seat"], kept["game"]) for kept in match.losses]


def kept_losses(losses: Collection[Loss]) -> list[dict[str, int | None]]:
    """Losses as a match stores them; equal ones are equal lists."""
    pairs = {(loss.seat, loss.game or 0) for loss in losses}
    return [{"seat": seat, "game": game or None} for seat, game in sorted(pairs)]


def with_losses(match: Match, reported: MatchResult) -> MatchResult:
    """What was reported with what judges took at this table; reads the games where there is any."""
    losses = losses_of(match)
    if not losses:
        return reported
    return scoring.with_losses(match.rule, reported, losses, corps(match), match.seats.count())


def lost_games(match: Match) -> dict[int, set[int]]:
    """The positions that lose, by the number of the game; none in a pod."""
    return scoring.lost_games(match.rule, losses_of(match))


def shown_result(match: Match, reported: MatchResult) -> MatchResult:
    """The result that a form starts with: the reported one, and the games that judges decided.

    In a pod, players who come last have no victory points; nothing is shown of the others.
    """
    losses = losses_of(match)
    if not losses:
        return reported
    if not match.rule.has_roles:
        return apart_from_losses(match, reported)
    result = with_losses(match, reported)
    games = {game.number: game for game in result.games}
    decided = scoring.decided_games(match.rule, losses, corps(match))
    games = {game.number: game for game in decided} | games
    return replace(result, games=tuple(games[number] for number in sorted(games)))


def apart_from_losses(match: Match, reported: MatchResult) -> MatchResult:
    """The part of a report that judges have not decided, to compare it with another one."""
    return scoring.apart_from_losses(match.rule, reported, losses_of(match))


def as_reported(match: Match, entered: MatchResult, reported: MatchResult) -> MatchResult:
    """The entered result with what judges decided as it was `reported` before, if it was."""
    losses = losses_of(match)
    if not losses:
        return entered
    return scoring.with_reported_games(match.rule, entered, reported, losses)


def factions_of(match: Match) -> tuple[str, ...]:
    """The factions at the table by seat, as drafted or reported; empty where unknown."""
    return from_rows(rows(match), has_roles=False, flags=(), totals=()).factions


def standing_of(match: Match) -> Document:
    """Where the match is, for a log: {"state", "seats", "points"}.

    Reads the seats with their players; no query for a held match.
    """
    seats = list(match.seats.all())
    return {
        "state": match.state,
        "seats": [seat.player.name for seat in seats],
        "points": [None if seat.points is None else str(seat.points) for seat in seats],
    }


def summary(result: MatchResult) -> str:
    """A line for logs and conflicts: what was reported of each game, and what else is true."""
    parts = [_game_line(game) for game in result.games]
    if result.totals:
        parts.append(f"totals {':'.join(map(str, result.totals))}")
    if result.victory_points:
        parts.append(f"victory points {', '.join(map(str, result.victory_points))}")
    if any(result.factions):
        parts.append(f"factions {', '.join(faction or '-' for faction in result.factions)}")
    parts += sorted(flag.label.lower() for flag in result.flags)
    return "; ".join(parts) or "no result"


def _game_line(game: GameResult) -> str:
    winner = f"{game.winner.label} won" if game.winner else "no winner"
    details = [] if game.end is GameEnd.NOT_RECORDED else [game.end.label.lower()]
    points = {role: game.agenda_points(role) for role in Role}
    if any(value is not None for value in points.values()):
        details.append(", ".join(f"{role.label} {points[role]}" for role in Role))
    return f"game {game.number}: {winner}" + (f" ({'; '.join(details)})" if details else "")
