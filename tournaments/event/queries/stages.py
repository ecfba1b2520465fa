"""Queries on stages: number of rounds, and players of a cut or round robin."""

from collections.abc import Iterable, Sequence

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from engine.pairing.round_robin import rounds_needed
from engine.round_plan import suggested_rounds
from engine.systems import CUT_SYSTEMS, SystemKind
from tournaments.event.queries.registrations import players
from tournaments.event.queries.rounds import (
    SEATS,
    active_registrations,
    current_stage,
    name_rounds,
    rounds,
)
from tournaments.event.queries.standings import newest_snapshot, standing_rows
from tournaments.models import (
    LogAction,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    RoundState,
    Stage,
    StageEntry,
    Tournament,
    event_log,
)


def cut_of_event(tournament: Tournament) -> Stage | None:
    """The event's cut, or None before it is made."""
    cuts = tournament.stages.filter(system__in=CUT_SYSTEMS)
    return cuts.select_related("tournament").last()


def cuts_of_events(events: Iterable[Tournament]) -> list[Stage]:
    """The cuts of these events, each with its event."""
    cuts = Stage.objects.filter(
        tournament__in=[event.pk for event in events], system__in=CUT_SYSTEMS
    )
    return list(cuts.select_related("tournament").order_by("number"))


def cut_entries(*stages: Stage) -> QuerySet[StageEntry]:
    """Accepted places, best seed first."""
    taken = StageEntry.objects.filter(stage__in=stages, declined=False)
    return taken.select_related("registration__player").order_by("seed")


def cut_seed(stage: Stage, registration: Registration) -> int | None:
    """The player's seed in the cut; None outside the cut."""
    mine = stage.entries.filter(registration=registration, declined=False)
    return mine.values_list("seed", flat=True).first()


def declined_entries(stage: Stage) -> QuerySet[StageEntry]:
    """Declined places in the order in which they were declined."""
    return stage.entries.filter(declined=True).select_related("registration__player").order_by("pk")


def cut_changes(stage: Stage) -> list[str]:
    """Manual changes of the cut that are in force, in words, oldest first. Public."""
    log = stage.tournament.log
    made = log.filter(action=LogAction.CUT_MADE).order_by("-pk").values("pk")[:1]
    changes = log.filter(action__in=event_log.CUT_CHANGES, pk__gt=made, before__has_key="cut")
    in_force = changes.filter(undoes=None, undone_by=None)
    return list(in_force.order_by("pk").values_list("subject", flat=True))


def players_of(stage: Stage) -> list[Registration]:
    """Players to be paired next: all players of a cut, otherwise the active ones."""
    if stage.way.is_elimination:
        return [entry.registration for entry in cut_entries(stage)]
    return list(active_registrations(stage.tournament))


def cut_candidates(tournament: Tournament) -> list[Registration]:
    """Possible players of a cut, best first.

    Ordered by the newest standings or, without standings, by manual seed.
    """
    snapshot = newest_snapshot(tournament)
    if snapshot is None:
        by_seed = F("seed").asc(nulls_last=True)
        return list(active_registrations(tournament).order_by(by_seed, "number"))
    rows = standing_rows(snapshot).order_by("rank")
    return [row.registration for row in rows if row.registration.is_active]


def public_cuts_of_events(events: Iterable[Tournament]) -> dict[int, tuple[int, Round | None]]:
    """Size and newest published round of public cuts, by event key.

    The number of queries does not depend on the number of events.
    """
    stages = Stage.objects.filter(
        tournament__in=[event.pk for event in events], system__in=CUT_SYSTEMS
    )
    taken = Count("entries", filter=Q(entries__declined=False))
    cut_stages = list(stages.annotate(taken=taken).order_by("number"))
    cuts: dict[int, tuple[int, Round | None]] = {
        stage.tournament_id: (stage.taken, None) for stage in cut_stages if stage.seeds_shown_at
    }
    published = Round.objects.filter(stage__in=cut_stages).exclude(state=RoundState.DRAFT)
    newest = list(published.select_related("stage").defer("certificate", "relaxations"))
    name_rounds(newest)
    for round_ in newest:
        cuts[round_.stage.tournament_id] = round_.stage.size, round_
    return cuts


def planned_cut_of(tournament: Tournament, players: int) -> int | None:
    """Size of the planned cut, limited to the number of players; None if impossible."""
    if tournament.planned_cut is None or players < 2:
        return None
    return min(tournament.planned_cut, players)


def cut_has_begun(stage: Stage) -> bool:
    """Return True if a round of the cut was published. Its players are then fixed."""
    return stage.rounds.exclude(state=RoundState.DRAFT).exists()


