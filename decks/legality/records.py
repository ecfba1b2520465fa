"""Input and output records of the deck checks."""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from decks.games import GAMES
from decks.legality.check_texts import CheckText, check_text, uncoded_text


@dataclass(frozen=True)
class PrintingFacts:
    code: str
    set_id: str
    # Copies in one box of the set.
    quantity: int


@dataclass(frozen=True)
class CardFacts:
    """Facts about a card, as printed. Figures are digits, "X", or empty if not applicable."""

    id: int
    title: str
    title_key: str
    side: str
    type: str
    # 0 except for agendas.
    agenda_points: int = 0
    subtypes: str = ""
    # Id in other programs.
    card_id: str = ""
    faction: str = ""
    # None if the card has no influence value.
    influence_cost: int | None = None
    minimum_deck_size: int | None = None
    # None on an identity: no limit.
    influence_limit: int | None = None
    # None: any number of copies.
    deck_limit: int | None = None
    is_unique: bool = False
    cost: str = ""
    strength: str = ""
    difficulty: str = ""
    # From earliest to latest.
    printings: tuple[PrintingFacts, ...] = ()

    def __hash__(self) -> int:
        # Cards are dictionary keys in every rule; hashing all fields would be too slow.
        return hash(self.id)

    @property
    def is_identity(self) -> bool:
        return self.type == "identity"

    def has_subtype(self, subtype: str) -> bool:
        return subtype.casefold() in self.subtypes.casefold().split(" - ")


@dataclass(frozen=True)
class CardSlot:
    card: CardFacts
    # At least 1.
    quantity: int
    line: int | None = None
    # Code of the printing the list chose; empty if it has only the title.
    printing: str = ""


@dataclass(frozen=True)
class Breach:
    """A violated rule, with figures and a suggested fix."""

    code: str
    problem: tuple[CheckText, ...]
    remedies: tuple[CheckText, ...]
    source: CheckText
    line: int | None = None
    # Title of the affected card.
    card: str | None = None
    # Titles of a breach that affects several cards together, such as a point limit.
    concerns: tuple[str, ...] = ()
    # Similar titles for the line.
    suggestions: tuple[str, ...] = field(default=(), compare=False)

    @property
    def titles(self) -> tuple[str, ...]:
        return self.concerns if self.card is None else (self.card,)

    @property
    def message(self) -> str:
        """The problem in the English of documents."""
        return " ".join(map(str, self.problem))

    @property
    def remedy(self) -> str:
        return " ".join(map(str, self.remedies))

    @property
    def rule(self) -> str:
        return str(self.source)

    def as_document(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "line": self.line,
            "card": self.card,
            "rule": self.rule,
            "message": self.message,
            "remedy": self.remedy,
        }

    def as_stored(self) -> dict[str, Any]:
        """Return the document, which every release can read, and its texts as codes."""
        return {
            **self.as_document(),
            "problem": [text.as_stored() for text in self.problem],
            "remedies": [text.as_stored() for text in self.remedies],
            "source": self.source.as_stored(),
        }

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> "Breach":
        """Read a breach; earlier releases stored only the document."""
        if "problem" not in stored:
            return cls.from_document(stored)
        return cls(
            stored["code"],
            tuple(map(CheckText.from_stored, stored["problem"])),
            tuple(map(CheckText.from_stored, stored["remedies"])),
            CheckText.from_stored(stored["source"]),
            stored["line"],
            stored["card"],
        )

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Breach":
        return cls(
            document["code"],
            (uncoded_text(document["message"]),),
            (uncoded_text(document["remedy"]),),
            uncoded_text(document["rule"]),
            document["line"],
            document["card"],
        )


@dataclass(frozen=True)
class OnrRules:
    """Deck rules of one `onr` event; the defaults are constructed play."""

    runner_minimum: int = 45
    corp_minimum: int = 45
    # Two fifths of the exact deck size, instead of 2 points for every 5 cards or part of 5.
    exact_ratio: bool = False
    # The list of the Top Runners' Conference.
    ban_list: bool = False

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> "OnrRules":
        """Read the rules from an event's settings; unknown keys are ignored. Raises ValueError."""
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
    # A format such as "standard". Without a format only the basic rules apply: every card is in
    # the pool and there is no ban list.
    format_id: str = ""
    # A list may consist of its identity alone.
    identities_only: bool = False

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> "AnrRules":
        """Read the rules from an event's settings. Raises ValueError."""
        format_id = settings.get("format_id", "")
        if not isinstance(format_id, str):
            raise ValueError(f"format_id is the id of a format, not {format_id!r}.")
        alone = settings.get("identities_only", False)
        if type(alone) is not bool:
            raise ValueError(f"identities_only is true or false, not {alone!r}.")
        return cls(format_id, alone)


DeckRules: TypeAlias = OnrRules | AnrRules
# Deck rules by the id in `GameDefinition.deck_rules`.
DECK_RULE_KINDS: Mapping[str, type[DeckRules]] = {"sizes": OnrRules, "formats": AnrRules}


