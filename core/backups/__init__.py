"""Copies of the whole database while it is at work, each one file that tells when it is damaged.

`files` is the form of such a file, `databases` reads and writes the database on SQLite and
PostgreSQL, `folders` keeps so many of them and no more. What is told beside the copy (facts)
comes from above: nothing here knows a word of the game.
"""

from core.errors import Refusal


class BackupRefused(Refusal):
    """No backup can be made of this database, or nothing can be restored into it."""

    code = "backup_refused"


class DamagedBackup(BackupRefused):
    """The file is not what was written."""

    code = "damaged_backup"