def cut_is_public(stage: Stage) -> bool:
    """Return True if the bracket is public: its seeds or a round are published."""
    return stage.seeds_shown_at is not None or cut_has_begun(stage)


def public_cuts(tournament: Tournament) -> QuerySet[Stage]:
    """Cuts with a public bracket."""
    begun = Round.objects.filter(stage=OuterRef("pk")).exclude(state=RoundState.DRAFT)
    cuts = tournament.stages.filter(system__in=CUT_SYSTEMS)
    return cuts.filter(Q(seeds_shown_at__isnull=False) | Exists(begun))


def has_public_bracket(tournament: Tournament) -> bool:
    return public_cuts(tournament).exists()


def shows_bracket(tournament: Tournament, visible: Sequence[Round]) -> bool:
    """Like `has_public_bracket`, given all published rounds in order.

    Queries the database only between rounds.
    """
    if any(round_.stage.way.is_elimination for round_ in visible):
        return True
    is_played = tournament.is_finished or (visible and not visible[-1].is_closed)
    return not is_played and has_public_bracket(tournament)


def bracket_pairings(*stages: Stage) -> list[Pairing]:
    """Published tables of cuts with seats and games, in order of their bracket games."""
    published = Pairing.objects.filter(round__stage__in=stages)
    return list(
        published.exclude(match=None)
        .exclude(round__state=RoundState.DRAFT)
        .select_related("match", "round", "advances")
        .prefetch_related(SEATS, "match__games__seats")
        .order_by("bracket_game")
    )


def fixed_order(stage: Stage) -> list[Registration]:
    """Players of a round robin in the order of its table; empty before its first draft."""
    return [entry.registration for entry in cut_entries(stage)]


def order_is_fixed(stage: Stage) -> bool:
    """Return True if a round of this round robin is published. New players cannot join then."""
    if stage.way.kind is not SystemKind.ROUND_ROBIN:
        return False
    return stage.rounds.exclude(state=RoundState.DRAFT).exists()


def numbers_in_fixed_order(tournament: Tournament) -> frozenset[int] | None:
    """Numbers of the players in the current round robin; None while players can join."""
    stage = current_stage(tournament)
    if not order_is_fixed(stage):
        return None
    return frozenset(registration.number for registration in fixed_order(stage))


def number_in_stage(stage: Stage, number: int) -> int:
    """The number of a round within its stage, from 1."""
    return number - rounds(stage.tournament).filter(stage__number__lt=stage.number).count()


def cycles(stage: Stage, players: int) -> int:
    """Meetings of each pair: 2 if more rounds are planned than a single round robin takes."""
    planned = stage.tournament.planned_rounds or 0
    return 2 if planned > rounds_needed(players) else 1


def rounds_of_round_robin(stage: Stage, players: int) -> int:
    """Number of rounds of this round robin: as planned, but no more than it takes."""
    needed = rounds_needed(players, cycles=cycles(stage, players))
    return min(stage.tournament.planned_rounds or needed, needed)


def is_played_out(stage: Stage) -> bool:
    """Return True if a round robin has had all its rounds."""
    players = stage.entries.count() if order_is_fixed(stage) else 0
    return players > 1 and stage.rounds.count() >= rounds_needed(
        players, cycles=cycles(stage, players)
    )


def round_robin_of_event(tournament: Tournament) -> Stage | None:
    """The event's round robin, or None before one of its rounds is published."""
    stages = tournament.stages.filter(system=SystemKind.ROUND_ROBIN).select_related("tournament")
    return next((stage for stage in stages if order_is_fixed(stage)), None)


def is_round_robin(tournament: Tournament) -> bool:
    """Return True if the event has a round robin, begun or not."""
    return tournament.stages.filter(system=SystemKind.ROUND_ROBIN).exists()


def expected_rounds(stage: Stage, field: int) -> int:
    """Number of rounds this many players will play in the stage.

    As planned, otherwise as the system suggests. A round robin never has more rounds than it takes.
    """
    if stage.way.kind is not SystemKind.ROUND_ROBIN:
        return stage.tournament.planned_rounds or suggested_rounds(field)
    return rounds_of_round_robin(stage, max(2, len(fixed_order(stage)) or field))


def rounds_to_announce(tournament: Tournament, registered: int, *, has_begun: bool) -> int:
    """Like `round_target`; 0 before the event with fewer than two registered players."""
    if registered < 2 and not has_begun and tournament.planned_rounds is None:
        return 0
    return round_target(tournament)


def round_target(tournament: Tournament) -> int:
    """Number of rounds before a cut, for the current field."""
    playing = players(tournament).exclude(state=RegistrationState.REGISTERED).count()
    return expected_rounds(current_stage(tournament), playing or players(tournament).count())
