"""Write which rulings supersede which."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from rulings.models import Ruling

# Keys of a ruling and of a ruling it supersedes.
Pair = tuple[int, int]


def pairs_of(game: str) -> set[Pair]:
    rows = Ruling.supersedes.through.objects.filter(from_ruling__document__game=game)
    return set(rows.values_list("from_ruling_id", "to_ruling_id"))


def codes_of(game: str) -> set[tuple[str, str]]:
    rows = Ruling.supersedes.through.objects.filter(from_ruling__document__game=game)
    return set(rows.values_list("from_ruling__code", "to_ruling__code"))


def write(game: str, wanted: Mapping[int, Iterable[int]], *, replace: bool) -> None:
    """Add the pairs; with `replace`, delete all other pairs of these rulings."""
    table = Ruling.supersedes.through
    written = {pair for pair in pairs_of(game) if pair[0] in wanted}
    asked = {(key, other) for key, others in wanted.items() for other in others}
    if replace and (gone := written - asked):
        rows = table.objects.filter(from_ruling__in={key for key, _ in gone})
        table.objects.filter(
            pk__in=[row.pk for row in rows if (row.from_ruling_id, row.to_ruling_id) in gone]
        ).delete()
    table.objects.bulk_create(
        table(from_ruling_id=key, to_ruling_id=other) for key, other in sorted(asked - written)
    )


def in_a_circle(pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Return the rulings that would supersede themselves, directly or indirectly."""
    below: dict[str, set[str]] = defaultdict(set)
    for code, other in pairs:
        below[code].add(other)
    return {code for code in list(below) if code in _reached(code, below)}


def _reached(start: str, below: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    step = set(below.get(start, ()))
    while step:
        found |= step
        step = {other for code in step for other in below.get(code, ())} - found
    return found
