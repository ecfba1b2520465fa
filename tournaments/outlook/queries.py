"""Scenarios of the last round and forecasts of earlier rounds: which apply, and what is stored."""

from datetime import timedelta
from hashlib import sha256

from django.db.models import Exists, Q, QuerySet
from django.utils import timezone

from engine.forecast import FORECAST_KINDS
from engine.standings.tie_breakers import FIXED_TIE_BREAKERS
from engine.systems import CUT_SYSTEMS, SystemKind
from tournaments.event.snapshots import tie_breakers_of
from tournaments.models import (
    STATES_IN_PLAY,
    Forecast,
    Outlook,
    RegistrationState,
    Round,
    RoundState,
    Stage,
    Tournament,
)

# Forecasts are computed for rounds closed within this time.
FORECAST_WINDOW = timedelta(hours=12)


def events_to_look_ahead() -> QuerySet[Tournament]:
    """Return events that show scenarios and have a round at the tables or one closed recently."""
    since = timezone.now() - FORECAST_WINDOW
    recent = Q(state__in=STATES_IN_PLAY) | Q(state=RoundState.CLOSED, closed_at__gte=since)
    rounds = Round.objects.filter(recent)
    return Tournament.objects.filter(
        finished_at=None,
        import_touched_at=None,
        shows_needs=True,
        pk__in=rounds.values("stage__tournament"),
    ).order_by("pk")


def get_last_round(tournament: Tournament) -> Round | None:
    """Return the last planned round once it is at the tables or closed, unless a cut exists."""
    round_ = _newest_round(tournament)
    if round_ is None or round_.is_draft:
        return None
    # An imported event may have another first tie-breaker, for which scenarios are not computed.
    if not round_.is_closed and tie_breakers_of(tournament)[0] != FIXED_TIE_BREAKERS[0]:
        return None
    last = tournament.round_target()
    number = round_.stage.number_of_round(round_.number)
    return round_ if number >= last else None


def _newest_round(tournament: Tournament) -> Round | None:
    """Return the newest round, drafts included, if the number of rounds before a cut is known."""
    round_ = tournament.latest_round()
    if round_ is None or round_.is_in_cut:
        return None
    stage = round_.stage
    stage.tournament = tournament
    # With an unknown number of rounds, any round may be the last.
    if tournament.planned_rounds is None and stage.way.kind is not SystemKind.ROUND_ROBIN:
        return None
    return round_


def get_forecast_round(tournament: Tournament) -> Round | None:
    """Return the newest closed round if the rounds after it are planned and paired by rule."""
    newest = _newest_round(tournament)
    # The rounds before a second stage decided different places.
    if newest is None or newest.stage.way.kind not in FORECAST_KINDS or newest.stage.number > 1:
        return None
    closed = newest.stage.rounds.closed().order_by("number").last()
    published = newest.number if not newest.is_draft else newest.number - 1
    if closed is None or published >= tournament.round_target():
        return None
    closed.stage = newest.stage
    return closed


def get_forecast_digest(tournament: Tournament, round_: Round) -> str:
    """Return a digest of all data that a forecast after this round depends on; two queries."""
    # A changed result of a closed round stores the standings again, with new keys.
    snapshots = tournament.snapshots.keys_by_round()
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


def get_outlook_or_forecast(tournament: Tournament) -> Outlook | Forecast | None:
    """Return the scenarios of the last round, or a forecast before it, if players may read it."""
    if not tournament.shows_needs:
        return None
    # An unpublished round is a draft and may be paired again.
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(state=RoundState.DRAFT)
    cuts = Stage.objects.filter(tournament=tournament, system__in=CUT_SYSTEMS)
    begun = Round.objects.filter(stage__in=cuts).exclude(state=RoundState.DRAFT)
    public = cuts.filter(seeds_shown_at__isnull=False)
    rounds = rounds.exclude(stage__system__in=CUT_SYSTEMS).annotate(
        has_cut=Exists(cuts),
        has_public_cut=Exists(public) | Exists(begun),
    )
    rounds = rounds.defer("certificate", "relaxations")
    newest = list(rounds.select_related("stage", "outlook", "forecast").order_by("-number")[:2])
    if not newest or newest[0].has_public_cut:  # type: ignore[attr-defined]
        return None
    if tournament.has_outdated_standings:
        return None
    outlook = get_round_outlook(tournament, newest[0])
    if outlook is not None:
        return outlook
    if not newest[0].is_closed and is_answered_exactly(tournament, newest[0]):
        return None
    closed = next((round_ for round_ in newest if round_.is_closed), None)
    forecast: Forecast | None = getattr(closed, "forecast", None)
    if forecast is None or tournament.is_finished or newest[0].has_cut:  # type: ignore[attr-defined]
        return None
    # The number of planned rounds may have changed since the forecast.
    is_round_robin = forecast.round.stage.way.kind is SystemKind.ROUND_ROBIN
    last = forecast.round.number + forecast.rounds_left
    return forecast if is_round_robin or tournament.planned_rounds == last else None


def get_outlook(tournament: Tournament) -> Outlook | None:
    known = get_outlook_or_forecast(tournament)
    return known if isinstance(known, Outlook) else None


def is_answered_exactly(tournament: Tournament, round_: Round) -> bool:
    """Return True if this is the last round and match points are the first tie-breaker."""
    return _is_last_round(tournament, round_) and (
        round_.is_closed or tie_breakers_of(tournament)[0] == FIXED_TIE_BREAKERS[0]
    )


def is_calculating(tournament: Tournament) -> bool:
    """Return True while the exact answers about the newest round are missing."""
    round_ = get_last_round(tournament)
    return round_ is not None and get_round_outlook(tournament, round_) is None


def get_round_outlook(tournament: Tournament, round_: Round) -> Outlook | None:
    """Return the scenarios of this round if it is the last and players may read them."""
    if not tournament.shows_needs or round_.is_draft or not _is_last_round(tournament, round_):
        return None
    # Runs no query if the round was fetched with its outlook.
    outlook: Outlook | None = getattr(round_, "outlook", None)
    return outlook


def _is_last_round(tournament: Tournament, round_: Round) -> bool:
    # Rounds may have been added since the outlook was stored.
    planned = tournament.planned_rounds
    is_fixed = round_.stage.way.kind is SystemKind.ROUND_ROBIN
    return is_fixed or (planned is not None and round_.number >= planned)
