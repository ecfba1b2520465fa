"""Rounds, pairings and seats."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Min,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    When,
)

from engine.systems import CUT_SYSTEMS, SystemKind
from engine.timing import Clock
from matches.models import SETTLED_STATES, Match, MatchState, ResultReport, Seat
from players.models import Player
from tournaments.models import (
    STATES_IN_PLAY,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    RoundState,
    Staff,
    StaffRole,
    Stage,
    Tournament,
)

PAIRING_RELATED = ("match", "bye__player", "round")
# Joined: Django takes very long to fetch the players of a large round by key.
SEATS = Prefetch("match__seats", Seat.objects.select_related("player"))
AT_A_TABLE = (
    *("round", "table_number", "match", "bye"),
    *(f"round__{name}" for name in ("stage", "number", "state")),
    *(f"round__stage__{name}" for name in ("number", "system", "tournament")),
    *(
        f"round__stage__tournament__{name}"
        for name in (
            *("name", "slug", "visibility", "practice_of", "staff_need_second_factor"),
            "finished_at",
        )
    ),
)
# Key in `cost` that marks the row of a round missed by a late entry.
MISSED_ROUND = "late_entry"


def current_stage(tournament: Tournament) -> Stage:
    """The stage that is played now or next."""
    stage = tournament.stages.select_related("tournament").last()
    assert stage is not None, "an event is made with its first stage"
    return stage


def rounds(tournament: Tournament) -> QuerySet[Round]:
    """All rounds of the event, first to last, drafts included."""
    return Round.objects.filter(stage__tournament=tournament).order_by("stage__number", "number")


def rounds_at_desk(tournament: Tournament) -> QuerySet[Round]:
    """All rounds with their stages, annotated with `lacks_results`.

    `lacks_results` is True if a table has no settled result. The large `outlook.needs` is not
    loaded.
    """
    of_round = Pairing.objects.filter(round=OuterRef("pk"), match__isnull=False)
    without = of_round.exclude(match__state__in=SETTLED_STATES)
    found = rounds(tournament).select_related("stage__tournament", "outlook")
    return found.defer("outlook__needs").annotate(lacks_results=Exists(without))


def name_rounds(rounds: Iterable[Round]) -> None:
    """Prefetch the data for the names of rounds, of any number of events.

    Two queries if there is a cut. The stages of the rounds must be loaded.
    """
    cut_rounds = [round_ for round_ in rounds if round_.stage.way.is_elimination]
    if not cut_rounds:
        return
    games: defaultdict[int, list[int]] = defaultdict(list)
    paired = Pairing.objects.filter(round__in=cut_rounds).exclude(bracket_game=None).order_by()
    for round_id, game in paired.values_list("round", "bracket_game"):
        if game is not None:
            games[round_id].append(game)
    stages = {round_.stage_id: round_.stage for round_ in cut_rounds}
    taken = Count("entries", filter=Q(entries__declined=False), distinct=True)
    rows = Stage.objects.filter(pk__in=stages).annotate(taken=taken, first=Min("rounds__number"))
    for pk, size, first in rows.order_by().values_list("pk", "taken", "first"):
        stages[pk].size, stages[pk].first_round_number = size, first
    for round_ in cut_rounds:
        round_.stage = stages[round_.stage_id]
        round_.bracket_rounds = round_.stage.bracket_rounds(round_.number, games[round_.pk])


def visible_rounds(tournament: Tournament) -> QuerySet[Round]:
    """Published rounds."""
    return rounds(tournament).exclude(state=RoundState.DRAFT)


def newest_visible_round(tournament: Tournament) -> Round | None:
    """The newest published round with its stage, without the engine's explanation."""
    rows = visible_rounds(tournament).select_related("stage")
    newest = rows.defer("certificate", "relaxations").last()
    if newest is not None:
        newest.stage.tournament = tournament
    return newest


def latest_round(tournament: Tournament) -> Round | None:
    """The newest round in any state."""
    return rounds(tournament).select_related("stage__tournament").last()


def next_round_number(tournament: Tournament) -> int:
    return rounds(tournament).count() + 1


def closed_round_numbers(tournament: Tournament) -> list[int]:
    """Numbers of the closed rounds, first to last."""
    closed = rounds(tournament).filter(state=RoundState.CLOSED)
    return list(closed.values_list("number", flat=True))


