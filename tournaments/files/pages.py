"""Differences between a file and its games, as text with player names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.models import ImportedFile, Tournament


@dataclass(frozen=True)
class DifferenceLine:
    """A figure of a player, as in the file and as computed from the games."""

    name: str
    field: str
    file: Any
    computed: Any


def imported_file_of(tournament: Tournament) -> ImportedFile | None:
    """Return the file from which the event was imported, if any."""
    return ImportedFile.objects.filter(tournament=tournament).first()


def difference_lines(file: ImportedFile) -> list[DifferenceLine]:
    """Differences of an imported event, with current player names."""
    players = file.tournament.registrations.not_waiting().select_related("player")
    names = {entry.number: entry.player.name for entry in players} if file.differences else {}
    return named_differences(file.differences, names, "number")


def named_differences(
    differences: Iterable[Mapping[str, Any]], names: Mapping[Any, str], key: str
) -> list[DifferenceLine]:
    """Build the lines; `names` is looked up by the value of `key` in each difference."""
    return [
        DifferenceLine(
            names.get(row.get(key)) or f"Player {row['id']} of the file",
            row["field"].replace("_", " ").capitalize(),
            row["file"],
            row["computed"],
        )
        for row in differences
    ]
