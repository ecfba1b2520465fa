"""Rounds with their tables, matches and games, written in bulk."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.dateparse import parse_datetime

from matches import records
from matches.models import (
    SETTLED,
    Game,
    GameSeat,
    Match,
    ReportState,
    ResultReport,
    Seat,
)
from tournaments.interchange.formats.own.results import result_of
from tournaments.models import Pairing, Registration, Round, Stage
from tournaments.rounds.drafts.rounds import round_seed

Told = Mapping[str, Any]
Places = Mapping[int, Registration]
BATCH = 500
"""Rows of one statement; SQLite takes so many values and no more."""


def store_rounds(stage: Stage, told: Told, places: Places, seed: int) -> None:
    """All rounds of a stage."""
    rounds = Round.objects.bulk_create(_round(stage, one, seed) for one in told["rounds"])
    pairings = [
        (round_, pairing)
        for round_, one in zip(rounds, told["rounds"], strict=True)
        for pairing in one["pairings"]
    ]
    tables = [pairing["match"] for _, pairing in pairings if pairing["match"]]
    matches = iter(_matches(stage, tables, places))
    Pairing.objects.bulk_create(
        (
            _pairing(round_, one, places, next(matches) if one["match"] else None)
            for round_, one in pairings
        ),
        batch_size=BATCH,
    )


def moment(text: str | None) -> Any:
    """A moment as it is stored."""
    return parse_datetime(text) if text else None


def _round(stage: Stage, told: Told, seed: int) -> Round:
    kept = ("number", "state", "certificate", "relaxations", "paused_seconds", "extra_minutes")
    moments = ("published_at", "started_at", "paused_at", "closed_at")
    given = told["seed"]
    return Round(
        stage=stage,
        seed=round_seed(seed, told["number"], 0) if given is None else given,
        **{key: told[key] for key in kept},
        **{key: moment(told[key]) for key in moments},
    )


def _pairing(round_: Round, told: Told, places: Places, match: Match | None) -> Pairing:
    kept = ("bracket_game", "made_by_hand", "extra_minutes", "is_locked", "cost", "reasons")
    return Pairing(
        round=round_,
        table_number=told["table"],
        match=match,
        bye=places[told["bye"]] if told["bye"] is not None else None,
        bye_points=told["points"],
        advances=places[told["advances"]] if told["advances"] is not None else None,
        **{key: told[key] for key in kept},
    )


def _matches(stage: Stage, tables: Sequence[Told], places: Places) -> list[Match]:
    matches = Match.objects.bulk_create(
        (
            Match(
                game_system=stage.tournament.game,
                scoring_rule=stage.scoring_rule,
                state=told["state"],
                flags=list(told["flags"]),
                losses=list(told["losses"]),
                settled_at=moment(told["settled_at"]),
            )
            for told in tables
        ),
        batch_size=BATCH,
    )
    both = list(zip(matches, tables, strict=True))
    seats = _seats(both, places)
    _games(both, seats)
    _reports(both, seats)
    return matches


Both = Sequence[tuple[Match, Told]]
Seats = Mapping[tuple[int, int], Seat]
"""By match and number of the player."""


def _seats(both: Both, places: Places) -> Seats:
    keys = [(match.pk, seat["id"]) for match, told in both for seat in told["seats"]]
    made = Seat.objects.bulk_create(
        (
            Seat(
                match=match,
                position=position,
                player_id=places[seat["id"]].player_id,
                points=_exact(seat["points"]),
                typed_points=seat["typed"],
            )
            for match, told in both
            for position, seat in enumerate(told["seats"], start=1)
        ),
        batch_size=BATCH,
    )
    return dict(zip(keys, made, strict=True))


def _games(both: Both, seats: Seats) -> None:
    games = [(match, game) for match, told in both for game in told["games"]]
    made = Game.objects.bulk_create(
        (
            Game(
                match=match,
                number=game["number"],
                end=game["end"],
                winner=None if game["winner"] is None else seats[match.pk, game["winner"]],
            )
            for match, game in games
        ),
        batch_size=BATCH,
    )
    GameSeat.objects.bulk_create(
        (
            GameSeat(
                game=row,
                seat=seats[match.pk, one["id"]],
                role=one["role"],
                faction=one["faction"],
                agenda_points=one["agenda_points"],
                victory_points=one["victory_points"],
                points=_exact(one["points"]),
            )
            for row, (match, game) in zip(made, games, strict=True)
            for one in game["seats"]
        ),
        batch_size=BATCH,
    )


def _exact(points: Any) -> Any:
    return None if points is None else Fraction(points)


def _reports(both: Both, seats: Seats) -> None:
    """What was reported; where only a result is known, that the staff have entered it.

    Without a word of somebody a loss that a judge gives later would leave the table open.
    """
    rows = []
    for match, told in both:
        if told["reports"]:
            rows += [_report(match, one, seats) for one in told["reports"]]
        elif match.state in SETTLED and (result := _result(match, told)):
            rows.append(ResultReport(match=match, result=result, state=ReportState.CONFIRMED))
    ResultReport.objects.bulk_create(rows, batch_size=BATCH)


def _report(match: Match, told: Told, seats: Seats) -> ResultReport:
    return ResultReport(
        match=match,
        seat=seats[match.pk, told["by"]] if told["by"] is not None else None,
        result=dict(told["result"]),
        state=told["state"],
        note=told["note"],
    )


def _result(match: Match, told: Told) -> Any:
    """The settled result as a report keeps it; None where its points alone are known."""
    result = result_of(told, has_roles=match.rule.has_roles)
    counts = match.rule.takes_totals if result.totals else match.rule.has_roles
    return records.to_document(result) if counts or result.victory_points else None
