"""The records that the checks take and give."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CardFacts:
    """What a rule asks of a card. `agenda_points` is 0 for all but agendas."""

    id: int
    title: str
    title_key: str
    side: str
    type: str
    agenda_points: int = 0
    subtypes: str = ""


@dataclass(frozen=True)
class CardSlot:
    """So many copies of a card on one line of the list; `quantity` is positive."""

    card: CardFacts
    quantity: int
    line: int | None = None


@dataclass(frozen=True)
class Breach:
    """One thing that is wrong, with its figures, its rule and what would mend it."""

    code: str
    message: str
    remedy: str
    line: int | None = None
    card: str | None = None
    rule: str = ""

    def as_document(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "line": self.line,
            "card": self.card,
            "rule": self.rule,
            "message": self.message,
            "remedy": self.remedy,
        }


@dataclass(frozen=True)
class OnrRules:
    """Deck rules of one `onr` event; the defaults are constructed play.

    `exact_ratio` asks 2 agenda points in 5 cards to the card instead of for
    every 5 begun; `ban_list` is that of the Top Runners' Conference.
    """

    runner_minimum: int = 45
    corp_minimum: int = 45
    exact_ratio: bool = False
    ban_list: bool = False

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> "OnrRules":
        """Rules out of an event's settings; what is not set keeps its default.

        Raises ValueError for a minimum that is no number from 0 to 999, or a
        switch that is neither true nor false. Other keys are left alone.
        """
        known = {key: settings[key] for key in cls.__dataclass_fields__ if key in settings}
        for key, value in known.items():
            if key.endswith("_minimum"):
                if type(value) is not int or not 0 <= value <= 999:
                    raise ValueError(f"{key} is a number from 0 to 999, not {value!r}.")
            elif type(value) is not bool:
                raise ValueError(f"{key} is true or false, not {value!r}.")
        return cls(**known)

    def minimum(self, side: str) -> int:
        return self.corp_minimum if side == "corp" else self.runner_minimum


def size_of(slots: Iterable[CardSlot]) -> int:
    """How many cards the known lines hold, of either side."""
    return sum(slot.quantity for slot in slots)


def agenda_points_of(slots: Iterable[CardSlot]) -> int:
    """Printed agenda points times copies."""
    return sum(slot.quantity * slot.card.agenda_points for slot in slots)
