"""Copies of the site: which there are, how often they are made, what one must hold."""

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Max, Model, QuerySet
from django.utils import timezone

from matches.models import Match
from players.models import Player, User
from tournaments.models import (
    Backup,
    DeckReceipt,
    Registration,
    Round,
    RoundState,
    Standing,
    StandingSnapshot,
    Tournament,
)
from tournaments.queries.timing import under_way

QUIET = timedelta(days=1)
"""Between two backups while nobody plays."""
COUNTED: dict[str, type[Model]] = {
    "events": Tournament,
    "accounts": User,
    "players": Player,
    "registrations": Registration,
    "rounds": Round,
    "matches": Match,
    "deck receipts": DeckReceipt,
}


def backups_are_made() -> bool:
    """Whether this site makes backups by itself."""
    return bool(settings.BACKUP_FOLDER)


def backups() -> QuerySet[Backup]:
    """Those kept, newest first."""
    return Backup.objects.order_by("-began_at")


def last_backup() -> Backup | None:
    """The newest, by the moment whose data it holds.

    One of a moment to come was made while the clock was ahead: how old it is, nobody knows.
    """
    return backups().filter(began_at__lte=timezone.now()).first()


def backup_interval() -> timedelta:
    """How often one is made just now: more often while somebody plays."""
    busy = timedelta(minutes=settings.BACKUP_MINUTES)
    return busy if busy and under_way().exists() else QUIET


def is_late_backup(backup: Backup | None, now: datetime | None = None) -> bool:
    """Whether the newest backup is older than twice the interval of now."""
    return backup is None or (now or timezone.now()) - backup.began_at > 2 * backup_interval()


def backup_facts(using: str) -> dict[str, Any]:
    """What a restored site must have again: rows by kind, and the standings as one SHA-256."""
    counts = {name: model._default_manager.using(using).count() for name, model in COUNTED.items()}
    return {"counts": counts, "standings_sha256": standings_digest(using)}


def standings_digest(using: str = "default") -> str:
    """SHA-256 over the standings in force after every closed round of every event.

    The same for the same standings on any database and under any later release.
    """
    digest = hashlib.sha256()
    for line in _standings(using):
        digest.update(json.dumps(line, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def _standings(using: str) -> Iterator[list[Any]]:
    """One line each: event, round, rank, number of the player, match points, tie-breakers."""
    closed = StandingSnapshot.objects.using(using).filter(round__state=RoundState.CLOSED)
    in_force = closed.order_by().values("round").annotate(newest=Max("pk")).values("newest")
    rows = Standing.objects.using(using).filter(snapshot__in=in_force)
    told = rows.order_by("snapshot__tournament__slug", "snapshot__round__number", "rank")
    for *place, points, tie_breakers in told.values_list(
        "snapshot__tournament__slug",
        "snapshot__round__number",
        "rank",
        "registration__number",
        "match_points",
        "tie_breakers",
    ).iterator(chunk_size=2000):
        yield [*place, str(points), tie_breakers]
