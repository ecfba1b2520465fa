"""Stages, rounds, who sits at which table, and the standings after each round."""

from collections.abc import Iterable
from functools import cached_property

from django.db import models
from django.utils.text import capfirst

from core.model_fields import ExactField
from engine.bracket import Bracket, bracket_for
from engine.bracket.round_names import RoundCode, RoundName, round_name, round_names
from engine.systems import IMPORTED, STORED, System
from matches.models import Match, Seat
from players.models import Player, User
from tournaments.models.events import DeckAudience, Tournament
from tournaments.models.registrations import Registration
from tournaments.models.round_names import match_kind, round_in_sentence, round_label

CHOICE_IS_OPEN = "chooses_role"
"""Kind of the reason a cut table has until the higher seed has chosen a side."""
CHOICE_IS_MADE = "chose_role"


class Stage(models.Model):
    """A part of the event with one way of pairing, named by `system` (engine.systems).

    `scoring_rule` is that of its matches. A `fixed_bracket` is not seeded anew from round to
    round. From `seeds_shown_at` on everybody sees a cut, before its first games or without that
    with them. Its deck lists are shown to `decks_shown_to` from `decks_shown_at` on, or without
    that from when its first round is published.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    system = models.CharField(
        max_length=20, choices=[(one.id, one.name) for one in STORED.values()], default="double"
    )
    scoring_rule = models.CharField(max_length=40, default="onr_runner_only")
    fixed_bracket = models.BooleanField(default=False)
    decks_shown_to = models.CharField(
        max_length=12, choices=DeckAudience.choices, default=DeckAudience.PRIVATE
    )
    decks_shown_at = models.DateTimeField(null=True, blank=True)
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
        """How the stage is run."""
        return STORED[self.system]

    @cached_property
    def size(self) -> int:
        """Number of places taken in a cut, or in the fixed order of a round robin."""
        return self.entries.filter(declined=False).count()

    @cached_property
    def bracket(self) -> Bracket | None:
        """The games of a cut; None for other stages and for an imported cut."""
        if not self.way.is_elimination or self.system == IMPORTED:
            return None
        return bracket_for(self.system, self.size, fixed=self.fixed_bracket)

    @cached_property
    def first_round_number(self) -> int:
        """The number of its first round in the event."""
        return self.rounds.aggregate(first=models.Min("number"))["first"] or 1

    def bracket_rounds(self, number: int, games: Iterable[int]) -> tuple[RoundName, ...]:
        """Name the rounds of the bracket that these games of one round are in."""
        if self.bracket is not None:
            return round_names(self.bracket, games)
        return (RoundName(RoundCode.CUT_ROUND, number - self.first_round_number + 1),)


class StageEntry(models.Model):
    """A place in a stage that not everybody plays, or that fixes an order: 1 is the best seed.

    A cut has one for each player in it, a round robin the order of its table. A `declined` place
    stays for the record; the players behind move up. `place` is where a file says the player
    came in a cut that was played elsewhere.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="entries")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="+")
    seed = models.PositiveSmallIntegerField(null=True, blank=True)
    declined = models.BooleanField(default=False)
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


AT_TABLES = (RoundState.PUBLISHED, RoundState.RUNNING)
"""The players of such a round sit now."""


class Round(models.Model):
    """One round, numbered through all stages of the event. A draft is seen by organisers only.

    `certificate` and `relaxations` are the pairing engine's account of itself. Its clock begins
    at `started_at`; `paused_at` is set while it stands still, `paused_seconds` are those of
    earlier pauses, `extra_minutes` were added for the whole room (engine.clock).
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=RoundState.choices, default=RoundState.DRAFT)
    seed = models.PositiveBigIntegerField()
    certificate = models.JSONField(default=dict)
    relaxations = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)
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
        """The rounds of the bracket that are played in this one; none outside a cut.

        Two queries in a cut. `queries.name_rounds` reads them for many rounds at once.
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
        """The name of the round to begin a line with: "Round 3", "Semifinals"."""
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
        return self.state in AT_TABLES

    @property
    def is_closed(self) -> bool:
        return self.state == RoundState.CLOSED


