"""Definition of a game, which all game-specific behaviour depends on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# Folder of the shipped tables.
DATA = Path(__file__).parents[1] / "data"


# Tie-breakers for two-player games.
MATCH_TIE_BREAKERS = (
    "games_won",
    "manual_seed",
    "strength_of_schedule",
    "extended_strength_of_schedule",
    "head_to_head",
    "agenda_point_difference",
    "opponents_match_wins",
    "buchholz",
    "median_buchholz",
)


@dataclass(frozen=True)
class CardTables:
    """Card data shipped for a game; `layout` is the id of a reader in decks.card_data."""

    layout: str
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Words:
    """Terms that differ between games."""

    # Advancement requirement of an agenda.
    difficulty: str = "Difficulty"


@dataclass(frozen=True, kw_only=True)
class Game:
    """Definition of a game. The id is stored and must never change.

    Definitions of other apps are referenced by id. `scoring_rules` are from matches.scoring,
    default first. `systems` (engine.systems) can pair the first stage. `tie_breakers`
    (engine.standings) can be used after match points and before the random draw. `questions` is the
    result form (tournaments.results.forms.results). `deck_rules` (decks.legality.records) is empty
    for a game without decks. `deck_forms` are the export formats (decks.formats.writers).

    `is_default` marks the default game; its cards and topics have short URLs. Each of `sides` has
    its own deck. `card_types` are grouped by side; types of both sides are under "".
    `card_text_address` is the external URL of a card's text, with a `{code}` placeholder.

    `is_on_abr` marks the game with results on AlwaysBeRunning; tournament files without a game
    belong to it. An engine document without a game belongs to this game if no seat has more than
    `bare_document_points`; None: never.
    """

    id: str
    name: str
    is_default: bool = False
    scoring_rules: tuple[str, ...]
    systems: tuple[str, ...]
    tie_breakers: tuple[str, ...] = MATCH_TIE_BREAKERS
    questions: str
    round_minutes: int = 65
    minutes_by_scoring: Mapping[str, int] = field(default_factory=dict, hash=False)
    sides: tuple[str, ...] = ()
    deck_rules: str = ""
    deck_forms: tuple[str, ...] = ()
    card_tables: CardTables | None = None
    card_types: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    has_identities: bool = False
    has_formats: bool = False
    is_on_abr: bool = False
    bare_document_points: int | None = None
    card_text_address: str = ""
    words: Words = Words()

    def __str__(self) -> str:
        return self.name

    def types_of(self, side: str) -> tuple[str, ...]:
        """Return the possible types of cards of a side, including types of both sides."""
        return (*self.card_types.get("", ()), *self.card_types.get(side, ()))

    @property
    def has_decks(self) -> bool:
        return bool(self.deck_rules)

    def minutes_of(self, rule: str) -> int:
        return self.minutes_by_scoring.get(rule.partition(":")[0], self.round_minutes)

    @property
    def minutes_in_words(self) -> str:
        """Default round length, with the alternatives of some scoring rules."""
        others = sorted({*self.minutes_by_scoring.values()} - {self.round_minutes})
        also = f" ({', '.join(map(str, others))} with one game a match)" if others else ""
        return f"{self.round_minutes}{also}"

    def is_scored_by(self, rule: str) -> bool:
        """True if the rule belongs to the game; the id may include custom points after a colon."""
        return rule.partition(":")[0] in self.scoring_rules
