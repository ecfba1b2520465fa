"""What the engine reads of an event: the top of our own document."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from engine.standings import DEFAULT_TIE_BREAKERS
from engine.systems import STORED, SystemKind
from matches.scoring import MatchResult, scoring_rule
from tournaments.interchange.formats.own.results import result_of

Event = Mapping[str, Any]
SETTLED = ("confirmed", "decided")


def engine_part(event: Event) -> dict[str, Any]:
    """The event as docs/engine.md describes it; a cut is no part of it."""
    stages = [stage for stage in event["stages"] if not STORED[stage["system"]].is_elimination]
    first = stages[0] if stages else event["stages"][0]
    unit = scoring_rule(event["settings"]["scoring_rule"]).point_unit
    part: dict[str, Any] = {
        "datafort": 1,
        "name": event["settings"]["name"],
        "system": first["system"],
        "planned_rounds": event["settings"]["planned_rounds"],
        "point_unit": unit,
        "tie_breakers": list(event["settings"]["tie_breakers"] or DEFAULT_TIE_BREAKERS),
        "players": [_player(player) for player in event["players"] if player["state"] != "waiting"],
        "rounds": [
            [*_entries(stage, round_, unit)]
            for stage in stages
            for round_ in stage["rounds"]
            if round_["state"] == "closed"
        ],
    }
    if event["seed"] is not None:
        part["seed"] = event["seed"]
    return part


def _player(player: Event) -> dict[str, Any]:
    told = {
        "id": player["id"],
        "name": player["name"],
        "active": player["state"] == "checked_in",
        "first_round_bye": player["first_round_bye"],
        "seed": player["seed"],
    }
    return told | ({"group": player["avoid_group"]} if player["avoid_group"] else {})


def _entries(stage: Event, round_: Event, unit: int) -> Iterator[dict[str, Any]]:
    """The tables of a round with a result, then the byes: a table without one counts nowhere."""
    pods = STORED[stage["system"]].kind is SystemKind.PODS
    for pairing in round_["pairings"]:
        match = pairing["match"]
        if match is None:
            yield {"bye": pairing["bye"], "points": pairing["points"] * unit}
        elif match["state"] in SETTLED:
            result = result_of(match, has_roles=not pods)
            seats = [
                _seat(seat, place, match, None if pods else result, unit)
                for place, seat in enumerate(match["seats"], start=1)
            ]
            yield {"table": pairing["table"], "seats": seats}


def _seat(
    seat: Event, place: int, match: Event, result: MatchResult | None, unit: int
) -> dict[str, Any]:
    """What a player took; in a pod, where there is no `result`, the points alone."""
    told = {"id": seat["id"], "points": int(Fraction(seat["points"]) * unit)}
    if result is None:
        return told
    role, known = _first_role(seat, match), result.agenda_points(place)
    return (
        told
        | {"games_won": result.games_won(place)}
        | ({"role": role} if role else {})
        | ({"agenda_points": known} if known is not None else {})
    )


def _first_role(seat: Event, match: Event) -> str | None:
    if not match["games"]:
        return None
    first = min(match["games"], key=lambda game: game["number"])
    return next((one["role"] or None for one in first["seats"] if one["id"] == seat["id"]), None)
