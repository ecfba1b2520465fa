"""Charts of games, rounds and cuts that need no decks."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from matches.scoring import GameEnd, Role
from tournaments.statistics.rules.charts import Chart, Columns, Kind, Line, Section
from tournaments.statistics.rules.rates import LEAST_FOR_A_RATE, LEAST_GROUP
from tournaments.statistics.rules.tallies import (
    NOT_PLAYED,
    CutCount,
    Ending,
    RoundTime,
    Sitting,
    Tallies,
)

# Bin size of round lengths in minutes.
BIN = 10
Groups = Mapping[str, Sequence[Sitting]]
# The end of a game, the winner in words, and the winner's side ("" for none).
Way = tuple[GameEnd, str, str]


def sides(endings: Iterable[Ending]) -> Chart:
    """Return the win rate of each side, of played games with a winner."""
    won: Counter[Role] = Counter()
    for one in endings:
        if one.winner is not None and one.end not in NOT_PLAYED:
            won[one.winner] += one.games
    total = won.total()
    return Chart(
        id="sides",
        section=Section.WINS,
        kind=Kind.RATE,
        title="Corp and Runner",
        about="Games won by each side, of those played that somebody won.",
        columns=Columns("Side", "Won", "Games"),
        lines=tuple(Line(side.label, total, won[side], side=side) for side in Role if total),
    )


def ends(endings: Iterable[Ending]) -> Chart:
    """Return the ways games ended, by winner; unrecorded ends are mentioned in the text."""
    counts: Counter[Way] = Counter()
    for one in endings:
        winner = one.winner.label if one.winner else "Nobody"
        counts[one.end, winner, one.winner or ""] += one.games
    return ways_of_ending("ends", counts)


def ways_of_ending(id_: str, counts: Mapping[Way, int]) -> Chart:
    """Return the chart of these counts: end of the game, winner in words, side of the winner."""
    known = {way: count for way, count in counts.items() if way[0] is not GameEnd.NOT_RECORDED}
    total = sum(known.values())
    unknown = sum(counts.values()) - total
    besides = f" Of {unknown} more the end is not recorded." if unknown else ""
    ordered = sorted(known, key=lambda way: (-known[way], way[0].label, *way[1:]))
    return Chart(
        id=id_,
        section=Section.ENDS,
        kind=Kind.SHARE,
        title="How games ended",
        about=f"The ends of {total} games, by who won.{besides}",
        columns=Columns("End", "Games", "Of", against="Won by"),
        lines=tuple(
            Line(way[0].label, total, known[way], against=way[1], side=way[2]) for way in ordered
        ),
    )


def lengths(rounds: Iterable[RoundTime]) -> Chart:
    """Return the average length of rounds by number."""
    every: Counter[int] = Counter()
    by_number: dict[int, Counter[int]] = defaultdict(Counter)
    for one in rounds:
        every[one.minutes] += one.rounds
        by_number[one.number][one.minutes] += one.rounds
    half = f" Half of all took {_median(every):g} or less." if every else ""
    return Chart(
        id="rounds",
        section=Section.LENGTHS,
        kind=Kind.AVERAGE,
        title="Length of rounds",
        about=f"Minutes from the start of the clock to the last result, without pauses.{half}",
        columns=Columns("Round", "", "Rounds", average="Minutes"),
        lines=tuple(
            Line(f"Round {number}", found.total(), average=_mean(found))
            for number, found in sorted(by_number.items())
        ),
    )


def _mean(counts: Counter[int]) -> Fraction:
    return Fraction(sum(value * count for value, count in counts.items()), counts.total())


def _median(counts: Counter[int]) -> float:
    """Return the median of counted values without expanding the list."""
    values = sorted(counts)
    ends = list(accumulate(counts[value] for value in values))
    low, high = (counts.total() - 1) // 2, counts.total() // 2
    return (values[bisect_right(ends, low)] + values[bisect_right(ends, high)]) / 2


def spread_of_lengths(rounds: Iterable[RoundTime]) -> Chart:
    """Return the histogram of round lengths in ten-minute bins; empty for too few rounds."""
    bins: Counter[int] = Counter()
    for one in rounds:
        bins[one.minutes // BIN] += one.rounds
    total = bins.total()
    steps = range(min(bins), max(bins) + 1) if total >= LEAST_FOR_A_RATE else ()
    return Chart(
        id="round_minutes",
        section=Section.LENGTHS,
        kind=Kind.SHARE,
        title="Rounds by length",
        about=f"How many of {total} rounds took so many minutes.",
        columns=Columns("Minutes", "Rounds", "Of"),
        lines=tuple(
            Line(f"{step * BIN} to {step * BIN + BIN - 1}", total, bins[step]) for step in steps
        ),
    )


def into_the_cut(cut: CutCount) -> Chart:
    """Return the share of players in the cut, for events with a cut."""
    return Chart(
        id="cut",
        section=Section.CUT,
        kind=Kind.RATE,
        title="Into the cut",
        about="Players in the cut, of all players of events with one.",
        columns=Columns("Who", "In the cut", "Players"),
        lines=(Line("All players", cut.players, cut.in_cut),) if cut.in_cut else (),
    )


def at_tables(tallies: Tallies) -> Iterator[Chart]:
    """Yield charts of pods: by faction, and by seat position."""
    names, known = tallies.factions, [one for one in tallies.sittings if one.faction]
    factions = _grouped(known, lambda one: names.get(one.faction, one.faction))
    least = LEAST_GROUP if tallies.hides_small else 1
    shown = {name: rows for name, rows in factions.items() if _seats(rows) >= least}
    most_first = dict(sorted(shown.items(), key=lambda item: (-_seats(item[1]), item[0])))
    by_seat = sorted(tallies.sittings, key=lambda one: one.position)
    seats = _grouped(by_seat, lambda one: f"Seat {one.position}")
    yield _factions(most_first, _seats(known), hides_small=tallies.hides_small)
    for what, groups in (("faction", most_first), ("seat", seats)):
        yield _first_places(what, groups)
        yield _points(what, groups)


def _grouped(sittings: Iterable[Sitting], named: Callable[[Sitting], str]) -> Groups:
    groups: dict[str, list[Sitting]] = defaultdict(list)
    for one in sittings:
        groups[named(one)].append(one)
    return groups


def _seats(sittings: Iterable[Sitting]) -> int:
    return sum(one.seats for one in sittings)


def _factions(groups: Groups, total: int, *, hides_small: bool) -> Chart:
    return Chart(
        id="factions",
        section=Section.PLAYED,
        kind=Kind.SHARE,
        title="Factions",
        about=f"How often each faction was played, of {total} seats whose faction is known.",
        columns=Columns("Faction", "Seats", "Of"),
        lines=tuple(Line(name, total, _seats(rows)) for name, rows in groups.items()),
        hides_small=hides_small,
    )


def _first_places(what: str, groups: Groups) -> Chart:
    return Chart(
        id=f"{what}_first_places",
        section=Section.WINS,
        kind=Kind.RATE,
        title=f"First places by {what}",
        about="Tables where nobody had more victory points; a shared first place counts for each.",
        columns=Columns(what.capitalize(), "First", "Tables"),
        lines=tuple(
            Line(name, _seats(rows), _seats(one for one in rows if one.was_first))
            for name, rows in groups.items()
        ),
    )


def _points(what: str, groups: Groups) -> Chart:
    return Chart(
        id=f"{what}_points",
        section=Section.WINS,
        kind=Kind.AVERAGE,
        title=f"Points by {what}",
        about="Match points of a table, on average.",
        columns=Columns(what.capitalize(), "", "Tables", average="Points"),
        lines=tuple(
            Line(name, _seats(rows), average=_average(rows)) for name, rows in groups.items()
        ),
    )


def _average(sittings: Sequence[Sitting]) -> Fraction:
    return sum((one.points for one in sittings), Fraction(0)) / _seats(sittings)
