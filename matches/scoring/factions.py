"""The factions of Free Radicals (docs/rules.md): ten, two to a colour.

The second factions of yellow and blue are uncertain. The site has its own copy of this table, which
staff can edit; checks take the table as an argument.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Faction:
    """A faction. The id is stored and its meaning never changes."""

    id: str
    name: str
    colour: str


_ALL = (
    Faction("farmers", "Farmers", "red"),
    Faction("executives", "Executives", "red"),
    Faction("artisans", "Artisans", "yellow"),
    Faction("underground", "Underground", "yellow"),
    Faction("merchants", "Merchants", "green"),
    Faction("hoteliers", "Hoteliers", "green"),
    Faction("adventurers", "Adventurers", "purple"),
    Faction("paladins", "Paladins", "purple"),
    Faction("entertainers", "Entertainers", "blue"),
    Faction("couriers", "Couriers", "blue"),
)

FACTIONS: Mapping[str, Faction] = {faction.id: faction for faction in _ALL}


def faction_clashes(
    chosen: Sequence[str], table: Mapping[str, Faction] = FACTIONS
) -> Iterator[tuple[str, str]]:
    """Yield problems with the factions of a table, as (code, message); "" is unknown.

    Two factions of one colour cannot be at a table (docs/rules.md).
    """
    by_colour: defaultdict[str, list[str]] = defaultdict(list)
    for id_ in filter(None, chosen):
        if id_ not in table:
            yield "unknown_faction", f'there is no faction "{id_}". Choose one of the list.'
        else:
            by_colour[table[id_].colour].append(table[id_].name)
    for colour, names in by_colour.items():
        if len(names) > 1:
            yield (
                "one_colour",
                f"{' and '.join(names)} are both {colour}. Each colour may appear once per table.",
            )
