"""Registrations of players for events, and merged player records."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Count, F, Q
from django.utils.translation import gettext_lazy

from players.models import Player, User
from rulings.guide import PenaltyKind
from tournaments.models.rounds import MISSED_ROUND, Pairing, RoundState, Standing

if TYPE_CHECKING:
    from tournaments.models.rounds import PairingQuerySet


class RegistrationState(models.TextChoices):
    WAITING = "waiting", gettext_lazy("on the waiting list")
    REGISTERED = "registered", gettext_lazy("registered")
    CHECKED_IN = "checked_in", gettext_lazy("checked in")
    DROPPED = "dropped", gettext_lazy("dropped")


class DroppedBy(models.TextChoices):
    """The reason why a player is out. Only a player who left can return without the staff."""

    PLAYER = "player", gettext_lazy("left the event")
    STAFF = "staff", gettext_lazy("dropped by the staff")
    ABSENT = "absent", gettext_lazy("not checked in when round 1 was published")
    NO_SHOW = "no_show", gettext_lazy("did not come to the table")
    DAY_TWO = "day_two", gettext_lazy("not checked in for day 2")


# Dropped and waiting players do not take a place.
TAKES_A_PLACE = (RegistrationState.REGISTERED, RegistrationState.CHECKED_IN)
DROPPED_FOR_ABSENCE = (DroppedBy.ABSENT, DroppedBy.NO_SHOW, DroppedBy.DAY_TWO)
# Registrations of players without a place, or with a place who did not come.
NEVER_CAME = (
    Q(state=RegistrationState.WAITING)
    | Q(dropped_by=DroppedBy.ABSENT)
    | Q(state=RegistrationState.REGISTERED, tournament__finished_at__isnull=False)
)


class RegistrationQuerySet(models.QuerySet["Registration"]):
    def active(self) -> Self:
        """Players to be paired next: checked in and not dropped, by number."""
        active = self.filter(state=RegistrationState.CHECKED_IN)
        return active.select_related("player").order_by("number")

    def not_waiting(self) -> Self:
        return self.exclude(state=RegistrationState.WAITING)

    def taking_places(self) -> Self:
        return self.filter(state__in=TAKES_A_PLACE)

    def unpaid(self) -> Self:
        return self.taking_places().filter(paid_at=None)

    def waiting_list(self) -> Self:
        """Return the waiting players in the order in which they move up."""
        # Players ordered by the staff come first, then the others in order of registration.
        waiting = self.filter(state=RegistrationState.WAITING).select_related("player")
        return waiting.order_by(F("waiting_rank").asc(nulls_last=True), "created_at", "number")

    def dropped_for_absence(self) -> Self:
        gone = self.filter(state=RegistrationState.DROPPED, dropped_by__in=DROPPED_FOR_ABSENCE)
        return gone.select_related("player").order_by("-dropped_at", "number")

    def seated_for_meeting(self) -> Self:
        """Players with a seat at the meeting, by name, without dropped players."""
        seated = self.exclude(meeting_table=None).exclude(state=RegistrationState.DROPPED)
        return seated.select_related("player")

    def off_stream_numbers(self) -> set[int]:
        """Numbers of players who opted out of streams, for this event or for all."""
        wish = Q(avoids_stream=True) | Q(player__hides_from_streams=True)
        return set(self.filter(wish).order_by().values_list("number", flat=True))

    def by_player(self) -> dict[int, "Registration"]:
        return {entry.player_id: entry for entry in self.select_related("player")}

    def count_by_state(self) -> dict[str, int]:
        counted = self.order_by().values_list("state").annotate(n=Count("pk"))
        return {**dict.fromkeys(RegistrationState.values, 0), **dict(counted)}

    def at_event(
        self, slug: str, player: Player | None, *, only: Sequence[str] = ()
    ) -> "Registration | None":
        """Return the player's registration for the event with this slug, including the event.

        `only`: the columns to read; all by default.
        """
        if player is None:
            return None
        places = self.select_related("tournament").only(*only).order_by()
        place = places.filter(tournament__slug=slug, player=player).first()
        if place is not None:
            place.player = player
        return place


class Registration(models.Model):
    """A player's place in an event. Only checked-in players are paired."""

    tournament = models.ForeignKey(
        "tournaments.Tournament", models.CASCADE, related_name="registrations"
    )
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
    # Table before round 1.
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

    objects = RegistrationQuerySet.as_manager()

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
        return self.avoids_stream or self.player.hides_from_streams

    @property
    def is_active(self) -> bool:
        return self.state == RegistrationState.CHECKED_IN

    def pairings(self) -> "PairingQuerySet":
        """Return the player's tables and byes in all rounds, drafts included, with the round."""
        # Rows that credit a late entry for missed rounds are left out.
        is_theirs = Q(bye=self) | Q(match__seats__player=self.player_id)
        rows = Pairing.objects.filter(is_theirs, round__stage__tournament=self.tournament_id)
        rows = rows.exclude(cost__has_key=MISSED_ROUND).select_related("round")
        return rows.order_by("round__stage__number", "round__number")

    def has_been_paired(self) -> bool:
        """Return True if the player has a table or bye in any round, drafts included."""
        return self.pairings().exists()

    def current_standing(self) -> Standing | None:
        """Return the player's row in the current standings, with its round; one query."""
        rows = Standing.objects.filter(
            registration=self, snapshot__round__state=RoundState.CLOSED
        ).select_related("snapshot__round")
        newest = ("-snapshot__round__stage__number", "-snapshot__round__number", "-snapshot__pk")
        return rows.order_by(*newest).first()

    def waiting_position(self) -> int:
        keys = list(self.tournament.registrations.waiting_list().values_list("pk", flat=True))
        return keys.index(self.pk) + 1 if self.pk in keys else len(keys) + 1

    def can_check_in(self) -> bool:
        """Return True if the player can check in themselves.

        Possible on the first day until round 1 is paired, and while the day-2 check-in is open.
        Players who joined later can check in on that day as long as late entries are possible.
        """
        tournament = self.tournament
        if self.is_active and tournament.day_two_opened_at is not None:
            is_open = self.day_two_at is None and tournament.day_two_check_in_is_open()
            return is_open and tournament.missing_on_day_two().filter(pk=self.pk).exists()
        return (
            self.state == RegistrationState.REGISTERED
            and not tournament.is_finished
            and tournament.local_date == tournament.starts_on
            and (not tournament.rounds.exists() or self._can_enter_late())
        )

    def _can_enter_late(self) -> bool:
        return self.joined_in_round > 1 and not self.tournament.is_too_late_to_join()

    def can_return(self) -> bool:
        """Return True if the player left and can return without the staff.

        Possible until a round is published without them.
        """
        tournament = self.tournament
        return (
            self.state == RegistrationState.DROPPED
            and self.dropped_by == DroppedBy.PLAYER
            and not tournament.is_finished
            and not tournament.rounds.filter(published_at__gt=self.dropped_at).exists()
            and not self.is_disqualified()
        )

    def count_penalties(self, infraction: str) -> int:
        return self.penalties.in_force().filter(infraction=infraction).count()

    def is_disqualified(self) -> bool:
        """Return True if a disqualification is in force. The player cannot return until it ends."""
        return self.penalties.in_force().filter(kind=PenaltyKind.DISQUALIFICATION).exists()


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
