"""Answer `engine standings`: players in order, each mean as a decimal and as a fraction."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from engine.documents import field
from engine.documents.events import read_event
from engine.documents.json_text import Json
from engine.documents.nodes import Node
from engine.standings import TIE_BREAKERS, Standing, as_decimal, standings

DIGITS = 9


def rank(document: Json) -> Json:
    """Return {"round", "tie_breakers", "standings"} for an event document, best first.

    A mean such as "strength_of_schedule" has nine digits. Its exact fraction "n/d" is in
    "strength_of_schedule_exact". Only rounds with all their results count. Raise DocumentRefused
    for an invalid document or a system without standings.
    """
    node = Node(document)
    event = read_event(node)
    if event.system.is_elimination:
        raise node.under("system").refusal(
            'An elimination has no standings. "engine bracket" answers its placings.'
        )
    rounds = event.closed_rounds
    if event.as_of_round is not None:
        rounds = rounds[: event.as_of_round]
    active = {player.id: player.active for player in event.players}
    table = standings(field.records(event, rounds), event.tie_breakers, seed=event.seed)
    return {
        "round": len(rounds),
        "tie_breakers": list(event.tie_breakers),
        "standings": [dict(_line(standing, active[standing.id])) for standing in table],
    }


def _line(standing: Standing, active: bool) -> Iterator[tuple[str, Json]]:
    yield "rank", standing.rank
    yield "id", standing.id
    yield "match_points", standing.match_points
    yield from _figure("strength_of_schedule", standing.strength_of_schedule)
    yield from _figure("extended_strength_of_schedule", standing.extended_strength_of_schedule)
    for id_, value in standing.values.items():
        yield from _figure(id_, value)
    yield "played", standing.played
    yield "byes", standing.byes
    yield "active", active


def _figure(id_: str, value: Fraction | int | None) -> Iterator[tuple[str, Json]]:
    if value is None or not TIE_BREAKERS[id_].is_mean:
        is_share = isinstance(value, Fraction) and value.denominator != 1
        yield id_, str(value) if is_share else value
        return
    exact = Fraction(value)
    yield id_, Decimal(as_decimal(exact, DIGITS))
    yield f"{id_}_exact", f"{exact.numerator}/{exact.denominator}"
