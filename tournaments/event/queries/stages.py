"""Stages: how many rounds, who is in a cut or in a round robin and who could be."""

from collections.abc import Iterable, Sequence

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from engine.pairing.round_robin import rounds_needed
from engine.round_plan import suggested_rounds
from engine.systems import CUTS, SystemKind
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
    log_actions,
)


def cut_of_event(tournament: Tournament) -> Stage | None:
    """The event's cut, once it is made."""
    cuts = tournament.stages.filter(system__in=CUTS)
    return cuts.select_related("tournament").last()


def cuts_of_events(events: Iterable[Tournament]) -> list[Stage]:
    """The cuts of these events, each with its event."""
    cuts = Stage.objects.filter(tournament__in=[event.pk for event in events], system__in=CUTS)
    return list(cuts.select_related("tournament").order_by("number"))


def cut_entries(*stages: Stage) -> QuerySet[StageEntry]:
    """Places that are taken, best seed first."""
    taken = StageEntry.objects.filter(stage__in=stages, declined=False)
    return taken.select_related("registration__player").order_by("seed")


def cut_seed(stage: Stage, registration: Registration) -> int | None:
    """The seed of this player in the cut; None for who is not in it."""
    mine = stage.entries.filter(registration=registration, declined=False)
    return mine.values_list("seed", flat=True).first()


def declined_entries(stage: Stage) -> QuerySet[StageEntry]:
    """Places given up, in the order in which they were."""
    return stage.entries.filter(declined=True).select_related("registration__player").order_by("pk")


def cut_changes(stage: Stage) -> list[str]:
    """What was changed of the cut by hand and still holds, in words for everybody, in order."""
    log = stage.tournament.log
    made = log.filter(action=LogAction.CUT_MADE).order_by("-pk").values("pk")[:1]
    changes = log.filter(action__in=log_actions.CUT_CHANGES, pk__gt=made, before__has_key="cut")
    in_force = changes.filter(undoes=None, undone_by=None)
    return list(in_force.order_by("pk").values_list("subject", flat=True))


def players_of(stage: Stage) -> list[Registration]:
    """Who is paired next: in a cut its players, present or not, otherwise all who are here."""
    if stage.way.is_elimination:
        return [entry.registration for entry in cut_entries(stage)]
    return list(active_registrations(stage.tournament))


def cut_candidates(tournament: Tournament) -> list[Registration]:
    """Who can be in a cut, best first: by the newest standings, before any by manual seed."""
    snapshot = newest_snapshot(tournament)
    if snapshot is None:
        by_seed = F("seed").asc(nulls_last=True)
        return list(active_registrations(tournament).order_by(by_seed, "number"))
    rows = standing_rows(snapshot).order_by("rank")
    return [row.registration for row in rows if row.registration.is_active]


def public_cuts_of_events(events: Iterable[Tournament]) -> dict[int, tuple[int, Round | None]]:
    """The size and newest published round of the cuts that players see, by key of the event.

    As many queries for more events.
    """
    stages = Stage.objects.filter(tournament__in=[event.pk for event in events], system__in=CUTS)
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
    """The size of the planned cut, at most all of these players; None where none can be made."""
    if tournament.planned_cut is None or players < 2:
        return None
    return min(tournament.planned_cut, players)


def cut_has_begun(stage: Stage) -> bool:
    """Whether a round of it was published: then its players stay."""
    return stage.rounds.exclude(state=RoundState.DRAFT).exists()


def cut_is_public(stage: Stage) -> bool:
    """Whether everybody sees its bracket: the seeds were published, or a round of it."""
    return stage.seeds_shown_at is not None or cut_has_begun(stage)


def public_cuts(tournament: Tournament) -> QuerySet[Stage]:
    """Cuts whose bracket everybody sees."""
    begun = Round.objects.filter(stage=OuterRef("pk")).exclude(state=RoundState.DRAFT)
    cuts = tournament.stages.filter(system__in=CUTS)
    return cuts.filter(Q(seeds_shown_at__isnull=False) | Exists(begun))


def has_public_bracket(tournament: Tournament) -> bool:
    """Whether there is a bracket for everybody."""
    return public_cuts(tournament).exists()


