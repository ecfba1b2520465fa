"""Two reports of one match side by side, field by field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matches.scoring import GameResult, Role


@dataclass(frozen=True)
class ComparedField:
    """One field in each report, in the order of the reports, as words for people."""

    game: int
    label: str
    values: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether the reports disagree here; a single report agrees with itself."""
        return len(set(self.values)) > 1


def compare(
    reports: Sequence[Sequence[GameResult]], names: Mapping[int, str]
) -> list[ComparedField]:
    """Every field of every game, the reports beside each other.

    `names` are the players by seat position. A game one report lacks is empty there.
    """
    numbers = sorted({game.number for report in reports for game in report})
    by_number = [{game.number: game for game in report} for report in reports]
    return [
        field
        for number in numbers
        for field in _game_fields(number, [games.get(number) for games in by_number], names)
    ]


def _game_fields(
    number: int, games: Sequence[GameResult | None], names: Mapping[int, str]
) -> list[ComparedField]:
    told = [_told(game, names) if game else {} for game in games]
    labels = dict.fromkeys(label for fields in told for label in fields)
    return [
        ComparedField(number, label, tuple(fields.get(label, "") for fields in told))
        for label in labels
    ]


def _told(game: GameResult, names: Mapping[int, str]) -> dict[str, str]:
    return {
        "Corp": names[game.corp],
        "Winner": names[game.position(game.winner)] if game.winner else "Nobody",
        "How it ended": game.end.label,
        "Agenda points of the Corp": str(game.agenda_points(Role.CORP)),
        "Agenda points of the Runner": str(game.agenda_points(Role.RUNNER)),
    }
