"""Who goes through from a season: the first of each event, then of its table."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.series.rules.season import Evening, Line


@dataclass(frozen=True)
class Places:
    """How many qualify: the first of each event, and of the table at its end.

    With `passes_down` a place of somebody who has qualified already goes to the next one of that
    event; of the table it always does.
    """

    per_evening: int = 0
    by_table: int = 0
    passes_down: bool = True


@dataclass(frozen=True)
class Passage:
    """Somebody who qualified: at the `evening`, None for by the table, and the place there.

    `passed` are the places before it that went to nobody new, with why: who had them had
    qualified "already", or "declined".
    """

    player: int
    evening: int | None
    place: int
    passed: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Qualification:
    """Who qualified, in the order in which they did.

    `tied` are players who share the place at the edge: `places_left` of them go through, and
    nothing in the table says who.
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
) -> Qualification:
    """Who goes through: first event by event, then by the table. Who `declined` is passed over."""
    through: dict[int, Passage] = {}
    for evening in evenings:
        ranked = sorted(evening.results, key=lambda one: (one.place, one.player))
        given = places.per_evening if places.passes_down else len(ranked)
        reach = len(ranked) if places.passes_down else places.per_evening
        standing = [(one.place, one.player) for one in ranked[:reach]]
        _pass(standing, given, evening.id, declined, through)
    tied = _by_table(table, places.by_table, declined, through)
    left = places.by_table - sum(one.evening is None for one in through.values())
    return Qualification(tuple(through.values()), tuple(tied), left if tied else 0)


def _by_table(
    table: Sequence[Line], given: int, declined: frozenset[int], through: dict[int, Passage]
) -> list[int]:
    """Those who share the place at the edge; the others go through."""
    passed: list[tuple[int, str]] = []
    left = given
    for place, lines in groupby(table, lambda line: line.place):
        sharing = [line.player for line in lines]
        new = [one for one in sharing if one not in through and one not in declined]
        if left <= 0:
            break
        if len(new) > left:
            return new
        passed += [(place, _why(one, declined)) for one in sharing if one not in new]
        for one in new:
            through[one] = Passage(one, None, place, tuple(passed))
        left -= len(new)
    return []


def _pass(
    standing: Sequence[tuple[int, int]],
    given: int,
    evening: int,
    declined: frozenset[int],
    through: dict[int, Passage],
) -> None:
    passed: list[tuple[int, str]] = []
    left = given
    for place, player in standing:
        if left <= 0:
            return
        if player in through or player in declined:
            passed.append((place, _why(player, declined)))
            continue
        through[player] = Passage(player, evening, place, tuple(passed))
        left -= 1


def _why(player: int, declined: frozenset[int]) -> str:
    return DECLINED if player in declined else ALREADY
