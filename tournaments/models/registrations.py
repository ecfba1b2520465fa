"""A player's place in one tournament."""

from django.db import models

from players.models import Player
from tournaments.models.events import Tournament


class RegistrationState(models.TextChoices):
    WAITING = "waiting", "on the waiting list"
    REGISTERED = "registered", "registered"
    CHECKED_IN = "checked_in", "checked in"
    DROPPED = "dropped", "dropped"


class DroppedBy(models.TextChoices):
    """Why a player is out; whoever left by themselves may come back by themselves."""

    PLAYER = "player", "left"
    STAFF = "staff", "dropped by the staff"
    ABSENT = "absent", "not checked in when round 1 was published"
    NO_SHOW = "no_show", "did not come to the table"
    DAY_TWO = "day_two", "not checked in for day 2"


class Registration(models.Model):
    """Who plays. Only a checked-in player is paired.

    `number` is the player's number in this event: it never changes and never
    comes again, so that lots drawn by it repeat on any database.
    `joined_in_round` is the number of the first round a late entry can play;
    `seed` orders the field where the organiser wants it (1 is best). Two
    players of one `avoid_group` are kept apart while that is possible. Who has a `fixed_table`
    plays all rounds there; who `avoids_stream` is never put at a feature table.
    `day_two_at` is when they checked in again for day 2. `waiting_rank` orders the waiting list
    where the staff moved somebody on it; who has none comes behind, the first to come first.
    `meeting_table` is the seat at the player meeting. `paid_at` is when somebody at the door marked
    the entry fee as paid; nothing here handles money. `version` grows with what of all pages only
    that of this player shows (tournaments.event.history.record).
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="registrations")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(
        max_length=12, choices=RegistrationState.choices, default=RegistrationState.REGISTERED
    )
    first_round_bye = models.BooleanField(default=False)
    seed = models.PositiveSmallIntegerField(null=True, blank=True)
    avoid_group = models.CharField(max_length=40, blank=True)
    joined_in_round = models.PositiveSmallIntegerField(default=1)
    fixed_table = models.PositiveSmallIntegerField(null=True, blank=True)
    avoids_stream = models.BooleanField(default=False)
    meeting_table = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    checked_in_at = models.DateTimeField(null=True, blank=True)
    dropped_at = models.DateTimeField(null=True, blank=True)
    day_two_at = models.DateTimeField(null=True, blank=True)
    waiting_rank = models.PositiveSmallIntegerField(null=True, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    dropped_by = models.CharField(max_length=10, choices=DroppedBy.choices, blank=True)
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
        """Whether the player is kept away from cameras: at this event, or at all."""
        return self.avoids_stream or self.player.hides_from_streams

    @property
    def is_active(self) -> bool:
        return self.state == RegistrationState.CHECKED_IN
