"""The start checks."""

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import Tags, run_checks

from core import checks

FILE = "site.sqlite3"
GOOD_KEY = "k9X2mQ7vLr4TzB8wYc1NsJd6HfGa3PeU5oRi0qKt"
SQLITE: dict[str, Any] = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": "datafort.sqlite3",
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    },
}
POSTGRES: dict[str, Any] = {
    "ENGINE": "django.db.backends.postgresql",
    "OPTIONS": {
        "options": "-c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000"
    },
}


@pytest.fixture(autouse=True)
def safe(settings, tmp_path, monkeypatch):
    """A site without findings."""
    settings.DEBUG, settings.SECRET_KEY, settings.REDIS_URL = False, GOOD_KEY, ""
    settings.VAR_DIR = tmp_path
    tmp_path.chmod(0o700)
    monkeypatch.setitem(settings.DATABASES, "default", {**SQLITE, "NAME": tmp_path / FILE})
    monkeypatch.setattr(sys, "argv", ["granian", "config.wsgi:application"])
    monkeypatch.delenv("GRANIAN_HOST", raising=False)


def finding_ids() -> list[str]:
    return [str(message.id) for message in (*checks.check_settings(), *checks.check_file_modes())]


def finding_ids_in(database: dict[str, Any]) -> list[str]:
    return [str(message.id) for message in checks.check_database(database)]


def test_backup_command_must_be_readable_and_installed(settings):
    settings.BACKUP_COMMAND = "copy 'it"
    assert finding_ids() == ["datafort.E011"]

    settings.BACKUP_COMMAND = "no-such-program --now"
    assert finding_ids() == ["datafort.W003"]

    settings.BACKUP_COMMAND = f"{shlex.quote(sys.executable)} copy.py"
    assert finding_ids() == []


def test_safe_site_starts():
    assert finding_ids() == finding_ids_in(SQLITE) == finding_ids_in(POSTGRES) == []


@pytest.mark.parametrize(
    ("command", "findings"),
    [
        ("granian --host 0.0.0.0", ["datafort.E001"]),
        ("granian --host=192.168.1.20", ["datafort.E001"]),
        ("gunicorn -b 0.0.0.0:8000", ["datafort.E001"]),
        ("gunicorn --bind [::]:8000", ["datafort.E001"]),
        ("manage.py serve --host 0.0.0.0", ["datafort.E001"]),
        ("manage.py runserver 0.0.0.0:8000", ["datafort.E001"]),
        ("manage.py runserver --noreload hall.example:80", ["datafort.E001"]),
        ("granian --host 127.0.0.1", []),
        ("manage.py runserver 8000", []),
        ("granian", []),
    ],
)
def test_debug_is_refused_on_a_reachable_site(settings, monkeypatch, command, findings):
    settings.DEBUG, settings.ALLOWED_HOSTS = True, ["localhost", "127.0.0.1", "[::1]"]
    monkeypatch.setattr(sys, "argv", command.split())

    assert finding_ids() == findings


@pytest.mark.parametrize(
    ("backend", "findings"),
    [
        ("django.core.mail.backends.smtp.EmailBackend", ["datafort.E007"]),
        ("django.core.mail.backends.filebased.EmailBackend", ["datafort.E007"]),
        ("club.console.Backend", ["datafort.E007"]),
        ("Backend", ["datafort.E007"]),
        ("django.core.mail.backends.console.EmailBackend", []),
    ],
)
def test_site_that_sends_email_requires_its_address(settings, backend, findings):
    settings.EMAIL_BACKEND = backend
    settings.ALLOWED_HOSTS, settings.SITE_ADDRESS = ["play.example", "other.example"], ""
    assert finding_ids() == findings

    settings.SITE_ADDRESS = "https://play.example"
    assert finding_ids() == []


@pytest.mark.parametrize(
    "address",
    [
        *("play.example", "192.168.1.20:8000", "ftp://play.example", "https://", "https://a/b"),
        *("https://play.example?a=b", "https://me@play.example", "http://[::", "http://a:99999"),
    ],
)
def test_incomplete_public_address_is_refused(settings, address):
    settings.SITE_ADDRESS = address

    assert finding_ids() == ["datafort.E009"]


