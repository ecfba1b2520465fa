"""Snapshots of a match, and restoring them."""

from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal, StaleVersion
from matches.models import Game, GameSeat, Match, MatchState, ReportState, ResultReport, Seat
from matches.services.losses import refuse_without_games, settle_anew
from matches.services.seats import locked

# {"state", "flags", "losses", "seats": [{"position", "player", "points", "typed"}], "games":
# [{"number", "end", "winner", "seats": [...]}], "reports": {primary key: state}}; exact numbers as
# text.
Memory = dict[str, Any]
KEPT_AS_IT_IS = ("role", "faction", "agenda_points", "victory_points")


class SeatsChanged(Refusal):
    """The seats have other players than in the snapshot."""


def remembered(match: Match) -> Memory:
    """Return all that a result writes as JSON for `restore`. Requires a match from `held`."""
    positions = {seat.pk: seat.position for seat in match.seats.all()}
    return {
        "state": match.state,
        "flags": match.flags,
        "losses": match.losses,
        "seats": [
            {
                "position": seat.position,
                "player": seat.player_id,
                "points": _text(seat.points),
                "typed": seat.typed_points,
            }
            for seat in match.seats.all()
        ],
        "games": [_game(game, positions) for game in match.games.all()],
        "reports": {str(report.pk): report.state for report in match.reports.all()},
    }


def _game(game: Game, positions: dict[int, int]) -> Memory:
    seats = [
        {
            "position": positions[played.seat_id],
            **{key: getattr(played, key) for key in KEPT_AS_IT_IS},
            "points": _text(played.points),
        }
        for played in game.seats.all()
    ]
    winner = positions[game.winner_id] if game.winner_id else None
    return {"number": game.number, "end": game.end, "winner": winner, "seats": seats}


def _text(points: object) -> str | None:
    return None if points is None else str(points)


def _number(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


@transaction.atomic
def restore(match: Match, memory: Memory, *, seen_version: int) -> Match:
    """Restore a match to the snapshot of `remembered`; later reports are superseded.

    Raises StaleVersion if the match is no longer in `seen_version`, and SeatsChanged if other
    players sit there. The time of settling is now, because later pairings used the replaced result.

    Later changes of the judges' losses still apply, to the restored report. Raises LossRefused if a
    game was lost since and the report has only totals.
    """
    match = locked(match)
    if match.version != seen_version:
        raise StaleVersion("This result was changed again. Check it, then decide.")
    seats = {seat.position: seat for seat in match.seats.all()}
    _refuse_others(seats, memory)
    _restore_seats(seats, memory)
    for kept in memory["games"]:
        _restore_game(match.games.get(number=kept["number"]), kept, seats)
    _restore_reports(match, memory["reports"])
    match.state, match.flags = MatchState(memory["state"]), memory["flags"]
    match.version += 1
    match.settled_at = timezone.now() if match.is_settled else None
    match.save(update_fields=["state", "flags", "version", "settled_at"])
    if match.losses == memory.get("losses", []):
        return match
    refuse_without_games(match)
    return settle_anew(match)


def _refuse_others(seats: dict[int, Seat], memory: Memory) -> None:
    sitting = {seat["position"]: seat["player"] for seat in memory["seats"]}
    if sitting != {position: seat.player_id for position, seat in seats.items()}:
        raise SeatsChanged("Other players sit at this table now, so that result is not theirs.")


def _restore_seats(seats: dict[int, Seat], memory: Memory) -> None:
    for kept in memory["seats"]:
        seat = seats[kept["position"]]
        seat.points, seat.typed_points = _number(kept["points"]), kept["typed"]
    Seat.objects.bulk_update(seats.values(), ["points", "typed_points"])


def _restore_game(game: Game, kept: Memory, seats: dict[int, Seat]) -> None:
    game.end, game.winner = kept["end"], seats[kept["winner"]] if kept["winner"] else None
    game.save(update_fields=["end", "winner"])
    # Clear all seats first: (game, role) is unique.
    game.seats.all().delete()
    GameSeat.objects.bulk_create(
        GameSeat(
            game=game,
            seat=seats[played["position"]],
            **{key: played[key] for key in KEPT_AS_IT_IS},
            points=_number(played["points"]),
        )
        for played in kept["seats"]
    )


def _restore_reports(match: Match, states: dict[str, str]) -> None:
    # Supersede these first: only one proposal may be open.
    match.reports.exclude(pk__in=map(int, states)).update(state=ReportState.SUPERSEDED)
    answered = match.reports.exclude(state=ReportState.PROPOSED)
    # The time to answer starts again.
    asked = [int(key) for key, state in states.items() if state == ReportState.PROPOSED]
    answered.filter(pk__in=asked).update(created_at=timezone.now())
    by_state: dict[str, list[int]] = {}
    for key, state in states.items():
        by_state.setdefault(state, []).append(int(key))
    for state in sorted(by_state, key=lambda state: state == ReportState.PROPOSED):
        ResultReport.objects.filter(pk__in=by_state[state]).update(state=state)
