"""What a game is to this site: one record, of which all else asks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
"""Where the shipped tables lie."""


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
"""Those of games that two play against each other."""


@dataclass(frozen=True)
class CardTables:
    """The card data shipped for a game; `layout` is the id of a reader in decks.card_data."""

    layout: str
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Words:
    """What the players of a game call things that another game calls otherwise."""

    difficulty: str = "Difficulty"
    """What has to be spent on an agenda."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game with all that tells it from the others. The id is stored and never changes.

    What other apps define is named by its id there: `scoring_rules` those of matches.scoring, the
    usual one first, `systems` how a first stage can be paired (engine.systems), `tie_breakers` what
    an event can choose between points and lot (engine.standings), `questions` the result form
    (tournaments.results.forms.results), `deck_rules` the kind of deck rules
    (decks.legality.records), empty for a game without decks, and `deck_forms` what its decks are
    written as (decks.formats.writers).

    What is played where nobody says otherwise `is_default`; its cards and topics have the short
    addresses. `sides` have a deck each. `card_types` go by side, those of both under "". A game
    `is_on_abr` if AlwaysBeRunning takes its results; a tournament file that names no game is then
    of it, and its identities are known to the programs that read such files. An engine document
    that names no game is of this one if no seat has more than `bare_document_points`; None: never.
    What is printed on a card stands at `card_text_address` of another site, with its `{code}`.
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
        """The types its cards of this side can have."""
        return (*self.card_types.get("", ()), *self.card_types.get(side, ()))

    @property
    def has_decks(self) -> bool:
        """Whether it is played with decks, which are judged here."""
        return bool(self.deck_rules)

    def minutes_of(self, rule: str) -> int:
        """How long a round of it lasts by this scoring, where nobody says otherwise."""
        return self.minutes_by_scoring.get(rule.partition(":")[0], self.round_minutes)

    @property
    def minutes_in_words(self) -> str:
        """Its usual minutes, and those of other ways to play it."""
        others = sorted({*self.minutes_by_scoring.values()} - {self.round_minutes})
        also = f" ({', '.join(map(str, others))} with one game a match)" if others else ""
        return f"{self.round_minutes}{also}"

    def is_scored_by(self, rule: str) -> bool:
        """Whether this id is of a rule of the game, with or without points of its own."""
        return rule.partition(":")[0] in self.scoring_rules
