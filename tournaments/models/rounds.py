"""Stages, rounds and pairings, the names of rounds, and the standings after each round."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Count, Exists, F, Min, OuterRef, Prefetch, Q, QuerySet
from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.model_fields import ExactField
from engine.bracket.display import RoundCode, RoundName, round_name, round_names
from engine.bracket.games import (
    Bracket,
    LoserOf,
    PlayerSource,
    SeededPlayer,
    WinnerOf,
    bracket_for,
)
from engine.pairing.round_robin import rounds_needed
from engine.round_plan import suggested_rounds
from engine.systems import CUT_SYSTEMS, IMPORTED_CUT, STORED_SYSTEMS, System, SystemKind
from engine.timing import Clock
from matches.models import SETTLED_STATES, Match, MatchState, Seat
from players.models import Player, User

if TYPE_CHECKING:
    from tournaments.models.events import Tournament
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


# A match in a sentence: by its round alone, or with its position among the matches of the round.
_ONLY_MATCH = {
    RoundCode.FINAL: gettext_lazy("final"),
    RoundCode.SEMIFINAL: gettext_lazy("semifinal"),
    RoundCode.QUARTERFINAL: gettext_lazy("quarterfinal"),
    RoundCode.ROUND_OF: gettext_lazy("round of %(number)d"),
    RoundCode.UPPER_FINAL: gettext_lazy("upper final"),
    RoundCode.UPPER_SEMIFINAL: gettext_lazy("upper semifinal"),
    RoundCode.UPPER_QUARTERFINAL: gettext_lazy("upper quarterfinal"),
    RoundCode.UPPER_ROUND_OF: gettext_lazy("upper round of %(number)d"),
    RoundCode.LOWER_FINAL: gettext_lazy("lower final"),
    RoundCode.LOWER_SEMIFINAL: gettext_lazy("lower semifinal"),
    RoundCode.LOWER_ROUND: gettext_lazy("lower round %(number)d"),
    RoundCode.BRACKET_RESET: gettext_lazy("bracket reset"),
    RoundCode.CUT_ROUND: gettext_lazy("cut round %(number)d"),
}
_NUMBERED_MATCH = {
    RoundCode.SEMIFINAL: gettext_lazy("semifinal %(match)d"),
    RoundCode.QUARTERFINAL: gettext_lazy("quarterfinal %(match)d"),
    RoundCode.ROUND_OF: gettext_lazy("round of %(number)d, match %(match)d"),
    RoundCode.UPPER_SEMIFINAL: gettext_lazy("upper semifinal %(match)d"),
    RoundCode.UPPER_QUARTERFINAL: gettext_lazy("upper quarterfinal %(match)d"),
    RoundCode.UPPER_ROUND_OF: gettext_lazy("upper round of %(number)d, match %(match)d"),
    RoundCode.LOWER_SEMIFINAL: gettext_lazy("lower semifinal %(match)d"),
    RoundCode.LOWER_ROUND: gettext_lazy("lower round %(number)d, match %(match)d"),
    RoundCode.CUT_ROUND: gettext_lazy("cut round %(number)d, match %(match)d"),
}


def match_names(bracket: Bracket) -> dict[int, str]:
    """Name each match within a sentence by its round, such as "upper semifinal 2"."""
    counted: dict[tuple[str, int], int] = defaultdict(int)
    names = {}
    for game in bracket.games:
        counted[game.half, game.round] += 1
        name = round_name(bracket, game)
        texts = _NUMBERED_MATCH if name.matches > 1 else _ONLY_MATCH
        values = {"number": name.number, "match": counted[game.half, game.round]}
        names[game.number] = texts[name.code] % values
    return names


def match_source(source: PlayerSource, names: Mapping[int, str]) -> str:
    """Name the origin of a player within a sentence, such as "winner of semifinal 1"."""
    match source:
        case SeededPlayer(seed):
            return _("seed %(seed)d") % {"seed": seed}
        case WinnerOf(game):
            return _("winner of %(match)s") % {"match": names[game]}
        case LoserOf(game):
            return _("loser of %(match)s") % {"match": names[game]}
    if source.place == 1:
        return _("best remaining seed")
    return _("remaining seed %(place)d") % {"place": source.place}


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
    singular: Mapping[RoundCode, Any], plural: Mapping[RoundCode, Any], names: Sequence[RoundName]
) -> str:
    texts = [
        (singular if name.matches == 1 else plural)[name.code] % {"number": name.number}
        for name in names
    ]
    return str(get_text_list(texts, _("and")))


# Stages, rounds, pairings, and the standings after each round.


class DeckAudience(models.TextChoices):
    """The readers of a stage's decklists, apart from the deck's owner and the judges.

    Each value includes the audiences before it.
    """

    PRIVATE = "private", gettext_lazy("nobody else")
    OPPONENT = "opponent", gettext_lazy("the opponent, once the table is published")
    CUT = "cut", gettext_lazy("players in the cut, each other's decks")
    PARTICIPANTS = "participants", gettext_lazy("all players of the event")
    PUBLIC = "public", gettext_lazy("everyone who can see the event")


# Kind of the reason stored at a cut table until the higher seed has chosen a side.
OPEN_CHOICE = "chooses_role"
MADE_CHOICE = "chose_role"
# Key in `Pairing.cost` that marks the row of a round missed by a late entry.
MISSED_ROUND = "late_entry"
PAIRING_RELATED = ("match", "bye__player", "round")
# Joined: Django takes very long to fetch the players of a large round by key.
SEATS = Prefetch("match__seats", Seat.objects.select_related("player"))


class StageQuerySet(models.QuerySet["Stage"]):
    def cuts(self) -> Self:
        return self.filter(system__in=CUT_SYSTEMS)

    def cuts_of(self, events: Iterable["Tournament"]) -> list["Stage"]:
        cuts = self.cuts().filter(tournament__in=[event.pk for event in events])
        return list(cuts.select_related("tournament").order_by("number"))

    def public_cuts(self) -> Self:
        begun = Round.objects.filter(stage=OuterRef("pk")).published()
        return self.cuts().filter(Q(seeds_shown_at__isnull=False) | Exists(begun))

    def public_cuts_of(
        self, events: Iterable["Tournament"]
    ) -> dict[int, tuple[int, "Round | None"]]:
        """Size and newest published round of public cuts, by event key.

        The number of queries does not depend on the number of events.
        """
        taken = Count("entries", filter=Q(entries__declined=False))
        stages = self.cuts().filter(tournament__in=[event.pk for event in events])
        cut_stages = list(stages.annotate(taken=taken).order_by("number"))
        cuts: dict[int, tuple[int, Round | None]] = {
            stage.tournament_id: (stage.taken, None)  # type: ignore[attr-defined]
            for stage in cut_stages
            if stage.seeds_shown_at
        }
        published = Round.objects.filter(stage__in=cut_stages).published().select_related("stage")
        newest = list(published.defer("certificate", "relaxations"))
        Round.prefetch_names(newest)
        for round_ in newest:
            cuts[round_.stage.tournament_id] = round_.stage.size, round_
        return cuts


class Stage(models.Model):
    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    # An id of engine.systems.
    system = models.CharField(
        max_length=20,
        choices=[(way.id, way.name) for way in STORED_SYSTEMS.values()],
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

    objects = StageQuerySet.as_manager()

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

    @property
    def is_cut(self) -> bool:
        return self.way.is_elimination

    @cached_property
    def size(self) -> int:
        """Number of places taken in a cut, or in the fixed order of a round robin."""
        return self.entries.filter(declined=False).count()

    @cached_property
    def bracket(self) -> Bracket | None:
        """The bracket of a cut; None for other stages and for an imported cut."""
        if not self.is_cut or self.system == IMPORTED_CUT:
            return None
        return bracket_for(self.system, self.size, fixed=self.fixed_bracket)

    @cached_property
    def first_round_number(self) -> int:
        return self.rounds.aggregate(first=models.Min("number"))["first"] or 1

    def bracket_rounds(self, number: int, games: Iterable[int]) -> tuple[RoundName, ...]:
        """Name the bracket rounds that contain these bracket games."""
        if self.bracket is not None:
            return round_names(self.bracket, games)
        return (RoundName(RoundCode.CUT_ROUND, number - self.first_round_number + 1),)

    @property
    def is_paired_by_results(self) -> bool:
        """True unless the stage is a round robin or paired manually."""
        return self.way.kind not in (SystemKind.ROUND_ROBIN, SystemKind.MANUAL)

    def has_published_round(self) -> bool:
        return self.rounds.published().exists()

    def is_public_cut(self) -> bool:
        return self.seeds_shown_at is not None or self.has_published_round()

    def players_to_pair(self) -> list["Registration"]:
        """Players to be paired next: all players of a cut, otherwise the active ones."""
        if self.is_cut:
            return [entry.registration for entry in self.entries.accepted()]
        return list(self.tournament.registrations.active())

    def fixed_order(self) -> list["Registration"]:
        """Players of a round robin in the order of its table; empty before its first draft."""
        return [entry.registration for entry in self.entries.accepted()]

    def order_is_fixed(self) -> bool:
        """Return True if a round of this round robin is published. New players cannot join then."""
        return self.way.kind is SystemKind.ROUND_ROBIN and self.has_published_round()

    def number_of_round(self, number: int) -> int:
        """Return the number of a round of the event within this stage, from 1."""
        return number - self.tournament.rounds.filter(stage__number__lt=self.number).count()

    def cycles(self, players: int) -> int:
        """Meetings of each pair: 2 if more rounds are planned than a single round robin takes."""
        planned = self.tournament.planned_rounds or 0
        return 2 if planned > rounds_needed(players) else 1

    def round_robin_rounds(self, players: int) -> int:
        """Return the number of rounds of this round robin: as planned, at most a full cycle."""
        needed = rounds_needed(players, cycles=self.cycles(players))
        return min(self.tournament.planned_rounds or needed, needed)

    def is_played_out(self) -> bool:
        players = self.entries.count() if self.order_is_fixed() else 0
        return players > 1 and self.rounds.count() >= rounds_needed(
            players, cycles=self.cycles(players)
        )

    def expected_rounds(self, field: int) -> int:
        """Return the number of rounds this many players will play in the stage."""
        # As planned, otherwise as the system suggests. A round robin never has more rounds than it
        # takes.
        if self.way.kind is not SystemKind.ROUND_ROBIN:
            return self.tournament.planned_rounds or suggested_rounds(field)
        return self.round_robin_rounds(max(2, len(self.fixed_order()) or field))


class StageEntryQuerySet(models.QuerySet["StageEntry"]):
    def accepted(self) -> Self:
        return self.filter(declined=False).select_related("registration__player").order_by("seed")

    def declined_in_order(self) -> Self:
        return self.filter(declined=True).select_related("registration__player").order_by("pk")


class StageEntry(models.Model):
    """A player's place in a cut, or in the fixed order of a round robin."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="entries")
    registration = models.ForeignKey("tournaments.Registration", models.PROTECT, related_name="+")
    # 1 is the best seed.
    seed = models.PositiveSmallIntegerField(null=True, blank=True)
    # A declined place stays for the record; the players behind it move up.
    declined = models.BooleanField(default=False)
    # The player's final place in an imported cut.
    place = models.PositiveSmallIntegerField(null=True, blank=True)

    objects = StageEntryQuerySet.as_manager()

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
    DRAFT = "draft", gettext_lazy("draft")
    PUBLISHED = "published", gettext_lazy("published")
    RUNNING = "running", gettext_lazy("running")
    CLOSED = "closed", gettext_lazy("closed")


