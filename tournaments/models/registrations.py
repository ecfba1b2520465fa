"""A player's registration for an event."""

from django.db import models

from players.models import Player, User
from tournaments.models.events import Tournament


class RegistrationState(models.TextChoices):
    WAITING = "waiting", "on the waiting list"
    REGISTERED = "registered", "registered"
    CHECKED_IN = "checked_in", "checked in"
    DROPPED = "dropped", "dropped"


class DroppedBy(models.TextChoices):
    """The reason why a player is out. Only a player who left can return without the staff."""

    PLAYER = "player", "left"
    STAFF = "staff", "dropped by the staff"
    ABSENT = "absent", "not checked in when round 1 was published"
    NO_SHOW = "no_show", "did not come to the table"
    DAY_TWO = "day_two", "not checked in for day 2"


class Registration(models.Model):
    """A player's place in an event. Only checked-in players are paired."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="registrations")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    # Never changes and is never reused, so that random draws are the same on any database.
    number = models.PositiveSmallIntegerField()
    state = models.CharField(
        max_length=12, choices=RegistrationState.choices, default=RegistrationState.REGISTERED
    )
    first_round_bye = models.BooleanField(default=False)
    # Set by the organiser to order the field; 1 is best.
    seed = models.PositiveSmallIntegerField(null=True, blank=True)
    # Players of the same group are not paired if possible.
    avoid_group = models.CharField(max_length=40, blank=True)
    # The first round a late entry can play.
    joined_in_round = models.PositiveSmallIntegerField(default=1)
    # The player's table in every round.
    fixed_table = models.PositiveSmallIntegerField(null=True, blank=True)
    # Never seated at a feature table.
    avoids_stream = models.BooleanField(default=False)
    # Table at the player meeting.
    meeting_table = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    checked_in_at = models.DateTimeField(null=True, blank=True)
    dropped_at = models.DateTimeField(null=True, blank=True)
    # When the player checked in for day 2.
    day_two_at = models.DateTimeField(null=True, blank=True)
    # Set when the staff reorder the waiting list. Players without a rank follow, first come first.
    waiting_rank = models.PositiveSmallIntegerField(null=True, blank=True)
    # When the staff marked the entry fee as paid. Datafort handles no payments.
    paid_at = models.DateTimeField(null=True, blank=True)
    dropped_by = models.CharField(max_length=10, choices=DroppedBy.choices, blank=True)
    # Increases with changes that only this player's own page shows
    # (tournaments.event.history.record).
    version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["tournament", "player__sort_key", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="one_place_for_a_player"),
            models.UniqueConstraint(fields=["tournament", "number"], name="one_player_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.tournament}"

    @property
    def is_off_stream(self) -> bool:
        """Return True if the player opted out of streams, here or for all events."""
        return self.avoids_stream or self.player.hides_from_streams

    @property
    def is_active(self) -> bool:
        return self.state == RegistrationState.CHECKED_IN


# Merged player records.


class PlayerMerge(models.Model):
    """A merge of two records of one player, with the data needed to undo it exactly.

    The merged record stays, empty, and refers to the other record in `merged_into`.
    """

    kept = models.ForeignKey(Player, models.CASCADE, related_name="+")
    merged = models.ForeignKey(Player, models.CASCADE, related_name="+")
    # The account that merged them, and the player it acts as.
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=200, blank=True)
    # Keys of the rows moved from `merged` to `kept`, by "app.Model.field".
    moved = models.JSONField(default=dict)
    # Changed values of `kept`.
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["merged"],
                condition=models.Q(undone_at=None),
                name="a_record_is_merged_once",
            ),
            models.CheckConstraint(
                condition=~models.Q(kept=models.F("merged")), name="two_records_are_merged"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.merged} into {self.kept}"
