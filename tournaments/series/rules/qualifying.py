"""Qualification from a season: the best of each event, then of its table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.series.rules.season import Evening, Line


@dataclass(frozen=True)
class Places:
    """The number of qualifying places per event and in the final table.

    With `passes_down`, an event place of an already qualified player goes to the next player of
    that event. Table places and places of players who declined always pass down.
    """

    per_evening: int = 0
    by_table: int = 0
    passes_down: bool = True


@dataclass(frozen=True)
class Passage:
    """A qualified player: the `evening` (None for the table) and the place there.

    `passed` are earlier places that were skipped, with the reason: "already" qualified or
    "declined". A `chosen` player shares the place with other players.
    """

    player: int
    evening: int | None
    place: int
    passed: tuple[tuple[int, str], ...] = ()
    chosen: bool = False


@dataclass(frozen=True)
class Qualification:
    """Qualified players, in the order in which they qualified.

    `tied` players share the last place. `places_left` of them go through; the table does not
    decide, so the organiser chooses.
    """

    passages: tuple[Passage, ...]
    tied: tuple[int, ...] = ()
    places_left: int = 0


ALREADY, DECLINED = "already", "declined"


def qualified(
    evenings: Sequence[Evening],
    table: Sequence[Line],
    places: Places,
    declined: frozenset[int] = frozenset(),
    elsewhere: frozenset[int] = frozenset(),
    chosen: frozenset[int] = frozenset(),
) -> Qualification:
    """Return the qualified players: first event by event, then by the table.

    Players who `declined` are skipped; players invited from `elsewhere` already have a place. Among
    players who share the last place of the table, `chosen` players come first.
    """
    through: dict[int, Passage] = {}
    over = {**dict.fromkeys(elsewhere, ALREADY), **dict.fromkeys(declined, DECLINED)}
    for evening in evenings:
        _by_evening(evening, places, over, through)
    tied = _by_table(table, places.by_table, over, chosen, through)
    left = places.by_table - sum(one.evening is None for one in through.values())
    return Qualification(tuple(through.values()), tuple(tied), left if tied else 0)


def _by_table(
    table: Sequence[Line],
    given: int,
    over: Mapping[int, str],
    chosen: frozenset[int],
    through: dict[int, Passage],
) -> list[int]:
    """Add the players who qualify by the table; return the players tied at the last place."""
    passed: list[tuple[int, str]] = []
    left = given
    for place, lines in groupby(table, lambda line: line.place):
        sharing = [line.player for line in lines]
        new = [one for one in sharing if one not in through and one not in over]
        if left <= 0:
            break
        if len(new) > left:
            picked = [one for one in new if one in chosen][:left]
            for one in picked:
                through[one] = Passage(one, None, place, tuple(passed), chosen=True)
            return [one for one in new if one not in picked] if len(picked) < left else []
        passed += [(place, over.get(one, ALREADY)) for one in sharing if one not in new]
        for one in new:
            through[one] = Passage(one, None, place, tuple(passed))
        left -= len(new)
    return []


def _by_evening(
    evening: Evening, places: Places, over: Mapping[int, str], through: dict[int, Passage]
) -> None:
    passed: list[tuple[int, str]] = []
    left = places.per_evening
    for one in sorted(evening.results, key=lambda one: (one.place, one.player)):
        if left <= 0:
            return
        if one.player in through or one.player in over:
            why = over.get(one.player, ALREADY)
            passed.append((one.place, why))
            if why == ALREADY and not places.passes_down:
                left -= 1
            continue
        through[one.player] = Passage(one.player, evening.id, one.place, tuple(passed))
        left -= 1
