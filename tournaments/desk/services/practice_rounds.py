"""Rounds of an event copied into its sandbox: stages, tables and results so far."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import Model

from matches import records
from matches.models import Game, GameSeat, Match, ReportState, ResultReport, Seat
from tournaments.event import queries
from tournaments.event.services import request_standings
from tournaments.models import Pairing, Registration, Round, StageEntry, Tournament

Row = TypeVar("Row", bound=Model)
Places = dict[int, Registration]


def copied(row: Row, **changes: Any) -> Row:
    """A new row, not saved, with the values of this one but for its key and the `changes`."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    values = {
        field.attname: getattr(row, field.attname)
        for field in fields
        if field.name not in changes and field.attname not in changes
    }
    return type(row)(**values, **changes)


def copy_rounds(event: Tournament, practice: Tournament, places: Places) -> None:
    """All that is not a draft; the standings are computed afterwards, by their job.

    Penalties stay behind. What they cost is told there like any other result.
    """
    stages = _made(event.stages.all(), lambda _: {"tournament": practice})
    _made(
        StageEntry.objects.filter(stage__in=stages),
        lambda one: {
            "stage": stages[one.stage_id],
            "registration": places[one.registration_id],
        },
    )
    visible = queries.visible_rounds(event)
    rounds = _made(visible, lambda one: {"stage": stages[one.stage_id]})
    if rounds:
        _tables(rounds, places)
        request_standings(practice, from_round=1)


def _tables(rounds: dict[int, Round], places: Places) -> None:
    pairings = list(Pairing.objects.filter(round__in=rounds).order_by("pk"))
    matches = _matches([one.match_id for one in pairings if one.match_id], places)
    _made(
        pairings,
        lambda one: {
            "round": rounds[one.round_id],
            "match": matches.get(one.match_id or 0),
            "bye": places.get(one.bye_id or 0),
            "advances": places.get(one.advances_id or 0),
        },
    )


def _matches(keys: list[int], places: Places) -> dict[int, Match]:
    """Copies of these matches, played by the copies of their players."""
    old = Registration.objects.filter(pk__in=places).values_list("player", "pk")
    players = {player: places[place].player_id for player, place in old}
    lost = Match.objects.filter(pk__in=keys).exclude(losses=[])
    told = {one.pk: records.to_document(records.settled_result(one)) for one in lost}
    matches = _made(Match.objects.filter(pk__in=keys), lambda _: {"losses": []})
    seats = _made(
        Seat.objects.filter(match__in=keys),
        lambda one: {"match": matches[one.match_id], "player_id": players[one.player_id]},
    )
    games = _made(
        Game.objects.filter(match__in=matches),
        lambda one: {
            "match": matches[one.match_id],
            "winner": seats.get(one.winner_id or 0),
        },
    )
    _made(
        GameSeat.objects.filter(game__in=games),
        lambda one: {"game": games[one.game_id], "seat": seats[one.seat_id]},
    )
    _made(
        ResultReport.objects.filter(match__in=matches).order_by("pk"),
        lambda one: {
            "match": matches[one.match_id],
            "seat": seats.get(one.seat_id or 0),
            "user": None,
        },
    )
    # What was told last, since no judge has taken anything from it here.
    for key, result in told.items():
        if matches[key].is_settled:
            matches[key].reports.create(result=result, state=ReportState.CONFIRMED)
    return matches


def _made(rows: Iterable[Row], changes: Callable[[Row], dict[str, Any]]) -> dict[int, Row]:
    """Store a copy of each row; each by the primary key of the row it was made like."""
    old = list(rows)
    if not old:
        return {}
    new = (copied(one, **changes(one)) for one in old)
    made = type(old[0])._default_manager.bulk_create(new)
    return {one.pk: copy for one, copy in zip(old, made, strict=True)}
