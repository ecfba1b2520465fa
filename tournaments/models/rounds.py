"""The names of rounds in words: "Round 3", "Quarterfinals", "Upper bracket final"."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from django.db import models
from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.model_fields import ExactField
from engine.bracket.display import RoundCode, RoundName, round_name, round_names
from engine.bracket.games import Bracket, bracket_for
from engine.systems import IMPORTED_CUT, STORED_SYSTEMS, System
from matches.models import Match, Seat
from players.models import Player, User
from tournaments.models.events import DeckAudience, Tournament
from tournaments.models.registrations import Registration

# Rounds with one match and with several, alone and as part of a sentence.
_SINGULAR = {
    RoundCode.FINAL: gettext_lazy("final"),
    RoundCode.SEMIFINAL: gettext_lazy("semifinal"),
    RoundCode.QUARTERFINAL: gettext_lazy("quarterfinal"),
    RoundCode.ROUND_OF: gettext_lazy("round of %(number)d"),
    RoundCode.UPPER_FINAL: gettext_lazy("upper bracket final"),
    RoundCode.UPPER_SEMIFINAL: gettext_lazy("upper bracket semifinal"),
    RoundCode.UPPER_QUARTERFINAL: gettext_lazy("upper bracket quarterfinal"),
    RoundCode.UPPER_ROUND_OF: gettext_lazy("upper bracket round of %(number)d"),
    RoundCode.LOWER_FINAL: gettext_lazy("lower bracket final"),
    RoundCode.LOWER_SEMIFINAL: gettext_lazy("lower bracket semifinal"),
    RoundCode.LOWER_ROUND: gettext_lazy("lower bracket round %(number)d"),
    RoundCode.BRACKET_RESET: gettext_lazy("bracket reset"),
    RoundCode.CUT_ROUND: gettext_lazy("cut round %(number)d"),
}
_PLURAL = _SINGULAR | {
    RoundCode.SEMIFINAL: gettext_lazy("semifinals"),
    RoundCode.QUARTERFINAL: gettext_lazy("quarterfinals"),
    RoundCode.UPPER_SEMIFINAL: gettext_lazy("upper bracket semifinals"),
    RoundCode.UPPER_QUARTERFINAL: gettext_lazy("upper bracket quarterfinals"),
    RoundCode.LOWER_SEMIFINAL: gettext_lazy("lower bracket semifinals"),
}
_SINGULAR_IN_SENTENCE = {
    RoundCode.FINAL: gettext_lazy("the final"),
    RoundCode.SEMIFINAL: gettext_lazy("the semifinal"),
    RoundCode.QUARTERFINAL: gettext_lazy("the quarterfinal"),
    RoundCode.ROUND_OF: gettext_lazy("the round of %(number)d"),
    RoundCode.UPPER_FINAL: gettext_lazy("the upper bracket final"),
    RoundCode.UPPER_SEMIFINAL: gettext_lazy("the upper bracket semifinal"),
    RoundCode.UPPER_QUARTERFINAL: gettext_lazy("the upper bracket quarterfinal"),
    RoundCode.UPPER_ROUND_OF: gettext_lazy("the upper bracket round of %(number)d"),
    RoundCode.LOWER_FINAL: gettext_lazy("the lower bracket final"),
    RoundCode.LOWER_SEMIFINAL: gettext_lazy("the lower bracket semifinal"),
    RoundCode.LOWER_ROUND: gettext_lazy("lower bracket round %(number)d"),
    RoundCode.BRACKET_RESET: gettext_lazy("the bracket reset"),
    RoundCode.CUT_ROUND: gettext_lazy("cut round %(number)d"),
}
_PLURAL_IN_SENTENCE = _SINGULAR_IN_SENTENCE | {
    RoundCode.SEMIFINAL: gettext_lazy("the semifinals"),
    RoundCode.QUARTERFINAL: gettext_lazy("the quarterfinals"),
    RoundCode.UPPER_SEMIFINAL: gettext_lazy("the upper bracket semifinals"),
    RoundCode.UPPER_QUARTERFINAL: gettext_lazy("the upper bracket quarterfinals"),
    RoundCode.LOWER_SEMIFINAL: gettext_lazy("the lower bracket semifinals"),
}


def bracket_round_title(name: RoundName) -> str:
    """Name a round of a bracket, such as "Semifinals" or "Lower bracket round 2"."""
    texts = _SINGULAR if name.matches == 1 else _PLURAL
    return capfirst(texts[name.code] % {"number": name.number})


def match_kind(name: RoundName) -> str:
    """Name one match by its round alone, such as "Semifinal" or "Round of 16"."""
    return capfirst(_SINGULAR[name.code] % {"number": name.number})


def round_label(number: int, names: Sequence[RoundName]) -> str:
    """Name a round of an event: "round 3", or in a cut the rounds of its bracket, "semifinals"."""
    if not names:
        return _("round %(number)d") % {"number": number}
    return _join_round_names(_SINGULAR, _PLURAL, names)


def round_in_sentence(number: int, names: Sequence[RoundName]) -> str:
    """Name a round within a sentence: "round 3", "the semifinals"."""
    if not names:
        return _("round %(number)d") % {"number": number}
    return _join_round_names(_SINGULAR_IN_SENTENCE, _PLURAL_IN_SENTENCE, names)


def _join_round_names(
    one: Mapping[RoundCode, Any], several: Mapping[RoundCode, Any], names: Sequence[RoundName]
) -> str:
    """Name each round, by the text for one match or for several, and join the names."""
    texts = [
        (one if name.matches == 1 else several)[name.code] % {"number": name.number}
        for name in names
    ]
    return str(get_text_list(texts, _("and")))


# Stages, rounds, pairings, and the standings after each round.


# Kind of the reason stored at a cut table until the higher seed has chosen a side.
OPEN_CHOICE = "chooses_role"
MADE_CHOICE = "chose_role"


class Stage(models.Model):
    """A part of the event with one pairing system."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    # An id of engine.systems.
    system = models.CharField(
        max_length=20,
        choices=[(one.id, one.name) for one in STORED_SYSTEMS.values()],
        default="double",
    )
    # The rule for the matches of this stage.
    scoring_rule = models.CharField(max_length=40, default="onr_runner_only")
    # A fixed bracket is not reseeded between rounds.
    fixed_bracket = models.BooleanField(default=False)
    decks_shown_to = models.CharField(
        max_length=12, choices=DeckAudience.choices, default=DeckAudience.PRIVATE
    )
    # Null: decks are shown once the first round of the stage is published.
    decks_shown_at = models.DateTimeField(null=True, blank=True)
    # When the seeds of a cut became public; null: with its first round.
    seeds_shown_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_stage_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.get_system_display()}"

    @property
    def way(self) -> System:
        return STORED_SYSTEMS[self.system]

    @cached_property
    def size(self) -> int:
        """Number of places taken in a cut, or in the fixed order of a round robin."""
        return self.entries.filter(declined=False).count()

    @cached_property
    def bracket(self) -> Bracket | None:
        """The bracket of a cut; None for other stages and for an imported cut."""
        if not self.way.is_elimination or self.system == IMPORTED_CUT:
            return None
        return bracket_for(self.system, self.size, fixed=self.fixed_bracket)

    @cached_property
    def first_round_number(self) -> int:
        """The number of the stage's first round within the event."""
        return self.rounds.aggregate(first=models.Min("number"))["first"] or 1

    def bracket_rounds(self, number: int, games: Iterable[int]) -> tuple[RoundName, ...]:
        """Name the bracket rounds that contain these bracket games."""
        if self.bracket is not None:
            return round_names(self.bracket, games)
        return (RoundName(RoundCode.CUT_ROUND, number - self.first_round_number + 1),)