class Pairing(models.Model):
    """Who sits at which table; a bye has a registration and no match.

    `reasons` are the engine's sentences on why these two meet, `cost` its
    price in parts; both are empty for a pairing made by hand. A table that
    `is_locked` stays when the rest of a draft is paired anew. `bracket_game`
    is its number in the bracket of a cut; `advances` names who goes on when a
    match of a cut ended level. A table has `extra_minutes` besides those of the room.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="pairings")
    table_number = models.PositiveSmallIntegerField(null=True, blank=True)
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="+")
    bye = models.ForeignKey(
        Registration, models.PROTECT, null=True, blank=True, related_name="byes"
    )
    bye_points = models.SmallIntegerField(null=True, blank=True)
    cost = models.JSONField(default=dict)
    reasons = models.JSONField(default=list)
    made_by_hand = models.BooleanField(default=False)
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    is_locked = models.BooleanField(default=False)
    bracket_game = models.PositiveSmallIntegerField(null=True, blank=True)
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
        return self._reason_of(CHOICE_IS_OPEN) is not None

    @property
    def chooser_number(self) -> int | None:
        """Number in the event of the player who chooses or chose a side; None without a choice."""
        reason = self._reason_of(CHOICE_IS_OPEN) or self._reason_of(CHOICE_IS_MADE)
        return reason["players"][0] if reason else None

    def _reason_of(self, kind: str) -> dict[str, list[int]] | None:
        return next((reason for reason in self.reasons if reason["kind"] == kind), None)

    @property
    def round_title(self) -> str:
        """The round of this one match: "Round 3", "Semifinal"."""
        bracket = self.round.stage.bracket if self.bracket_game else None
        if bracket is None:
            return self.round.title
        return match_kind(round_name(bracket, bracket.by_number[self.bracket_game or 0]))

    @property
    def seats(self) -> list[Seat]:
        """Who sits here, in order; nobody with a bye. No query where they are fetched."""
        return list(self.match.seats.all()) if self.match else []

    @property
    def players(self) -> list[int]:
        """The players who sit here, in order, or who has the bye."""
        return [self.bye.player_id] if self.bye else [seat.player_id for seat in self.seats]


class Absence(models.Model):
    """Somebody reported that a player did not come to the table; void when they came after all.

    `applied_at` is when the table was decided for it.
    """

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="absences")
    registration = models.ForeignKey(Registration, models.CASCADE, related_name="+")
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    told_at = models.DateTimeField(auto_now_add=True)
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
    """The standings after one closed round, as computed at one moment.

    A mended result adds a new snapshot; the newest of a round is in force and
    the older ones can be read back.
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
    """One line: `tie_breakers` maps ids to exact values as "n" or "n/d"."""

    snapshot = models.ForeignKey(StandingSnapshot, models.CASCADE, related_name="rows")
    registration = models.ForeignKey(Registration, models.CASCADE, related_name="+")
    rank = models.PositiveSmallIntegerField()
    match_points = ExactField()
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
    """Who is in or out of the places that count before the last round of the Swiss is over.

    `needs` has what is certain by number in the event, as `tournaments.clinch.field` writes it,
    made from the results that were in with the event's `version`; `digest` tells these from others.
    So many players are certainly in, and so many out.
    """

    round = models.OneToOneField(Round, models.CASCADE, related_name="outlook")
    version = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    places = models.PositiveSmallIntegerField()
    open_tables = models.PositiveSmallIntegerField()
    players_in = models.PositiveSmallIntegerField(default=0, db_default=0)
    players_out = models.PositiveSmallIntegerField(default=0, db_default=0)
    needs = models.JSONField(default=dict)
    computed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"outlook of {self.round}"


class Forecast(models.Model):
    """How often each player came in when the rounds after this closed one were played out.

    `times_in` has the number of runs by number in the event, `runs` is 0 where the rest could not
    be played out; `digest` tells what it was made from.
    """

    round = models.OneToOneField(Round, models.CASCADE, related_name="forecast")
    digest = models.CharField(max_length=64)
    places = models.PositiveSmallIntegerField()
    rounds_left = models.PositiveSmallIntegerField()
    runs = models.PositiveSmallIntegerField()
    times_in = models.JSONField(default=dict)
    computed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"forecast after {self.round}"
