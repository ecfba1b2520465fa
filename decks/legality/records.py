"""The records that the checks take and give."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from decks.games import GAMES


@dataclass(frozen=True)
class PrintingFacts:
    """A card in a set; `quantity` is how many copies a box of the set holds."""

    code: str
    set_id: str
    quantity: int


@dataclass(frozen=True)
class CardFacts:
    """What a rule asks of a card, as printed.

    `agenda_points` is 0 for all but agendas. `card_id` is its name in lists of other programs.
    `influence_cost` is None where the card has no influence value; an identity with
    `influence_limit` None has no limit. `deck_limit` None is no limit of copies.
    `cost`, `strength` and `difficulty` are figures, "X", or empty where they do not apply.
    `printings` stand from the earliest to the latest.
    """

    id: int
    title: str
    title_key: str
    side: str
    type: str
    agenda_points: int = 0
    subtypes: str = ""
    card_id: str = ""
    faction: str = ""
    influence_cost: int | None = None
    minimum_deck_size: int | None = None
    influence_limit: int | None = None
    deck_limit: int | None = None
    is_unique: bool = False
    cost: str = ""
    strength: str = ""
    difficulty: str = ""
    printings: tuple[PrintingFacts, ...] = ()

    def __hash__(self) -> int:
        # Cards are keys of every count; hashing all fields would cost more than the rules.
        return hash(self.id)

    @property
    def is_identity(self) -> bool:
        return self.type == "identity"

    def has_subtype(self, subtype: str) -> bool:
        """Whether the card has this subtype, compared without case."""
        return subtype.casefold() in self.subtypes.casefold().split(" - ")


@dataclass(frozen=True)
class CardSlot:
    """So many copies of a card on one line of the list; `quantity` is positive.

    `printing` is the code of the printing the list chose, empty where it named the title alone.
    """

    card: CardFacts
    quantity: int
    line: int | None = None
    printing: str = ""


@dataclass(frozen=True)
class Breach:
    """One thing that is wrong, with its figures, its rule and what would mend it.

    `card` is the title it is about. A breach of several cards together, such as a limit of
    points, names them in `concerns`. `suggestions` are the nearest titles for its line.
    """

    code: str
    message: str
    remedy: str
    line: int | None = None
    card: str | None = None
    rule: str = ""
    concerns: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = field(default=(), compare=False)

    @property
    def titles(self) -> tuple[str, ...]:
        """The cards that are wrong, alone or together."""
        return self.concerns if self.card is None else (self.card,)

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


@dataclass(frozen=True)
class AnrRules:
    """Deck rules of one `anr` event: the id of a format, such as "standard".

    Without a format a deck is judged by the basic rules alone: every card of the game is in
    the pool and no ban list holds. With `identities_only` a list may be its identity alone.
    """

    format_id: str = ""
    identities_only: bool = False

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> "AnrRules":
        """Rules out of an event's settings.

        Raises ValueError for a format that is no text, or a switch that is neither true nor false.
        """
        format_id = settings.get("format_id", "")
        if not isinstance(format_id, str):
            raise ValueError(f"format_id is the id of a format, not {format_id!r}.")
        alone = settings.get("identities_only", False)
        if type(alone) is not bool:
            raise ValueError(f"identities_only is true or false, not {alone!r}.")
        return cls(format_id, alone)


DeckRules: TypeAlias = OnrRules | AnrRules
KINDS: Mapping[str, type[DeckRules]] = {"sizes": OnrRules, "formats": AnrRules}
"""The kinds of deck rules by the ids that games name."""


def kind_of(game: str) -> str:
    """The kind of deck rules of a game; the first where it has no decks, or nobody knows it."""
    known = GAMES.get(game)
    return (known and known.deck_rules) or next(iter(KINDS))


def deck_rules_of(game: str, settings: Mapping[str, Any]) -> DeckRules:
    """The deck rules of an event of the game, out of its settings. Raises ValueError."""
    return KINDS[kind_of(game)].from_settings(settings)


def size_of(slots: Iterable[CardSlot]) -> int:
    """How many cards the known lines hold, of either side."""
    return sum(slot.quantity for slot in slots)


def agenda_points_of(slots: Iterable[CardSlot]) -> int:
    """Printed agenda points times copies."""
    return sum(slot.quantity * slot.card.agenda_points for slot in slots)