# States of a round that is being played.
STATES_IN_PLAY = (RoundState.PUBLISHED, RoundState.RUNNING)


class RoundQuerySet(models.QuerySet["Round"]):
    def published(self) -> Self:
        return self.exclude(state=RoundState.DRAFT)

    def closed(self) -> Self:
        return self.filter(state=RoundState.CLOSED)

    def closed_numbers(self) -> list[int]:
        return list(self.closed().values_list("number", flat=True))

    def ranked_numbers(self) -> list[int]:
        """Numbers of the closed rounds with stored standings, in order."""
        ranked = self.closed().filter(snapshots__isnull=False)
        return list(ranked.values_list("number", flat=True).distinct())

    def with_counts(self) -> Self:
        """Return the rounds with their stages and the numbers of `tables` and `byes`."""
        return self.select_related("stage").annotate(
            tables=Count("pairings", filter=Q(pairings__bye=None)),
            byes=Count("pairings", filter=Q(pairings__match=None)),
        )

    def for_desk(self) -> Self:
        """Return the rounds with their stages, annotated with `lacks_results`."""
        # `lacks_results` is True if a table has no settled result. The large `outlook.needs` is not
        # loaded.
        unsettled = Pairing.objects.filter(round=OuterRef("pk")).unsettled()
        rounds = self.select_related("stage__tournament", "outlook").defer("outlook__needs")
        return rounds.annotate(lacks_results=Exists(unsettled))


