"""Copy a site from its SQLite file into an empty PostgreSQL database, and compare both.

Rows are copied as SQLite stores them, so encrypted and hashed columns keep their bytes. PostgreSQL
validates each value. Everything runs in one PostgreSQL transaction, so a failure leaves that
database empty.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import (
    DEFAULT_DB_ALIAS,
    DatabaseError,
    IntegrityError,
    OperationalError,
    connection,
    connections,
    models,
    transaction,
)
from django.db.backends.sqlite3.base import DatabaseWrapper as SQLiteDatabase
from django.db.migrations.loader import MigrationLoader

from core import encryption
from core.errors import Refusal
from core.model_fields import EncryptedField, LostSecret
from core.version import VERSION
from engine.standings.records import StandingsRefused
from matches.models import Faction
from players.factors import SECRET_KEYS
from players.models import Session
from rulings.models import RulingStamp
from tournaments.event import snapshots
from tournaments.models import LatestBackup, SiteJob, Tournament

# Alias of the connection to the SQLite file.
SOURCE = "sqlite"
BATCH = 500  # rows
LOCK_SECONDS = 5
# Backups omit sessions too, and PostgreSQL triggers write stamps while rulings are copied. The
# latest backup belongs to the old database; the site makes a new one when it starts.
NOT_COPIED = frozenset({Session, RulingStamp, LatestBackup, SiteJob})
# Tables that `migrate` fills.
FILLED_BY_MIGRATE = ("django_content_type", "auth_permission", Faction._meta.db_table)
REFUSED_VALUES = (psycopg.DataError, psycopg.IntegrityError, UnicodeError)

Model = type[models.Model]


class MoveRefused(Refusal):
    """The site cannot be read, or PostgreSQL cannot store it."""


class MoveMismatch(Refusal):
    pass


@dataclass(frozen=True, slots=True)
class MovedSite:
    """Figures that are equal in both databases. `standings` is a hash over all events."""

    tables: int
    rows: int
    events: int
    standings: str


def move_site(
    path: Path, *, without_secrets: bool = False, report: Callable[[str], None] = lambda _: None
) -> MovedSite:
    """Fill the default database with the site in this SQLite file.

    `without_secrets` also moves secrets that the encryption key of this machine cannot decrypt.
    `report` is called with a sentence before each step. Raises MoveRefused and MoveMismatch.
    """
    if connection.vendor != "postgresql":
        raise MoveRefused(
            "DATABASE_URL names no PostgreSQL database. Create an empty one, and set DATABASE_URL "
            "to it: postgres://user:password@host/datafort."
        )
    with _open_source(path):
        _refuse_other_release(SOURCE, str(path))
        if not without_secrets and (sentence := unreadable_secrets(SOURCE)):
            raise MoveRefused(
                f"{sentence} If the key is lost, move with --without-secrets: these second "
                "factors, webhooks, channels and phones then have to be set up again."
            )
        _prepare_target()
        try:
            with transaction.atomic(SOURCE), transaction.atomic():
                return _copy_and_compare(report)
        except (OperationalError, psycopg.OperationalError) as error:
            if "locked" in str(error):
                raise MoveRefused(
                    f"Another process writes to {path}. Stop the site, then run the command again."
                ) from error
            if "readonly" in str(error):
                raise MoveRefused(
                    f"{path} cannot be locked for the move. Make the file and its folder writable "
                    "for this account."
                ) from error
            raise MoveRefused(
                f"The move failed: {_first_line(error)}. Nothing was moved. Fix the cause, "
                "then run the command again."
            ) from error


@contextmanager
def _open_source(path: Path) -> Iterator[None]:
    """Connect SOURCE to the file.

    Its transactions are immediate, so a running site cannot store a change that the copy misses.
    """
    if not path.is_file():
        raise MoveRefused(f"There is no file {path}. Name the SQLite file of the site.")
    options = {"transaction_mode": "IMMEDIATE", "timeout": LOCK_SECONDS}
    source = SQLiteDatabase(
        {**connection.settings_dict, "NAME": str(path), "OPTIONS": options}, SOURCE
    )
    connections[SOURCE] = source
    try:
        tables = source.introspection.table_names()
        # Decode leniently, so that invalid UTF-8 is reported with its row instead of a failed
        # query.
        source.connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        if "django_migrations" not in tables:
            raise MoveRefused(f"{path} holds no Datafort site.")
        yield
    except DatabaseError as error:
        if "not a database" not in str(error):
            raise
        raise MoveRefused(
            f"{path} is not an SQLite database. Unpack a backup with gunzip first."
        ) from error
    finally:
        source.close()
        del connections[SOURCE]


def _refuse_other_release(alias: str, database: str) -> None:
    loader = MigrationLoader(connections[alias])
    applied = {name for name in loader.applied_migrations if name[0] in loader.migrated_apps}
    if unknown := sorted(applied - loader.disk_migrations.keys()):
        raise MoveRefused(
            f"{database} belongs to another release: Datafort {VERSION} does not know its "
            f"migration {'.'.join(unknown[0])}. Run this command with that release."
        )
    if alias == SOURCE and (missing := sorted(loader.graph.nodes.keys() - applied)):
        raise MoveRefused(
            f"{database} belongs to an older release: it lacks migrations of Datafort {VERSION}, "
            f"such as {'.'.join(missing[0])}. Run set_up for that site with this release, then "
            "move it."
        )


def unreadable_secrets(using: str) -> str:
    """Name secrets in this database that the encryption keys here cannot decrypt; "" for none."""
    lost = [
        f"{model._meta.db_table} ({number})"
        for model in _models()
        if (number := _count_unreadable(model, using))
    ]
    if not lost:
        return ""
    return (
        f"The encryption key here cannot read these secrets: {', '.join(lost)}. Copy the file "
        f"encryption_key from the data folder of the old site to {settings.VAR_DIR}, or set "
        "DATAFORT_ENCRYPTION_KEYS as it was there."
    )


def _count_unreadable(model: Model, using: str) -> int:
    rows = model._base_manager.using(using)
    if model is Authenticator:
        return sum(map(_is_unreadable, rows.values_list("data", flat=True).iterator()))
    secrets = [field.name for field in _fields(model) if isinstance(field, EncryptedField)]
    values = rows.values_list(*secrets).iterator() if secrets else ()
    return sum(isinstance(value, LostSecret) for row in values for value in row)


def _is_unreadable(data: dict[str, Any]) -> bool:
    try:
        for name in SECRET_KEYS:
            encryption.decrypt_if_needed(data.get(name, ""))
    except InvalidToken:
        return True
    return False


def _prepare_target() -> None:
    """Migrate the target; MoveRefused if it has rows of a site or tables of another program."""
    name = connection.settings_dict["NAME"]
    try:
        tables = set(connection.introspection.table_names())
        if tables and "django_migrations" not in tables:
            raise MoveRefused(
                f"The database {name} has {len(tables)} tables of another program, such as "
                f"{min(tables)}. Create an empty database, and set DATABASE_URL to it."
            )
        if tables:
            _refuse_other_release(DEFAULT_DB_ALIAS, f"The database {name}")
        filled = [
            f"{model._meta.db_table} ({number})"
            for model in _models()
            if model._meta.db_table in tables - {*FILLED_BY_MIGRATE}
            and model not in NOT_COPIED
            and (number := model._base_manager.count())
        ]
        if filled:
            shown = ", ".join(filled[:5]) + (f" and {len(filled) - 5} more" if filled[5:] else "")
            raise MoveRefused(
                f"The database {name} is not empty. It has rows in {shown}. Create a new one for "
                "the move, and do not run set_up there before."
            )
        call_command("migrate", verbosity=0)
    except (CommandError, DatabaseError) as error:
        raise MoveRefused(
            f"The database {name} cannot be used: {_first_line(error)}. Check DATABASE_URL. The "
            "account in it has to own the database: createdb --owner ACCOUNT NAME."
        ) from error


def _copy_and_compare(report: Callable[[str], None]) -> MovedSite:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        for table in FILLED_BY_MIGRATE:
            cursor.execute(f"DELETE FROM {_quoted(table)}")  # noqa: S608 - a constant
    report("Checking the SQLite file.")
    try:
        connections[SOURCE].check_constraints()
    except IntegrityError as error:
        raise MoveRefused(f"A row refers to a row that does not exist. {error}") from error
    report("Copying rows.")
    copied = [model for model in _models() if model not in NOT_COPIED]
    for model in copied:
        _copy_table(model)
    try:
        connection.check_constraints()
    except IntegrityError as error:
        raise MoveRefused(f"PostgreSQL refuses the rows: {error}") from error
    _continue_numbers(copied)
    report("Comparing row counts.")
    rows = _compare_counts(copied)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    report("Comparing the standings of every event.")
    standings = _compare_standings()
    return MovedSite(len(copied), rows, len(standings), _digest(sorted(standings.items())))


def _copy_table(model: Model) -> None:
    columns = [field.column for field in _fields(model)]
    listed = ", ".join(map(_quoted, columns))
    into = f"COPY {_quoted(model._meta.db_table)} ({listed}) FROM STDIN"
    with connections[SOURCE].cursor() as source:
        # The plus sign changes no value but bypasses the converters of Django's connection.
        source.execute(
            f"SELECT {', '.join(f'+{_quoted(column)}' for column in columns)}"  # noqa: S608
            f" FROM {_quoted(model._meta.db_table)} ORDER BY {_quoted(_key(model))}"
        )
        while rows := source.fetchmany(BATCH):
            try:
                _send(into, rows)
            except REFUSED_VALUES as error:
                raise _refusal_of_rows(model, columns, rows, error) from error


def _send(into: str, rows: Sequence[Sequence[Any]]) -> None:
    with transaction.atomic(), connection.cursor() as cursor, cursor.copy(into) as copy:
        for row in rows:
            copy.write_row(row)


def _refusal_of_rows(
    model: Model, columns: Sequence[str], rows: Sequence[Sequence[Any]], error: Exception
) -> MoveRefused:
    """Find the refused value by copying single values into a table without constraints."""
    table = model._meta.db_table
    key = columns.index(_key(model))
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMPORARY TABLE probe ON COMMIT DROP AS SELECT * FROM {_quoted(table)}"  # noqa: S608
            " WITH NO DATA"
        )
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            try:
                _send(f"COPY probe ({_quoted(column)}) FROM STDIN", [[value]])
            except REFUSED_VALUES as refused:
                return MoveRefused(
                    f"PostgreSQL refuses a value: table {table}, row {row[key]}, column {column}: "
                    f"{_first_line(refused)}. Correct it in the old site, then run the command "
                    "again."
                )
    detail = getattr(getattr(error, "diag", None), "message_detail", None) or ""
    return MoveRefused(
        f"PostgreSQL refuses rows of table {table}: {_first_line(error)}. {detail}".strip()
    )


def _first_line(error: Exception) -> str:
    if isinstance(error, UnicodeError):
        return "the text is not UTF-8"
    return str(error).strip().splitlines()[0].rstrip(".")


def _continue_numbers(copied: Sequence[Model]) -> None:
    """Continue each sequence after the highest number SQLite ever used, deleted rows included."""
    with connections[SOURCE].cursor() as source:
        source.execute("SELECT name, seq FROM sqlite_sequence")
        highest = dict(source.fetchall())
    with connection.cursor() as cursor:
        for model in copied:
            if isinstance(model._meta.pk, models.AutoField):
                table, key = _quoted(model._meta.db_table), _key(model)
                cursor.execute(
                    # A rebuilt table without rows has 0 in SQLite; NULL leaves the sequence
                    # unchanged.
                    "SELECT setval(pg_get_serial_sequence(%s, %s), NULLIF("  # noqa: S608
                    f"GREATEST(%s::bigint, (SELECT max({_quoted(key)}) FROM {table})), 0))",
                    [table, key, highest.get(model._meta.db_table)],
                )


def _compare_counts(copied: Sequence[Model]) -> int:
    rows = 0
    for model in copied:
        expected = model._base_manager.using(SOURCE).count()
        copied_rows = model._base_manager.count()
        if copied_rows != expected:
            raise MoveMismatch(
                f"Table {model._meta.db_table} has {expected} rows in SQLite but {copied_rows} in "
                "PostgreSQL. Nothing was moved."
            )
        rows += copied_rows
    return rows


def _compare_standings() -> dict[int, str]:
    """Return a hash of each event's standings by primary key. Raises MoveMismatch."""
    with _as_default(connections[SOURCE]):
        expected = _standings()
    standings = _standings()
    differing = [pk for pk in expected if standings.get(pk) != expected[pk]]
    if differing:
        slug = Tournament.objects.get(pk=differing[0]).slug
        raise MoveMismatch(
            f"The standings of {len(differing)} events differ in PostgreSQL, such as those of "
            f"{slug}. Nothing was moved. This is a bug in Datafort: please report it."
        )
    return standings


def _standings() -> dict[int, str]:
    events = Tournament.objects.order_by("pk").iterator(chunk_size=BATCH)
    return {event.pk: _digest(_standings_of(event)) for event in events}


def _standings_of(event: Tournament) -> list[Any]:
    try:
        table = snapshots.compute_standings(event)
    except StandingsRefused as refusal:
        return [str(refusal)]
    return [
        (
            line.rank,
            line.id,
            str(line.match_points),
            sorted(f"{id_}={value}" for id_, value in line.values.items()),
        )
        for line in table
    ]


@contextmanager
def _as_default(database: Any) -> Iterator[None]:
    """Make this the default database, so that services read it."""
    before = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = database
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = before


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()


def _models() -> list[Model]:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def _fields(model: Model) -> list[Any]:
    return list(model._meta.local_concrete_fields)


def _key(model: Model) -> str:
    return str(model._meta.pk.column)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