def test_debug_with_any_host_is_refused(settings, monkeypatch):
    settings.DEBUG, settings.ALLOWED_HOSTS = True, ["*"]
    assert finding_ids() == ["datafort.E001"]
    settings.ALLOWED_HOSTS = []
    monkeypatch.setenv("GRANIAN_HOST", "0.0.0.0")
    assert finding_ids() == ["datafort.E001"]


@pytest.mark.parametrize(
    "key", ["secret", "a" * 60, "abcabcabc" * 9, f"django-insecure-{GOOD_KEY}"]
)
def test_weak_secret_key_is_refused(settings, key):
    settings.SECRET_KEY = key

    assert finding_ids() == ["datafort.E002"]


@pytest.mark.parametrize(
    "name",
    [
        *("secret_key", "encryption_key", ".encryption_key.new"),
        *("site.sqlite3", "site.sqlite3-wal", "site.sqlite3-shm", "."),
    ],
)
def test_files_readable_by_other_accounts_stop_the_start(tmp_path, name):
    (tmp_path / FILE).touch(0o600)
    path = tmp_path / name
    path.touch(0o600)
    path.chmod(0o755)
    assert finding_ids() == ["datafort.E003"]

    path.chmod(0o700)

    assert finding_ids() == []


def test_folder_of_a_database_elsewhere_is_checked(settings, tmp_path, monkeypatch):
    folder = tmp_path / "elsewhere"
    folder.mkdir(0o755)
    (folder / FILE).touch(0o600)
    monkeypatch.setitem(settings.DATABASES, "default", {**SQLITE, "NAME": folder / FILE})
    (error,) = checks.check_file_modes()
    assert (error.id, str(folder) in error.msg) == ("datafort.E003", True)

    folder.chmod(0o700)

    assert finding_ids() == []


def test_backups_readable_by_other_accounts_cause_a_warning(settings, tmp_path):
    settings.BACKUP_FOLDER = str(tmp_path)
    assert finding_ids() == []
    (tmp_path / "datafort-1.backup").touch(0o644)

    assert finding_ids() == ["datafort.W002"]


def test_sqlite_on_a_network_share_is_refused(monkeypatch, tmp_path):
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda1 / ext4 rw 0 0\n"
        "shop:/data /srv/the\\040share nfs4 rw 0 0\n"
        "/dev/sdb1 /srv/the\\040share/local ext4 rw 0 0\n"
    )

    kinds = [
        checks.kind_of_file_system(Path(path), mounts)
        for path in ("/srv/the share/a.sqlite3", "/srv/the share/local/a.sqlite3", "/srv/a.sqlite3")
    ]

    assert kinds == ["nfs4", "ext4", "ext4"]
    monkeypatch.setattr(checks, "kind_of_file_system", lambda path: "nfs4")
    assert finding_ids_in(SQLITE) == ["datafort.E004"]


@pytest.mark.parametrize(
    ("database", "findings"),
    [
        ({**POSTGRES, "OPTIONS": {}}, ["datafort.E005", "datafort.E005"]),
        (
            {**SQLITE, "OPTIONS": {**SQLITE["OPTIONS"], "transaction_mode": "DEFERRED"}},
            ["datafort.E006"],
        ),
        ({**SQLITE, "OPTIONS": {**SQLITE["OPTIONS"], "init_command": ""}}, ["datafort.E006"]),
        ({**SQLITE, "OPTIONS": {}}, ["datafort.E006"]),
    ],
)
def test_database_without_its_limits_is_refused(database, findings):
    assert finding_ids_in(database) == findings


def test_worker_with_sqlite_causes_a_warning(settings):
    settings.REDIS_URL = "redis://127.0.0.1/0"

    assert finding_ids_in(SQLITE) == ["datafort.W001"]
    assert finding_ids_in(POSTGRES) == []


def test_refused_start_lists_problems_and_hints(settings):
    settings.SECRET_KEY = "secret"

    with pytest.raises(checks.UnsafeSettings, match=r"(?s)can be guessed.*secrets.token_urlsafe"):
        checks.refuse_unsafe()


@pytest.mark.django_db
def test_database_supports_the_models():
    assert run_checks(tags=[Tags.models], databases=["default"]) == []
