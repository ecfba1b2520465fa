"""Queries on the decklists of an event."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from decks.legality.check_texts import CheckText
from decks.models import DeckSlot, Side
from engine.table_plan import CheckableTable
from tournaments.models import (
    STATES_IN_PLAY,
    DeckCheck,
    DeckCheckDraw,
    DeckReceipt,
    DeckSubmission,
    LockedBy,
    LogAction,
    LogEntry,
    Pairing,
    Registration,
    Round,
    Tournament,
)

# Joins the cards: SQLite cannot parse a prefetch of more than 1,000 rows by a foreign key.
SLOTS_WITH_CARDS = Prefetch(
    "version__slots", DeckSlot.objects.select_related("card").order_by("position", "pk")
)

WAIVER_CHANGES = (LogAction.DECK_PROBLEM_WAIVED, LogAction.DECK_WAIVER_WITHDRAWN)


def submissions_of(registration: Registration) -> dict[str, DeckSubmission]:
    decks = DeckSubmission.objects.select_related("version__decklist")
    submissions = decks.filter(registration=registration).order_by("side")
    for submission in submissions:
        submission.registration = registration
    return {submission.side: submission for submission in submissions}


def receipts_of(submission: DeckSubmission | None) -> QuerySet[DeckReceipt]:
    """All receipts of a deck, newest first; empty without a submission."""
    if submission is None:
        return DeckReceipt.objects.none()
    receipts = DeckReceipt.objects.filter(submission=submission)
    return receipts.select_related("version__identity", "received_from")


# Locks


@dataclass(frozen=True)
class DeckLock:
    by: LockedBy
    at: datetime


def deck_lock(tournament: Tournament, submission: DeckSubmission | None) -> DeckLock | None:
    """Return the lock on a deck: its own, else that of the whole event. No queries."""
    if submission is not None and submission.locked_at:
        return DeckLock(LockedBy(submission.locked_by), submission.locked_at)
    return event_deck_lock(tournament)


def event_deck_lock(tournament: Tournament) -> DeckLock | None:
    locks = []
    if tournament.decks_locked_at:
        locks.append(DeckLock(LockedBy.STAFF, tournament.decks_locked_at))
    if tournament.decks_close_at and decks_are_closed(tournament):
        locks.append(DeckLock(LockedBy.DEADLINE, tournament.decks_close_at))
    return min(locks, key=lambda lock: lock.at, default=None)


def decks_are_closed(tournament: Tournament) -> bool:
    """Return True after the deadline. Its passing writes no log entry and moves no version."""
    closes = tournament.decks_close_at
    return closes is not None and closes <= timezone.now()


# Problems and waivers


@dataclass(frozen=True)
class DeckWaiver:
    """A staff decision to let a player play despite a missing or illegal deck.

    `versions` maps each side to the version number of the waived list, or None for a missing deck.
    A different list for that side is not covered.
    """

    versions: Mapping[str, int | None]
    reason: str
    by: str
    at: datetime

    def covers(self, side: Side, submission: DeckSubmission | None) -> bool:
        number = submission.version.number if submission else None
        return side in self.versions and self.versions[side] == number


@dataclass(frozen=True)
class DeckProblem:
    """Missing or illegal decks of a player; `waiver` is None if staff must act."""

    registration: Registration
    sides: tuple[Side, ...]
    is_missing: bool
    waiver: DeckWaiver | None = None

    @property
    def side(self) -> Side:
        return self.sides[0]

    @property
    def words(self) -> str:
        """A phrase such as "no Corp and no Runner deck"."""
        if len(self.sides) > 1:
            if self.is_missing:
                return gettext("no Corp or Runner deck")
            return gettext("Corp and Runner decks are illegal")
        if self.is_missing:
            return gettext("no %(side)s deck") % {"side": self.side.label}
        return gettext("%(side)s deck is illegal") % {"side": self.side.label}


def registrations_with_decks(tournament: Tournament) -> QuerySet[Registration]:
    """Players with a place, by name, with the verdicts on their decks but not the lists.

    `has_waivers` is True if a deck problem of the player was ever waived.
    """
    waivers = LogEntry.objects.filter(registration=OuterRef("pk"), action__in=WAIVER_CHANGES)
    decks = DeckSubmission.objects.select_related("version").defer(
        "version__text", "version__breaches"
    )
    return (
        tournament.registrations.taking_places()
        .select_related("player")
        .annotate(has_waivers=Exists(waivers))
        .prefetch_related(Prefetch("deck_submissions", decks))
    )


def players_with_deck_problems(tournament: Tournament) -> QuerySet[Registration]:
    """Like `registrations_with_decks`, but only players with a missing or illegal deck."""
    legal = Count("deck_submissions", filter=Q(deck_submissions__version__is_legal=True))
    return registrations_with_decks(tournament).alias(legal=legal).filter(legal__lt=len(Side))


def deck_waivers(tournament: Tournament) -> dict[int, DeckWaiver]:
    """Read the waivers in force from the log, by registration pk; one query."""
    entries = tournament.log.filter(action__in=WAIVER_CHANGES).exclude(registration=None)
    waivers: dict[int, DeckWaiver] = {}
    for entry in entries.select_related("user__player").order_by("pk"):
        assert entry.registration_id is not None
        waivers.pop(entry.registration_id, None)
        if entry.action == LogAction.DECK_PROBLEM_WAIVED:
            by = entry.user.staff_name if entry.user else ""
            waivers[entry.registration_id] = DeckWaiver(
                entry.after["versions"], entry.reason, by, entry.at
            )
    return waivers


def deck_problems_of_event(
    tournament: Tournament, registrations: Iterable[Registration]
) -> list[DeckProblem]:
    """List illegal decks, and missing decks if required; waived problems are separate entries.

    Prefetch "deck_submissions__version" for several registrations.
    """
    rows = list(registrations)
    # Only `registrations_with_decks` annotates `has_waivers`; otherwise look for waivers.
    has_waivers = any(getattr(row, "has_waivers", True) for row in rows)
    waivers = deck_waivers(tournament) if has_waivers else {}
    problems = []
    for registration in rows:
        by_side = {Side(deck.side): deck for deck in registration.deck_submissions.all()}
        missing = [side for side in Side if side not in by_side and tournament.decks_required]
        illegal = [side for side in Side if side in by_side and not by_side[side].version.is_legal]
        waiver = waivers.get(registration.pk)
        for sides, is_missing in ((missing, True), (illegal, False)):
            waived = [side for side in sides if waiver and waiver.covers(side, by_side.get(side))]
            open_ = [side for side in sides if side not in waived]
            for group, reason in ((open_, None), (waived, waiver)):
                if group:
                    problems.append(DeckProblem(registration, tuple(group), is_missing, reason))
    return problems


def deck_notices(registrations: Iterable[Registration]) -> Sequence[tuple[CheckText, int]]:
    """List the causes of notices, such as an upcoming ban list, with their numbers of decks.

    Scorekeepers read the causes, which name no card. Requires "deck_submissions__version"
    prefetched.
    """
    touched: dict[CheckText, set[int]] = defaultdict(set)
    for registration in registrations:
        for deck in registration.deck_submissions.all():
            for notice in deck.version.stored_notices:
                if notice.cause:
                    touched[notice.cause].add(deck.pk)
    return [(cause, len(decks)) for cause, decks in touched.items()]


# Deck checks


def checkable_tables(round_: Round) -> list[CheckableTable]:
    """List the tables with a submitted deck that were not yet drawn in this round."""
    tournament = round_.stage.tournament
    drawn = set(
        DeckCheck.objects.filter(
            draw__tournament=tournament, draw__round_number=round_.number
        ).values_list("table_number", flat=True)
    )
    decks = DeckSubmission.objects.filter(registration__tournament=tournament)
    with_decks = set(decks.values_list("registration__player", flat=True))
    checks = DeckCheck.objects.filter(draw__tournament=tournament)
    # Two decks of a player in the same draw count once.
    checked = set(checks.values_list("submission__registration__player", "draw"))
    check_counts = Counter(player for player, _ in checked)
    return [
        CheckableTable(number, tuple(check_counts[player] for player in players))
        for number, players in _players_by_table(round_).items()
        if number not in drawn and with_decks.intersection(players)
    ]


def decks_played_at(pairing: Pairing) -> list[DeckSubmission]:
    """List the decks played at the table, by seat and side.

    If a player's roles are unknown, all their decks are included.
    """
    tournament = pairing.round.stage.tournament
    places = {seat.player_id: seat.position for seat in pairing.seats}
    assert pairing.match is not None
    roles: defaultdict[int, set[str]] = defaultdict(set)
    games: Iterable[tuple[int, str]] = pairing.match.games.exclude(seats__role="").values_list(
        "seats__seat__player", "seats__role"
    )
    for player, role in games:
        roles[player].add(role)
    submissions = DeckSubmission.objects.filter(
        registration__tournament=tournament, registration__player__in=places
    ).select_related("version", "registration")
    played = [
        deck
        for deck in submissions
        if not (known := roles[deck.registration.player_id]) or deck.side in known
    ]
    return sorted(played, key=lambda deck: (places[deck.registration.player_id], deck.side))


def players_without_deck(draw: DeckCheckDraw, round_: Round) -> list[tuple[int, Registration]]:
    """List players at drawn tables without a deck, as (table, registration); five queries."""
    drawn = set(draw.checks.values_list("table_number", flat=True))
    tournament = round_.stage.tournament
    bare = tournament.registrations.filter(deck_submissions=None).select_related("player")
    by_player = {registration.player_id: registration for registration in bare}
    return [
        (number, by_player[player])
        for number, players in sorted(_players_by_table(round_).items())
        for player in players
        if number in drawn and player in by_player
    ]


def deck_checks(tournament: Tournament) -> QuerySet[DeckCheck]:
    """All checks of the event with their players, newest draw first."""
    return (
        DeckCheck.objects.filter(draw__tournament=tournament)
        .select_related("draw", "submission__registration__player", "version", "checked_by")
        .order_by("-draw__number", "table_number", "submission__registration", "submission__side")
    )


def checks_with_cards(tournament: Tournament) -> QuerySet[DeckCheck]:
    """Like `deck_checks`, with the cards of each list."""
    checks = deck_checks(tournament).select_related("version__identity", "submission__version")
    return checks.prefetch_related(SLOTS_WITH_CARDS)


def round_at_tables(tournament: Tournament) -> Round | None:
    rounds = tournament.rounds.filter(state__in=STATES_IN_PLAY)
    return rounds.select_related("stage__tournament").last()


def _players_by_table(round_: Round) -> dict[int, list[int]]:
    players: dict[int, list[int]] = {}
    pairings = round_.pairings.exclude(match=None).select_related("match")
    for pairing in pairings.prefetch_related("match__seats"):
        assert pairing.table_number is not None
        players[pairing.table_number] = pairing.players
    return players
