"""Read results from the database and from the documents of reports."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from matches.models import Faction, Match, ReportState, ResultReport
from matches.scoring import imposed_losses
from matches.scoring.imposed_losses import ImposedLoss
from matches.scoring.results import (
    FACTIONS,
    FactionFacts,
    Flag,
    GameEnd,
    GameResult,
    GameRow,
    MatchResult,
    Role,
    result_from_rows,
)

ReportDocument = dict[str, Any]
NO_RESULT = MatchResult()


def factions_by_id() -> Mapping[str, FactionFacts]:
    """Return the factions as edited by staff, by id, or the defaults of the rules."""
    rows = Faction.objects.all()
    return {row.id: FactionFacts(row.id, row.name, row.colour) for row in rows} or FACTIONS


def result_from_document(document: ReportDocument) -> MatchResult:
    games = [
        GameResult(
            number=game["number"],
            corp=game["corp"],
            winner=Role(game["winner"]) if game["winner"] else None,
            end=GameEnd(game["end"]),
            corp_agenda_points=game["corp_agenda_points"],
            runner_agenda_points=game["runner_agenda_points"],
        )
        for game in document["games"]
    ]
    return MatchResult(
        games=tuple(sorted(games, key=lambda game: game.number)),
        flags=frozenset(map(Flag, document["flags"])),
        totals=tuple(document["totals"]),
        victory_points=tuple(document["victory_points"]),
        factions=tuple(document["factions"]),
    )


def result_to_document(result: MatchResult) -> ReportDocument:
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
    """Return the settled result, or an empty (falsy) one; prefetch "games__seats" and "seats"."""
    if not match.is_settled:
        return NO_RESULT
    return result_from_rows(
        game_rows(match),
        has_roles=match.rule.has_roles,
        flags=match.flags,
        totals=(seat.typed_points for seat in match.seats.all()),
    )


def game_rows(match: Match) -> list[GameRow]:
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


def corps_by_game(match: Match) -> dict[int, int]:
    """Return the Corp's position by game, as seated or as reported; empty in a pod."""
    return {row.number: row.position for row in game_rows(match) if row.role == Role.CORP}


def confirmed_report(match: Match) -> ResultReport | None:
    """Return the last confirmed report, which counts."""
    reports = match.reports.all()
    confirmed = (report for report in reports if report.state == ReportState.CONFIRMED)
    return max(confirmed, key=lambda report: report.pk, default=None)


def reported_result(match: Match) -> MatchResult:
    """Return the result before losses imposed by judges; empty if nothing was reported."""
    if match.losses:
        report = confirmed_report(match)
        return result_from_document(report.result) if report else NO_RESULT
    return settled_result(match)


def losses_of(match: Match) -> list[ImposedLoss]:
    return [ImposedLoss(loss["seat"], loss["game"]) for loss in match.losses]


def losses_to_json(losses: Collection[ImposedLoss]) -> list[dict[str, int | None]]:
    """Equal losses give equal lists."""
    pairs = {(loss.seat, loss.game or 0) for loss in losses}
    return [{"seat": seat, "game": game or None} for seat, game in sorted(pairs)]


def result_with_losses(match: Match, reported: MatchResult) -> MatchResult:
    losses = losses_of(match)
    if not losses:
        return reported
    return imposed_losses.apply_losses(
        match.rule, reported, losses, corps_by_game(match), match.seats.count()
    )


def lost_games_of(match: Match) -> dict[int, set[int]]:
    """Return the losing positions by game number; empty in a pod."""
    return imposed_losses.lost_games(match.rule, losses_of(match))


def result_for_form(match: Match, reported: MatchResult) -> MatchResult:
    """Return the result for a form: the reported result, with games that judges decided.

    In a pod, players placed last by a judge have no victory points; other seats are unchanged.
    """
    losses = losses_of(match)
    if not losses:
        return reported
    if not match.rule.has_roles:
        return undecided_report(match, reported)
    result = result_with_losses(match, reported)
    games = {game.number: game for game in result.games}
    decided = imposed_losses.decided_games(match.rule, losses, corps_by_game(match))
    games = {game.number: game for game in decided} | games
    return replace(result, games=tuple(games[number] for number in sorted(games)))


def undecided_report(match: Match, reported: MatchResult) -> MatchResult:
    return imposed_losses.undecided_part(match.rule, reported, losses_of(match))


def with_reported_parts(match: Match, entered: MatchResult, reported: MatchResult) -> MatchResult:
    """Replace the parts of an entered result that judges decided by those of the report."""
    losses = losses_of(match)
    if not losses:
        return entered
    return imposed_losses.restore_reported_games(match.rule, entered, reported, losses)


def factions_of(match: Match) -> tuple[str, ...]:
    return result_from_rows(game_rows(match), has_roles=False, flags=(), totals=()).factions


def match_state_for_log(match: Match) -> ReportDocument:
    """Return {"state", "seats", "points"}, from the seats with their players."""
    seats = list(match.seats.all())
    return {
        "state": match.state,
        "seats": [seat.player.name for seat in seats],
        "points": [None if seat.points is None else str(seat.points) for seat in seats],
    }


def result_summary(result: MatchResult) -> str:
    parts = [_game_summary(game) for game in result.games]
    if result.totals:
        parts.append(f"totals {':'.join(map(str, result.totals))}")
    if result.victory_points:
        parts.append(f"victory points {', '.join(map(str, result.victory_points))}")
    if any(result.factions):
        parts.append(f"factions {', '.join(faction or '-' for faction in result.factions)}")
    parts += sorted(flag.label.lower() for flag in result.flags)
    return "; ".join(parts) or "no result"


def _game_summary(game: GameResult) -> str:
    winner = f"{game.winner.label} won" if game.winner else "no winner"
    details = [] if game.end is GameEnd.NOT_RECORDED else [game.end.label.lower()]
    points = {role: game.agenda_points(role) for role in Role}
    if any(value is not None for value in points.values()):
        details.append(", ".join(f"{role.label} {points[role]}" for role in Role))
    return f"game {game.number}: {winner}" + (f" ({'; '.join(details)})" if details else "")
