"""P1 to P4: a large round relative to every pair in one graph."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine.pairing.costs import Matching
from engine.pairing.large_fields import match_field
from engine.pairing.records import Entrant
from tools.bench.baselines import by_networkx, by_rustworkx, every_pair, packed
from tools.bench.clock import seconds, shown
from tools.bench.figures import Figure
from tools.bench.instances import DS, FAMILIES, MX, SS, Family, field_after

ROUNDS = 5


def figures() -> Iterator[Figure]:
    """All figures, one family at a time; takes three to five minutes."""
    for family in (DS, SS, MX):
        yield from _family(family)
    yield _against_rustworkx("P2", FAMILIES[-1], 512, lowest=None)


def _family(family: Family) -> Iterator[Figure]:
    fields = {size: field_after(family, size, ROUNDS, seed=7) for size in (256, 512, 4096)}
    planned = {size: _seconds(family, field) for size, field in fields.items()}
    _, graph = _timed_networkx(family, fields[256])
    equal, slow = _timed_networkx(family, fields[512])
    # Repeat, because the machine may be less busy now than before the long runs.
    planned = {
        size: min(duration, _seconds(family, fields[size])) for size, duration in planned.items()
    }
    yield Figure(
        "P1",
        f"512 players, {family.words}, against networkx",
        f"{slow / planned[512]:,.0f} times faster ({shown(planned[512])}, {shown(slow)}), "
        f"cost {'equal' if equal else 'NOT EQUAL'}",
        ">= 100 times, equal cost",
        equal and slow / planned[512] >= 100,
    )
    yield _against_rustworkx("P2", family, 1024, lowest=30)
    yield Figure(
        "P3",
        f"4096 players, {family.words}, against networkx with 256",
        f"{planned[4096] / graph:.3f} of its time ({shown(planned[4096])}, {shown(graph)})",
        "<= 0.25",
        planned[4096] / graph <= 0.25,
    )
    growth = planned[4096] / planned[256]
    yield Figure(
        "P4",
        f"growth from 256 to 4096 players, {family.words}",
        f"x{growth:.1f}",
        "<= x130" if family is not MX else "",
        growth <= 130 if family is not MX else None,
    )


def _seconds(family: Family, field: list[Entrant]) -> float:
    return seconds(partial(_matched, family, field))


def _timed_networkx(family: Family, field: list[Entrant]) -> tuple[bool, float]:
    """Return True if the cost is the same, and the time of networkx without building the graph."""
    costs, weights = every_pair(field, family.profile.levels(field))
    costs_found: list[int] = []
    duration = seconds(lambda: costs_found.append(by_networkx(costs)), most=3)
    return costs_found[0] == packed(parts(_matched(family, field)), weights), duration


def _against_rustworkx(id_: str, family: Family, size: int, lowest: int | None) -> Figure:
    field = field_after(family, size, ROUNDS, seed=8)
    costs, weights = every_pair(field, family.profile.levels(field))
    costs_found: list[int] = []
    slow = seconds(lambda: costs_found.append(by_rustworkx(costs)), most=3)
    fast = _seconds(family, field)
    equal = costs_found[0] == packed(parts(_matched(family, field)), weights)
    return Figure(
        id_,
        f"{size} players, {family.words}, against rustworkx",
        f"{slow / fast:,.0f} times faster ({shown(fast)}, {shown(slow)}), "
        f"cost {'equal' if equal else 'NOT EQUAL'}",
        f">= {lowest} times" if lowest else "",
        (equal and slow / fast >= lowest) if lowest else None,
    )


def _matched(family: Family, field: Sequence[Entrant]) -> Matching:
    return match_field(field, family.profile.levels(field))


def parts(matching: Matching) -> list[tuple[int, ...]]:
    """Costs of each couple and of the bye."""
    bye_parts = [] if matching.sitting_out is None else [matching.sitting_out.parts]
    return [couple.parts for couple in matching.couples] + bye_parts
