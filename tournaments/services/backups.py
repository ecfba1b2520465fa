"""Backups: asked for when a round is closed, and one put back into an empty site."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from core import jobs
from core.backups import BackupRefused, databases, files
from core.version import VERSION
from tournaments import queries, tasks
from tournaments.models import Job, JobKind, Round


class NewerBackup(BackupRefused):
    """The backup knows tables that this release does not."""

    code = "newer_backup"


class OtherStandings(BackupRefused):
    """What was restored is not what was backed up."""

    code = "other_standings"


@dataclass(frozen=True)
class Plan:
    """What restoring a file will do."""

    manifest: files.Manifest
    to_apply: tuple[str, ...]
    """Migrations that the site in the backup has not had yet, as "app.name"."""


def after_round(round_: Round) -> None:
    """Ask for a backup that holds this closed round; nothing where the site makes none.

    Call inside the transaction of the change. Closed again, the round wants another.
    """
    if not queries.backups_are_made():
        return
    tournament = round_.stage.tournament
    job, _ = Job.objects.get_or_create(
        key=f"backup:{tournament.pk}:{round_.number}",
        defaults={"tournament": tournament, "kind": JobKind.BACK_UP},
    )
    job.payload = {"number": round_.number, "wanted_at": timezone.now().isoformat()}
    jobs.requeue(job)
    jobs.ring(tasks.back_up, job)


def plan(path: Path) -> Plan:
    """What the backup is and what restoring would do; nothing is changed.

    Raises BackupRefused, and DamagedBackup where the head of the file is damaged.
    """
    manifest = files.manifest_of(path)
    if manifest.database != connection.vendor:
        raise BackupRefused(
            f"This backup is of {manifest.database}, and this site keeps its data in "
            f"{connection.vendor}. Set DATABASE_URL for {manifest.database}, or move events one "
            "by one: export_tournament there, import_tournament here."
        )
    loader = MigrationLoader(None)
    known = {f"{app}.{name}" for app, name in loader.disk_migrations}
    # Apps whose tables this site does not make are none of its history.
    had = {name for name in manifest.migrations if _app(name) not in loader.unmigrated_apps}
    if unknown := sorted(had - known):
        raise NewerBackup(
            f"This backup was made by a newer release ({manifest.version}; here is {VERSION}). "
            f"This one does not know {len(unknown)} of its migrations, the first is {unknown[0]}. "
            "Install that release, then restore."
        )
    return Plan(manifest, tuple(sorted(known - had)))


def _app(migration: str) -> str:
    return migration.partition(".")[0]


def check(path: Path) -> None:
    """Read the whole file. Raises DamagedBackup when one byte is not as written."""
    with TemporaryDirectory(prefix="datafort-check-") as aside:
        files.unpack(path, Path(aside) / "copy")


def restore(path: Path, tell: Callable[[str], object]) -> Plan:
    """Put the site in the backup into the empty database, then bring it to this release.

    `tell` hears what is done, one sentence each. The whole file is checked before anything is
    written. Raises BackupRefused and its kinds; OtherStandings when the standings of the restored
    site are not those of the backup.
    """
    wanted = plan(path)
    databases.refuse_unless_empty(connection)
    with TemporaryDirectory(prefix="datafort-restore-") as aside:
        copy = Path(aside) / "copy"
        files.unpack(path, copy)
        tell(f"{path.name} is whole.")
        databases.put_back(copy)
    if wanted.to_apply:
        tell(f"The backup is older: migrations to apply: {len(wanted.to_apply)}.")
    call_command("migrate", verbosity=0)
    _refuse_others(wanted)
    tell("The standings are those of the backup.")
    return wanted


def _refuse_others(wanted: Plan) -> None:
    connections.close_all()
    told, facts = queries.backup_facts("default"), wanted.manifest.facts
    if told["standings_sha256"] != facts["standings_sha256"]:
        raise OtherStandings(
            "The restored standings are not those of the backup. Do not play on with this "
            "database; keep the backup and tell the makers of Datafort."
        )
    if not wanted.to_apply and told["counts"] != facts["counts"]:
        raise OtherStandings(
            f"The restored site has {told['counts']}, the backup had {facts['counts']}. "
            "Do not play on with this database; keep the backup and tell the makers of Datafort."
        )
