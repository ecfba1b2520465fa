"""Queries on the roster, places, waiting list, late entries and absences."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, F, Max, Prefetch, Q, QuerySet
from django.utils import timezone

from core.form_fields import whole_number
from core.text import comparison_key, find_lookalike
from engine.systems import CUT_SYSTEMS
from matches.models import Match, MatchState
from players.models import Player
from players.names import MAX_KEY_LENGTH
from tournaments.event.queries.penalties import is_disqualified
from tournaments.event.queries.rounds import (
    MISSED_ROUND,
    current_stage,
    latest_round,
    rounds,
    visible_rounds,
)
from tournaments.models import (
    Absence,
    DeckSubmission,
    DroppedBy,
    LateEntry,
    LogAction,
    LogEntry,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    Series,
    StageEntry,
    Standing,
    Tournament,
    Visibility,
    event_log,
)

# Maximum number of suggestions for typed text.
MOST_MEANT = 8

LEFT_BEHIND = (DroppedBy.ABSENT, DroppedBy.NO_SHOW, DroppedBy.DAY_TWO)
# Dropped and waiting players do not take a place.
TAKES_A_PLACE = (RegistrationState.REGISTERED, RegistrationState.CHECKED_IN)
# Registrations of players without a place, or with a place who did not come.
NEVER_CAME = (
    Q(state=RegistrationState.WAITING)
    | Q(dropped_by=DroppedBy.ABSENT)
    | Q(state=RegistrationState.REGISTERED, tournament__finished_at__isnull=False)
)


def registration_of(player: Player | None, tournament: Tournament) -> Registration | None:
    """The player's registration for the event, or None."""
    if player is None:
        return None
    mine = tournament.registrations.filter(player=player).select_related("player")
    return mine.order_by("pk").first()


def place_at(slug: str, player: Player | None, *, only: Sequence[str] = ()) -> Registration | None:
    """The player's registration for the event with this slug, including the event.

    `only`: the columns to read; all by default.
    """
    if player is None:
        return None
    places = Registration.objects.select_related("tournament").only(*only).order_by()
    place = places.filter(tournament__slug=slug, player=player).first()
    if place is not None:
        place.player = player
    return place


def is_past_closing_time(tournament: Tournament) -> bool:
    """Return True after the closing time, which passes without a log entry or new version."""
    closes = tournament.registration_closes_at
    return closes is not None and closes <= timezone.now()


def name_taken(tournament: Tournament, name: str) -> str:
    """The name on the roster with the same spelling or look; "" if there is none."""
    names = tournament.registrations.order_by("number").values_list("player__name", flat=True)
    return find_lookalike(name, names)


class OnRoster(NamedTuple):
    """A registration in short."""

    number: int
    name: str
    state: str


def off_stream(tournament: Tournament) -> set[int]:
    """Numbers of players who opted out of streams, for this event or for all."""
    wish = Q(avoids_stream=True) | Q(player__hides_from_streams=True)
    return set(tournament.registrations.filter(wish).order_by().values_list("number", flat=True))


def everybody_on_roster(tournament: Tournament) -> list[OnRoster]:
    """All registrations in any state, by number."""
    rows = tournament.registrations.order_by("number")
    return [OnRoster(*row) for row in rows.values_list("number", "player__name", "state")]


def own_sign_ups(tournament: Tournament) -> QuerySet[LogEntry]:
    """Log entries of players who joined by themselves, from their own device."""
    return LogEntry.objects.filter(
        tournament=tournament, action__in=event_log.SIGN_UPS, player=F("registration__player")
    )


def known_on_a_device(tournament: Tournament) -> QuerySet[Registration]:
    """Players with an account, an opened personal link or their own sign-up."""
    joined = Q(pk__in=own_sign_ups(tournament).values("registration"))
    has_link = Q(player__claimed_at__isnull=False)
    return tournament.registrations.filter(Q(player__user__isnull=False) | has_link | joined)


def removable_sign_ups(
    tournament: Tournament, since: datetime | None = None, until: datetime | None = None
) -> QuerySet[Registration]:
    """Sign-ups of this period without pairings, standings, penalties or deck checks."""
    joined = own_sign_ups(tournament)
    if since is not None:
        joined = joined.filter(at__gte=since)
    if until is not None:
        joined = joined.filter(at__lte=until)
    paired = Pairing.objects.filter(round__stage__tournament=tournament)
    at_tables = paired.filter(match__isnull=False).values("match__seats__player")
    places = StageEntry.objects.filter(stage__tournament=tournament, stage__system__in=CUT_SYSTEMS)
    return (
        tournament.registrations.select_related("player")
        .filter(pk__in=joined.values("registration"))
        .exclude(player__in=at_tables)
        .exclude(pk__in=paired.filter(bye__isnull=False).values("bye"))
        .exclude(pk__in=places.values("registration"))
        .exclude(
            pk__in=Standing.objects.filter(snapshot__tournament=tournament).values("registration")
        )
        .exclude(pk__in=tournament.penalties.values("registration"))
        .exclude(deck_submissions__checks__isnull=False)
        .order_by("number")
    )


