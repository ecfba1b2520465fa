"""What is recorded of one game: the words of the rules, and the record of a result."""

from dataclasses import dataclass
from enum import StrEnum


class _Labelled(StrEnum):
    """A word of the rules with a label for people."""

    @property
    def label(self) -> str:
        """The word as it stands on a page."""
        return _LABELS.get(self, self.value.replace("_", " ").capitalize())


class Role(_Labelled):
    """A side of the game."""

    CORP = "corp"
    RUNNER = "runner"

    @property
    def other(self) -> "Role":
        """The side across the table."""
        return Role.RUNNER if self is Role.CORP else Role.CORP


class GameEnd(_Labelled):
    """How a game ended."""

    AGENDA = "agenda"
    FLATLINE = "flatline"
    DECKED = "decked"
    BAD_PUBLICITY = "bad_publicity"
    CONCESSION = "concession"
    TIME = "time"
    NO_SHOW = "no_show"
    JUDGE = "judge"
    DOUBLE_LOSS = "double_loss"
    NOT_RECORDED = "not_told"


class LoserRule(_Labelled):
    """Which loser keeps agenda points (docs/rules.md)."""

    RUNNER_ONLY = "runner_only"
    EITHER_SIDE = "either_side"


_LABELS: dict[str, str] = {
    GameEnd.AGENDA: "Agenda points",
    GameEnd.DECKED: "Corp out of cards",
    GameEnd.TIME: "Time ran out",
    GameEnd.NO_SHOW: "No-show",
    GameEnd.JUDGE: "Decided by a judge",
    GameEnd.DOUBLE_LOSS: "Both lost",
    GameEnd.NOT_RECORDED: "Not recorded",
    LoserRule.RUNNER_ONLY: "Only a losing Runner",
    LoserRule.EITHER_SIDE: "Either loser",
}


def corp_in(number: int, first: int) -> int:
    """The seat (1 or 2) that is Corp in a game, where `first` is Corp in game 1: roles swap."""
    return first if number % 2 else 3 - first


@dataclass(frozen=True)
class GameResult:
    """One game of a match between the seats 1 and 2.

    `corp` is the position of the seat that played Corp. `winner` is None when the game was drawn,
    timed out or lost by both. Agenda points are those scored or stolen at the end of the game, as
    the players count them: cards may add or remove some, so they need not be a sum of agendas.
    They are None where nobody asked for them.
    """

    number: int
    corp: int
    winner: Role | None
    end: GameEnd
    corp_agenda_points: int | None = None
    runner_agenda_points: int | None = None

    def agenda_points(self, role: Role) -> int | None:
        """The agenda points of one side; None when they were not entered."""
        return self.corp_agenda_points if role is Role.CORP else self.runner_agenda_points

    def position(self, role: Role) -> int:
        """The seat (1 or 2) that played this side."""
        return self.corp if role is Role.CORP else 3 - self.corp

    def role(self, position: int) -> Role:
        """The side that this seat (1 or 2) played."""
        return Role.CORP if self.corp == position else Role.RUNNER
