"""Backups: asked for when a round is closed, and one put back into an empty site."""

from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from core import backups, jobs
from core.backups import BackupRefused
from tournaments import queries, tasks
from tournaments.models import Job, JobKind, Round


class NewerBackup(BackupRefused):
    """The backup knows tables that this release does not."""


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
    jobs.enqueue(tasks.back_up, job)


def restore(path: Path) -> None:
    """Put the site in the backup into the empty database, then bring it to this release.

    Raises BackupRefused and its kinds.
    """
    backups.restore(path)
    loader = MigrationLoader(connection)
    applied = {name for name in loader.applied_migrations if name[0] in loader.migrated_apps}
    if unknown := sorted(applied - loader.disk_migrations.keys()):
        raise NewerBackup(
            "This backup is of a newer release: this one does not know its migration "
            f"{'.'.join(unknown[0])}. Install that release, and use the restored database with it."
        )
    call_command("migrate", verbosity=0)