def roster(tournament: Tournament) -> QuerySet[Registration]:
    """All registrations by name, with their players and deck submissions."""
    # Prefetching more than 1,000 rows by a foreign key exceeds what SQLite parses.
    decks = DeckSubmission.objects.select_related("version")
    return tournament.registrations.select_related("player").prefetch_related(
        Prefetch("deck_submissions", decks)
    )


def fixed_tables(tournament: Tournament) -> frozenset[int]:
    """Tables reserved for registered players, present or not."""
    places = tournament.registrations.filter(state__in=TAKES_A_PLACE, fixed_table__isnull=False)
    tables = places.values_list("fixed_table", flat=True)
    return frozenset(table for table in tables if table is not None)


def roster_by_player(tournament: Tournament) -> dict[int, Registration]:
    """Registrations by player key, with their players."""
    roster = tournament.registrations.select_related("player")
    return {entry.player_id: entry for entry in roster}


def registrations_at(tournament: Tournament, match: Match) -> dict[int, Registration]:
    """Like `roster_by_player`, for the players at one table."""
    roster = tournament.registrations.select_related("player")
    here = roster.filter(player__in=[seat.player_id for seat in match.seats.all()])
    return {entry.player_id: entry for entry in here}


def roster_entry(tournament: Tournament, number: int) -> Registration | None:
    """The registration with this number, with everything its roster row shows."""
    entry = roster(tournament).filter(number=number).first()
    if entry is not None:
        entry.tournament = tournament
    return entry


def found_on_roster(
    tournament: Tournament, typed: str = "", state: str = ""
) -> QuerySet[Registration]:
    """The roster by name, filtered by part of the name or the exact number, and by state."""
    rows = roster(tournament)
    if state in RegistrationState.values:
        rows = rows.filter(state=state)
    if typed:
        # Names are never longer: do not send the database very long text.
        key = comparison_key(typed)[: MAX_KEY_LENGTH + 1]
        hit = Q(player__name_key__contains=key)
        number = whole_number(typed, 5)
        if number is not None:
            hit |= Q(number=number)
        rows = rows.filter(hit)
    return rows


class Paid(NamedTuple):
    """Number of registered players marked as paid, and of all registered players."""

    paid: int
    players: int


def paid(tournament: Tournament) -> Paid | None:
    """The count of payments; None without a fee and without marks."""
    places = tournament.registrations.filter(state__in=TAKES_A_PLACE)
    has_paid = Count("pk", filter=Q(paid_at__isnull=False))
    found = Paid(**places.order_by().aggregate(paid=has_paid, players=Count("pk")))
    return found if tournament.entry_fee or found.paid else None


def unpaid(rows: QuerySet[Registration]) -> QuerySet[Registration]:
    """The registrations that have a place and are not marked as paid."""
    return rows.filter(state__in=TAKES_A_PLACE, paid_at=None)


def meant_on_roster(tournament: Tournament, typed: str) -> list[Registration]:
    """The player with exactly this number or name; otherwise all partial matches."""
    found = list(found_on_roster(tournament, typed)[:MOST_MEANT])
    key = comparison_key(typed)
    exact = [one for one in found if str(one.number) == typed or one.player.name_key == key]
    return exact if len(exact) == 1 else found


def count_by_state(tournament: Tournament) -> dict[str, int]:
    """Number of registrations per state, including zeros."""
    counted = tournament.registrations.order_by().values_list("state").annotate(n=Count("pk"))
    return {**dict.fromkeys(RegistrationState.values, 0), **dict(counted)}


def next_entrant_number(tournament: Tournament) -> int:
    """A number that was never used at this event, not even by removed players."""
    highest = tournament.registrations.aggregate(highest=Max("number"))["highest"]
    removed = tournament.log.filter(action=LogAction.PLAYER_REMOVED).values_list(
        "before", flat=True
    )
    return max([highest or 0, *(int(entry.get("number", 0)) for entry in removed)]) + 1


def players(tournament: Tournament) -> QuerySet[Registration]:
    """Registrations except those on the waiting list."""
    return tournament.registrations.exclude(state=RegistrationState.WAITING)


def registration_is_open_now(tournament: Tournament) -> bool:
    """Return True if registration is open by setting and time, even for a full event."""
    return (
        tournament.registration_is_open
        and not tournament.is_finished
        and not is_past_closing_time(tournament)
    )


def can_register_now(tournament: Tournament) -> bool:
    """Return True if a player with the code can join, if only the waiting list."""
    if not registration_is_open_now(tournament) or is_too_late(tournament):
        return False
    return not is_full(tournament) or takes_waiting(tournament)


def can_join_now(tournament: Tournament, player: Player | None) -> bool:
    """Like `can_register_now`, also checking the player's invitation."""
    return may_join(tournament, player) and can_register_now(tournament)


def may_join(tournament: Tournament, player: Player | None) -> bool:
    """Return True unless the event is by invitation and this player has none."""
    return not tournament.invitation_only or is_invited(tournament, player)


