"""The newest backup, as the desk tells it to who runs the site."""

from dataclasses import dataclass
from datetime import datetime

from tournaments import queries
from tournaments.actors import Actor


@dataclass(frozen=True)
class SiteBackup:
    """Of which moment it is, None where there is none yet; late: older than twice its interval."""

    began_at: datetime | None
    is_late: bool


def site_backup(actor: Actor) -> SiteBackup | None:
    """None for all but administrators of the site, and where the site makes no backups."""
    if actor.user is None or not actor.user.is_staff or not queries.backups_are_made():
        return None
    last = queries.last_backup()
    return SiteBackup(last.began_at if last else None, queries.is_late_backup(last))
