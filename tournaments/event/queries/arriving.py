"""Who may come in, and who waits: room, the waiting list, late entries, absences."""

from django.db.models import Q, QuerySet

from matches.models import MatchState
from tournaments.event.queries.penalties import is_disqualified
from tournaments.event.queries.roster import is_past_closing_time
from tournaments.event.queries.rounds import (
    MISSED_ROUND,
    current_stage,
    latest_round,
    rounds,
    visible_rounds,
)
from tournaments.models import (
    Absence,
    DroppedBy,
    LateEntry,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    Tournament,
)

TAKES_A_PLACE = (RegistrationState.REGISTERED, RegistrationState.CHECKED_IN)
"""Whoever left or waits leaves the place to somebody else."""


def players(tournament: Tournament) -> QuerySet[Registration]:
    """Everybody who has or had a place; who waits for one is no player yet."""
    return tournament.registrations.exclude(state=RegistrationState.WAITING)


def registration_is_open_now(tournament: Tournament) -> bool:
    """Registration is open by hand and by time, whether there is room or not."""
    return (
        tournament.registration_is_open
        and not tournament.is_finished
        and not is_past_closing_time(tournament)
    )


def can_register_now(tournament: Tournament) -> bool:
    """Somebody who has the code can join: the roster, or the waiting list of a full event."""
    if not registration_is_open_now(tournament) or is_too_late(tournament):
        return False
    return not is_full(tournament) or takes_waiting(tournament)


def is_full(tournament: Tournament) -> bool:
    """Whether every place is taken; never where there is no limit."""
    limit = tournament.max_players
    return limit is not None and places_taken(tournament) >= limit


def places_taken(tournament: Tournament) -> int:
    """How many count against the limit."""
    return tournament.registrations.filter(state__in=TAKES_A_PLACE).count()


def waiting_list(tournament: Tournament) -> QuerySet[Registration]:
    """Who waits for a place, the first to come first."""
    waiting = tournament.registrations.filter(state=RegistrationState.WAITING)
    return waiting.select_related("player").order_by("created_at", "number")


def waiting_list_moves(tournament: Tournament) -> bool:
    """Places that come free go to the waiting list until round 1 is published."""
    return not tournament.is_finished and not visible_rounds(tournament).exists()


def takes_waiting(tournament: Tournament) -> bool:
    """Whether somebody who joins now comes on the waiting list."""
    return tournament.has_waiting_list and is_full(tournament) and waiting_list_moves(tournament)


def place_on_waiting_list(registration: Registration) -> int:
    """1 for who moves up next."""
    ahead = Q(created_at__lt=registration.created_at) | Q(
        created_at=registration.created_at, number__lt=registration.number
    )
    return waiting_list(registration.tournament).filter(ahead).count() + 1


def round_to_come_in(tournament: Tournament) -> int:
    """The first round somebody who comes now can play: a draft can still be made anew."""
    latest = latest_round(tournament)
    if latest is None:
        return 1
    return latest.number if latest.is_draft else latest.number + 1


def is_too_late(tournament: Tournament) -> bool:
    """Whether the event takes nobody new any more, by its rule or because its cut is played."""
    last = tournament.late_entry_until
    if tournament.late_entry == LateEntry.NOBODY:
        last = 1
    if last is not None and round_to_come_in(tournament) > max(1, last):
        return True
    return current_stage(tournament).way.is_elimination


def newcomers(tournament: Tournament) -> QuerySet[Registration]:
    """Players who have not been in any published round; what they missed aside."""
    seen = Pairing.objects.filter(round__in=visible_rounds(tournament))
    in_rounds = seen.exclude(cost__has_key=MISSED_ROUND)
    at_tables = in_rounds.filter(match__isnull=False).values("match__seats__player")
    with_byes = in_rounds.filter(bye__isnull=False).values("bye")
    return players(tournament).exclude(player__in=at_tables).exclude(pk__in=with_byes)


def missed_rounds(registration: Registration) -> QuerySet[Pairing]:
    """The rows a late entry was given for rounds they missed."""
    return registration.byes.filter(cost__has_key=MISSED_ROUND).select_related("round")


def can_return_self(registration: Registration) -> bool:
    """Who left by themselves comes back by themselves until a round is published without them."""
    tournament = registration.tournament
    return (
        registration.state == RegistrationState.DROPPED
        and registration.dropped_by == DroppedBy.PLAYER
        and not tournament.is_finished
        and not rounds(tournament).filter(published_at__gt=registration.dropped_at).exists()
        and not is_disqualified(registration)
    )


def left_behind(tournament: Tournament) -> QuerySet[Registration]:
    """Who was dropped for not being there, the latest first."""
    gone = tournament.registrations.filter(
        state=RegistrationState.DROPPED, dropped_by__in=(DroppedBy.ABSENT, DroppedBy.NO_SHOW)
    )
    return gone.select_related("player").order_by("-dropped_at", "number")


def open_absences(round_: Round) -> QuerySet[Absence]:
    """Who is missing at a table of this round where nobody has told a result, by table."""
    told = Absence.objects.filter(
        pairing__round=round_, applied_at=None, pairing__match__state=MatchState.OPEN
    )
    if not round_.is_played:
        return told.none()
    related = "registration__player", "pairing__match", "pairing__round__stage__tournament"
    return told.select_related(*related).order_by("pairing__table_number", "pk")


def absences_at(pairing: Pairing) -> list[Absence]:
    """Who is missing at this table, while nobody has told a result."""
    return list(open_absences(pairing.round).filter(pairing=pairing))
