"""Figures made of the opponents' results: Buchholz, match wins, and meetings among equals."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from engine.standings.field import Equals, Field, Figures, lcm_of, means, sums
from engine.standings.records import Exact, Played, PlayerId, Record
from engine.standings.workings import Term

MATCH_WIN_FLOOR = Fraction(1, 3)
"""No opponent counts for less: who meets a beginner is not punished for it."""

MATCH_WIN, MATCH_DRAW = 3, 1
"""What a match is worth in a match-win percentage, whatever points the event gives."""


def buchholz(field: Field, _equals: Equals) -> Figures:
    """The sum of the opponents' match points (FIDE Handbook C.07)."""
    return sums(Figures(field.points), field.opponents)


def buchholz_terms(field: Field, record: Record, _equals: Equals) -> Iterator[Term]:
    """One summand for each meeting."""
    for number, opponent in record.meetings():
        yield Term.of(number, (opponent,), field.points[opponent])


def median_buchholz(field: Field, _equals: Equals) -> Figures:
    """As `buchholz`, without the best and the worst opponent (FIDE Handbook C.07)."""
    return Figures(
        {
            player: sum(sorted(field.points[opponent] for opponent in met)[1:-1])
            for player, met in field.opponents.items()
        }
    )


def median_buchholz_terms(field: Field, record: Record, equals: Equals) -> Iterator[Term]:
    """The summands of `buchholz` that are left, in the order of the rounds."""
    terms = sorted(buchholz_terms(field, record, equals), key=lambda term: term.value)
    return iter(sorted(terms[1:-1], key=lambda term: term.round))


def opponents_match_wins(field: Field, _equals: Equals) -> Figures:
    """The mean of the opponents' match-win percentages, none below the floor.

    Of a player: 3 for a match won or a bye, 1 for a drawn one, over 3 for each such round (the
    opponents' match-win percentage of the Magic Tournament Rules, appendix C).
    """
    wins = {player: match_wins(field, player) for player in field.records}
    scale = lcm_of([MATCH_WIN_FLOOR.denominator, *(below for _, below in wins.values())])
    least = MATCH_WIN_FLOOR.numerator * (scale // MATCH_WIN_FLOOR.denominator)
    floored = {
        player: max(above * (scale // below), least) for player, (above, below) in wins.items()
    }
    return means(Figures(floored, scale), field.opponents)


def opponents_match_win_terms(field: Field, record: Record, _equals: Equals) -> Iterator[Term]:
    """One summand for each meeting."""
    for number, opponent in record.meetings():
        above, below = match_wins(field, opponent)
        if Fraction(above, below) < MATCH_WIN_FLOOR:
            above, below = MATCH_WIN_FLOOR.numerator, MATCH_WIN_FLOOR.denominator
        yield Term(number, (opponent,), above, below)


def match_wins(field: Field, player: PlayerId) -> tuple[int, int]:
    """What a player has of what there was to be had; nothing of one before the first round."""
    won = MATCH_WIN * field.byes[player]
    for number, table in field.records[player].tables():
        best = max(_points_in(field, opponent, number) for opponent in table.opponents)
        won += MATCH_WIN * (table.points > best) + MATCH_DRAW * (table.points == best)
    return won, MATCH_WIN * field.counted[player] or 1


def _points_in(field: Field, player: PlayerId, number: int) -> Exact:
    entry = field.records[player].rounds[number - 1]
    return entry.points if entry is not None else 0


def head_to_head(field: Field, equals: Equals) -> Figures:
    """Points from the tables among all who are equal so far (FIDE Handbook C.07, direct encounter).

    Only where every two of them have met; all others have no figure.
    """
    figures: dict[PlayerId, Exact] = {}
    for group in {id(group): group for group in equals.values()}.values():
        if len(group) > 1 and _all_met(field, group):
            for player in group:
                met = _met_among(field.records[player], group)
                figures[player] = sum(table.points for _, table in met)
    return Figures(figures)


def head_to_head_terms(field: Field, record: Record, equals: Equals) -> Iterator[Term]:
    """One summand for each table with one of the equals."""
    group = equals[record.id]
    if len(group) > 1 and _all_met(field, group):
        for number, table in _met_among(record, group):
            rivals = tuple(one for one in table.opponents if one in group)
            yield Term.of(number, rivals, table.points)


def _all_met(field: Field, group: Sequence[PlayerId]) -> bool:
    # Whoever has fewer opponents than rivals settles it without a look at every pair.
    if any(len(field.opponents[player]) < len(group) - 1 for player in group):
        return False
    return all(other in field.opponents[one] for one, other in combinations(group, 2))


def _met_among(record: Record, group: Sequence[PlayerId]) -> Iterator[tuple[int, Played]]:
    rivals = set(group) - {record.id}
    return ((number, table) for number, table in record.tables() if rivals & set(table.opponents))