class Round(models.Model):
    """A round, numbered across all stages of the event. Only organisers see a draft."""

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

    objects = RoundQuerySet.as_manager()

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

        Two queries in a cut. `prefetch_names` reads many rounds together.
        """
        if not self.is_in_cut:
            return ()
        games = self.pairings.exclude(bracket_game=None).values_list("bracket_game", flat=True)
        return self.stage.bracket_rounds(self.number, filter(None, games.order_by()))

    @property
    def name(self) -> str:
        """The name of the round: "round 3", "semifinals"."""
        return round_label(self.number, self.bracket_rounds)

    @property
    def title(self) -> str:
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

    @property
    def is_in_cut(self) -> bool:
        return self.stage.is_cut

    @staticmethod
    def prefetch_names(rounds: Iterable["Round"]) -> None:
        """Prefetch the data for the names of rounds, of any number of events.

        Two queries if there is a cut. The stages of the rounds must be loaded.
        """
        cut_rounds = [round_ for round_ in rounds if round_.is_in_cut]
        if not cut_rounds:
            return
        games: defaultdict[int, list[int]] = defaultdict(list)
        paired = Pairing.objects.filter(round__in=cut_rounds).exclude(bracket_game=None).order_by()
        for round_id, game in paired.values_list("round", "bracket_game"):
            if game is not None:
                games[round_id].append(game)
        stages = {round_.stage_id: round_.stage for round_ in cut_rounds}
        taken = Count("entries", filter=Q(entries__declined=False), distinct=True)
        rows = Stage.objects.filter(pk__in=stages).annotate(
            taken=taken, first=Min("rounds__number")
        )
        for pk, size, first in rows.order_by().values_list("pk", "taken", "first"):
            stages[pk].size, stages[pk].first_round_number = size, first
        for round_ in cut_rounds:
            round_.stage = stages[round_.stage_id]
            round_.bracket_rounds = round_.stage.bracket_rounds(round_.number, games[round_.pk])

    def open_tables(self) -> "PairingQuerySet":
        return self.pairings.with_players().unsettled()

    def tables_with_extra_time(self) -> "PairingQuerySet":
        return self.open_tables().filter(extra_minutes__gt=0)

    def pairing_of(self, player: Player) -> "Pairing | None":
        return self.pairings.with_players().of_player(player).first()

    def open_absences(self) -> "QuerySet[Absence]":
        """Players reported missing at tables of this round without a reported result, by table."""
        absences = Absence.objects.filter(
            pairing__round=self, applied_at=None, pairing__match__state=MatchState.OPEN
        )
        if not self.is_played:
            return absences.none()
        related = "registration__player", "pairing__match", "pairing__round__stage__tournament"
        return absences.select_related(*related).order_by("pairing__table_number", "pk")

    def changes_since_draft(self) -> tuple[list["Registration"], list["Registration"]]:
        """Players who left and who arrived since the draft was made, by number."""
        # Empty in a cut: players cannot join, and a player who leaves concedes.
        if self.is_in_cut:
            return [], []
        tournament, pairings = self.stage.tournament, self.pairings.order_by()
        at_tables = Seat.objects.filter(match__in=pairings.tables().values("match"))
        seated = {
            *at_tables.order_by().values_list("player", flat=True),
            *pairings.exclude(bye=None).values_list("bye__player", flat=True),
        }
        present = tournament.registrations.active()
        active = set(present.values_list("player", flat=True))
        gone = tournament.registrations.filter(player__in=seated - active)
        arrived = present.filter(player__in=active - seated)
        return list(gone.select_related("player").order_by("number")), list(arrived)

    def results_changed_since_draft(self, moment: datetime | None = None) -> bool:
        """Return True if a result that the draft is based on changed since it was made.

        With `moment`, since then.
        """
        if not self.stage.is_paired_by_results:
            return False
        earlier = self.stage.tournament.closed_pairings()
        return earlier.filter(match__settled_at__gt=moment or self.created_at).exists()

    def clock(self) -> Clock:
        tournament = self.stage.tournament
        return Clock(
            minutes=tournament.round_minutes + self.extra_minutes,
            started_at=self.started_at,
            paused_at=self.paused_at,
            paused_seconds=self.paused_seconds,
            overtime_minutes=tournament.overtime_minutes,
            stopped_at=self.closed_at,
        )

    @property
    def pause_mark(self) -> int:
        """Identifies a pause of the round: its start in milliseconds, 0 for none."""
        return round(self.paused_at.timestamp() * 1000) if self.paused_at else 0

    def pairings_for_log(self) -> list[dict[str, Any]]:
        """Return the pairings by name as logged: {"table", "seats"} or {"bye"} each."""
        # Reads only names: model instances took most of the time of a publication.
        rows = self.pairings.order_by(
            F("table_number").asc(nulls_last=True), "pk", "match__seats__position"
        ).values_list("pk", "table_number", "bye__player__name", "match__seats__player__name")
        seats: dict[int, dict[str, Any]] = {}
        for pk, table, bye, seated in rows:
            if table is None:
                seats[pk] = {"bye": bye}
            else:
                seats.setdefault(pk, {"table": table, "seats": []})["seats"].append(seated)
        return list(seats.values())


# Columns read by a player's page of a table.
_COLUMNS_OF_PLAYER_PAGE = (
    *("round", "table_number", "match", "bye"),
    *(f"round__{name}" for name in ("stage", "number", "state")),
    *(f"round__stage__{name}" for name in ("number", "system", "tournament")),
    *(
        f"round__stage__tournament__{name}"
        for name in (
            *("name", "slug", "visibility", "practice_of", "staff_need_second_factor"),
            *("finished_at", "confirm_after_minutes"),
        )
    ),
)


class PairingQuerySet(models.QuerySet["Pairing"]):
    def of_event(self, tournament: "Tournament") -> Self:
        return self.filter(round__stage__tournament=tournament)

    def of_player(self, player: Player) -> Self:
        return self.filter(Q(match__seats__player=player) | Q(bye__player=player))

    def published(self) -> Self:
        return self.exclude(round__state=RoundState.DRAFT)

    def tables(self) -> Self:
        """Pairings with a match, without byes."""
        return self.exclude(match=None)

    def unsettled(self) -> Self:
        return self.tables().exclude(match__state__in=SETTLED_STATES)

    def with_players(self) -> Self:
        return self.select_related(*PAIRING_RELATED).prefetch_related(SEATS)

    def with_games(self) -> Self:
        pairings = self.select_related(*PAIRING_RELATED)
        return pairings.prefetch_related("match__seats", "match__games__seats")

    def for_player_page(self, slug: str, number: int, table: int) -> "Pairing | None":
        """Return the pairing with its event, match and players; two queries."""
        # Reads only what a player's page shows, because all players load it at the same time.
        tables = self.select_related("match", "round__stage__tournament")
        return (
            tables.only(*_COLUMNS_OF_PLAYER_PAGE)
            .prefetch_related(SEATS)
            .filter(round__stage__tournament__slug=slug, round__number=number, table_number=table)
            .first()
        )

    def for_missed_rounds(self) -> Self:
        """Return the rows that credit a late entry for missed rounds."""
        return self.filter(cost__has_key=MISSED_ROUND).select_related("round")

    def of_swiss_rounds(self, rounds: RoundQuerySet) -> Self:
        """Pairings of these rounds in order, without those of a cut."""
        counting = rounds.exclude(stage__system__in=CUT_SYSTEMS)
        return self.filter(round__in=counting).order_by(
            "round__stage__number", "round__number", "table_number", "pk"
        )

    def of_brackets(self, *stages: Stage) -> list["Pairing"]:
        """Return the published tables of cuts with seats and games, in bracket order."""
        return list(
            self.filter(round__stage__in=stages)
            .tables()
            .published()
            .select_related("match", "round", "advances")
            .prefetch_related(SEATS, "match__games__seats")
            .order_by("bracket_game")
        )


class Pairing(models.Model):
    round = models.ForeignKey(Round, models.CASCADE, related_name="pairings")
    table_number = models.PositiveSmallIntegerField(null=True, blank=True)
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="+")
    bye = models.ForeignKey(
        "tournaments.Registration", models.PROTECT, null=True, blank=True, related_name="byes"
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
        "tournaments.Registration", models.PROTECT, null=True, blank=True, related_name="+"
    )

    objects = PairingQuerySet.as_manager()

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
    def is_reported(self) -> bool:
        return self.match is not None and self.match.state != MatchState.OPEN

    def open_absences(self) -> "list[Absence]":
        """Players reported missing at this table, while no result is reported."""
        return list(self.round.open_absences().filter(pairing=self))

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
        return list(self.match.seats.all()) if self.match else []

    @property
    def players(self) -> list[int]:
        return [self.bye.player_id] if self.bye else [seat.player_id for seat in self.seats]


class Absence(models.Model):
    """A report that a player did not come to the table. Deleted if the player arrives after all."""

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="absences")
    registration = models.ForeignKey("tournaments.Registration", models.CASCADE, related_name="+")
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


class StandingSnapshotQuerySet(models.QuerySet["StandingSnapshot"]):
    def newest(self, round_number: int | None = None) -> "StandingSnapshot | None":
        """Return the current standings after a round, by default the last closed one."""
        snapshots = self.select_related("round").newest_first()
        if round_number is not None:
            snapshots = snapshots.filter(round__number=round_number)
        return snapshots.first()

    def newest_first(self) -> Self:
        """Standings after closed rounds. The first one of each round applies."""
        closed = self.filter(round__state=RoundState.CLOSED)
        return closed.order_by("-round__stage__number", "-round__number", "-pk")

    def keys_by_round(self) -> dict[int, int]:
        """Keys of the current standings by round number, first to last; one query."""
        closed = self.filter(round__state=RoundState.CLOSED).order_by("round__number", "pk")
        return dict(closed.values_list("round__number", "pk"))


class StandingSnapshot(models.Model):
    """The standings after a closed round.

    A corrected result adds a snapshot. The newest one of a round applies; older ones can be read.
    """

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="snapshots"
    )
    round = models.ForeignKey(Round, models.CASCADE, related_name="snapshots")
    computed_at = models.DateTimeField(auto_now_add=True)
    tournament_version = models.PositiveIntegerField()

    objects = StandingSnapshotQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"standings of {self.tournament} after {self.round}"


class StandingQuerySet(models.QuerySet["Standing"]):
    def ranked(self) -> Self:
        return self.select_related("registration__player").order_by("rank")


class Standing(models.Model):
    snapshot = models.ForeignKey(StandingSnapshot, models.CASCADE, related_name="rows")
    registration = models.ForeignKey("tournaments.Registration", models.CASCADE, related_name="+")
    rank = models.PositiveSmallIntegerField()
    match_points = ExactField()
    # Exact values by id, as "n" or "n/d".
    tie_breakers = models.JSONField(default=dict)

    objects = StandingQuerySet.as_manager()

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