def deck_rule_kind(game: str) -> str:
    """Return the kind of deck rules of a game; defaults to the first kind."""
    known = GAMES.get(game)
    return (known and known.deck_rules) or next(iter(DECK_RULE_KINDS))


def deck_rules_of(game: str, settings: Mapping[str, Any]) -> DeckRules:
    """Build the deck rules of a game. Raises ValueError for an invalid figure."""
    return DECK_RULE_KINDS[deck_rule_kind(game)].from_settings(settings)


def size_of(slots: Iterable[CardSlot]) -> int:
    """Count the cards on lines with a known card, of both sides."""
    return sum(slot.quantity for slot in slots)


def agenda_points_of(slots: Iterable[CardSlot]) -> int:
    return sum(slot.quantity * slot.card.agenda_points for slot in slots)


# Formats


@dataclass(frozen=True)
class PoolFacts:
    """The sets of a pool. A card is in the pool if any of its printings is in such a set."""

    id: str
    name: str
    set_ids: frozenset[str]


@dataclass(frozen=True)
class RestrictionFacts:
    """A ban list; cards are given by `card_id`, subtypes in lower case."""

    id: str
    name: str
    effective_from: datetime.date
    banned: frozenset[str] = frozenset()
    banned_subtypes: frozenset[str] = frozenset()
    restricted: frozenset[str] = frozenset()
    # Counted once per title.
    points: Mapping[str, int] = field(default_factory=dict)
    # None: no card costs points.
    point_limit: int | None = None
    # Charged for each copy, even in faction.
    universal_influence: Mapping[str, int] = field(default_factory=dict)
    # Lowers the influence limit for each copy.
    global_penalty: Mapping[str, int] = field(default_factory=dict)

    @property
    def changes_influence(self) -> bool:
        return bool(self.universal_influence or self.global_penalty)


@dataclass(frozen=True)
class SnapshotFacts:
    """Pool and ban list of a format from a date until its next snapshot."""

    id: str
    effective_from: datetime.date
    pool: PoolFacts
    restriction: RestrictionFacts | None
    # For the few rules that apply to a single format.
    format_id: str = ""

    @property
    def names(self) -> tuple[CheckText, ...]:
        """The names of the pool and the ban list."""
        pool = check_text("pool_in_force", pool=self.pool.name)
        if self.restriction is None:
            return (pool,)
        return pool, check_text("list_in_force", restriction=self.restriction.name)


@dataclass(frozen=True)
class FormatFacts:
    """A format with its snapshots in the order of the source."""

    id: str
    name: str
    snapshots: tuple[SnapshotFacts, ...]

    @cached_property
    def timeline(self) -> tuple[SnapshotFacts, ...]:
        """The snapshots that were ever in force. On the same day, the later in the list applies."""
        by_day = {snapshot.effective_from: snapshot for snapshot in self.snapshots}
        return tuple(by_day[day] for day in sorted(by_day))

    def on(self, date: datetime.date) -> SnapshotFacts | None:
        """Return the snapshot in force: the last that started (docs/reference/decks.md)."""
        started = (item for item in reversed(self.timeline) if item.effective_from <= date)
        return next(started, None)


@dataclass(frozen=True)
class OutdatedCardData:
    """Card data older than the requested day; changes since then are unknown."""

    as_of: datetime.date
    date: datetime.date
    # The newest ban list of the format.
    newest: RestrictionFacts | None

    def as_document(self) -> dict[str, str]:
        return {"as_of": self.as_of.isoformat(), "message": " ".join(map(str, self.texts))}

    @property
    def texts(self) -> tuple[CheckText, CheckText]:
        outdated = check_text(
            "card_data_outdated", as_of=self.as_of.isoformat(), day=self.date.isoformat()
        )
        if self.newest is None:
            return outdated, check_text("no_list_known")
        day = self.newest.effective_from.isoformat()
        return outdated, check_text("newest_list", restriction=self.newest.name, day=day)


def find_outdated(
    format_: FormatFacts, as_of: datetime.date | None, date: datetime.date
) -> OutdatedCardData | None:
    """Return a notice if the data is older than the day and its date is known."""
    if as_of is None or as_of >= date:
        return None
    lists = [snapshot.restriction for snapshot in format_.timeline if snapshot.restriction]
    return OutdatedCardData(as_of, date, lists[-1] if lists else None)


class FormatTable:
    def __init__(
        self, formats: Iterable[FormatFacts] = (), as_of: datetime.date | None = None
    ) -> None:
        self._formats = {format_.id: format_ for format_ in formats}
        # Date of the data, None if the source has no date.
        self.as_of = as_of

    def __iter__(self) -> Iterator[FormatFacts]:
        return iter(self._formats.values())

    def find(self, format_id: str) -> FormatFacts | None:
        return self._formats.get(format_id)
