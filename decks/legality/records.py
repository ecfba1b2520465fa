"""Input and output records of the deck checks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from decks.games import GAMES


@dataclass(frozen=True)
class PrintingFacts:
    """A card in a set; `quantity` is the number of copies in one box of the set."""

    code: str
    set_id: str
    quantity: int


@dataclass(frozen=True)
class CardFacts:
    """Facts about a card, as printed.

    `agenda_points` is 0 except for agendas. `card_id` is the id used by other programs.
    `influence_cost` is None if the card has no influence value. `influence_limit` None on an
    identity means no limit; `deck_limit` None means no limit of copies. `cost`, `strength` and
    `difficulty` are figures, "X", or empty if not applicable. `printings` are ordered from earliest
    to latest.
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
        # Cards are dictionary keys in every rule; hashing all fields would be too slow.
        return hash(self.id)

    @property
    def is_identity(self) -> bool:
        return self.type == "identity"

    def has_subtype(self, subtype: str) -> bool:
        """Case-insensitive."""
        return subtype.casefold() in self.subtypes.casefold().split(" - ")


@dataclass(frozen=True)
class CardSlot:
    """Copies of a card on one line of the list; `quantity` is positive.

    `printing` is the code of the printing the list chose, or empty if it has only the title.
    """

    card: CardFacts
    quantity: int
    line: int | None = None
    printing: str = ""


@dataclass(frozen=True)
class Breach:
    """A violated rule, with figures and a suggested fix.

    `card` is the affected title. `concerns` lists the titles of a breach that affects several cards
    together, such as a point limit. `suggestions` are similar titles for the line.
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
        """Titles of all affected cards."""
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

    `exact_ratio` requires two fifths of the exact deck size instead of 2 points for every 5 cards
    or part of 5. `ban_list` is the list of the Top Runners' Conference.
    """

    runner_minimum: int = 45
    corp_minimum: int = 45
    exact_ratio: bool = False
    ban_list: bool = False

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> "OnrRules":
        """Read the rules from an event's settings; missing keys use the default.

        Raises ValueError for a minimum that is not a number from 0 to 999, or a switch that is not
        a boolean. Other keys are ignored.
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

    Without a format only the basic rules apply: every card is in the pool and there is no ban list.
    With `identities_only`, a list may consist of its identity alone.
    """

    format_id: str = ""
    identities_only: bool = False

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> "AnrRules":
        """Read the rules from an event's settings.

        Raises ValueError if the format is not a string or the switch is not a boolean.
        """
        format_id = settings.get("format_id", "")
        if not isinstance(format_id, str):
            raise ValueError(f"format_id is the id of a format, not {format_id!r}.")
        alone = settings.get("identities_only", False)
        if type(alone) is not bool:
            raise ValueError(f"identities_only is true or false, not {alone!r}.")
        return cls(format_id, alone)


DeckRules: TypeAlias = OnrRules | AnrRules
# Deck rules by the id in `Game.deck_rules`.
KINDS: Mapping[str, type[DeckRules]] = {"sizes": OnrRules, "formats": AnrRules}


def kind_of(game: str) -> str:
    """Return the kind of deck rules of a game; defaults to the first kind."""
    known = GAMES.get(game)
    return (known and known.deck_rules) or next(iter(KINDS))


def deck_rules_of(game: str, settings: Mapping[str, Any]) -> DeckRules:
    """Read the deck rules of an event from its settings. Raises ValueError."""
    return KINDS[kind_of(game)].from_settings(settings)


def size_of(slots: Iterable[CardSlot]) -> int:
    """Count the cards on lines with a known card, of both sides."""
    return sum(slot.quantity for slot in slots)


def agenda_points_of(slots: Iterable[CardSlot]) -> int:
    return sum(slot.quantity * slot.card.agenda_points for slot in slots)