def is_invited(tournament: Tournament, player: Player | None) -> bool:
    """Return True if this player was invited and has not declined."""
    if player is None:
        return False
    return tournament.invited.filter(player=player, declined_at=None).exists()


def invites(tournament: Tournament) -> list[str]:
    """Names of the series that qualify for this event, without private ones."""
    series = Series.objects.filter(target=tournament).exclude(visibility=Visibility.PRIVATE)
    return list(series.order_by("pk").values_list("name", flat=True))


def is_full(tournament: Tournament) -> bool:
    limit = tournament.max_players
    return limit is not None and places_taken(tournament) >= limit


def places_taken(tournament: Tournament) -> int:
    """Number of registrations that count towards the player limit."""
    return tournament.registrations.filter(state__in=TAKES_A_PLACE).count()


def waiting_list(tournament: Tournament) -> QuerySet[Registration]:
    """Waiting players in the order in which they move up.

    Players ordered by the staff come first, then the others in order of registration.
    """
    waiting = tournament.registrations.filter(state=RegistrationState.WAITING)
    by_rank = F("waiting_rank").asc(nulls_last=True)
    return waiting.select_related("player").order_by(by_rank, "created_at", "number")


def waiting_list_moves(tournament: Tournament) -> bool:
    """Return True if free places still go to the waiting list: until round 1 is published."""
    return not tournament.is_finished and not visible_rounds(tournament).exists()


def takes_waiting(tournament: Tournament) -> bool:
    """Return True if a player who joins now goes to the waiting list."""
    return tournament.has_waiting_list and is_full(tournament) and waiting_list_moves(tournament)


def place_on_waiting_list(registration: Registration) -> int:
    """Position on the waiting list, from 1."""
    keys = list(waiting_list(registration.tournament).values_list("pk", flat=True))
    return keys.index(registration.pk) + 1 if registration.pk in keys else len(keys) + 1


def round_to_come_in(tournament: Tournament) -> int:
    """The first round a new player can play. A draft can still be paired again."""
    latest = latest_round(tournament)
    if latest is None:
        return 1
    return latest.number if latest.is_draft else latest.number + 1


def is_too_late(tournament: Tournament) -> bool:
    """Return True if no late entries are possible, by rule or because the cut has begun."""
    last = tournament.late_entry_until
    if tournament.late_entry == LateEntry.NOBODY:
        last = 1
    if last is not None and round_to_come_in(tournament) > max(1, last):
        return True
    return current_stage(tournament).way.is_elimination


def newcomers(tournament: Tournament) -> QuerySet[Registration]:
    """Players without a published pairing; rows for missed rounds do not count."""
    seen = Pairing.objects.filter(round__in=visible_rounds(tournament))
    in_rounds = seen.exclude(cost__has_key=MISSED_ROUND)
    at_tables = in_rounds.filter(match__isnull=False).values("match__seats__player")
    with_byes = in_rounds.filter(bye__isnull=False).values("bye")
    return players(tournament).exclude(player__in=at_tables).exclude(pk__in=with_byes)


def missed_rounds(registration: Registration) -> QuerySet[Pairing]:
    """The rows that credit a late entry for missed rounds."""
    return registration.byes.filter(cost__has_key=MISSED_ROUND).select_related("round")


def can_return_self(registration: Registration) -> bool:
    """Return True if the player left and can return without the staff.

    Possible until a round is published without them.
    """
    tournament = registration.tournament
    return (
        registration.state == RegistrationState.DROPPED
        and registration.dropped_by == DroppedBy.PLAYER
        and not tournament.is_finished
        and not rounds(tournament).filter(published_at__gt=registration.dropped_at).exists()
        and not is_disqualified(registration)
    )


def left_behind(tournament: Tournament) -> QuerySet[Registration]:
    """Players dropped for absence, latest first."""
    gone = tournament.registrations.filter(
        state=RegistrationState.DROPPED, dropped_by__in=LEFT_BEHIND
    )
    return gone.select_related("player").order_by("-dropped_at", "number")


def open_absences(round_: Round) -> QuerySet[Absence]:
    """Players reported missing at tables of this round without a reported result, by table."""
    absences = Absence.objects.filter(
        pairing__round=round_, applied_at=None, pairing__match__state=MatchState.OPEN
    )
    if not round_.is_played:
        return absences.none()
    related = "registration__player", "pairing__match", "pairing__round__stage__tournament"
    return absences.select_related(*related).order_by("pairing__table_number", "pk")


def absences_at(pairing: Pairing) -> list[Absence]:
    """Players reported missing at this table, while no result is reported."""
    return list(open_absences(pairing.round).filter(pairing=pairing))


def meeting_is_on(tournament: Tournament) -> bool:
    """Return True if players have seats for the meeting and round 1 is not published."""
    if tournament.meeting_seats is None or tournament.is_finished:
        return False
    return not visible_rounds(tournament).exists()


def seated_for_the_meeting(tournament: Tournament) -> QuerySet[Registration]:
    """Players with a seat at the meeting, by name, without dropped players."""
    seated = tournament.registrations.exclude(meeting_table=None)
    return seated.exclude(state=RegistrationState.DROPPED).select_related("player")
