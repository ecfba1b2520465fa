"""Matches, their games and reports. Rounds refer to matches, not the reverse."""

from django.db import models
from django.utils.translation import gettext_lazy

from core.model_fields import ExactField
from decks import games
from matches.scoring.results import GameEnd, Role
from matches.scoring.rules import ScoringRule, scoring_rule
from players.models import Player, User

ROLE_CHOICES = [(role.value, role.label) for role in Role]
GAME_END_CHOICES = [(end.value, end.label) for end in GameEnd]


class MatchState(models.TextChoices):
    """proposed -> confirmed or disputed -> decided; staff may decide at any time."""

    OPEN = "open", gettext_lazy("no result yet")
    PROPOSED = "proposed", gettext_lazy("waits for an answer")
    DISPUTED = "disputed", gettext_lazy("disputed")
    CONFIRMED = "confirmed", gettext_lazy("confirmed")
    DECIDED = "decided", gettext_lazy("decided by staff")


SETTLED_STATES = (MatchState.CONFIRMED, MatchState.DECIDED)


class Faction(models.Model):
    """A faction of Free Radicals. Staff may edit the name and colour; the id never changes."""

    id = models.SlugField(max_length=30, primary_key=True)
    name = models.CharField(max_length=60)
    colour = models.CharField(max_length=30)

    class Meta:
        ordering = ["colour", "id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.colour})"


class Match(models.Model):
    game_system = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    scoring_rule = models.CharField(max_length=40)
    state = models.CharField(max_length=10, choices=MatchState.choices, default=MatchState.OPEN)
    # Values of `matches.scoring.imposed_losses.Flag` for the settled result.
    flags = models.JSONField(default=list, blank=True)
    # Losses imposed by a judge, whatever was reported: [{"seat": position, "game": number}]. A null
    # number means every game.
    losses = models.JSONField(default=list, blank=True)
    # Increases whenever reports, result or seats change.
    version = models.PositiveIntegerField(default=1)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return f"match {self.pk}"

    @property
    def is_settled(self) -> bool:
        return self.state in SETTLED_STATES

    @property
    def rule(self) -> ScoringRule:
        return scoring_rule(self.scoring_rule)

    def seat_of(self, player: Player | None) -> "Seat | None":
        """Return the player's seat; no query if seats are prefetched."""
        if player is None:
            return None
        return next((seat for seat in self.seats.all() if seat.player_id == player.pk), None)


class Seat(models.Model):
    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    # Match points, null until settled.
    points = ExactField(null=True, blank=True)
    # Set if only the total is known, not the games.
    typed_points = models.IntegerField(null=True, blank=True)

    class Meta:
        ordering = ["match", "position"]
        constraints = [
            models.UniqueConstraint(fields=["match", "position"], name="one_player_in_a_seat"),
            models.UniqueConstraint(fields=["match", "player"], name="one_seat_for_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} at seat {self.position}"

    def game_seats(self) -> "list[GameSeat]":
        """No query if games and their seats are prefetched."""
        rows = (row for game in self.match.games.all() for row in game.seats.all())
        return [row for row in rows if row.seat_id == self.pk]


class Game(models.Model):
    match = models.ForeignKey(Match, models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    # Empty until a result with this game is settled.
    end = models.CharField(max_length=20, choices=GAME_END_CHOICES, blank=True)
    # Null for a game without a winner.
    winner = models.ForeignKey(Seat, models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_game_a_number"),
            models.CheckConstraint(
                condition=models.Q(winner=None) | ~models.Q(end=""),
                name="a_won_game_has_an_end",
            ),
        ]

    def __str__(self) -> str:
        return f"game {self.number} of {self.match}"


class GameSeat(models.Model):
    """Role (or faction) and score of a player in one game."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="games")
    role = models.CharField(max_length=10, choices=ROLE_CHOICES, blank=True)
    faction = models.SlugField(max_length=30, blank=True, db_index=False)
    agenda_points = models.PositiveSmallIntegerField(null=True, blank=True)
    victory_points = models.PositiveSmallIntegerField(null=True, blank=True)
    points = ExactField(null=True, blank=True)

    class Meta:
        ordering = ["game", "role", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="a_seat_plays_a_game_once"),
            models.UniqueConstraint(
                fields=["game", "role"],
                condition=~models.Q(role=""),
                name="a_role_is_played_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seat} as {self.role or self.faction or 'player'}"


class ReportState(models.TextChoices):
    PROPOSED = "proposed", gettext_lazy("proposed")
    CONFIRMED = "confirmed", gettext_lazy("confirmed")
    DISPUTED = "disputed", gettext_lazy("disputed")
    SUPERSEDED = "superseded", gettext_lazy("superseded")


# States of the players' reports on a match without a settled result.
UNSETTLED_REPORT_STATES = (ReportState.PROPOSED, ReportState.DISPUTED)


class ResultReport(models.Model):
    match = models.ForeignKey(Match, models.CASCADE, related_name="reports")
    # Null if staff entered the result, which `user` names.
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, blank=True, related_name="+")
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    # The document of the whole result, see `matches.records`.
    result = models.JSONField()
    state = models.CharField(max_length=10, choices=ReportState.choices)
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["match", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"],
                condition=models.Q(state=ReportState.PROPOSED),
                name="one_open_proposal_a_match",
            )
        ]

    def __str__(self) -> str:
        return f"report {self.pk} on {self.match}: {self.state}"
