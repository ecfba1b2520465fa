"""Points and contradictions of `free_radicals` (docs/rules.md): places by victory points.

Tied players share the sum of the points of their places, which may be a fraction. Three players on
the first three places of 5/3/2/1/0 have 10/3 each. Fractions are exact, and whole points are ints.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from core.numbers import mixed_number
from matches.scoring.contradictions import Contradiction
from matches.scoring.factions import Faction, faction_clashes
from matches.scoring.results import MatchResult, Points, Share, exact

RANK_POINTS = (5, 3, 2, 1, 0)
FEWEST_SEATS, MOST_SEATS = 2, 5
MOST_VICTORY_POINTS = 999
MOST_RANK_POINTS = 99
_PLACES = ("first", "second", "third", "fourth", "fifth")


def ranks(victory_points: Sequence[int]) -> list[int]:
    """Return the place of each seat, 1 for the best; the places after a tie are skipped."""
    return [1 + sum(other > own for other in victory_points) for own in victory_points]


def rank_shares(
    victory_points: Sequence[int], rank_points: Sequence[int]
) -> list[tuple[int, Points, str]]:
    """Return place, points and reason of each seat; a small pod uses the start of the list."""
    places = ranks(victory_points)
    return [(place, *_worth(place, places.count(place), rank_points)) for place in places]


def _worth(place: int, sharing: int, rank_points: Sequence[int]) -> tuple[Points, str]:
    shared = rank_points[place - 1 : place - 1 + sharing]
    points = exact(Fraction(sum(shared), sharing))
    said = mixed_number(points)
    if sharing == 1:
        return points, f"{said} for place {place}"
    terms = " + ".join(map(str, shared))
    return points, f"{said} for place {place}, shared by {sharing}: ({terms}) / {sharing}"


def shares(result: MatchResult, rank_points: Sequence[int]) -> dict[int, tuple[Share, ...]]:
    """Return the points of each seat."""
    by_seat = rank_shares(result.victory_points, rank_points)
    return {
        position: (Share(points, reason, 1),)
        for position, (_, points, reason) in enumerate(by_seat, start=1)
    }


def contradictions(
    result: MatchResult, seats: int, factions: Mapping[str, Faction]
) -> Iterator[Contradiction]:
    """Yield contradictions in a reported table."""
    for code, message in (*_seats(result, seats), *_range(result)):
        yield Contradiction(code, message)
    for code, message in faction_clashes(result.factions, factions):
        yield Contradiction(code, message[0].upper() + message[1:])


def _seats(result: MatchResult, seats: int) -> Iterator[tuple[str, str]]:
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        yield (
            "seats",
            f"{seats} players at a table; it is made for {FEWEST_SEATS} to {MOST_SEATS}.",
        )
    if len(result.victory_points) != seats:
        yield (
            "victory_points_missing",
            f"Victory points of {len(result.victory_points)} players for {seats} seats. "
            "Enter those of each player.",
        )
    if len(result.factions) not in (0, seats):
        yield "factions", f"{len(result.factions)} factions for {seats} seats."


def _range(result: MatchResult) -> Iterator[tuple[str, str]]:
    for position, points in enumerate(result.victory_points, start=1):
        if not 0 <= points <= MOST_VICTORY_POINTS:
            yield (
                "victory_points_range",
                f"Seat {position}: {points} victory points; "
                f"enter a number from 0 to {MOST_VICTORY_POINTS}.",
            )


def name_of(rank_points: Sequence[int]) -> str:
    """Return the name of the rule."""
    return f"Points by place: {', '.join(map(str, rank_points))}"


def explanation_of(rank_points: Sequence[int]) -> str:
    """Return the description of the rule."""
    first, *others = zip(_PLACES, rank_points, strict=True)
    rest = ", ".join(f"the {place} {points}" for place, points in others)
    return (
        f"Each table plays one game, and victory points give the places. The {first[0]} place is "
        f"{first[1]} points, {rest}; a smaller table uses the top of the list. Players with equal "
        "victory points share the sum of their places' points, and a share that is not whole is "
        "kept as a fraction. Two factions of one colour never sit at one table."
    )