def pairings_by_table(round_: Round) -> QuerySet[Pairing]:
    """Tables in order, byes last, with seats and players."""
    return round_.pairings.select_related(*PAIRING_RELATED).prefetch_related(SEATS)


def table_at(slug: str, number: int, table: int) -> Pairing | None:
    """The pairing with its event, match and players; two queries.

    Reads only what a player's page shows, because all players load it at the same time.
    """
    tables = Pairing.objects.select_related("match", "round__stage__tournament").only(*AT_A_TABLE)
    return (
        tables.prefetch_related(SEATS)
        .filter(round__stage__tournament__slug=slug, round__number=number, table_number=table)
        .first()
    )


def open_matches(round_: Round) -> QuerySet[Match]:
    """Matches without a settled result."""
    return Match.objects.filter(pk__in=round_.pairings.exclude(match=None).values("match")).exclude(
        state__in=SETTLED_STATES
    )


def open_tables(round_: Round) -> QuerySet[Pairing]:
    """Tables without a settled result, in order."""
    return pairings_by_table(round_).exclude(match=None).exclude(match__state__in=SETTLED_STATES)


def tables_at_desk(round_: Round) -> QuerySet[Pairing]:
    """Tables in order; `reported_at` is the time of the newest report of each, None without one."""
    reports = ResultReport.objects.filter(match=OuterRef("match")).order_by("-pk")
    tables = pairings_by_table(round_).exclude(match=None)
    return tables.annotate(reported_at=Subquery(reports.values("created_at")[:1]))


def late_tables(tournament: Tournament) -> QuerySet[Pairing]:
    """Tables of closed rounds without a result, in order."""
    closed = Pairing.objects.filter(
        round__in=rounds(tournament).filter(state=RoundState.CLOSED), match__isnull=False
    ).exclude(match__state__in=SETTLED_STATES)
    return (
        closed.select_related(*PAIRING_RELATED)
        .prefetch_related(SEATS)
        .order_by("round__number", "table_number")
    )


def table_now(tournament: Tournament, number: int) -> Pairing | None:
    """The table with this number in the round in progress."""
    tables = Pairing.objects.filter(
        round__in=rounds(tournament).filter(state__in=STATES_IN_PLAY), table_number=number
    )
    return tables.select_related("round__stage__tournament", "match").first()


def is_reported(pairing: Pairing) -> bool:
    """Return True if a result of this table was reported or entered."""
    return pairing.match is not None and pairing.match.state != MatchState.OPEN


def pairing_of(round_: Round, player: Player) -> Pairing | None:
    """The player's table or bye in the round."""
    return (
        pairings_by_table(round_)
        .filter(Q(match__seats__player=player) | Q(bye__player=player))
        .first()
    )


def has_been_paired(registration: Registration) -> bool:
    """Return True if the player has a table or bye in any round, drafts included."""
    return all_pairings_of(registration).exists()


def all_pairings_of(registration: Registration) -> QuerySet[Pairing]:
    """The player's tables and byes in all rounds, drafts included, with the round.

    Rows that credit a late entry for missed rounds are left out.
    """
    here = Q(bye=registration) | Q(match__seats__player=registration.player_id)
    rows = Pairing.objects.filter(here, round__stage__tournament=registration.tournament_id)
    rows = rows.exclude(cost__has_key=MISSED_ROUND).select_related("round")
    return rows.order_by("round__stage__number", "round__number")


def changes_since_draft(round_: Round) -> tuple[list[Registration], list[Registration]]:
    """Players who left and who arrived since the draft was made, by number.

    Empty in a cut: players cannot join, and a player who leaves concedes.
    """
    if round_.stage.way.is_elimination:
        return [], []
    tournament, tables = round_.stage.tournament, round_.pairings.order_by()
    at_tables = Seat.objects.filter(match__in=tables.exclude(match=None).values("match"))
    seated = {
        *at_tables.order_by().values_list("player", flat=True),
        *tables.exclude(bye=None).values_list("bye__player", flat=True),
    }
    present = active_registrations(tournament)
    active = set(present.values_list("player", flat=True))
    gone = tournament.registrations.filter(player__in=seated - active)
    arrived = present.filter(player__in=active - seated)
    return list(gone.select_related("player").order_by("number")), list(arrived)


def is_paired_by_results(stage: Stage) -> bool:
    """Return True unless the stage is a round robin or paired manually."""
    return stage.way.kind not in (SystemKind.ROUND_ROBIN, SystemKind.MANUAL)


