"""The tie-breakers: names, explanations, figures of a field, and a player's arithmetic."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby
from typing import TypeAlias

from core.text import gettext_noop
from engine.standings.records import (
    Bye,
    Exact,
    PlayerFigures,
    PlayerId,
    StandingsField,
    StandingsRecord,
    TiedPlayers,
    WorkingTerm,
    as_decimal,
    draw_places,
    lcm_of,
    means_of_figures,
    sums_of_figures,
)
from matches.scoring.results import exact

# The floor protects players who meet a beginner.
MATCH_WIN_FLOOR = Fraction(1, 3)

# Values of a match in a match-win percentage, independent of the points of the event.
MATCH_WIN, MATCH_DRAW = 3, 1


def buchholz(field: StandingsField, _equals: TiedPlayers) -> PlayerFigures:
    """Sum the opponents' match points (FIDE Handbook C.07)."""
    return sums_of_figures(PlayerFigures(field.points), field.opponents)


def buchholz_terms(
    field: StandingsField, record: StandingsRecord, _equals: TiedPlayers
) -> Iterator[WorkingTerm]:
    for number, opponent in record.meetings():
        yield WorkingTerm.of(number, (opponent,), field.points[opponent])


def median_buchholz(field: StandingsField, _equals: TiedPlayers) -> PlayerFigures:
    """Leave out the best and the worst opponent of `buchholz` (FIDE Handbook C.07)."""
    return PlayerFigures(
        {
            player: sum(sorted(field.points[opponent] for opponent in met)[1:-1])
            for player, met in field.opponents.items()
        }
    )


def median_buchholz_terms(
    field: StandingsField, record: StandingsRecord, equals: TiedPlayers
) -> Iterator[WorkingTerm]:
    terms = sorted(buchholz_terms(field, record, equals), key=lambda term: term.value)
    return iter(sorted(terms[1:-1], key=lambda term: term.round))


def opponents_match_wins(field: StandingsField, _equals: TiedPlayers) -> PlayerFigures:
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
    return means_of_figures(PlayerFigures(floored, scale), field.opponents)


def opponents_match_win_terms(
    field: StandingsField, record: StandingsRecord, _equals: TiedPlayers
) -> Iterator[WorkingTerm]:
    for number, opponent in record.meetings():
        above, below = match_wins(field, opponent)
        if Fraction(above, below) < MATCH_WIN_FLOOR:
            above, below = MATCH_WIN_FLOOR.numerator, MATCH_WIN_FLOOR.denominator
        yield WorkingTerm(number, (opponent,), above, below)


def match_wins(field: StandingsField, player: PlayerId) -> tuple[int, int]:
    """Return match-win points and their maximum, at least 1."""
    won = MATCH_WIN * field.byes[player]
    for number, table in field.records[player].tables():
        entries = (field.records[opponent].rounds[number - 1] for opponent in table.opponents)
        best = max(entry.points if entry is not None else 0 for entry in entries)
        won += MATCH_WIN * (table.points > best) + MATCH_DRAW * (table.points == best)
    return won, MATCH_WIN * field.counted[player] or 1


@dataclass(frozen=True)
class DirectEncounter:
    # Players with the same place, from 0, stay tied.
    place: int
    # From the separate standings among `group` that placed the player, None if not placed.
    score: Exact | None = None
    group: frozenset[PlayerId] = frozenset()


def head_to_head(field: StandingsField, equals: TiedPlayers) -> PlayerFigures:
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
    return PlayerFigures(scores, places=places)


def head_to_head_terms(
    field: StandingsField, record: StandingsRecord, equals: TiedPlayers
) -> Iterator[WorkingTerm]:
    """Yield a term for each table with a rival; of N meetings each counts 1/N of the points."""
    rivals = direct_encounters(field, equals[record.id])[record.id].group
    meetings = Counter(opponent for _, opponent in record.meetings())
    for number, table in record.tables():
        there = tuple(opponent for opponent in table.opponents if opponent in rivals)
        if there:
            share = sum((Fraction(1, meetings[rival]) for rival in there), Fraction(0))
            yield WorkingTerm.of(number, there, table.points * share.numerator, share.denominator)


def direct_encounters(
    field: StandingsField, group: Sequence[PlayerId]
) -> dict[PlayerId, DirectEncounter]:
    """Compare tied players by the rule of `head_to_head`."""
    placed: dict[PlayerId, DirectEncounter] = {}
    left = list(group)
    while len(left) > 1:
        among = frozenset(left)
        scores = {player: _points_against(field.records[player], among) for player in left}
        unmet = [player for player in left if not among <= {player, *field.opponents[player]}]
        if not unmet:
            return placed | _by_score(field, scores, first_place=len(placed))
        ahead = _surely_ahead(field, scores)
        if any(field.records[player].has_dropped for player in unmet):
            ahead = ahead[:1]
        if not ahead:
            break
        for player in ahead:
            placed[player] = DirectEncounter(len(placed), scores[player], among)
        left = [player for player in left if player not in placed]
    return placed | {player: DirectEncounter(len(placed)) for player in left}


