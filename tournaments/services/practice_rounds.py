"""Rounds of an event copied into its sandbox: stages, tables and results so far."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db.models import Model

from matches import records
from matches.models import Game, GameSeat, Match, ReportState, ResultReport, Seat
from tournaments import queries
from tournaments.models import Pairing, Registration, Round, StageEntry, Tournament
from tournaments.services.standings import request_standings

Row = TypeVar("Row", bound=Model)


def copied(row: Row, **changes: Any) -> Row:
    """A new row, not saved, with the values of this one but for its key and the `changes`."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    values = {
        field.attname: getattr(row, field.attname)
        for field in fields
        if field.name not in changes and field.attname not in changes
    }
    return type(row)(**values, **changes)


Places = dict[int, Registration]


def copy_rounds(event: Tournament, practice: Tournament, places: Places) -> None:
    """All that is not a draft; the standings are computed afterwards, by their job.

    Penalties stay behind. What they cost is told there like any other result.
    """
    stages = _made((one, copied(one, tournament=practice)) for one in event.stages.all())
    entries = StageEntry.objects.filter(stage__in=stages)
    _made(
        (one, copied(one, stage=stages[one.stage_id], registration=places[one.registration_id]))
        for one in entries
    )
    visible = queries.visible_rounds(event)
    rounds = _made((one, copied(one, stage=stages[one.stage_id])) for one in visible)
    if rounds:
        _tables(rounds, places)
        request_standings(practice, from_round=1)


def _tables(rounds: dict[int, Round], places: Places) -> None:
    pairings = list(Pairing.objects.filter(round__in=rounds).order_by("pk"))
    matches = _matches([one.match_id for one in pairings if one.match_id], places)
    Pairing.objects.bulk_create(
        copied(
            one,
            round=rounds[one.round_id],
            match=matches[one.match_id] if one.match_id else None,
            bye=places[one.bye_id] if one.bye_id else None,
            advances=places[one.advances_id] if one.advances_id else None,
        )
        for one in pairings
    )


def _matches(keys: list[int], places: Places) -> dict[int, Match]:
    """Copies of these matches, played by the copies of their players."""
    old = Registration.objects.filter(pk__in=places).values_list("player", "pk")
    players = {player: places[place].player_id for player, place in old}
    lost = Match.objects.filter(pk__in=keys).exclude(losses=[])
    told = {one.pk: records.to_document(records.settled_result(one)) for one in lost}
    matches = _made((one, copied(one, losses=[])) for one in Match.objects.filter(pk__in=keys))
    seats = _made(
        (one, copied(one, match=matches[one.match_id], player_id=players[one.player_id]))
        for one in Seat.objects.filter(match__in=keys)
    )
    _games(matches, seats)
    _reports(matches, seats)
    _tell({matches[key]: result for key, result in told.items() if matches[key].is_settled})
    return matches


def _tell(results: dict[Match, records.Document]) -> None:
    """These are what was told last, since no judge has taken anything from it here."""
    for match, result in results.items():
        match.reports.create(result=result, state=ReportState.CONFIRMED)


def _games(matches: dict[int, Match], seats: dict[int, Seat]) -> None:
    games = _made(
        (
            one,
            copied(
                one,
                match=matches[one.match_id],
                winner=seats[one.winner_id] if one.winner_id else None,
            ),
        )
        for one in Game.objects.filter(match__in=matches)
    )
    _made(
        (one, copied(one, game=games[one.game_id], seat=seats[one.seat_id]))
        for one in GameSeat.objects.filter(game__in=games)
    )


def _reports(matches: dict[int, Match], seats: dict[int, Seat]) -> None:
    _made(
        (
            one,
            copied(
                one,
                match=matches[one.match_id],
                seat=seats[one.seat_id] if one.seat_id else None,
                user=None,
            ),
        )
        for one in ResultReport.objects.filter(match__in=matches).order_by("pk")
    )


def _made(pairs: Iterable[tuple[Row, Row]]) -> dict[int, Row]:
    """Store the copies; each by the primary key of the row it was made like."""
    both = list(pairs)
    if not both:
        return {}
    model = type(both[0][1])
    made = model._default_manager.bulk_create(new for _, new in both)
    return {old.pk: new for (old, _), new in zip(both, made, strict=True)}
