"""Events, with their settings and all questions about an event."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import Case, Count, F, Max, Prefetch, Q, QuerySet, When
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.form_fields import whole_number
from core.jobs import LIVE_STATES
from core.text import comparison_key, find_lookalike
from core.time_zones import known_zones
from decks import games
from engine.systems import CUT_SYSTEMS, USUAL_CUT, SystemKind
from matches.models import Match
from matches.scoring.results import Points
from players.models import Player, User
from players.names import MAX_KEY_LENGTH
from rulings.guide import Guide, shipped_guide
from tournaments.models import event_log
from tournaments.models.codes import new_join_code, new_seed
from tournaments.models.decks import DeckSubmission
from tournaments.models.event_lists import TournamentQuerySet, Visibility
from tournaments.models.event_log import LogAction, LogEntry, stored_values
from tournaments.models.operations import Job
from tournaments.models.registrations import Registration, RegistrationQuerySet, RegistrationState
from tournaments.models.rounds import (
    MISSED_ROUND,
    STATES_IN_PLAY,
    Pairing,
    PairingQuerySet,
    Round,
    RoundQuerySet,
    Stage,
    StageEntry,
    Standing,
)
from tournaments.models.staff import Staff, StaffRole

# The eliminations of engine.systems, the usual one first.
CUT_SYSTEM_CHOICES = (
    ("double_elimination", gettext_lazy("Double elimination")),
    ("single_elimination", gettext_lazy("Single elimination")),
)
# Maximum number of suggestions for typed text.
MAX_SUGGESTIONS = 8
DEFAULT_PLAYER_LIMIT = 256
# Closed rounds of earlier events from which the duration of a round is estimated.
MAX_MEASURED_ROUNDS = 60

MAP_SEARCH = "https://www.openstreetmap.org/search?query="
CONTACT_EMAIL = re.compile(r"[^\s@:/?&]+@[^\s@:/?&]+\.[^\s@:/?&]+")
WEB_ADDRESS = re.compile(r"https?://\S+")
MAX_LINKS = 10


class LinkError(ValueError):
    """A line without a valid URL."""


@dataclass(frozen=True)
class Link:
    name: str
    address: str


def parse_links(typed: str) -> Iterator[Link]:
    """Parse one link per line, its name before its URL. Raise LinkError."""
    for line in filter(None, map(str.strip, typed.splitlines())):
        yield _parse_link(line)


def parse_stored_links(stored: str) -> list[Link]:
    links = []
    for line in stored.splitlines():
        with suppress(LinkError):
            links.append(_parse_link(line.strip()))
    return links[:MAX_LINKS]


def map_url(place: str) -> str:
    return f"{MAP_SEARCH}{quote(place, safe='')}" if place else ""


def contact_url(contact: str) -> str:
    """Return the `mailto:` or web URL of a contact, or ""."""
    if CONTACT_EMAIL.fullmatch(contact):
        return f"mailto:{quote(contact, safe='@')}"
    return contact if WEB_ADDRESS.fullmatch(contact) and _has_host(contact) else ""


def _parse_link(line: str) -> Link:
    name, _, address = line.rpartition(" ")
    if not WEB_ADDRESS.fullmatch(address) or not _has_host(address):
        raise LinkError(line)
    return Link(name.strip(" :-") or address, address)


def _has_host(address: str) -> bool:
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        # An unbalanced bracket, as in http://[.
        return False


class IdentitiesShown(models.TextChoices):
    ROUND_ONE = "round_one", gettext_lazy("once round 1 is published")
    WITH_DECKS = "with_decks", gettext_lazy("only to people who can see the decklist")


class LateEntry(models.TextChoices):
    NOBODY = "nobody", gettext_lazy("no late entries after round 1")
    LOSSES = "losses", gettext_lazy("missed rounds score nothing")
    HALF = "half", gettext_lazy("missed rounds score half a bye")
    BYES = "byes", gettext_lazy("missed rounds score a full bye")


class PaymentCount(NamedTuple):
    paid: int
    players: int


class Tournament(models.Model):
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=140, unique=True)
    game = models.CharField(max_length=20, choices=games.choices(), default=games.DEFAULT.id)
    # All dates and times without a zone are local to the event's `time_zone`. Decks are checked as
    # of `starts_on`.
    starts_on = models.DateField()
    time_zone = models.CharField(max_length=64, default="UTC")
    start_time = models.TimeField(null=True, blank=True)
    # Null for an event of one day.
    ends_on = models.DateField(null=True, blank=True)
    end_time = models.TimeField(null=True, blank=True)
    # A two-day event breaks once: before `day_two_round` or, if that is null, before its cut.
    # Players check in again from `day_two_opened_at`.
    day_two_on = models.DateField(null=True, blank=True)
    day_two_time = models.TimeField(null=True, blank=True)
    day_two_round = models.PositiveSmallIntegerField(null=True, blank=True)
    day_two_opened_at = models.DateTimeField(null=True, blank=True)
    location = models.CharField(max_length=120, blank=True)
    address = models.CharField(max_length=200, blank=True, default="", db_default="")
    entry_fee = models.CharField(max_length=80, blank=True, default="", db_default="")
    contact = models.CharField(max_length=120, blank=True, default="", db_default="")
    # One link per line: a name, then its URL.
    links = models.TextField(max_length=2_000, blank=True, default="", db_default="")
    # Language of projector, overlays, embedded pages, printouts and, for players without a language
    # of their own, emails and notifications. Empty for the site's.
    language = models.CharField(max_length=10, blank=True, default="", db_default="")
    description = models.TextField(blank=True)
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC
    )

    join_code = models.CharField(max_length=6, unique=True, default=new_join_code)
    registration_is_open = models.BooleanField(default=True)
    registration_closes_at = models.DateTimeField(null=True, blank=True)
    max_players = models.PositiveSmallIntegerField(
        null=True, blank=True, default=DEFAULT_PLAYER_LIMIT
    )
    # Players, with or without an account, who may join from one network address within ten minutes.
    # Null for no limit.
    guests_per_address = models.PositiveSmallIntegerField(null=True, blank=True, default=150)
    has_waiting_list = models.BooleanField(default=False)
    drops_absent = models.BooleanField(default=False)
    # Only invited players can join; the staff can add anyone to the roster.
    invitation_only = models.BooleanField(default=False, db_default=False)

    scoring_rule = models.CharField(max_length=40, default="onr_runner_only")
    tie_breakers = models.JSONField(default=list)
    bye_points = models.SmallIntegerField(default=20)
    planned_rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    # Applies only to matches of one game. Null: on if the planned rounds fit a round robin.
    avoid_second_meetings = models.BooleanField(null=True, blank=True)
    # Number of players in the cut; null for no cut.
    planned_cut = models.PositiveSmallIntegerField(null=True, blank=True)
    planned_cut_system = models.CharField(
        max_length=20,
        choices=CUT_SYSTEM_CHOICES,
        default=USUAL_CUT,
        db_default=USUAL_CUT,
    )
    # Everybody can see during the last round which players are in or out of the cut.
    shows_needs = models.BooleanField(default=True, db_default=True)
    round_minutes = models.PositiveSmallIntegerField(default=75)
    overtime_minutes = models.PositiveSmallIntegerField(default=0)
    # Both are ranges as typed, such as "1-20, 31". Empty means 1, 2, 3 ... and no feature tables.
    table_numbers = models.CharField(max_length=120, blank=True)
    feature_tables = models.CharField(max_length=60, blank=True)
    # Minutes until an unanswered report is confirmed automatically; null for never.
    confirm_after_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    # Minutes after the start of a round until a missing player loses; null for never.
    no_show_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    # Seats per table before round 1; null while no seating exists.
    meeting_seats = models.PositiveSmallIntegerField(null=True, blank=True)
    late_entry = models.CharField(
        max_length=10, choices=LateEntry.choices, default=LateEntry.LOSSES
    )
    # The last round in which a late entry can start.
    late_entry_until = models.PositiveSmallIntegerField(null=True, blank=True)
    # All random draws of the event derive from this seed.
    seed = models.PositiveBigIntegerField(default=new_seed)

    decks_required = models.BooleanField(default=True)
    # Settings of decks.legality.
    deck_rules = models.JSONField(default=dict)
    # Players cannot change their decks after this.
    decks_close_at = models.DateTimeField(null=True, blank=True)
    # When the staff locked all decks.
    decks_locked_at = models.DateTimeField(null=True, blank=True)
    # Everybody can see all decks from here, regardless of the stages' settings.
    decks_revealed_at = models.DateTimeField(null=True, blank=True)
    identities_shown = models.CharField(
        max_length=12, choices=IdentitiesShown.choices, default=IdentitiesShown.ROUND_ONE
    )

    staff_need_second_factor = models.BooleanField(default=False)
    # The games count for the ratings once the event is finished (tournaments.ratings).
    rated = models.BooleanField(default=True, db_default=True)
    series = models.ForeignKey(
        "tournaments.Series", models.SET_NULL, null=True, blank=True, related_name="events"
    )
    # Set for a practice event, a private copy that is deleted after use.
    practice_of = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="practices"
    )
    # Increases with every public change; used for the ETags of pages and to compare-and-set
    # pairings.
    version = models.PositiveIntegerField(default=1)
    # Increases with public changes that affect more than one table.
    shared_version = models.PositiveIntegerField(db_column="hall_version", default=1, db_default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Time of the last step of an import in progress. The event is hidden until this is null.
    import_touched_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ["-starts_on", "-pk"]
        indexes = [
            # Lists count and sort public events without reading their rows.
            models.Index(
                fields=["visibility", "starts_on", "id", "practice_of", "finished_at"],
                name="listed_events_by_day",
            ),
            models.Index(
                fields=["import_touched_at"],
                condition=models.Q(import_touched_at__isnull=False),
                name="imports_in_progress",
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="tournament_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(round_minutes__gte=5), name="round_lasts_five_minutes"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:event", args=[self.slug])

    @property
    def is_finished(self) -> bool:
        return self.finished_at is not None

    @property
    def is_practice(self) -> bool:
        return self.practice_of_id is not None

    @property
    def game_played(self) -> games.GameDefinition:
        return games.GAMES[self.game]

    @property
    def has_decks(self) -> bool:
        return self.game_played.has_decks

    @property
    def zone(self) -> ZoneInfo:
        """Time zone of the event; UTC if its name is not known here."""
        return ZoneInfo(self.time_zone if self.time_zone in known_zones() else "UTC")

    @property
    def local_date(self) -> date:
        """Today's date where the event is."""
        return timezone.localdate(timezone=self.zone)

    def is_before_its_day(self) -> bool:
        return self.local_date < self.starts_on

    @property
    def last_day(self) -> date:
        return max(
            self.starts_on, self.ends_on or self.starts_on, self.day_two_on or self.starts_on
        )

    @property
    def is_one_day(self) -> bool:
        """True for an event of one day, or of one evening that ends after midnight."""
        days = (self.last_day - self.starts_on).days
        into_the_night = self.start_time and self.end_time and self.end_time <= self.start_time
        return days == 0 or (days == 1 and bool(into_the_night) and self.day_two_on is None)

    @property
    def starts_at(self) -> datetime | None:
        return self._moment(self.starts_on, self.start_time)

    @property
    def day_two_at(self) -> datetime | None:
        """Start of day 2, or None if there is no day 2 or only its day is set."""
        return self._moment(self.day_two_on, self.day_two_time) if self.day_two_on else None

    @property
    def ends_at(self) -> datetime | None:
        """Expected end, or None if it is not set or not after the start."""
        ends, starts = self._moment(self.last_day, self.end_time), self.starts_at
        return ends if ends and starts and ends > starts else None

    def closes_on(self, day: date) -> datetime | None:
        closes = self._moment(day, self.end_time)
        starts = self.day_two_time if day == self.day_two_on else self.start_time
        if closes and starts and self.end_time:
            # An evening may end after midnight.
            return closes + timedelta(days=self.end_time <= starts)
        return closes

    def _moment(self, day: date, hour: time | None) -> datetime | None:
        return datetime.combine(day, hour, self.zone) if hour else None

    @property
    def map_address(self) -> str:
        return map_url(self.address)

    @property
    def contact_address(self) -> str:
        return contact_url(self.contact)

    @property
    def known_links(self) -> list[Link]:
        return parse_stored_links(self.links)

    def bump_version(self, *, everybody: bool = True) -> None:
        """Invalidate all cached public pages, and with `everybody` the players' own pages."""
        fields = ["version", "shared_version"] if everybody else ["version"]
        rows = Tournament.objects.filter(pk=self.pk)
        rows.update(**{field: F(field) + 1 for field in fields})

    # Staff.

    def role_of(self, user: User) -> str | None:
        """Return the account's staff role at this event; one query per event object."""
        cache: dict[int, str | None] = self.__dict__.setdefault("_roles", {})
        if user.pk not in cache:
            cache[user.pk] = self.staff.filter(user=user).values_list("role", flat=True).first()
        return cache[user.pk]

    def remember_role(self, user: User, role: str | None) -> None:
        """Cache a role that was read with the event, for `role_of`."""
        self.__dict__["_roles"] = {user.pk: role}

    def is_imported_by(self, user: User | None) -> bool:
        if user is None or self.import_touched_at is None:
            return False
        return Tournament.objects.filter(pk=self.pk, imported_file__made_by=user).exists()

    # Rounds and tables.

    @property
    def rounds(self) -> RoundQuerySet:
        """All rounds, first to last, drafts included."""
        return Round.objects.filter(stage__tournament=self).order_by("stage__number", "number")

    def latest_round(self) -> Round | None:
        return self.rounds.select_related("stage__tournament").last()

    def newest_published_round(self) -> Round | None:
        """Return the newest published round with its stage, without the engine's explanation."""
        rows = self.rounds.published().select_related("stage")
        newest = rows.defer("certificate", "relaxations").last()
        if newest is not None:
            newest.stage.tournament = self
        return newest

    @property
    def current_number(self) -> int | None:
        """Number of the newest published round; None before the first; one query."""
        newest = self.newest_published_round()
        return newest.number if newest else None

    def next_round_number(self) -> int:
        return self.rounds.count() + 1

    def first_round_for_new_player(self) -> int:
        """Return the first round a new player can play. A draft can still be paired again."""
        latest = self.latest_round()
        if latest is None:
            return 1
        return latest.number if latest.is_draft else latest.number + 1

    def closed_pairings(self, up_to: Round | None = None) -> PairingQuerySet:
        closed = self.rounds.closed()
        if up_to is not None:
            closed = closed.filter(number__lte=up_to.number)
        return Pairing.objects.of_swiss_rounds(closed)

    def published_pairings(self) -> PairingQuerySet:
        """Pairings of published rounds, with seats and games; byes last, by player."""
        by_table = F("table_number").asc(nulls_last=True)
        return (
            Pairing.objects.of_event(self)
            .published()
            .select_related("match", "bye", "advances")
            .defer("cost")
            .prefetch_related("match__seats", "match__games__seats")
            .order_by("round__stage__number", "round__number", by_table, "bye__number")
        )

    def late_tables(self) -> PairingQuerySet:
        """Tables of closed rounds without a settled result, in order."""
        tables = Pairing.objects.filter(round__in=self.rounds.closed()).unsettled()
        return tables.with_players().order_by("round__number", "table_number")

    def table_in_play(self, number: int) -> Pairing | None:
        in_play = self.rounds.filter(state__in=STATES_IN_PLAY)
        tables = Pairing.objects.filter(round__in=in_play, table_number=number)
        return tables.select_related("round__stage__tournament", "match").first()

    def comparable_rounds(self) -> list[Round]:
        """Return the closed rounds of the organiser's finished events of this game; one query.

        Limited to `MAX_MEASURED_ROUNDS`: rounds of the same format first, then the newest.
        """
        owners = self.staff.filter(role=StaffRole.OWNER).values("user")
        owned = Staff.objects.filter(user__in=owners, role=StaffRole.OWNER).values("tournament")
        same_format = Q(
            stage__tournament__deck_rules__format_id=self.deck_rules.get("format_id", "")
        )
        newest = (
            Round.objects.closed()
            .filter(
                started_at__isnull=False,
                closed_at__isnull=False,
                stage__tournament__in=owned,
                stage__tournament__game=self.game,
                stage__tournament__practice_of=None,
                stage__tournament__finished_at__isnull=False,
            )
            .exclude(stage__tournament=self)
            .select_related("stage__tournament")
            .defer("certificate", "relaxations")
            .order_by(Case(When(same_format, then=0), default=1), "-pk")[:MAX_MEASURED_ROUNDS]
        )
        return sorted(newest, key=lambda round_: (round_.stage.tournament_id, round_.number))

    # Stages: number of rounds, and players of a cut or round robin.

    def current_stage(self) -> Stage:
        stage = self.stages.select_related("tournament").last()
        assert stage is not None, "an event is made with its first stage"
        return stage

    def get_cut(self) -> Stage | None:
        return self.stages.cuts().select_related("tournament").last()

    def planned_cut_size(self, players: int) -> int | None:
        """Size of the planned cut, limited to the number of players; None if impossible."""
        if self.planned_cut is None or players < 2:
            return None
        return min(self.planned_cut, players)

    def cut_candidates(self) -> list[Registration]:
        """Possible players of a cut, best first."""
        # Ordered by the newest standings or, without standings, by manual seed.
        snapshot = self.snapshots.newest()
        if snapshot is None:
            by_seed = F("seed").asc(nulls_last=True)
            return list(self.registrations.active().order_by(by_seed, "number"))
        rows = [row.registration for row in snapshot.rows.ranked()]
        return [registration for registration in rows if registration.is_active]

    def has_public_bracket(self) -> bool:
        return self.stages.public_cuts().exists()

    def shows_bracket(self, published_rounds: Sequence[Round]) -> bool:
        """Like `has_public_bracket`, given all published rounds in order."""
        # Queries the database only between rounds.
        if any(round_.is_in_cut for round_ in published_rounds):
            return True
        is_played = self.is_finished or (published_rounds and not published_rounds[-1].is_closed)
        return not is_played and self.has_public_bracket()

    def get_round_robin(self) -> Stage | None:
        """Return the event's round robin, or None before one of its rounds is published."""
        stages = self.stages.filter(system=SystemKind.ROUND_ROBIN).select_related("tournament")
        return next((stage for stage in stages if stage.order_is_fixed()), None)

    def has_round_robin(self) -> bool:
        """Return True if the event has a round robin, begun or not."""
        return self.stages.filter(system=SystemKind.ROUND_ROBIN).exists()

    def numbers_in_fixed_order(self) -> frozenset[int] | None:
        """Numbers of the players in the current round robin; None while players can join."""
        stage = self.current_stage()
        if not stage.order_is_fixed():
            return None
        return frozenset(registration.number for registration in stage.fixed_order())

    def round_target(self) -> int:
        """Return the number of rounds before a cut, for the current field."""
        players = self.registrations.not_waiting()
        playing = players.exclude(state=RegistrationState.REGISTERED).count()
        return self.current_stage().expected_rounds(playing or players.count())

    def rounds_to_announce(self, registered: int, *, has_begun: bool) -> int:
        """Like `round_target`; 0 before the event with fewer than two registered players."""
        if registered < 2 and not has_begun and self.planned_rounds is None:
            return 0
        return self.round_target()

    # Players, registration and the waiting list.

    def registration_of(self, player: Player | None) -> Registration | None:
        if player is None:
            return None
        registrations = self.registrations.filter(player=player).select_related("player")
        return registrations.order_by("pk").first()

    def registrations_at(self, match: Match) -> dict[int, Registration]:
        players = [seat.player_id for seat in match.seats.all()]
        return self.registrations.filter(player__in=players).by_player()

    def roster(self) -> RegistrationQuerySet:
        """All registrations by name, with their players and deck submissions."""
        # Prefetching more than 1,000 rows by a foreign key exceeds what SQLite parses.
        decks = DeckSubmission.objects.select_related("version")
        return self.registrations.select_related("player").prefetch_related(
            Prefetch("deck_submissions", decks)
        )

    def roster_entry(self, number: int) -> Registration | None:
        """Return the registration with this number, with its player and deck submissions."""
        return self.roster().filter(number=number).first()

    def search_roster(self, typed: str, state: str = "") -> RegistrationQuerySet:
        """Return the roster by name, filtered by part of the name or the number, and by state."""
        rows = self.roster()
        if state in RegistrationState.values:
            rows = rows.filter(state=state)
        if typed:
            # Names are never longer: do not send the database very long text.
            key = comparison_key(typed)[: MAX_KEY_LENGTH + 1]
            matches = Q(player__name_key__contains=key)
            number = whole_number(typed, 5)
            if number is not None:
                matches |= Q(number=number)
            rows = rows.filter(matches)
        return rows

    def roster_suggestions(self, typed: str) -> list[Registration]:
        """Return the player with exactly this number or name; otherwise all partial matches."""
        matches = list(self.search_roster(typed)[:MAX_SUGGESTIONS])
        key = comparison_key(typed)
        exact = [
            registration
            for registration in matches
            if str(registration.number) == typed or registration.player.name_key == key
        ]
        return exact if len(exact) == 1 else matches

    def similar_name(self, name: str) -> str:
        names = self.registrations.order_by("number").values_list("player__name", flat=True)
        return find_lookalike(name, names)

    def next_player_number(self) -> int:
        """Return a number that was never used at this event, not even by removed players."""
        highest = self.registrations.aggregate(highest=Max("number"))["highest"]
        removed = self.log.filter(action=LogAction.PLAYER_REMOVED).values_list("before", flat=True)
        return max([highest or 0, *(int(entry.get("number", 0)) for entry in removed)]) + 1

    def fixed_tables(self) -> frozenset[int]:
        """Tables reserved for registered players, present or not."""
        places = self.registrations.taking_places().filter(fixed_table__isnull=False)
        tables = places.values_list("fixed_table", flat=True)
        return frozenset(table for table in tables if table is not None)

    def payment_count(self) -> PaymentCount | None:
        """Return the count of payments; None without a fee and without marks."""
        places = self.registrations.taking_places().order_by()
        has_paid = Count("pk", filter=Q(paid_at__isnull=False))
        count = PaymentCount(**places.aggregate(paid=has_paid, players=Count("pk")))
        return count if self.entry_fee or count.paid else None

    @property
    def is_past_closing_time(self) -> bool:
        """True after the closing time, which passes without a log entry or new version."""
        closes = self.registration_closes_at
        return closes is not None and closes <= timezone.now()

    @property
    def accepts_registrations(self) -> bool:
        """True if registration is open by setting and time, even for a full event."""
        return self.registration_is_open and not self.is_finished and not self.is_past_closing_time

    def can_register(self) -> bool:
        """Return True if a player with the code can join, if only the waiting list."""
        if not self.accepts_registrations or self.is_too_late_to_join():
            return False
        return not self.is_full() or self.takes_waiting()

    def can_join(self, player: Player | None) -> bool:
        return self.admits(player) and self.can_register()

    def admits(self, player: Player | None) -> bool:
        return not self.invitation_only or self.is_invited(player)

    def is_invited(self, player: Player | None) -> bool:
        if player is None:
            return False
        return self.invited.filter(player=player, declined_at=None).exists()

    def qualifying_series_names(self) -> list[str]:
        """Names of the series that qualify for this event, without private ones."""
        series = self.qualified_from.exclude(visibility=Visibility.PRIVATE)
        return list(series.order_by("pk").values_list("name", flat=True))

    def places_taken(self) -> int:
        return self.registrations.taking_places().count()

    @property
    def has_own_player_limit(self) -> bool:
        """Return True if the organiser changed the limit. The default is only a safeguard."""
        return self.max_players not in (None, DEFAULT_PLAYER_LIMIT)

    def is_full(self) -> bool:
        return self.max_players is not None and self.places_taken() >= self.max_players

    def waiting_list_moves(self) -> bool:
        """Return True if free places still go to the waiting list: until round 1 is published."""
        return not self.is_finished and not self.rounds.published().exists()

    def takes_waiting(self) -> bool:
        return self.has_waiting_list and self.is_full() and self.waiting_list_moves()

    def is_too_late_to_join(self) -> bool:
        """Return True if no late entries are possible, by rule or because the cut has begun."""
        last = self.late_entry_until
        if self.late_entry == LateEntry.NOBODY:
            last = 1
        if last is not None and self.first_round_for_new_player() > max(1, last):
            return True
        return self.current_stage().is_cut

    def unpaired_players(self) -> RegistrationQuerySet:
        """Players without a published pairing; rows for missed rounds do not count."""
        published = Pairing.objects.filter(round__in=self.rounds.published())
        in_rounds = published.exclude(cost__has_key=MISSED_ROUND)
        at_tables = in_rounds.tables().values("match__seats__player")
        with_byes = in_rounds.filter(bye__isnull=False).values("bye")
        players = self.registrations.not_waiting().exclude(player__in=at_tables)
        return players.exclude(pk__in=with_byes)

    def players_known_on_device(self) -> RegistrationQuerySet:
        """Players with an account, an opened personal link or their own sign-up."""
        joined = Q(pk__in=self.log.own_sign_ups().values("registration"))
        has_link = Q(player__claimed_at__isnull=False)
        return self.registrations.filter(Q(player__user__isnull=False) | has_link | joined)

    def removable_sign_ups(
        self, since: datetime | None = None, until: datetime | None = None
    ) -> RegistrationQuerySet:
        """Sign-ups of this period without pairings, standings, penalties or deck checks."""
        joined = self.log.own_sign_ups()
        if since is not None:
            joined = joined.filter(at__gte=since)
        if until is not None:
            joined = joined.filter(at__lte=until)
        paired = Pairing.objects.of_event(self)
        at_tables = paired.tables().values("match__seats__player")
        places = StageEntry.objects.filter(stage__tournament=self, stage__system__in=CUT_SYSTEMS)
        standings = Standing.objects.filter(snapshot__tournament=self)
        return (
            self.registrations.select_related("player")
            .filter(pk__in=joined.values("registration"))
            .exclude(player__in=at_tables)
            .exclude(pk__in=paired.filter(bye__isnull=False).values("bye"))
            .exclude(pk__in=places.values("registration"))
            .exclude(pk__in=standings.values("registration"))
            .exclude(pk__in=self.penalties.values("registration"))
            .exclude(deck_submissions__checks__isnull=False)
            .order_by("number")
        )

    def meeting_is_on(self) -> bool:
        """Return True if players have seats for the meeting and round 1 is not published."""
        if self.meeting_seats is None or self.is_finished:
            return False
        return not self.rounds.published().exists()

    # Day 2. The break does not affect rounds, results or standings.

    def begins_day_two(self) -> bool:
        """Return True if day 1 is over and the next round is the first of day 2."""
        if self.day_two_on is None or self.is_finished:
            return False
        latest = self.latest_round()
        if latest is None or not latest.is_closed:
            return False
        if self.day_two_round is not None:
            return self.next_round_number() == self.day_two_round
        stage = self.current_stage()
        if stage.is_cut:
            return not stage.rounds.exists()
        # The cut is made on the day itself, after all rounds of day 1.
        return latest.number >= self.round_target()

    def day_two_check_in_is_open(self) -> bool:
        """Return True until the first round of day 2 is paired; no query before it is opened."""
        return self.day_two_opened_at is not None and self.begins_day_two()

    def ends_day_two_check_in(self, changed: Mapping[str, Any]) -> bool:
        """Return True if the changed settings end an open day-2 check-in."""
        # They do if they remove day 2 or move it to another round.
        if self.day_two_opened_at is None:
            return False
        is_gone = changed.get("day_two_on", self.day_two_on) is None
        # Without `day_two_round`, day 2 begins with the cut, after all planned rounds.
        cut_moves = self.day_two_round is None and "planned_rounds" in changed
        return is_gone or cut_moves or "day_two_round" in changed

    def day_two_players(self) -> RegistrationQuerySet:
        """Players of day 2 by name: those in the cut once made, otherwise all active players."""
        playing = self.registrations.active().order_by("player__sort_key", "pk")
        cut = self.get_cut()
        if cut is None:
            return playing
        return playing.filter(pk__in=cut.entries.accepted().values("registration"))

    def missing_on_day_two(self) -> RegistrationQuerySet:
        return self.day_two_players().filter(day_two_at=None)

    def registrations_to_check_in(self) -> RegistrationQuerySet:
        """Players to check in: for day 2 while its check-in is open, otherwise for the event."""
        if self.day_two_check_in_is_open():
            return self.missing_on_day_two()
        return self.registrations.filter(state=RegistrationState.REGISTERED)

    # Standings and jobs.

    def has_standings(self) -> bool:
        """Return True if standings are stored, or a job will store the first ones."""
        # A running job may have read the event already, so a change of the ranking must replace it.
        return self.snapshots.newest() is not None or self.standings_outdated_from() is not None

    def standings_outdated_from(self) -> int | None:
        """Return the first closed round without stored standings, or None; one query."""
        payloads = self.jobs.unfinished_standings().values_list("payload", flat=True)
        return min((payload["from_round"] for payload in payloads), default=None)

    @cached_property
    def has_outdated_standings(self) -> bool:
        """True while stored standings are being computed again, or after that failed."""
        # `with_outdated_standings` reads it together with the event.
        return self.jobs.unfinished_standings().exists()

    def why_standings_wait(self) -> str:
        """Why the stored standings are outdated and what to do; empty if they are current."""
        states = set(self.jobs.unfinished_standings().values_list("state", flat=True))
        if states.intersection(LIVE_STATES):
            return _("The standings are still being computed. Reload the page in a moment.")
        return _("The standings could not be computed. Try again on the desk.") if states else ""

    def points_before(self, number: int) -> dict[int, Points]:
        """Return the stored points before this round, by player number; one query."""
        earlier = self.snapshots.newest_first().filter(round__number__lt=number)
        rows = Standing.objects.filter(snapshot=earlier.values("pk")[:1])
        return dict(rows.values_list("registration__number", "match_points"))

    def pairing_job(self, number: int) -> Job | None:
        return self.jobs.filter(key=self.pairing_job_key(number)).first()

    def pairing_job_key(self, number: int) -> str:
        """Return the job key of a round's pairing: repeated clicks share it and make one round."""
        return f"pair:{self.pk}:{number}"

    # Log, corrections and penalties.

    def readable_log(self, *, with_draft: bool, with_checks: bool) -> QuerySet[LogEntry]:
        """Return the log, newest first, filtered for the reader.

        Without `with_draft`, entries that reveal a draft are left out; without `with_checks`, those
        for judges.
        """
        entries = self.log.select_related("user", "player")
        if not with_checks:
            entries = entries.exclude(action__in=stored_values(event_log.JUDGE_ACTIONS))
        latest = self.latest_round()
        if with_draft or latest is None or not latest.is_draft:
            return entries
        closed = self.rounds.closed().last()
        # The earliest possible time of the current draft.
        drafted_from = closed.closed_at if closed and closed.closed_at else self.created_at
        return entries.exclude(action__in=event_log.SEAT_CHANGES, at__gte=drafted_from)

    def archive_version(self) -> int:
        return 1 + self.log.of_corrections().count()

    def infraction_guide(self) -> Guide:
        """Return the infraction guide with this event's changes; one query."""
        # The model's ordering would join the event.
        changes = [row.as_guide_change() for row in self.infraction_changes.order_by("code")]
        return shipped_guide().with_changes(changes)
