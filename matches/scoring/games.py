"""The result of a single game, and the terms it uses."""

from dataclasses import dataclass
from enum import StrEnum


class _Labelled(StrEnum):
    """A term of the rules with a label for people."""

    @property
    def label(self) -> str:
        return _LABELS.get(self, self.value.replace("_", " ").capitalize())


class Role(_Labelled):
    CORP = "corp"
    RUNNER = "runner"

    @property
    def other(self) -> "Role":
        return Role.RUNNER if self is Role.CORP else Role.CORP


class GameEnd(_Labelled):
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
    """The losers who score their agenda points (docs/rules.md)."""

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
    """Return the seat (1 or 2) of the Corp. `first` is Corp in game 1; roles alternate."""
    return first if number % 2 else 3 - first


@dataclass(frozen=True)
class GameResult:
    """A game of a match between seats 1 and 2.

    `corp` is the position of the seat that played Corp. `winner` is None if the game was drawn,
    timed out or lost by both. Agenda points are those at the end of the game, as players count
    them. Cards may add or remove some, so they need not be a sum of agendas. They are None if they
    were not required.
    """

    number: int
    corp: int
    winner: Role | None
    end: GameEnd
    corp_agenda_points: int | None = None
    runner_agenda_points: int | None = None

    def agenda_points(self, role: Role) -> int | None:
        return self.corp_agenda_points if role is Role.CORP else self.runner_agenda_points

    def position(self, role: Role) -> int:
        """Return the seat (1 or 2) that played this side."""
        return self.corp if role is Role.CORP else 3 - self.corp

    def role(self, position: int) -> Role:
        """Return the side that this seat (1 or 2) played."""
        return Role.CORP if self.corp == position else Role.RUNNER