def shows_bracket(tournament: Tournament, visible: Sequence[Round]) -> bool:
    """The same from all published rounds, in order: a query only where none is played."""
    if any(round_.stage.way.is_elimination for round_ in visible):
        return True
    is_played = tournament.is_finished or (visible and not visible[-1].is_closed)
    return not is_played and has_public_bracket(tournament)


def bracket_pairings(*stages: Stage) -> list[Pairing]:
    """The published tables of cuts with seats and games, in order of their bracket games."""
    published = Pairing.objects.filter(round__stage__in=stages)
    return list(
        published.exclude(match=None)
        .exclude(round__state=RoundState.DRAFT)
        .select_related("match", "round", "advances")
        .prefetch_related(SEATS, "match__games__seats")
        .order_by("bracket_game")
    )


def fixed_order(stage: Stage) -> list[Registration]:
    """The players of a round robin in the order of its table; empty before its first draft."""
    return [entry.registration for entry in cut_entries(stage)]


def order_is_fixed(stage: Stage) -> bool:
    """Whether players have seen a round of this round robin, so that nobody can come in."""
    if stage.way.kind is not SystemKind.ROUND_ROBIN:
        return False
    return stage.rounds.exclude(state=RoundState.DRAFT).exists()


def numbers_in_fixed_order(tournament: Tournament) -> frozenset[int] | None:
    """Who is in the round robin that is played now, by number; None where anybody can come in."""
    stage = current_stage(tournament)
    if not order_is_fixed(stage):
        return None
    return frozenset(registration.number for registration in fixed_order(stage))


def number_in_stage(stage: Stage, number: int) -> int:
    """Which round of its stage the round with this number is, 1 for the first."""
    return number - rounds(stage.tournament).filter(stage__number__lt=stage.number).count()


def cycles(stage: Stage, players: int) -> int:
    """How often everybody meets everybody: twice when more rounds are planned than once takes."""
    planned = stage.tournament.planned_rounds or 0
    return 2 if planned > rounds_needed(players) else 1


def rounds_of_round_robin(stage: Stage, players: int) -> int:
    """How many rounds the round robin of this stage has: as planned, and never more than it takes
    until everybody has met everybody."""
    needed = rounds_needed(players, cycles=cycles(stage, players))
    return min(stage.tournament.planned_rounds or needed, needed)


def is_played_out(stage: Stage) -> bool:
    """Whether a round robin has had all its rounds."""
    players = stage.entries.count() if order_is_fixed(stage) else 0
    return players > 1 and stage.rounds.count() >= rounds_needed(
        players, cycles=cycles(stage, players)
    )


def round_robin_of_event(tournament: Tournament) -> Stage | None:
    """The event's round robin, once players have seen a round of it."""
    stages = tournament.stages.filter(system=SystemKind.ROUND_ROBIN).select_related("tournament")
    return next((stage for stage in stages if order_is_fixed(stage)), None)


def is_round_robin(tournament: Tournament) -> bool:
    """Whether the event has a round robin, begun or not."""
    return tournament.stages.filter(system=SystemKind.ROUND_ROBIN).exists()


def expected_rounds(stage: Stage, field: int) -> int:
    """How many rounds so many players will play in the stage that is played now.

    As planned, else as its system suggests.

    A round robin suggests what it takes that everybody meets everybody, and never has more.
    """
    if stage.way.kind is not SystemKind.ROUND_ROBIN:
        return stage.tournament.planned_rounds or suggested_rounds(field)
    return rounds_of_round_robin(stage, max(2, len(fixed_order(stage)) or field))


def rounds_to_announce(tournament: Tournament, registered: int, *, has_begun: bool) -> int:
    """As `round_target`; 0 before the event while fewer than two players are registered."""
    if registered < 2 and not has_begun and tournament.planned_rounds is None:
        return 0
    return round_target(tournament)


def round_target(tournament: Tournament) -> int:
    """How many rounds there will be before a cut, by the field as it is."""
    playing = players(tournament).exclude(state=RegistrationState.REGISTERED).count()
    return expected_rounds(current_stage(tournament), playing or players(tournament).count())
