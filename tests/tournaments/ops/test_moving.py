"""Moving a site from SQLite to PostgreSQL."""

import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import DatabaseWrapper as SQLiteDatabase
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from psycopg import sql

from core import encryption
from core.version import VERSION
from players import services as player_services
from players.models import Player, Session, User
from tests import databases
from tests.factories.sessions import logged_in
from tests.factories.tournaments import make_event, make_user, play_round
from tests.templates import KEPT, one_at_a_time
from tests.tournaments.ops.places import empty_site
from tests.upgrades import filling
from tournaments.models import (
    LatestBackup,
    PlayerMerge,
    SiteJob,
    SiteJobKind,
    Standing,
    Tournament,
)
from tournaments.ops import site_move

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="The site moves to PostgreSQL."),
]
PASSWORD = "a long password"
SECRET = "secret 0 Zoë"
NOT_CLOSED = "UPDATE tournaments_round SET state = 'running'"


@contextmanager
def as_default(database: BaseDatabaseWrapper) -> Iterator[None]:
    before = connections["default"]
    connections["default"] = database
    try:
        yield
    finally:
        connections["default"] = before
        database.close()


def sqlite(path: Path) -> BaseDatabaseWrapper:
    options = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA synchronous=OFF"}
    return SQLiteDatabase(
        {**connection.settings_dict, "NAME": str(path), "OPTIONS": options}, "default"
    )


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A SQLite site without rows."""
    folder = KEPT / "databases"
    with one_at_a_time(folder), as_default(sqlite(tmp_path / "none.sqlite3")):
        template = databases._sqlite_template(folder)
    return Path(shutil.copyfile(template, tmp_path / "datafort.sqlite3"))


@pytest.fixture
def empty_database(django_db_setup: None) -> Iterator[BaseDatabaseWrapper]:
    """A migrated PostgreSQL database without rows; not the default database."""
    name = f"datafort_moved_{secrets.token_hex(4)}"
    settings = connection.settings_dict
    where = {key.lower(): settings[key] for key in ("HOST", "PORT", "USER", "PASSWORD")}
    with psycopg.connect(dbname="postgres", autocommit=True, **where) as server:
        create = sql.SQL("create database {} template {}")
        template = settings["TEST"]["TEMPLATE"]
        server.execute(create.format(sql.Identifier(name), sql.Identifier(template)))
        try:
            yield type(connections["default"])({**settings, "NAME": name}, "default")
        finally:
            server.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


@pytest.fixture
def target(empty_database: BaseDatabaseWrapper, site: Path) -> Iterator[BaseDatabaseWrapper]:
    """`empty_database` as the default database."""
    with as_default(empty_database):
        yield empty_database


@pytest.fixture
def filled_site(site: Path) -> Path:
    """A site with rows in every table: an event after three rounds, generated rows elsewhere."""
    with as_default(sqlite(site)):
        make_event(players=2)
        make_event(players=2)
        event = make_event(players=6)
        for _ in range(3):
            play_round(event)
        Authenticator.objects.create(
            user=make_user(), type="recovery_codes", data={"seed": encryption.encrypt(SECRET)}
        )
        logged_in(make_user())
        target_player, merged = Player.objects.order_by("pk")[:2]
        PlayerMerge.objects.create(kept=target_player, merged=merged)
        filling.fill(apps)
    return site


@pytest.fixture
def played_site(site: Path) -> Path:
    with as_default(sqlite(site)):
        play_round(make_event(players=4))
    return site


def copied_models() -> list[type[models.Model]]:
    return [model for model in site_move._models() if model not in site_move.NOT_COPIED]


def rows_of(model: type[models.Model]) -> list[tuple[Any, ...]]:
    return list(model._base_manager.order_by("pk").values_list())


def filled_tables() -> set[str]:
    """Tables of the default database with rows, except those that migrations fill."""
    tables = {model._meta.db_table for model in copied_models() if model._base_manager.exists()}
    return tables - {*site_move.FILLED_BY_MIGRATE}


def run_sql(site: Path, *statements: str) -> None:
    """Change the file without checking constraints."""
    with closing(sqlite3.connect(site)) as database, database:
        database.create_function("REGEXP", 2, lambda pattern, text: True)
        database.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            database.execute(statement)


def test_every_row_arrives_and_standings_are_equal(filled_site: Path, target: BaseDatabaseWrapper):
    with as_default(sqlite(filled_site)):
        before = {model: rows_of(model) for model in copied_models()}
        stored = rows_of(Standing)
        computed = site_move._standings()
        assert Session.objects.exists()

    moved = site_move.move_site(filled_site)

    assert [model.__name__ for model, rows in before.items() if not rows] == []
    assert {model: rows_of(model) for model in copied_models()} == before
    assert moved.rows == sum(map(len, before.values()))
    assert site_move._standings() == computed
    assert moved.events == len(computed) > 1
    assert rows_of(Standing) == stored != []
    assert not Session.objects.exists()


def test_next_row_gets_an_unused_number(played_site: Path, target):
    with as_default(sqlite(played_site)):
        last = Player.objects.create(name="Gone", name_key="gone", sort_key="gone")
        number = last.pk
        last.delete()

    site_move.move_site(played_site)

    assert Player.objects.latest("pk").pk < number
    assert make_user("new").pk > User.objects.exclude(username="new").latest("pk").pk
    assert Player.objects.create(name="New", name_key="new", sort_key="new").pk == number + 1
    assert play_round(Tournament.objects.get()).number == 2


def test_backup_records_are_not_moved(played_site: Path, target):
    fields = {"machine": "shop", "name": "old.sqlite3.gz", "size": 17}
    with as_default(sqlite(played_site)):
        LatestBackup.objects.create(began_at=timezone.now(), **fields)
        SiteJob.objects.create(kind=SiteJobKind.COPY_BACKUP, key="copy:old", payload=fields)

    site_move.move_site(played_site)

    assert not LatestBackup.objects.exists()
    assert not SiteJob.objects.exists()


def test_old_password_and_unopened_personal_link_work(played_site: Path, target):
    with as_default(sqlite(played_site)):
        make_user("mara")
        secret = player_services.issue_claim(Player.objects.earliest("pk"))
        guest = Player.objects.earliest("pk").name

    site_move.move_site(played_site)

    browser, phone = Client(), Client()
    browser.post(reverse("account_login"), {"login": "mara", "password": PASSWORD})
    assert browser.get(reverse("players:me")).status_code == 200
    opened = phone.get(reverse("players:claim", args=[secret]), follow=True)
    assert opened.status_code == 200
    assert guest in opened.content.decode()


def test_encrypted_columns_keep_their_bytes(filled_site: Path, target):
    site_move.move_site(filled_site)

    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM tournaments_webhook ORDER BY id")
        [stored, *_] = [secret for (secret,) in cursor.fetchall()]
    assert stored.startswith(encryption.FERNET_PREFIX)
    assert encryption.decrypt(stored) == SECRET  # from tests.upgrades.filling


def test_secrets_of_another_key_are_refused_and_can_be_left_unreadable(
    filled_site: Path, target, settings
):
    settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

    with pytest.raises(site_move.MoveRefused) as refused:
        site_move.move_site(filled_site)

    assert "mfa_authenticator (1)" in str(refused.value)
    assert "tournaments_webhook (" in str(refused.value)
    assert "DATAFORT_ENCRYPTION_KEYS" in str(refused.value)
    assert filled_tables() == set()
    assert site_move.move_site(filled_site, without_secrets=True).rows


BAD_VALUES = {
    "NUL": ("players_player", "name", "'a' || char(0) || 'b'", "NUL"),
    "too long": ("players_player", "pronouns", "printf('%.500c', 'x')", "too long"),
    "out of range": ("tournaments_tournament", "round_minutes", "99999999999", "out of range"),
    "no number": ("matches_seat", "position", "'first'", "invalid input syntax"),
    "no date": ("tournaments_tournament", "starts_on", "'2026-02-30'", "date"),
    "no JSON": ("tournaments_job", "payload", "'{'", "json"),
    "NUL in JSON": ("tournaments_job", "payload", '\'{"a": "\\u0000"}\'', "Unicode"),
    "no UTF-8": ("players_player", "name", "CAST(x'ff41' AS TEXT)", "UTF-8"),
}


@pytest.mark.parametrize(
    ("table", "column", "value", "reason"), BAD_VALUES.values(), ids=BAD_VALUES
)
def test_value_that_postgresql_refuses_is_named_and_nothing_is_moved(
    table, column, value, reason, played_site: Path, target
):
    run_sql(
        played_site,
        f"UPDATE {table} SET {column} = {value} WHERE id = (SELECT max(id) FROM {table})",
    )
    with closing(sqlite3.connect(played_site)) as file:
        ((number,),) = file.execute(f"SELECT max(id) FROM {table}")

    with pytest.raises(site_move.MoveRefused) as refused:
        site_move.move_site(played_site)

    assert f"table {table}, row {number}, column {column}: " in str(refused.value)
    assert reason in str(refused.value)
    assert filled_tables() == set()


def test_row_with_an_invalid_reference_is_named(played_site: Path, target):
    run_sql(
        played_site, "DELETE FROM players_player WHERE id = (SELECT max(id) FROM players_player)"
    )

    with pytest.raises(site_move.MoveRefused, match="has an invalid foreign key"):
        site_move.move_site(played_site)

    assert filled_tables() == set()


def test_broken_constraint_names_the_table(played_site: Path, target):
    run_sql(played_site, "UPDATE tournaments_round SET number = -1")

    with pytest.raises(
        site_move.MoveRefused, match=r"refuses rows of table tournaments_round: .*check"
    ):
        site_move.move_site(played_site)

    assert filled_tables() == set()


def test_target_with_rows_is_refused_and_its_tables_are_named(played_site: Path, target):
    make_user("mara")

    with pytest.raises(
        site_move.MoveRefused, match=r"not empty. It has rows in players_user \(1\)"
    ):
        site_move.move_site(played_site)


def test_database_of_another_program_is_refused(played_site: Path, target):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE django_migrations RENAME TO invoices")

    with pytest.raises(site_move.MoveRefused, match="tables of another program"):
        site_move.move_site(played_site)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('tournaments', '9999_of_next_year', '2027-01-01')",
            f"Datafort {VERSION} does not know its migration tournaments.9999_of_next_year",
        ),
        (
            "DELETE FROM django_migrations WHERE app = 'rulings' AND name LIKE '0012%'",
            "lacks migrations .* such as rulings.0012.* Run set_up for that site",
        ),
        ("DROP TABLE django_migrations", "holds no Datafort site"),
    ],
)
def test_site_of_another_release_is_refused(statement, sentence, site: Path, target):
    run_sql(site, statement)

    with pytest.raises(site_move.MoveRefused, match=sentence):
        site_move.move_site(site)


def test_missing_file_and_file_of_another_kind_are_refused(tmp_path: Path, target):
    (tmp_path / "backup.gz").write_bytes(b"\x1f\x8b" + bytes(100))

    with pytest.raises(site_move.MoveRefused, match="There is no file"):
        site_move.move_site(tmp_path / "none.sqlite3")
    with pytest.raises(site_move.MoveRefused, match="Unpack a backup with gunzip first"):
        site_move.move_site(tmp_path / "backup.gz")


def test_running_site_is_refused(played_site: Path, target, monkeypatch):
    monkeypatch.setattr(site_move, "LOCK_SECONDS", 0)
    with closing(sqlite3.connect(played_site, isolation_level=None)) as site:
        site.execute("BEGIN IMMEDIATE")
        with pytest.raises(site_move.MoveRefused, match="Stop the site"):
            site_move.move_site(played_site)


def test_source_is_locked_during_the_move(played_site: Path, target):
    refused = []

    def write(_: str) -> None:
        with closing(sqlite3.connect(played_site, timeout=0)) as site:
            try:
                site.execute("UPDATE players_user SET first_name = 'late'")
            except sqlite3.OperationalError as error:
                refused.append(str(error))

    site_move.move_site(played_site, report=write)

    assert set(refused) == {"database is locked"}


@pytest.mark.parametrize("part", ["_compare_counts", "_compare_standings"])
def test_mismatch_rolls_back_and_exits_1(part, played_site: Path, target, monkeypatch):
    compare = getattr(site_move, part)

    def lose_a_row(*arguments: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM matches_game" if "counts" in part else NOT_CLOSED)
        return compare(*arguments)

    monkeypatch.setattr(site_move, part, lose_a_row)

    with pytest.raises(CommandError) as ended:
        call_command("move_site", played_site)

    assert ended.value.returncode == 1
    assert "Nothing was moved." in str(ended.value)
    assert filled_tables() == set()


def test_command_prints_a_report_and_exits_2_when_refused(played_site: Path, target, capsys):
    call_command("move_site", played_site)

    printed = capsys.readouterr().out
    assert "All counts are equal." in printed
    assert "Events with equal standings: 1 (SHA-256 " in printed
    with pytest.raises(CommandError, match="is not empty") as ended:
        call_command("move_site", played_site)
    assert ended.value.returncode == 2


def test_sqlite_target_is_refused(played_site: Path):
    with (
        as_default(sqlite(played_site)),
        pytest.raises(site_move.MoveRefused, match="names no PostgreSQL database"),
    ):
        site_move.move_site(played_site)


def test_target_is_migrated_before_the_move(site: Path, target, monkeypatch):
    migrated = []
    monkeypatch.setattr(site_move, "call_command", lambda *words, **_: migrated.append(words))

    site_move.move_site(site)

    assert migrated == [("migrate",)]


@pytest.mark.slow
def test_command_of_a_server_fills_a_database_without_tables(played_site: Path, tmp_path: Path):
    with empty_site(tmp_path) as place:
        done = place.manage("move_site", str(played_site))
        again = place.manage("move_site", str(played_site))

    assert (done.returncode, done.stderr) == (0, "")
    assert "The site has moved." in done.stdout
    assert again.returncode == 2
    assert "is not empty" in again.stderr
