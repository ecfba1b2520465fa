"""Where a file says something else than its games, in words that name the player."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.event import queries
from tournaments.models import ImportedFile, Tournament


@dataclass(frozen=True)
class DifferenceLine:
    """One figure of one player: as the file has it, and as the games make it."""

    name: str
    field: str
    file: Any
    computed: Any


def source(tournament: Tournament) -> ImportedFile | None:
    """The file the event was made of, if it was."""
    return ImportedFile.objects.filter(tournament=tournament).first()


def difference_lines(file: ImportedFile) -> list[DifferenceLine]:
    """Those of an imported event, by the names its players have now."""
    players = queries.players(file.tournament).select_related("player")
    names = {entry.number: entry.player.name for entry in players} if file.differences else {}
    return named(file.differences, names, "number")


def named(
    differences: Iterable[Mapping[str, Any]], names: Mapping[Any, str], key: str
) -> list[DifferenceLine]:
    """Each with the name of its player, who stands in `names` under what `key` says."""
    return [
        DifferenceLine(
            names.get(one.get(key)) or f"Player {one['id']} of the file",
            in_words(one["field"]),
            one["file"],
            one["computed"],
        )
        for one in differences
    ]


def in_words(field: str) -> str:
    """The figure as people call it."""
    return field.replace("_", " ").capitalize()