def _by_score(
    field: StandingsField, scores: Mapping[PlayerId, Exact], first_place: int
) -> dict[PlayerId, DirectEncounter]:
    """Rank players who have all met (6.2). Each retains the score that was compared first."""
    placed: dict[PlayerId, DirectEncounter] = {}
    group = frozenset(scores)
    by_score = sorted(scores, key=scores.__getitem__, reverse=True)
    for score, equals in groupby(by_score, key=scores.__getitem__):
        tied = list(equals)
        place = first_place + len(placed)
        again = direct_encounters(field, tied) if len(tied) < len(group) else {}
        for player in tied:
            inner = again[player].place if again else 0
            placed[player] = DirectEncounter(place + inner, score, group)
    return placed


def _surely_ahead(field: StandingsField, scores: Mapping[PlayerId, Exact]) -> list[PlayerId]:
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


def _points_against(record: StandingsRecord, rivals: Set[PlayerId]) -> Exact:
    """Several meetings with a player count as a mean."""
    taken: defaultdict[PlayerId, list[Exact]] = defaultdict(list)
    for _, table in record.tables():
        for opponent in table.opponents:
            if opponent in rivals:
                taken[opponent].append(table.points)
    return exact(
        sum((Fraction(sum(points)) / len(points) for points in taken.values()), Fraction(0))
    )


# Definitions


FiguresFunction: TypeAlias = Callable[[StandingsField, TiedPlayers], PlayerFigures]
TermsFunction: TypeAlias = Callable[
    [StandingsField, StandingsRecord, TiedPlayers], Iterator[WorkingTerm]
]


@dataclass(frozen=True)
class TieBreaker:
    """A figure that orders players. Players without a value come last."""

    id: str
    heading: str
    name: str
    explanation: str
    # Computes the figures of the whole field.
    values: FiguresFunction
    # Writes out a player's figure.
    terms: TermsFunction = lambda _field, _record, _equals: iter(())
    # The sum of the terms is divided by their number.
    is_mean: bool = False
    lower_is_better: bool = False
    # `values` and `terms` get the players tied on all earlier tie-breakers, not an empty mapping.
    among_equals: bool = False

    def format_figure(self, exact: str | None) -> str:
        """Format a stored figure, "n" or "n/d"; a mean has four digits."""
        if exact is None:
            return ""
        return as_decimal(Fraction(exact)) if self.is_mean else exact


def _points_by_round(
    _field: StandingsField, record: StandingsRecord, _equals: TiedPlayers
) -> Iterator[WorkingTerm]:
    for number, entry in enumerate(record.rounds, start=1):
        if entry is not None:
            met = () if isinstance(entry, Bye) else entry.opponents
            yield WorkingTerm.of(number, met, entry.points)


def _agenda_points_by_round(
    _field: StandingsField, record: StandingsRecord, _equals: TiedPlayers
) -> Iterator[WorkingTerm]:
    for number, table in record.tables():
        if table.agenda_points is not None:
            own, others = table.agenda_points
            yield WorkingTerm(number, table.opponents, own - others)


def _agenda_points(field: StandingsField, equals: TiedPlayers) -> PlayerFigures:
    return PlayerFigures(
        {
            player: sum(term.numerator for term in _agenda_points_by_round(field, record, equals))
            for player, record in field.records.items()
        }
    )


def _victory_points(field: StandingsField, _equals: TiedPlayers) -> PlayerFigures:
    return PlayerFigures(
        {
            player: sum(table.victory_points or 0 for _, table in record.tables())
            for player, record in field.records.items()
        }
    )


def _manual_seeds(field: StandingsField, _equals: TiedPlayers) -> PlayerFigures:
    return PlayerFigures(
        {
            player: record.manual_seed
            for player, record in field.records.items()
            if record.manual_seed is not None
        }
    )