class StageEntry(models.Model):
    """A player's place in a cut, or in the fixed order of a round robin."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="entries")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="+")
    # 1 is the best seed.
    seed = models.PositiveSmallIntegerField(null=True, blank=True)
    # A declined place stays for the record; the players behind it move up.
    declined = models.BooleanField(default=False)
    # The player's final place in an imported cut.
    place = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "stage entries"
        ordering = ["stage", models.F("seed").asc(nulls_last=True), "pk"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "registration"], name="one_entry_a_stage"),
            models.UniqueConstraint(fields=["stage", "seed"], name="one_player_a_seed"),
            models.CheckConstraint(
                condition=models.Q(declined=True) ^ models.Q(seed__isnull=False),
                name="a_seed_or_declined",
            ),
        ]

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.registration}"


class RoundState(models.TextChoices):
    """draft -> published -> running -> closed."""

    DRAFT = "draft", "draft"
    PUBLISHED = "published", "published"
    RUNNING = "running", "running"
    CLOSED = "closed", "closed"


# States of a round that is being played.
STATES_IN_PLAY = (RoundState.PUBLISHED, RoundState.RUNNING)


class Round(models.Model):
    """One round, numbered across all stages of the event. Only organisers see a draft."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=RoundState.choices, default=RoundState.DRAFT)
    seed = models.PositiveBigIntegerField()
    # The pairing engine's explanation of the round.
    certificate = models.JSONField(default=dict)
    relaxations = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)
    # Start of the clock (engine.timing). `paused_at` is set during a pause, `paused_seconds` add up
    # earlier pauses, and `extra_minutes` apply to the whole room.
    started_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_seconds = models.PositiveIntegerField(default=0)
    extra_minutes = models.SmallIntegerField(default=0)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="one_round_a_number")
        ]

    def __str__(self) -> str:
        return f"round {self.number}"

    @cached_property
    def bracket_rounds(self) -> tuple[RoundName, ...]:
        """Names of the bracket rounds played in this round; empty outside a cut.

        Two queries in a cut. `queries.name_rounds` reads many rounds together.
        """
        if not self.stage.way.is_elimination:
            return ()
        games = self.pairings.exclude(bracket_game=None).values_list("bracket_game", flat=True)
        return self.stage.bracket_rounds(self.number, filter(None, games.order_by()))

    @property
    def name(self) -> str:
        """The name of the round: "round 3", "semifinals"."""
        return round_label(self.number, self.bracket_rounds)

    @property
    def title(self) -> str:
        """The name of the round, capitalised: "Round 3", "Semifinals"."""
        return capfirst(self.name)

    @property
    def in_sentence(self) -> str:
        """The name of the round within a sentence: "round 3", "the semifinals"."""
        return round_in_sentence(self.number, self.bracket_rounds)

    @property
    def is_draft(self) -> bool:
        return self.state == RoundState.DRAFT

    @property
    def is_played(self) -> bool:
        return self.state in STATES_IN_PLAY

    @property
    def is_closed(self) -> bool:
        return self.state == RoundState.CLOSED


