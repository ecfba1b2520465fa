"""What a body about a penalty names: the player, the infraction, and what it costs."""

from typing import Any

from rest_framework.exceptions import ValidationError

from rulings.guide import PenaltyKind
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.judging.services import penalties as services
from tournaments.judging.services.calls import Answer
from tournaments.models import Pairing, Registration, RegistrationState, Tournament


def place_named(tournament: Tournament, number: int) -> Registration:
    """Whose penalty it is: somebody who has, or had, a place. Raises ValidationError."""
    places = tournament.registrations.exclude(state=RegistrationState.WAITING)
    place = places.select_related("player", "tournament").filter(number=number).first()
    if place is None:
        raise ValidationError({"player": [f"Nobody with the number {number} has a place here."]})
    return place


def kind_named(expected: PenaltyKind, kind: str | None) -> PenaltyKind:
    """What it costs. Where the guide says a loss or more, that is named, so that it is meant."""
    if kind is None and expected.costs_games:
        said = f'The guide says {expected.label.lower()} here: name it, "kind": "{expected.value}".'
        raise ValidationError({"kind": [said]})
    return PenaltyKind(kind) if kind else expected


def give_with_answer(
    tournament: Tournament, pairing: Pairing, actor: Actor, body: dict[str, Any], said: Answer
) -> None:
    """Give the penalty that comes with an answer, to a player of the table of the call."""
    place = place_named(tournament, body["player"])
    if pairing.match is None or queries.seat_of(pairing.match, place.player) is None:
        raise ValidationError({"penalty": ["This player does not sit at the table of the call."]})
    code = body["infraction"]
    services.give(
        tournament,
        place,
        actor,
        infraction=code,
        kind=kind_named(services.expected(tournament, place, code), body["kind"]),
        pairing=pairing,
        game=body["game"],
        text=said.text,
        cited=said.cited,
    )
