"""Penalties, local rulings and an event's changes to the infraction guide."""

from dataclasses import dataclass
from typing import Self

from django.db import models
from django.db.models import Count, Max, Prefetch, Q

from players.models import User
from rulings.guide import GuideChange, PenaltyKind
from rulings.models import JudgeNote, Ruling
from rulings.queries import cited_versions
from tournaments.models.registrations import Registration
from tournaments.models.rounds import Pairing

PENALTY_CHOICES = [(kind.value, kind.label) for kind in PenaltyKind]
IN_FORCE = Q(withdrawn_at=None)
COSTLY_KINDS = tuple(kind for kind in PenaltyKind if kind.costs_games)
# Penalties that cost games of a later round if there was no table. A disqualified player has no
# later round.
WAITING_KINDS = (PenaltyKind.GAME_LOSS, PenaltyKind.MATCH_LOSS)


@dataclass(frozen=True)
class InfractionCount:
    code: str
    name: str
    given: int
    withdrawn: int


class PenaltyQuerySet(models.QuerySet["Penalty"]):
    def in_force(self) -> Self:
        return self.filter(IN_FORCE)

    def with_details(self) -> Self:
        """Penalties, oldest first, with related objects and citations; constant queries."""
        rows = self.select_related(
            *("registration__player", "pairing__round"),
            *("note__author__player", "withdrawn_by__player"),
        )
        return rows.prefetch_related(Prefetch("note__citations", cited_versions())).order_by("pk")

    def for_own_page(self) -> Self:
        """Penalties in force, for the player's own page, newest first; one query."""
        return self.in_force().select_related("note", "pairing").order_by("-pk")

    def without_table(self) -> Self:
        """Like `with_details`, for penalties in force that cost games of a later table, if any."""
        # Includes disqualifications: a bracket may still seat the player.
        return self.with_details().in_force().filter(pairing=None, kind__in=COSTLY_KINDS)

    def costing_games(self) -> Self:
        costly = self.in_force().filter(kind__in=COSTLY_KINDS)
        return costly.select_related("registration").order_by("pk")

    def costing_games_at(self, pairing: Pairing, player: int) -> Self:
        """Penalties that cost this player games at this table, with their reasons; one query."""
        rows = self.for_own_page().filter(kind__in=COSTLY_KINDS, pairing=pairing)
        return rows.filter(registration__player=player)

    def counts_by_infraction(self) -> list[InfractionCount]:
        """Return the number of penalties per infraction, most frequent first; one query."""
        # Each infraction has its most recent name.
        rows = (
            self.values_list("infraction", "infraction_name")
            .annotate(given=Count("pk"), withdrawn=Count("pk", filter=~IN_FORCE), last=Max("pk"))
            .order_by("last")
        )
        counts: dict[str, InfractionCount] = {}
        for code, name, given, withdrawn, _last in rows:
            if code in counts:
                given += counts[code].given
                withdrawn += counts[code].withdrawn
            counts[code] = InfractionCount(code, name, given, withdrawn)
        return sorted(counts.values(), key=lambda count: (-count.given, count.name))


class Penalty(models.Model):
    """A penalty given to a player. Visible to judges and to the player."""

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="penalties"
    )
    registration = models.ForeignKey(Registration, models.CASCADE, related_name="penalties")
    # The table where it happened. A game or match loss changes its result; without a table, the
    # loss applies in the player's next round.
    pairing = models.ForeignKey(
        Pairing, models.SET_NULL, null=True, blank=True, related_name="penalties"
    )
    round_number = models.PositiveSmallIntegerField(null=True, blank=True)
    # The code in the guide, with its name at the time. Later changes of the guide do not apply.
    infraction = models.SlugField(max_length=60)
    infraction_name = models.CharField(max_length=120)
    kind = models.CharField(max_length=20, choices=PENALTY_CHOICES)
    # The penalty that the guide recommends.
    expected = models.CharField(max_length=20, choices=PENALTY_CHOICES)
    # The lost game of a game loss.
    game = models.PositiveSmallIntegerField(null=True, blank=True)
    # Describes what happened, and the reason for a penalty other than the guide's.
    note = models.OneToOneField(JudgeNote, models.PROTECT, related_name="penalty")
    # The penalty also dropped the player; withdrawing it returns them to the event.
    dropped = models.BooleanField(default=False)
    given_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    withdrawn_reason = models.TextField(blank=True)

    objects = PenaltyQuerySet.as_manager()

    class Meta:
        ordering = ["tournament", "pk"]
        verbose_name_plural = "penalties"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(game=None) | models.Q(kind=PenaltyKind.GAME_LOSS),
                name="only_a_game_loss_names_a_game",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} for {self.infraction_name}"

    @property
    def is_in_force(self) -> bool:
        return self.withdrawn_at is None

    @property
    def is_unusual(self) -> bool:
        return self.kind != self.expected

    @property
    def is_waiting(self) -> bool:
        """True if the penalty will cost a game or match of the player's next round."""
        return self.is_in_force and self.pairing_id is None and self.kind in WAITING_KINDS


class InfractionChange(models.Model):
    """An event's deviation from the infraction guide: a changed, disabled or new infraction."""

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="infraction_changes"
    )
    # A code of the guide, or a new code, which then needs a `name`.
    code = models.SlugField(max_length=60)
    name = models.CharField(max_length=120, blank=True)
    description = models.CharField(max_length=500, blank=True)
    # Penalties, as in Infraction.ladder.
    ladder = models.JSONField(default=list, blank=True)
    is_off = models.BooleanField(default=False)

    class Meta:
        ordering = ["tournament", "code"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "code"], name="an_infraction_is_changed_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.code} at {self.tournament}"

    def as_guide_change(self) -> GuideChange:
        ladder = tuple(map(PenaltyKind, self.ladder))
        return GuideChange(self.code, self.name, self.description, ladder, self.is_off)


class LocalRuling(models.Model):
    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="local_rulings"
    )
    ruling = models.ForeignKey(Ruling, models.PROTECT, related_name="+")
    # False if it was made at an earlier event and is used again.
    made_here = models.BooleanField(default=True)
    # Its citations are the rulings it was based on, in their versions of that time.
    basis = models.ForeignKey(JudgeNote, models.SET_NULL, null=True, blank=True, related_name="+")
    # When the site's staff adopted it; it is then shown to everybody while its event is public.
    adopted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "ruling"], name="a_local_ruling_holds_once"
            ),
            models.UniqueConstraint(
                fields=["ruling"],
                condition=models.Q(made_here=True),
                name="a_local_ruling_is_made_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruling} at {self.tournament}"
