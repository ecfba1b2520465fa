"""The supported games; other code does not refer to a game by its id."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.text import gettext_noop

# Folder of the shipped tables.
DATA_FOLDER = Path(__file__).parent / "data"
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
    # Id of a reader in decks.card_data.
    layout: str
    files: tuple[Path, ...]


@dataclass(frozen=True)
class GameTerms:
    """Terms that differ between games."""

    # Advancement requirement of an agenda.
    difficulty: str = "Difficulty"


@dataclass(frozen=True, kw_only=True)
class GameDefinition:
    """Definition of a game, which all game-specific behaviour depends on.

    Definitions of other apps are referenced by id.
    """

    # Stored; must never change.
    id: str
    name: str
    is_default: bool = False
    # matches.scoring.rules, the default first.
    scoring_rules: tuple[str, ...]
    # Systems that can pair the first stage (engine.systems).
    systems: tuple[str, ...]
    # Used after match points and before the random draw (engine.standings).
    tie_breakers: tuple[str, ...] = MATCH_TIE_BREAKERS
    # The reader of results (tournaments.results.result_reader).
    questions: str
    round_minutes: int = 65
    minutes_by_scoring: Mapping[str, int] = field(default_factory=dict, hash=False)
    sides: tuple[str, ...] = ()
    # decks.legality.records; empty for a game without decks.
    deck_rules: str = ""
    # Export formats (decks.formats.writers).
    deck_forms: tuple[str, ...] = ()
    card_tables: CardTables | None = None
    card_types: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    has_identities: bool = False
    has_formats: bool = False
    is_on_abr: bool = False
    bare_document_points: int | None = None
    card_text_address: str = ""
    words: GameTerms = GameTerms()

    def __str__(self) -> str:
        return self.name

    def types_of(self, side: str) -> tuple[str, ...]:
        """Possible types of cards of a side, including types of both sides."""
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
        """Return True for the game's rule, also with custom points after a colon."""
        return rule.partition(":")[0] in self.scoring_rules


CARDS_ONR, ALIASES_ONR = DATA_FOLDER / "cards_onr.csv", DATA_FOLDER / "cards_onr_aliases.csv"

ONR = GameDefinition(
    id="onr",
    name="Netrunner (1996)",
    is_default=True,
    scoring_rules=("onr_runner_only", "onr_either_side"),
    systems=("double", "round_robin", "manual"),
    questions="agenda",
    sides=("corp", "runner"),
    deck_rules="sizes",
    # The cards have no codes or ids, and OCTGN uses its own numbers for them.
    deck_forms=("plain_text", "meteor"),
    card_tables=CardTables("plain", (CARDS_ONR, ALIASES_ONR)),
    card_types={
        "corp": ("agenda", "ice", "node", "operation", "upgrade"),
        "runner": ("hardware", "prep", "program", "resource"),
    },
    bare_document_points=20,
)


CARDS_ANR, PRINTINGS_ANR = DATA_FOLDER / "cards_anr.csv", DATA_FOLDER / "printings_anr.csv"
FORMATS_ANR = DATA_FOLDER / "formats_anr.json"

# Includes the cards and formats of Null Signal Games.
ANR = GameDefinition(
    id="anr",
    name="Android: Netrunner",
    scoring_rules=("anr_double", "anr_single"),
    systems=("double", "single", "round_robin", "manual"),
    questions="wins",
    # Defaults of this site: 65 minutes for two games per match, 40 for one.
    round_minutes=65,
    minutes_by_scoring={"anr_single": 40},
    sides=("corp", "runner"),
    deck_rules="formats",
    deck_forms=(
        "netrunnerdb_text",
        "markdown",
        "bbcode",
        "jinteki",
        "plain_text",
        "netrunnerdb_v2",
        "netrunnerdb_v3",
        "octgn",
        "meteor",
    ),
    card_tables=CardTables("public", (CARDS_ANR, PRINTINGS_ANR, FORMATS_ANR)),
    card_types={
        "": ("identity",),
        "corp": ("agenda", "asset", "ice", "operation", "upgrade"),
        "runner": ("event", "hardware", "program", "resource"),
    },
    has_identities=True,
    has_formats=True,
    is_on_abr=True,
    bare_document_points=6,
    card_text_address="https://netrunnerdb.com/en/card/{code}",
    words=GameTerms(difficulty=gettext_noop("Advancement requirement")),
)


# A board game for two to five players without decks.
FREE_RADICALS = GameDefinition(
    id="free_radicals",
    name="Free Radicals",
    scoring_rules=("free_radicals",),
    systems=("pods", "manual"),
    tie_breakers=(
        "victory_points",
        "manual_seed",
        "strength_of_schedule",
        "extended_strength_of_schedule",
        "head_to_head",
    ),
    questions="places",
    round_minutes=90,
    bare_document_points=5,
)


# By id, in menu order.
GAMES: dict[str, GameDefinition] = {game.id: game for game in (ONR, ANR, FREE_RADICALS)}
DEFAULT = next(game for game in GAMES.values() if game.is_default)


def choices() -> list[tuple[str, str]]:
    return [(game.id, game.name) for game in GAMES.values()]


# Choices fixed at start-up, for definitions that are evaluated only once.
CHOICES = choices()


def with_decks() -> tuple[GameDefinition, ...]:
    return tuple(game for game in GAMES.values() if game.has_decks)


def abr_game() -> GameDefinition:
    """Return the only game with results on AlwaysBeRunning."""
    return next(game for game in GAMES.values() if game.is_on_abr)
