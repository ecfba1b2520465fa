"""Figures from opponents' results: Buchholz, match wins and head-to-head."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby

from engine.standings.field import Equals, Field, Figures, lcm_of, means, sums
from engine.standings.records import Exact, PlayerId, Record
from engine.standings.workings import Term
from matches.scoring.results import exact

# The floor protects players who meet a beginner.
MATCH_WIN_FLOOR = Fraction(1, 3)

# Values of a match in a match-win percentage, independent of the points of the event.
MATCH_WIN, MATCH_DRAW = 3, 1


def buchholz(field: Field, _equals: Equals) -> Figures:
    """Return the sum of the opponents' match points (FIDE Handbook C.07)."""
    return sums(Figures(field.points), field.opponents)


def buchholz_terms(field: Field, record: Record, _equals: Equals) -> Iterator[Term]:
    for number, opponent in record.meetings():
        yield Term.of(number, (opponent,), field.points[opponent])


def median_buchholz(field: Field, _equals: Equals) -> Figures:
    """Return `buchholz` without the best and the worst opponent (FIDE Handbook C.07)."""
    return Figures(
        {
            player: sum(sorted(field.points[opponent] for opponent in met)[1:-1])
            for player, met in field.opponents.items()
        }
    )


def median_buchholz_terms(field: Field, record: Record, equals: Equals) -> Iterator[Term]:
    """Yield the remaining terms of `buchholz`, in round order."""
    terms = sorted(buchholz_terms(field, record, equals), key=lambda term: term.value)
    return iter(sorted(terms[1:-1], key=lambda term: term.round))