class Pairing(models.Model):
    """A table with its match, or a bye."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="pairings")
    table_number = models.PositiveSmallIntegerField(null=True, blank=True)
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="+")
    bye = models.ForeignKey(
        Registration, models.PROTECT, null=True, blank=True, related_name="byes"
    )
    bye_points = models.SmallIntegerField(null=True, blank=True)
    # The engine's cost by component, and its reasons. Both are empty for a manual pairing.
    cost = models.JSONField(default=dict)
    reasons = models.JSONField(default=list)
    made_by_hand = models.BooleanField(default=False)
    # Added to the minutes of the room.
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    # A locked table stays when the rest of a draft is paired again.
    is_locked = models.BooleanField(default=False)
    # Number of the game in the bracket of a cut.
    bracket_game = models.PositiveSmallIntegerField(null=True, blank=True)
    # The player who advances from a drawn match of a cut.
    advances = models.ForeignKey(
        Registration, models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["round", models.F("table_number").asc(nulls_last=True), "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(match=None) ^ models.Q(bye=None), name="match_or_bye"
            ),
            models.CheckConstraint(
                condition=models.Q(bye=None) ^ models.Q(bye_points__isnull=False),
                name="a_bye_has_points",
            ),
            models.CheckConstraint(
                condition=models.Q(match=None) ^ models.Q(table_number__isnull=False),
                name="a_match_has_a_table",
            ),
            models.UniqueConstraint(fields=["round", "table_number"], name="one_match_a_table"),
            models.UniqueConstraint(fields=["round", "bye"], name="one_bye_a_round"),
            models.UniqueConstraint(
                fields=["round", "bracket_game"], name="a_bracket_game_is_played_once"
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.table_number}" if self.table_number else f"bye of {self.bye}"

    @property
    def has_open_choice(self) -> bool:
        """True while the higher seed has not chosen a side."""
        return self._reason_of(OPEN_CHOICE) is not None

    @property
    def chooser_number(self) -> int | None:
        """Number of the player who chooses or chose a side; None without a choice."""
        reason = self._reason_of(OPEN_CHOICE) or self._reason_of(MADE_CHOICE)
        return reason["players"][0] if reason else None

    def _reason_of(self, kind: str) -> dict[str, list[int]] | None:
        return next((reason for reason in self.reasons if reason["kind"] == kind), None)

    @property
    def round_title(self) -> str:
        """The round of this match: "Round 3", "Semifinal"."""
        bracket = self.round.stage.bracket if self.bracket_game else None
        if bracket is None:
            return self.round.title
        return match_kind(round_name(bracket, bracket.by_number[self.bracket_game or 0]))

    @property
    def seats(self) -> list[Seat]:
        """The seats in order; empty for a bye. No query if prefetched."""
        return list(self.match.seats.all()) if self.match else []

    @property
    def players(self) -> list[int]:
        """Primary keys of the players in seat order, or of the player with the bye."""
        return [self.bye.player_id] if self.bye else [seat.player_id for seat in self.seats]


class Absence(models.Model):
    """A report that a player did not come to the table. Deleted if the player arrives after all."""

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="absences")
    registration = models.ForeignKey(Registration, models.CASCADE, related_name="+")
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    told_at = models.DateTimeField(auto_now_add=True)
    # When the table was decided because of the absence.
    applied_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pairing", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["pairing", "registration"], name="a_player_is_missing_once_a_table"
            )
        ]

    def __str__(self) -> str:
        return f"{self.registration} is missing at {self.pairing}"


class StandingSnapshot(models.Model):
    """The standings after a closed round.

    A corrected result adds a snapshot. The newest one of a round applies; older ones can be read.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="snapshots")
    round = models.ForeignKey(Round, models.CASCADE, related_name="snapshots")
    computed_at = models.DateTimeField(auto_now_add=True)
    tournament_version = models.PositiveIntegerField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"standings of {self.tournament} after {self.round}"