def results_changed_since_draft(round_: Round, moment: datetime | None = None) -> bool:
    """Return True if a result that the draft is based on changed since it was made.

    With `moment`, since then.
    """
    if not is_paired_by_results(round_.stage):
        return False
    earlier = closed_pairings(round_.stage.tournament)
    return earlier.filter(match__settled_at__gt=moment or round_.created_at).exists()


def seat_of(match: Match, player: Player | None) -> Seat | None:
    """The player's seat in the match; no query if seats are prefetched."""
    if player is None:
        return None
    return next((seat for seat in match.seats.all() if seat.player_id == player.pk), None)


def closed_pairings(tournament: Tournament, up_to: Round | None = None) -> QuerySet[Pairing]:
    """Pairings of closed rounds in order, without the cut."""
    closed = rounds(tournament).filter(state=RoundState.CLOSED)
    if up_to is not None:
        closed = closed.filter(number__lte=up_to.number)
    return swiss_pairings(closed)


def swiss_pairings(played: QuerySet[Round]) -> QuerySet[Pairing]:
    """Pairings of these rounds in order, without those of a cut."""
    counting = played.exclude(stage__system__in=CUT_SYSTEMS)
    return Pairing.objects.filter(round__in=counting).order_by(
        "round__stage__number", "round__number", "table_number", "pk"
    )


def published_pairings(tournament: Tournament) -> QuerySet[Pairing]:
    """Pairings of published rounds, with seats and games; byes last, by player."""
    published = Pairing.objects.filter(round__stage__tournament=tournament)
    by_table = F("table_number").asc(nulls_last=True)
    return (
        published.exclude(round__state=RoundState.DRAFT)
        .select_related("match", "bye", "advances")
        .defer("cost")
        .prefetch_related("match__seats", "match__games__seats")
        .order_by("round__stage__number", "round__number", by_table, "bye__number")
    )


def active_registrations(tournament: Tournament) -> QuerySet[Registration]:
    """Players to be paired next: checked in and not dropped, by number."""
    return (
        tournament.registrations.filter(state=RegistrationState.CHECKED_IN)
        .select_related("player")
        .order_by("number")
    )


def clock_of(round_: Round) -> Clock:
    """The room's clock for this round."""
    tournament = round_.stage.tournament
    return Clock(
        minutes=tournament.round_minutes + round_.extra_minutes,
        started_at=round_.started_at,
        paused_at=round_.paused_at,
        paused_seconds=round_.paused_seconds,
        overtime_minutes=tournament.overtime_minutes,
        stopped_at=round_.closed_at,
    )


def pause_mark(round_: Round) -> int:
    """Identifies a pause of the round: its start in milliseconds, 0 for none."""
    return round(round_.paused_at.timestamp() * 1000) if round_.paused_at else 0


def tables_with_extra(round_: Round) -> QuerySet[Pairing]:
    """Tables with extra time and without a settled result, in order."""
    return open_tables(round_).filter(extra_minutes__gt=0)


# Closed rounds of earlier events from which the duration of a round is estimated.
MOST_MEASURED = 60


def earlier_rounds(tournament: Tournament) -> list[Round]:
    """Closed rounds of the organiser's finished events of this game, in order; one query.

    Limited to `MOST_MEASURED`: rounds of the same format first, then the newest.
    """
    owners = Staff.objects.filter(tournament=tournament, role=StaffRole.OWNER).values("user")
    theirs = Staff.objects.filter(user__in=owners, role=StaffRole.OWNER).values("tournament")
    same_format = Q(
        stage__tournament__deck_rules__format_id=tournament.deck_rules.get("format_id", "")
    )
    found = (
        Round.objects.filter(
            state=RoundState.CLOSED,
            started_at__isnull=False,
            closed_at__isnull=False,
            stage__tournament__in=theirs,
            stage__tournament__game=tournament.game,
            stage__tournament__practice_of=None,
            stage__tournament__finished_at__isnull=False,
        )
        .exclude(stage__tournament=tournament)
        .select_related("stage__tournament")
        .defer("certificate", "relaxations")
        .order_by(Case(When(same_format, then=0), default=1), "-pk")
    )
    newest = found[:MOST_MEASURED]
    return sorted(newest, key=lambda one: (one.stage.tournament_id, one.number))
