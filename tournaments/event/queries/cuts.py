"""Cuts: who is in one, and who could be."""

from django.db.models import F, QuerySet

from core.jobs import JobState
from engine.systems import CUTS
from tournaments.event.queries.roster import active_registrations
from tournaments.event.queries.standings import newest_snapshot, standing_rows
from tournaments.models import (
    JobKind,
    Pairing,
    Registration,
    Round,
    RoundState,
    Stage,
    StageEntry,
    Tournament,
)


def cut_of_event(tournament: Tournament) -> Stage | None:
    """The event's cut, once it is made."""
    cuts = tournament.stages.filter(system__in=CUTS)
    return cuts.select_related("tournament").last()


def cut_entries(stage: Stage) -> QuerySet[StageEntry]:
    """Places that are taken, best seed first."""
    taken = stage.entries.filter(declined=False)
    return taken.select_related("registration__player").order_by("seed")


def declined_entries(stage: Stage) -> QuerySet[StageEntry]:
    """Places given up, in the order in which they were."""
    return stage.entries.filter(declined=True).select_related("registration__player").order_by("pk")


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


def standings_wait(tournament: Tournament) -> bool:
    """Whether the stored standings are still to be computed anew."""
    standing_jobs = tournament.jobs.filter(kind=JobKind.RECOMPUTE_STANDINGS)
    return standing_jobs.exclude(state=JobState.DONE).exists()


def is_public_cut(stage: Stage) -> bool:
    """Whether a round of it was published: then everybody sees the bracket."""
    return stage.rounds.exclude(state=RoundState.DRAFT).exists()


def has_public_bracket(tournament: Tournament) -> bool:
    """Whether there is a bracket for everybody."""
    rounds = Round.objects.filter(stage__tournament=tournament, stage__system__in=CUTS)
    return rounds.exclude(state=RoundState.DRAFT).exists()


def bracket_pairings(stage: Stage) -> list[Pairing]:
    """The published tables of a cut with seats and games, in order of their bracket games."""
    published = Pairing.objects.filter(round__stage=stage).exclude(round__state=RoundState.DRAFT)
    return list(
        published.exclude(match=None)
        .select_related("match", "round", "advances")
        .prefetch_related("match__seats__player", "match__games__seats")
        .order_by("bracket_game")
    )
