"""Read a local copy of the public Netrunner card repository (its folder "v2")."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from decks.card_data.fields import Fields, damage
from decks.card_data.files import an_object, document, objects
from decks.card_data.public import Source, card_data
from decks.card_data.records import CardData

MOST_FILES = 20_000
VARIABLE = ("cost", "strength", "advancement_requirement")


def read(folder: Path, subtypes: Mapping[str, str]) -> CardData:
    """Read all cards, sets and formats of the folder. Raises DamagedSource.

    `subtypes` are names by id, used if the folder does not include subtype names.
    """
    root = folder / "v2" if (folder / "v2").is_dir() else folder
    named = {**subtypes, **_subtypes(root)}
    return card_data(
        Source(
            name=f"folder {folder.resolve().name}",
            date=None,
            cards=[_with_figures(one) for one in _required(root, "cards")],
            printings=_required(root, "printings"),
            sets=_list(root, "card_sets.json"),
            cycles=_list(root, "card_cycles.json"),
            factions=_list(root, "factions.json"),
            pools=list(_inside(root, "card_pools")),
            formats=list(_inside(root, "formats")),
            restrictions=list(_inside(root, "restrictions")),
            subtypes=named,
        )
    )


def _required(root: Path, name: str) -> list[Fields]:
    found = list(_inside(root, name))
    if not found:
        raise damage(name, f"the folder {root.name} has no files of this kind (*.json)")
    return found


def _list(root: Path, name: str) -> list[Fields]:
    return list(objects(document(root / name), name))


def _inside(root: Path, name: str) -> Iterator[Fields]:
    """Yield the objects of all files below a folder. A file holds one object or a list."""
    paths = sorted((root / name).rglob("*.json"))
    if len(paths) > MOST_FILES:
        raise damage(name, f"there are more than {MOST_FILES:,} files")
    for path in paths:
        where = path.relative_to(root).as_posix()
        content = document(path, where)
        if isinstance(content, list):
            yield from objects(content, where)
        else:
            yield an_object(content, where)


def _subtypes(root: Path) -> dict[str, str]:
    if not (root / "card_subtypes.json").exists():
        return {}
    found = _list(root, "card_subtypes.json")
    return {one.identifier("id", 60): one.text("name", 60) for one in found}


def _with_figures(fields: Fields) -> Fields:
    """Replace null by X: the repository uses null for X and omits figures that do not apply."""
    variable = {name: "X" for name in VARIABLE if fields.values.get(name, "") is None}
    return replace(fields, values={**fields.values, **variable})