class Standing(models.Model):
    """One row of a snapshot."""

    snapshot = models.ForeignKey(StandingSnapshot, models.CASCADE, related_name="rows")
    registration = models.ForeignKey(Registration, models.CASCADE, related_name="+")
    rank = models.PositiveSmallIntegerField()
    match_points = ExactField()
    # Exact values by id, as "n" or "n/d".
    tie_breakers = models.JSONField(default=dict)

    class Meta:
        ordering = ["snapshot", "rank"]
        constraints = [
            models.UniqueConstraint(fields=["snapshot", "rank"], name="one_player_a_rank"),
            models.UniqueConstraint(
                fields=["snapshot", "registration"], name="one_rank_for_a_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.registration}"


class Outlook(models.Model):
    """Players who are certainly in or out of the cut during the last Swiss round."""

    round = models.OneToOneField(Round, models.CASCADE, related_name="outlook")
    # The event's version from which the outlook was computed.
    version = models.PositiveIntegerField()
    # Identifies the results used.
    digest = models.CharField(max_length=64)
    places = models.PositiveSmallIntegerField()
    open_tables = models.PositiveSmallIntegerField()
    # Number of players certainly in, and certainly out.
    players_in = models.PositiveSmallIntegerField(default=0, db_default=0)
    players_out = models.PositiveSmallIntegerField(default=0, db_default=0)
    # By player number, in the form of tournaments.outlook.services.
    needs = models.JSONField(default=dict)
    computed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"outlook of {self.round}"


class Forecast(models.Model):
    """Simulated chances of each player to make the cut, computed after a closed round."""

    round = models.OneToOneField(Round, models.CASCADE, related_name="forecast")
    # Identifies the input data.
    digest = models.CharField(max_length=64)
    places = models.PositiveSmallIntegerField()
    rounds_left = models.PositiveSmallIntegerField()
    # 0 if the remaining rounds could not be simulated.
    runs = models.PositiveSmallIntegerField()
    # Number of runs in which each player made the cut, by player number.
    times_in = models.JSONField(default=dict)
    computed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"forecast after {self.round}"
