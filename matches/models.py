"""What happened at the table? A match knows no round: rounds point at matches."""

from django.db import models

from core.model_fields import ExactField
from decks import games
from matches.scoring import GameEnd, Role, ScoringRule, scoring_rule
from players.models import Player, User

ROLES = [(role.value, role.label) for role in Role]
GAME_ENDS = [(end.value, end.label) for end in GameEnd]


class MatchState(models.TextChoices):
    """proposed -> confirmed or disputed -> decided; staff may decide at any time."""

    OPEN = "open", "no result yet"
    PROPOSED = "proposed", "waits for an answer"
    DISPUTED = "disputed", "disputed"
    CONFIRMED = "confirmed", "confirmed"
    DECIDED = "decided", "decided by staff"


SETTLED = (MatchState.CONFIRMED, MatchState.DECIDED)


class Faction(models.Model):
    """A faction of Free Radicals. Staff may mend the name and the colour; the id stays."""

    id = models.SlugField(max_length=30, primary_key=True)
    name = models.CharField(max_length=60)
    colour = models.CharField(max_length=30)

    class Meta:
        ordering = ["colour", "id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.colour})"


class Match(models.Model):
    """Players who meet. `version` grows with every word on the result, and with its seats.

    `flags` are the words of `matches.scoring.Flag` that hold for the settled result. `losses`
    are what a judge has taken from somebody, whatever was reported: [{"seat": position, "game":
    number}], where no number (null) means every game.
    """

    game_system = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    scoring_rule = models.CharField(max_length=40)
    state = models.CharField(max_length=10, choices=MatchState.choices, default=MatchState.OPEN)
    flags = models.JSONField(default=list, blank=True)
    losses = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return f"match {self.pk}"

    @property
    def is_settled(self) -> bool:
        return self.state in SETTLED

    @property
    def rule(self) -> ScoringRule:
        """The scoring rule that turns its games into points."""
        return scoring_rule(self.scoring_rule)


class Seat(models.Model):
    """A player at the table. `points` are match points, null until settled.

    `typed_points` are set where the total was typed because the games are not known.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    points = ExactField(null=True, blank=True)
    typed_points = models.IntegerField(null=True, blank=True)

    class Meta:
        ordering = ["match", "position"]
        constraints = [
            models.UniqueConstraint(fields=["match", "position"], name="one_player_in_a_seat"),
            models.UniqueConstraint(fields=["match", "player"], name="one_seat_for_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} at seat {self.position}"

    def in_games(self) -> "list[GameSeat]":
        """What it is in each game of its match, first to last; no query where those are fetched."""
        games = self.match.games.all()
        return [part for game in games for part in game.seats.all() if part.seat_id == self.pk]


class Game(models.Model):
    """One game of a match; `end` is empty until a result is settled that tells this game.

    `winner` is the seat that won, null for a game without a winner.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    end = models.CharField(max_length=20, choices=GAME_ENDS, blank=True)
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
    """The role or the faction a seat plays in one game, and what it made of it."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="games")
    role = models.CharField(max_length=10, choices=ROLES, blank=True)
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
    PROPOSED = "proposed", "proposed"
    CONFIRMED = "confirmed", "confirmed"
    DISPUTED = "disputed", "disputed"
    SUPERSEDED = "superseded", "superseded"


SPOKEN = (ReportState.PROPOSED, ReportState.DISPUTED)
"""What players say of a match that nobody has settled."""


class ResultReport(models.Model):
    """What one side says the result was. Kept for ever; only its state moves.

    `result` is the document of the whole result, see `matches.records`.
    `seat` is null when staff entered the result; then `user` is who did.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="reports")
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, blank=True, related_name="+")
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
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