_TIE_BREAKERS = (
    TieBreaker(
        id="match_points",
        heading=gettext_noop("Points"),
        name=gettext_noop("Match points"),
        explanation=gettext_noop("Points from all closed rounds, including byes."),
        values=lambda field, _: PlayerFigures(field.points),
        terms=_points_by_round,
    ),
    TieBreaker(
        id="games_won",
        heading=gettext_noop("Games"),
        name=gettext_noop("Games won"),
        explanation=gettext_noop("Games won at the table. Byes do not count."),
        values=lambda field, _: PlayerFigures(field.games),
        terms=lambda _field, record, _: (
            WorkingTerm(number, table.opponents, table.games_won)
            for number, table in record.tables()
        ),
    ),
    TieBreaker(
        id="manual_seed",
        heading=gettext_noop("Seed"),
        name=gettext_noop("Manual seed"),
        explanation=gettext_noop(
            "An order set by the organiser. 1 is best, and players without a seed come last."
        ),
        values=_manual_seeds,
        lower_is_better=True,
    ),
    TieBreaker(
        id="strength_of_schedule",
        heading=gettext_noop("SoS"),
        name=gettext_noop("Strength of schedule"),
        explanation=(
            gettext_noop(
                "How well the opponents did: the mean of their match points per round. An "
                "opponent's rounds are those with a table or a bye. The player's own byes add "
                "no opponent. An opponent played twice counts twice."
            )
        ),
        values=lambda field, _: field.strength_of_schedule,
        terms=lambda field, record, _: (
            WorkingTerm.of(number, (opponent,), field.points[opponent], field.counted[opponent])
            for number, opponent in record.meetings()
        ),
        is_mean=True,
    ),
    TieBreaker(
        id="extended_strength_of_schedule",
        heading=gettext_noop("ESoS"),
        name=gettext_noop("Extended strength of schedule"),
        explanation=gettext_noop(
            "How well the opponents' opponents did: the mean of the opponents' SoS."
        ),
        values=lambda field, _: field.extended_strength_of_schedule,
        terms=lambda field, record, _: (
            WorkingTerm.of(number, (opponent,), field.strength_of_schedule.exact[opponent])
            for number, opponent in record.meetings()
        ),
        is_mean=True,
    ),
    TieBreaker(
        id="head_to_head",
        heading="H2H",
        name=gettext_noop("Head-to-head"),
        explanation=(
            gettext_noop(
                "The points that tied players scored against each other. If two players met "
                "several times, the mean counts. If all tied players have met, the most points "
                "come first. Otherwise a player comes first only if no other tied player could "
                "catch up in the missing matches. A match against a player who has dropped is "
                "not missing. Players who stay tied are compared again among themselves (FIDE "
                "Handbook C.07, article 6)."
            )
        ),
        values=head_to_head,
        terms=head_to_head_terms,
        among_equals=True,
    ),
    TieBreaker(
        id="agenda_point_difference",
        heading=gettext_noop("Agenda ±"),
        name=gettext_noop("Agenda-point difference"),
        explanation=(
            gettext_noop(
                "The player's agenda points minus those of the opponents, in all games with "
                "known agenda points. Byes do not count."
            )
        ),
        values=_agenda_points,
        terms=_agenda_points_by_round,
    ),
    TieBreaker(
        id="opponents_match_wins",
        heading=gettext_noop("OMW"),
        name=gettext_noop("Opponents' match wins"),
        explanation=(
            gettext_noop(
                "The mean of the opponents' match-win rates. A rate is 3 for each win or bye "
                "and 1 for each draw, divided by 3 per round. The player with more points at "
                "the table wins the match. Each rate counts as at least 1/3."
            )
        ),
        values=opponents_match_wins,
        terms=opponents_match_win_terms,
        is_mean=True,
    ),
    TieBreaker(
        id="buchholz",
        heading=gettext_noop("Buchholz"),
        name=gettext_noop("Buchholz"),
        explanation=(
            gettext_noop(
                "The sum of the opponents' match points. The player's own byes add no "
                "opponent. An opponent played twice counts twice."
            )
        ),
        values=buchholz,
        terms=buchholz_terms,
    ),
    TieBreaker(
        id="median_buchholz",
        heading=gettext_noop("Median"),
        name=gettext_noop("Median Buchholz"),
        explanation=(
            gettext_noop(
                "Like Buchholz, but without the opponent with the most match points and the "
                "opponent with the fewest."
            )
        ),
        values=median_buchholz,
        terms=median_buchholz_terms,
    ),
    TieBreaker(
        id="victory_points",
        heading=gettext_noop("VP"),
        name=gettext_noop("Total victory points"),
        explanation=gettext_noop("Victory points from all tables. Byes do not count."),
        values=_victory_points,
        terms=lambda _field, record, _: (
            WorkingTerm(number, table.opponents, table.victory_points)
            for number, table in record.tables()
            if table.victory_points is not None
        ),
    ),
    TieBreaker(
        id="lot",
        heading=gettext_noop("Draw"),
        name=gettext_noop("Random draw"),
        explanation=gettext_noop("A random order, drawn once for the event; 1 comes first."),
        values=lambda field, _: PlayerFigures(draw_places(field.records, field.seed)),
        lower_is_better=True,
    ),
)

TIE_BREAKERS: Mapping[str, TieBreaker] = {breaker.id: breaker for breaker in _TIE_BREAKERS}

# Always the first and the last tie-breaker of an event.
FIXED_TIE_BREAKERS = ("match_points", "lot")

DEFAULT_TIE_BREAKERS = (
    "match_points",
    "manual_seed",
    "strength_of_schedule",
    "extended_strength_of_schedule",
    "lot",
)
