"""Store rounds with their tables, matches and games in bulk."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
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
from tournaments.event.attendance import BATCH
from tournaments.event.removing import TABLES_AT_ONCE
from tournaments.interchange.own_document.results import result_of
from tournaments.models import Pairing, Registration, Round, Stage
from tournaments.rounds.drafts.making import round_seed

Document = Mapping[str, Any]
Places = Mapping[int, Registration]
# Writes a bounded number of rows; call it in its own transaction.
Step = Callable[[], object]
Both = Sequence[tuple[Match, Document]]
# By match and player number.
Seats = Mapping[tuple[int, int], Seat]


def store_rounds(stage: Stage, data: Document, places: Places, seed: int) -> Iterator[Step]:
    """Yield the steps that store all rounds of a stage: the rounds, then their tables."""
    rounds = [_round(stage, one, seed) for one in data["rounds"]]
    yield partial(Round.objects.bulk_create, rounds)
    pairings = [
        (round_, pairing)
        for round_, one in zip(rounds, data["rounds"], strict=True)
        for pairing in one["pairings"]
    ]
    for start in range(0, len(pairings), TABLES_AT_ONCE):
        yield partial(_store_tables, stage, pairings[start : start + TABLES_AT_ONCE], places)


def _store_tables(stage: Stage, pairings: Sequence[tuple[Round, Document]], places: Places) -> None:
    tables = [pairing["match"] for _, pairing in pairings if pairing["match"]]
    matches = iter(_matches(stage, tables, places))
    Pairing.objects.bulk_create(
        _pairing(round_, one, places, next(matches) if one["match"] else None)
        for round_, one in pairings
    )


def moment(text: str | None) -> Any:
    return parse_datetime(text) if text else None


def _round(stage: Stage, data: Document, seed: int) -> Round:
    kept = ("number", "state", "certificate", "relaxations", "paused_seconds", "extra_minutes")
    moments = ("published_at", "started_at", "paused_at", "closed_at")
    given = data["seed"]
    return Round(
        stage=stage,
        seed=round_seed(seed, data["number"], 0) if given is None else given,
        **{key: data[key] for key in kept},
        **{key: moment(data[key]) for key in moments},
    )


def _pairing(round_: Round, data: Document, places: Places, match: Match | None) -> Pairing:
    kept = ("bracket_game", "made_by_hand", "extra_minutes", "is_locked", "cost", "reasons")
    return Pairing(
        round=round_,
        table_number=data["table"],
        match=match,
        bye=places[data["bye"]] if data["bye"] is not None else None,
        bye_points=data["points"],
        advances=places[data["advances"]] if data["advances"] is not None else None,
        **{key: data[key] for key in kept},
    )


def _matches(stage: Stage, tables: Sequence[Document], places: Places) -> list[Match]:
    matches = Match.objects.bulk_create(
        (
            Match(
                game_system=stage.tournament.game,
                scoring_rule=stage.scoring_rule,
                state=data["state"],
                flags=list(data["flags"]),
                losses=list(data["losses"]),
                settled_at=moment(data["settled_at"]),
            )
            for data in tables
        ),
        batch_size=BATCH,
    )
    both = list(zip(matches, tables, strict=True))
    seats = _seats(both, places)
    _games(both, seats)
    _reports(both, seats)
    return matches


def _seats(both: Both, places: Places) -> Seats:
    keys = [(match.pk, seat["id"]) for match, data in both for seat in data["seats"]]
    made = Seat.objects.bulk_create(
        (
            Seat(
                match=match,
                position=position,
                player_id=places[seat["id"]].player_id,
                points=_exact(seat["points"]),
                typed_points=seat["typed"],
            )
            for match, data in both
            for position, seat in enumerate(data["seats"], start=1)
        ),
        batch_size=BATCH,
    )
    return dict(zip(keys, made, strict=True))


def _games(both: Both, seats: Seats) -> None:
    games = [(match, game) for match, data in both for game in data["games"]]
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
    """Store reports; a settled result without reports becomes a confirmed staff report.

    Without any report, a loss given later by a judge would leave the table open.
    """
    rows = []
    for match, data in both:
        if data["reports"]:
            rows += [_report(match, one, seats) for one in data["reports"]]
        elif match.state in SETTLED and (result := _result(match, data)):
            rows.append(ResultReport(match=match, result=result, state=ReportState.CONFIRMED))
    ResultReport.objects.bulk_create(rows, batch_size=BATCH)


def _report(match: Match, data: Document, seats: Seats) -> ResultReport:
    return ResultReport(
        match=match,
        seat=seats[match.pk, data["by"]] if data["by"] is not None else None,
        result=dict(data["result"]),
        state=data["state"],
        note=data["note"],
    )


def _result(match: Match, data: Document) -> Any:
    """Return the settled result as a report document; None if only points are known."""
    result = result_of(data, has_roles=match.rule.has_roles)
    counts = match.rule.takes_totals if result.totals else match.rule.has_roles
    return records.to_document(result) if counts or result.victory_points else None
