"""Why am I playing them? What a pairing tells its players and everybody else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.pairing import FOR_STAFF, Reason
from tournaments.event import queries
from tournaments.models import Pairing, Tournament
from tournaments.rounds.pages.sentences import stored_sentences


@dataclass(frozen=True)
class Score:
    """A player of the table with the points they came with."""

    name: str
    match_points: object


@dataclass(frozen=True)
class Why:
    """The reasons of one table or bye in sentences, and the scores before the round."""

    system: str
    is_bye: bool
    made_by_hand: bool
    sentences: tuple[str, ...]
    scores: tuple[Score, ...]


def why(tournament: Tournament, pairing: Pairing) -> Why:
    """Lay out why these meet; a constant number of queries. Ask for published rounds only."""
    told = _public(pairing)
    named = {int(number) for reason in told for number in reason["players"]}
    rows = tournament.registrations.filter(number__in=named)
    names: dict[int | str, str] = dict(rows.values_list("number", "player__name"))
    return Why(
        system=pairing.round.stage.system,
        is_bye=pairing.match is None,
        made_by_hand=pairing.made_by_hand,
        sentences=stored_sentences(told, names),
        scores=_scores(tournament, pairing.round.number, pairing.players),
    )


def public_reasons(pairing: Pairing, names: Mapping[int | str, str]) -> list[str]:
    """The reasons as plain text, with the players' names by number."""
    return [
        Reason(one["kind"], tuple(one["players"]), one["text"]).sentence(names)
        for one in _public(pairing)
    ]


def _public(pairing: Pairing) -> list[dict[str, Any]]:
    return [reason for reason in pairing.reasons if reason["kind"] not in FOR_STAFF]


def _scores(tournament: Tournament, number: int, players: Iterable[int]) -> tuple[Score, ...]:
    """Points in the standings before the round; nothing before there are any."""
    before = queries.newest_snapshot(tournament, number - 1) if number > 1 else None
    if before is None:
        return ()
    rows = before.rows.filter(registration__player__in=players).select_related(
        "registration__player"
    )
    return tuple(Score(row.registration.player.name, row.match_points) for row in rows)
