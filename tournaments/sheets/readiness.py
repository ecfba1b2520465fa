"""Whether the site can be worked with: each part of it with its colour and what it is from."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from core import jobs
from tournaments import queries
from tournaments.models import Job

SLOW_JOB = 60  # seconds
LITTLE_DISK, NO_DISK = 1024**3, 64 * 1024**2  # bytes


class Colour(StrEnum):
    """Green; yellow: somebody should look; red: nobody can work."""

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"


@dataclass(frozen=True)
class Part:
    """One part: `details` are for the people who run the site alone."""

    name: str
    colour: Colour
    details: dict[str, Any]


@dataclass(frozen=True)
class Readiness:
    """All parts; the site is as well as the worst of them."""

    parts: tuple[Part, ...]

    @property
    def colour(self) -> Colour:
        return max((part.colour for part in self.parts), key=list(Colour).index)

    @property
    def is_ready(self) -> bool:
        return self.colour is not Colour.RED

    def document(self, *, with_details: bool) -> dict[str, Any]:
        """{"status": "green", "parts": {"jobs": {"status": ..., more with details}, ...}}"""
        return {
            "status": self.colour,
            "parts": {
                part.name: {"status": part.colour, **(part.details if with_details else {})}
                for part in self.parts
            },
        }


def readiness() -> Readiness:
    """Asked of database and disks; the database alone where it does not answer."""
    try:
        asked = (_migrations(), _jobs(), _backup())
    except DatabaseError as error:
        away = Part("database", Colour.RED, {"error": type(error).__name__})
        return Readiness((away, _disk()))
    return Readiness((Part("database", Colour.GREEN, {}), *asked, _disk()))


def oldest_waiting_seconds(now: datetime | None = None) -> float:
    """For how long the job that waits longest could have been begun; 0 when none waits."""
    now = now or timezone.now()
    moments = (job.leased_until or job.created_at for job in jobs.waiting(Job))
    return max(((now - moment).total_seconds() for moment in moments), default=0.0)


def _migrations() -> Part:
    had = MigrationRecorder(connection).applied_migrations()
    missing = sorted(f"{app}.{name}" for app, name in _known() - had.keys())
    return Part("migrations", Colour.RED if missing else Colour.GREEN, {"missing": missing})


@cache
def _known() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


def _jobs() -> Part:
    seconds = oldest_waiting_seconds()
    colour = Colour.YELLOW if seconds > SLOW_JOB else Colour.GREEN
    return Part("jobs", colour, {"oldest_waiting_seconds": round(seconds, 1)})


def _backup() -> Part:
    if not queries.backups_are_made():
        return Part("backup", Colour.GREEN, {"age_seconds": None, "made": False})
    last, now = queries.last_backup(), timezone.now()
    age = round((now - last.began_at).total_seconds()) if last else None
    colour = Colour.YELLOW if queries.is_late_backup(last, now) else Colour.GREEN
    interval = int(queries.backup_interval().total_seconds())
    return Part("backup", colour, {"age_seconds": age, "interval_seconds": interval, "made": True})


def _disk() -> Part:
    free = {str(path): shutil.disk_usage(path).free for path in _folders()}
    least = min(free.values(), default=LITTLE_DISK)
    # A full disk stops the site only where its data is on it.
    is_full = least < NO_DISK and connection.vendor == "sqlite"
    colour = Colour.GREEN if least >= LITTLE_DISK else Colour.RED if is_full else Colour.YELLOW
    return Part("disk", colour, {"free_bytes": least})


def _folders() -> Iterator[Path]:
    wanted = [settings.VAR_DIR, settings.BACKUP_FOLDER]
    yield from (path for path in map(Path, filter(None, wanted)) if path.exists())