def opponents_match_wins(field: Field, _equals: Equals) -> Figures:
    """Return the mean of the opponents' match-win percentages, each at least the floor.

    A match won or a bye counts 3 and a draw 1. The percentage is the sum over 3 for each such
    round. This is the opponents' match-win percentage of the Magic Tournament Rules, appendix C.
    """
    wins = {player: match_wins(field, player) for player in field.records}
    scale = lcm_of([MATCH_WIN_FLOOR.denominator, *(below for _, below in wins.values())])
    least = MATCH_WIN_FLOOR.numerator * (scale // MATCH_WIN_FLOOR.denominator)
    floored = {
        player: max(above * (scale // below), least) for player, (above, below) in wins.items()
    }
    return means(Figures(floored, scale), field.opponents)


def opponents_match_win_terms(field: Field, record: Record, _equals: Equals) -> Iterator[Term]:
    for number, opponent in record.meetings():
        above, below = match_wins(field, opponent)
        if Fraction(above, below) < MATCH_WIN_FLOOR:
            above, below = MATCH_WIN_FLOOR.numerator, MATCH_WIN_FLOOR.denominator
        yield Term(number, (opponent,), above, below)


def match_wins(field: Field, player: PlayerId) -> tuple[int, int]:
    """Return a player's match-win points and their maximum; the maximum is at least 1."""
    won = MATCH_WIN * field.byes[player]
    for number, table in field.records[player].tables():
        best = max(_points_in(field, opponent, number) for opponent in table.opponents)
        won += MATCH_WIN * (table.points > best) + MATCH_DRAW * (table.points == best)
    return won, MATCH_WIN * field.counted[player] or 1


def _points_in(field: Field, player: PlayerId, number: int) -> Exact:
    entry = field.records[player].rounds[number - 1]
    return entry.points if entry is not None else 0


@dataclass(frozen=True)
class DirectEncounter:
    """The direct-encounter result of a tied player.

    Players with the same `place`, from 0, stay tied. `score` comes from the separate standings
    among `group` that placed the player; it is None for a player who was not placed.
    """

    place: int
    score: Exact | None = None
    group: frozenset[PlayerId] = frozenset()


def head_to_head(field: Field, equals: Equals) -> Figures:
    """Direct encounter: FIDE Handbook C.07, article 6, in force since 1 March 2026.

    Tied players are ranked in separate standings by their points against each other. Against a
    rival met more than once the mean counts (6.1.2). If all have met, these standings apply, and
    players still tied are compared again among themselves (6.2). If not, a player comes first who
    stays ahead of every rival whatever the missing matches would bring; then the second likewise.
    The rest are compared again among themselves (6.3).

    The article leaves three points to the rules of the event. A missing match brings at most the
    most points that any player took in a round. It brings at least the fewest, or 0. A missing
    match with a dropped player can no longer take place, so it brings neither player anything. In
    that case only the first player is placed before the rest are compared again. So no player is
    placed behind another because of a match that cannot take place. A match decided without play
    counts like any other (6.1.1).
    """
    scores: dict[PlayerId, Exact] = {}
    places: dict[PlayerId, int] = {}
    for group in {id(group): group for group in equals.values()}.values():
        for player, encounter in direct_encounters(field, group).items():
            places[player] = encounter.place
            if encounter.score is not None:
                scores[player] = encounter.score
    return Figures(scores, places=places)


def head_to_head_terms(field: Field, record: Record, equals: Equals) -> Iterator[Term]:
    """Yield a term for each table with a rival; of N meetings each counts 1/N of the points."""
    rivals = direct_encounters(field, equals[record.id])[record.id].group
    meetings = Counter(opponent for _, opponent in record.meetings())
    for number, table in record.tables():
        there = tuple(opponent for opponent in table.opponents if opponent in rivals)
        if there:
            share = sum((Fraction(1, meetings[rival]) for rival in there), Fraction(0))
            yield Term.of(number, there, table.points * share.numerator, share.denominator)


def direct_encounters(field: Field, group: Sequence[PlayerId]) -> dict[PlayerId, DirectEncounter]:
    """Compare tied players by the rule of `head_to_head`."""
    found: dict[PlayerId, DirectEncounter] = {}
    left = list(group)
    while len(left) > 1:
        among = frozenset(left)
        scores = {player: _points_against(field.records[player], among) for player in left}
        unmet = [player for player in left if not among <= {player, *field.opponents[player]}]
        if not unmet:
            return found | _by_score(field, scores, first_place=len(found))
        ahead = _surely_ahead(field, scores)
        if any(field.records[player].has_dropped for player in unmet):
            ahead = ahead[:1]
        if not ahead:
            break
        for player in ahead:
            found[player] = DirectEncounter(len(found), scores[player], among)
        left = [player for player in left if player not in found]
    return found | {player: DirectEncounter(len(found)) for player in left}


def _by_score(
    field: Field, scores: Mapping[PlayerId, Exact], first_place: int
) -> dict[PlayerId, DirectEncounter]:
    """Rank players who have all met (6.2). Each retains the score that was compared first."""
    found: dict[PlayerId, DirectEncounter] = {}
    group = frozenset(scores)
    by_score = sorted(scores, key=scores.__getitem__, reverse=True)
    for score, equals in groupby(by_score, key=scores.__getitem__):
        tied = list(equals)
        place = first_place + len(found)
        again = direct_encounters(field, tied) if len(tied) < len(group) else {}
        for player in tied:
            inner = again[player].place if again else 0
            found[player] = DirectEncounter(place + inner, score, group)
    return found


def _surely_ahead(field: Field, scores: Mapping[PlayerId, Exact]) -> list[PlayerId]:
    """Return the players with certain places whatever the missing matches bring, best first."""
    least: dict[PlayerId, Exact] = {}
    most: dict[PlayerId, Exact] = {}
    playing = {player for player in scores if not field.records[player].has_dropped}
    for player, score in scores.items():
        met = playing.intersection(field.opponents[player])
        missing = len(playing) - 1 - len(met) if player in playing else 0
        least[player] = score + missing * field.fewest_in_a_round
        most[player] = score + missing * field.most_in_a_round
    ahead: list[PlayerId] = []
    left = sorted(scores, key=least.__getitem__)
    # The maximum that the first N of them could reach.
    reachable = list(accumulate((most[player] for player in left), max))
    while len(left) > 1 and least[left[-1]] > reachable[len(left) - 2]:
        ahead.append(left.pop())
    # If all but the last are placed, the last place is certain too.
    return ahead + left if len(left) == 1 else ahead


def _points_against(record: Record, rivals: Set[PlayerId]) -> Exact:
    """Return the points against these players; several meetings with a player count as a mean."""
    taken: defaultdict[PlayerId, list[Exact]] = defaultdict(list)
    for _, table in record.tables():
        for opponent in table.opponents:
            if opponent in rivals:
                taken[opponent].append(table.points)
    return exact(
        sum((Fraction(sum(points)) / len(points) for points in taken.values()), Fraction(0))
    )
