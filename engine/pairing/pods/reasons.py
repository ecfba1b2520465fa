"""Reasons for pods as sentences: scores, short tables, seats and broken rules."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from engine.pairing.costs import one_group, times_met
from engine.pairing.pods.costs import (
    AVOID_GROUP,
    REPEAT,
    RULES,
    SHORT_POD,
    PodLevel,
    Search,
    times_first,
    times_last,
    times_short,
)
from engine.pairing.records import Entrant, Reason, how_often, in_points

_PROOF = {
    Search.EXHAUSTIVE: "no way to seat the round costs less in {}",
    Search.LOCAL: "no exchange of two players costs less in {}",
}


def pod_reasons(
    pod: Sequence[Entrant],
    *,
    largest: int,
    round_number: int,
    search: Search,
    point_unit: int = 1,
    rules: Sequence[PodLevel] = RULES,
) -> Iterator[Reason]:
    """Explain the players and the seat order of a pod."""
    yield _score_reason(pod, round_number, point_unit)
    if len(pod) < largest:
        yield _short_reason(pod, largest)
    yield from _broken(pod, search, rules, short=len(pod) < largest)
    yield _seat_reason(pod)


def left_alone(entrant: Entrant) -> Reason:
    """Explain a bye in pods, where byes are usually not given."""
    text = "{0} has a bye: everybody else has a bye or keeps a locked table."
    return Reason("left_alone", (entrant.id,), text)


def _score_reason(pod: Sequence[Entrant], round_number: int, point_unit: int) -> Reason:
    names = _listed(len(pod))
    ids = tuple(entrant.id for entrant in pod)
    points = sorted((entrant.match_points for entrant in pod), reverse=True)
    scores = [Fraction(one, point_unit) for one in points]
    if scores[0] == scores[-1] and round_number == 1:
        return Reason("random", ids, f"{names} are drawn at random for the first round.")
    if scores[0] == scores[-1]:
        return Reason("same_score", ids, f"{names} all have {in_points(scores[0])}.")
    by_score = sorted(pod, key=lambda entrant: -entrant.match_points)
    text = f"{names} have {_numbers(scores)} points: as close as the rest of the round allows."
    return Reason("close_scores", tuple(entrant.id for entrant in by_score), text)


def _short_reason(pod: Sequence[Entrant], largest: int) -> Reason:
    before = _numbers([times_short(entrant) for entrant in pod])
    text = (
        f"{_listed(len(pod))} sit {len(pod)} at a table while others sit {largest}; shorter "
        f"tables they had before: {before}."
    )
    return Reason("short_pod", tuple(entrant.id for entrant in pod), text)


def _broken(
    pod: Sequence[Entrant], search: Search, rules: Sequence[PodLevel], *, short: bool
) -> Iterator[Reason]:
    repeated, shortened, together = (
        _proof(rule, search, rules) for rule in (REPEAT, SHORT_POD, AVOID_GROUP)
    )
    again = [entrant for entrant in pod if times_short(entrant)] if short else []
    for entrant in again:
        text = f"{{0}} sits at a shorter table again ({times_short(entrant) + 1} times now)"
        yield Reason(SHORT_POD.id, (entrant.id,), f"{text}: {shortened}.")
    for first, second in combinations(pod, 2):
        ids = (first.id, second.id)
        if times := times_met(first, second):
            text = f"{{0}} and {{1}} share a table again ({times + 1} times now): {repeated}."
            yield Reason(REPEAT.id, ids, text)
        if one_group(first, second):
            yield Reason(AVOID_GROUP.id, ids, f"{{0}} and {{1}} are of one group: {together}.")


def _proof(rule: PodLevel, search: Search, rules: Sequence[PodLevel]) -> str:
    if rule is SHORT_POD and rules[0] is SHORT_POD:
        # The wording of engine version 2.
        return "nobody who could swap has had fewer"
    proof = _PROOF[search].format(rule.name)
    return proof if rule is rules[0] else f"{proof}, unless a rule that weighs more is broken"


def _seat_reason(pod: Sequence[Entrant]) -> Reason:
    first, last = pod[0], pod[-1]
    text = (
        f"{{0}} sits first ({how_often(times_first(first))} so far) and {{1}} last "
        f"({how_often(times_last(last))} so far); the lot decides among equals."
    )
    return Reason("seats", (first.id, last.id), text)


def _listed(players: int) -> str:
    """Return placeholders for names: "{0}, {1} and {2}"."""
    places = [f"{{{place}}}" for place in range(players)]
    return f"{', '.join(places[:-1])} and {places[-1]}"


def _numbers(scores: Sequence[int | Fraction]) -> str:
    return f"{', '.join(map(str, scores[:-1]))} and {scores[-1]}"
