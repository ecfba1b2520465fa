"""Stored standings."""

from django.db.models import QuerySet

from tournaments.models import Registration, RoundState, Standing, StandingSnapshot, Tournament


def newest_snapshot(
    tournament: Tournament, round_number: int | None = None
) -> StandingSnapshot | None:
    """The standings in force after a round, the last closed one unless told."""
    snapshots = tournament.snapshots.select_related("round").filter(round__state=RoundState.CLOSED)
    if round_number is not None:
        snapshots = snapshots.filter(round__number=round_number)
    return snapshots.order_by("-round__stage__number", "-round__number", "-pk").first()


def standing_of(registration: Registration) -> Standing | None:
    """This player's line in the standings in force, with its round; one query."""
    rows = Standing.objects.filter(
        registration=registration, snapshot__round__state=RoundState.CLOSED
    ).select_related("snapshot__round")
    newest = ("-snapshot__round__stage__number", "-snapshot__round__number", "-snapshot__pk")
    return rows.order_by(*newest).first()


def standing_rows(snapshot: StandingSnapshot) -> QuerySet[Standing]:
    """The lines of the table, best first."""
    return snapshot.rows.select_related("registration__player").order_by("rank")
