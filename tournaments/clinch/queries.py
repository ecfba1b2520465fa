"""What is known of who comes in: of the last round, and by playing out the rounds before it."""

from datetime import timedelta
from hashlib import sha256

from django.db.models import Exists, Q, QuerySet
from django.utils import timezone

from engine.forecast import KINDS
from engine.standings import FIXED_TIE_BREAKERS
from engine.systems import CUTS, SystemKind
from tournaments.event import queries
from tournaments.event.snapshots import tie_breakers_of
from tournaments.models import (
    AT_TABLES,
    Forecast,
    Outlook,
    RegistrationState,
    Round,
    RoundState,
    Stage,
    Tournament,
)

BETWEEN_ROUNDS = timedelta(hours=12)
"""For how long after a round people look at what comes."""


def to_look_ahead_at() -> QuerySet[Tournament]:
    """Events that show what players need, with a round at the tables or closed a while ago."""
    since = timezone.now() - BETWEEN_ROUNDS
    recent = Q(state__in=AT_TABLES) | Q(state=RoundState.CLOSED, closed_at__gte=since)
    rounds = Round.objects.filter(recent)
    return Tournament.objects.filter(
        finished_at=None,
        import_touched_at=None,
        shows_needs=True,
        pk__in=rounds.values("stage__tournament"),
    ).order_by("pk")


def last_round(tournament: Tournament) -> Round | None:
    """The last planned round once it is at the tables, and after it until there is a cut.

    None where nobody said how many rounds there are: then any round may be the last. None too at
    the tables of an imported event that ranks by something else before match points.
    """
    round_ = _newest(tournament)
    if round_ is None or round_.is_draft:
        return None
    if not round_.is_closed and tie_breakers_of(tournament)[0] != FIXED_TIE_BREAKERS[0]:
        return None
    last = queries.round_target(tournament)
    number = queries.number_in_stage(round_.stage, round_.number)
    return round_ if number >= last else None


def _newest(tournament: Tournament) -> Round | None:
    """The newest round, a draft too, where it is known which will be the last before a cut."""
    round_ = queries.latest_round(tournament)
    if round_ is None or round_.stage.way.is_elimination:
        return None
    stage = round_.stage
    stage.tournament = tournament
    if tournament.planned_rounds is None and stage.way.kind is not SystemKind.ROUND_ROBIN:
        return None
    return round_


def round_to_play_on_from(tournament: Tournament) -> Round | None:
    """The newest closed round, where the rounds after it are planned and paired by rule.

    None where the last round is at the tables, or an earlier stage was played: its rounds count
    for other places.
    """
    newest = _newest(tournament)
    if newest is None or newest.stage.way.kind not in KINDS or newest.stage.number > 1:
        return None
    closed = newest.stage.rounds.filter(state=RoundState.CLOSED).order_by("number").last()
    at_tables = newest.number if not newest.is_draft else newest.number - 1
    if closed is None or at_tables >= queries.round_target(tournament):
        return None
    closed.stage = newest.stage
    return closed


def mark_of(tournament: Tournament, round_: Round) -> str:
    """Changes with everything that the rounds after this one are played out from; two queries.

    Standings are stored anew when a result of a closed round changes.
    """
    snapshots = queries.snapshots_in_force(tournament)
    to_come = (RegistrationState.WAITING, RegistrationState.REGISTERED)
    entries = tournament.registrations.exclude(state__in=to_come).order_by("number")
    known = (
        {number: key for number, key in snapshots.items() if number <= round_.number},
        list(entries.values_list("number", "state", "seed", "avoid_group")),
        (tournament.planned_rounds, tournament.planned_cut, tournament.seed),
        tournament.avoid_second_meetings,
        (tie_breakers_of(tournament), tournament.bye_points),
        (round_.pk, round_.stage.system, round_.stage.scoring_rule),
    )
    return sha256(repr(known).encode()).hexdigest()


def known_of(tournament: Tournament) -> Outlook | Forecast | None:
    """What is known of the newest round, where players may read it; one query.

    In the last round and after it what is certain, before it how the rounds left may go. None
    while standings are recomputed, for the few seconds in which the exact answers are calculated,
    and once players see the cut: its bracket says more than the rounds before it.
    """
    if not tournament.shows_needs:
        return None
    # A round that was taken back is a draft again, and it may be paired anew.
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(state=RoundState.DRAFT)
    cuts = Stage.objects.filter(tournament=tournament, system__in=CUTS)
    begun = Round.objects.filter(stage__in=cuts).exclude(state=RoundState.DRAFT)
    public = cuts.filter(seeds_shown_at__isnull=False)
    rounds = rounds.exclude(stage__system__in=CUTS).annotate(
        has_cut=Exists(cuts),
        has_public_cut=Exists(public) | Exists(begun),
        has_outdated_standings=Exists(queries.unfinished_standings_jobs(tournament)),
    )
    rounds = rounds.defer("certificate", "relaxations")
    newest = list(rounds.select_related("stage", "outlook", "forecast").order_by("-number")[:2])
    if not newest or newest[0].has_public_cut or newest[0].has_outdated_standings:
        return None
    outlook = outlook_at(tournament, newest[0])
    if outlook is not None:
        return outlook
    if not newest[0].is_closed and is_answered_exactly(tournament, newest[0]):
        return None
    closed = next((round_ for round_ in newest if round_.is_closed), None)
    forecast: Forecast | None = getattr(closed, "forecast", None)
    if forecast is None or tournament.is_finished or newest[0].has_cut:
        return None
    return forecast if _are_left(tournament, forecast) else None


def is_answered_exactly(tournament: Tournament, round_: Round) -> bool:
    """Return whether this round is the last one, and ranked by match points first."""
    return _is_last(tournament, round_) and (
        round_.is_closed or tie_breakers_of(tournament)[0] == FIXED_TIE_BREAKERS[0]
    )


def is_calculating(tournament: Tournament) -> bool:
    """Return whether the exact answers about the newest round are still to come."""
    round_ = last_round(tournament)
    return round_ is not None and outlook_at(tournament, round_) is None


def _are_left(tournament: Tournament, forecast: Forecast) -> bool:
    """Whether so many rounds are still planned."""
    if forecast.round.stage.way.kind is SystemKind.ROUND_ROBIN:
        return True
    return tournament.planned_rounds == forecast.round.number + forecast.rounds_left


def outlook_at(tournament: Tournament, round_: Round) -> Outlook | None:
    """What is certain in this round, where it is the last one and players may read it.

    No query for a round that comes with its outlook.
    """
    if not tournament.shows_needs or round_.is_draft or not _is_last(tournament, round_):
        return None
    outlook: Outlook | None = getattr(round_, "outlook", None)
    return outlook


def _is_last(tournament: Tournament, round_: Round) -> bool:
    """Whether it is still the last: rounds may have been added since."""
    planned = tournament.planned_rounds
    is_fixed = round_.stage.way.kind is SystemKind.ROUND_ROBIN
    return is_fixed or (planned is not None and round_.number >= planned)


def outlook_of(tournament: Tournament) -> Outlook | None:
    """What is certain in the last round; one query."""
    known = known_of(tournament)
    return known if isinstance(known, Outlook) else None
