"""What an infraction cost a player, and what an event does otherwise than the guide."""

from django.db import models

from players.models import User
from rulings.guide import PenaltyKind
from rulings.models import JudgeNote, Ruling
from tournaments.models.events import Tournament
from tournaments.models.registrations import Registration
from tournaments.models.rounds import Pairing

PENALTIES = [(kind.value, kind.label) for kind in PenaltyKind]


class Penalty(models.Model):
    """A penalty given to a player; judges see it, and the player.

    `infraction` is a code of the guide and `infraction_name` what it was called that day, so
    that a later change of the guide changes nothing here. `expected` is what the guide said it
    costs; the note says what happened, and why where another penalty was given. A game loss
    names its `game`. A lost game or match works on the result of `pairing`; while that is null
    it waits for the next round of the player. One that was `withdrawn_at` has no effect any more.
    One that `dropped` the player took them out of the event, and gives them back.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="penalties")
    registration = models.ForeignKey(Registration, models.CASCADE, related_name="penalties")
    pairing = models.ForeignKey(
        Pairing, models.SET_NULL, null=True, blank=True, related_name="penalties"
    )
    round_number = models.PositiveSmallIntegerField(null=True, blank=True)
    infraction = models.SlugField(max_length=60)
    infraction_name = models.CharField(max_length=120)
    kind = models.CharField(max_length=20, choices=PENALTIES)
    expected = models.CharField(max_length=20, choices=PENALTIES)
    game = models.PositiveSmallIntegerField(null=True, blank=True)
    note = models.OneToOneField(JudgeNote, models.PROTECT, related_name="penalty")
    dropped = models.BooleanField(default=False)
    given_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    withdrawn_reason = models.TextField(blank=True)

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
    def stands(self) -> bool:
        """Whether it was not taken back."""
        return self.withdrawn_at is None

    @property
    def is_unusual(self) -> bool:
        """Whether it is another one than the guide said."""
        return self.kind != self.expected

    @property
    def waits(self) -> bool:
        """Whether it will cost a game or a match of the next round with a table."""
        waiting = (PenaltyKind.GAME_LOSS, PenaltyKind.MATCH_LOSS)
        return self.stands and self.pairing_id is None and self.kind in waiting


class InfractionChange(models.Model):
    """What this event does otherwise than the guide: another ladder, none, or an own infraction.

    `code` is one of the guide, or a new one, which then has a `name`. `ladder` lists penalties
    as Infraction.ladder does; an infraction that `is_off` is not offered at this event.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="infraction_changes")
    code = models.SlugField(max_length=60)
    name = models.CharField(max_length=120, blank=True)
    description = models.CharField(max_length=500, blank=True)
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


class LocalRuling(models.Model):
    """A ruling of a head judge that holds at this event.

    It was `made_here`, or at an earlier event and is used again. The citations of `basis` are
    the rulings it was based on, as they read then. The site's staff `adopted_at` some moment one
    that was made here: everybody is shown it while its event is public.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="local_rulings")
    ruling = models.ForeignKey(Ruling, models.PROTECT, related_name="+")
    made_here = models.BooleanField(default=True)
    basis = models.ForeignKey(JudgeNote, models.SET_NULL, null=True, blank=True, related_name="+")
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
