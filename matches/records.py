"""Conversion of results between documents, database rows and scoring records.

A report stores a document: {"games": [{"number", "corp", "winner", "end", "corp_agenda_points",
"runner_agenda_points"}], "flags": [...], "totals": [...], "victory_points": [...], "factions":
[...]}. In a game `corp` is the position of the seat that played the Corp, and `winner` a role or
null. The last three lists are ordered by seat. Equal results have equal documents.
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
    """Convert the document of a report to a result."""
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
    """Convert a result to the document of a report, with games ordered by number."""
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
    """Return the settled result of a match, or an empty (falsy) result.

    Reads the rows that `services.settling.settle` wrote: games, their seats and the seats of the
    match. For many matches, prefetch "games__seats" and "seats".
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
    """Return a row for each seat in each game; no query if they are prefetched."""
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
    """Return the Corp's position by game, as seated or as reported; empty in a pod.

    Reads the same rows as `settled_result`.
    """
    return {row.number: row.position for row in rows(match) if row.role == Role.CORP}


def confirmed_report(match: Match) -> ResultReport | None:
    """Return the last confirmed report, which counts, or None.

    Reads the reports of the match, prefetched or not.
    """
    confirmed = (one for one in match.reports.all() if one.state == ReportState.CONFIRMED)
    return max(confirmed, key=lambda report: report.pk, default=None)


def reported_result(match: Match) -> MatchResult:
    """Return the reported result of a settled match, before losses imposed by judges.

    Empty if nothing was reported.
    """
    if match.losses:
        report = confirmed_report(match)
        return from_document(report.result) if report else MatchResult()
    return settled_result(match)


def losses_of(match: Match) -> list[Loss]:
    """Return the losses that judges imposed at this table."""
    return [Loss(kept["seat"], kept["game"]) for kept in match.losses]


def kept_losses(losses: Collection[Loss]) -> list[dict[str, int | None]]:
    """Convert losses to the JSON of a match; equal losses give equal lists."""
    pairs = {(loss.seat, loss.game or 0) for loss in losses}
    return [{"seat": seat, "game": game or None} for seat, game in sorted(pairs)]


def with_losses(match: Match, reported: MatchResult) -> MatchResult:
    """Apply the losses of the match to a reported result; reads its games if there are any."""
    losses = losses_of(match)
    if not losses:
        return reported
    return scoring.with_losses(match.rule, reported, losses, corps(match), match.seats.count())


def lost_games(match: Match) -> dict[int, set[int]]:
    """Return the losing positions by game number; empty in a pod."""
    return scoring.lost_games(match.rule, losses_of(match))


def shown_result(match: Match, reported: MatchResult) -> MatchResult:
    """Return the result for a form: the reported result, with games that judges decided.

    In a pod, players placed last by a judge have no victory points; other seats are unchanged.
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
    """Return the part of a report that judges have not decided, to compare reports."""
    return scoring.apart_from_losses(match.rule, reported, losses_of(match))


def as_reported(match: Match, entered: MatchResult, reported: MatchResult) -> MatchResult:
    """Replace the parts of an entered result that judges decided by those of the report."""
    losses = losses_of(match)
    if not losses:
        return entered
    return scoring.with_reported_games(match.rule, entered, reported, losses)


def factions_of(match: Match) -> tuple[str, ...]:
    """Return the factions by seat, as drafted or reported; empty if unknown."""
    return from_rows(rows(match), has_roles=False, flags=(), totals=()).factions


def standing_of(match: Match) -> Document:
    """Return the state of the match for the log: {"state", "seats", "points"}.

    Reads the seats with their players; no query for a match from `services.seats.held`.
    """
    seats = list(match.seats.all())
    return {
        "state": match.state,
        "seats": [seat.player.name for seat in seats],
        "points": [None if seat.points is None else str(seat.points) for seat in seats],
    }


def summary(result: MatchResult) -> str:
    """Summarise a result on a line for logs and conflicts."""
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
