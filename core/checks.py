"""Start checks of the settings, for the goals of docs/dev/reliability.md."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error

from core import private_files
from core.http import is_loopback

START_TAG = "start"
SHORTEST_KEY, MIN_LETTERS = 32, 8
# File systems on which SQLite's locks are unreliable (sqlite.org/faq.html, question 5).
NETWORK_KINDS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "lustre", "fuse.sshfs"}
)
MOUNTS_FILE = Path("/proc/mounts")
# Django's email backends that send nothing.
LOCAL_EMAIL_BACKENDS = frozenset(
    f"django.core.mail.backends.{name}.EmailBackend" for name in ("console", "locmem", "dummy")
)
ORGANISERS = ("anybody", "approved", "staff")
HOST_OPTIONS = ("--host", "--bind", "-b")


class UnsafeSettings(SystemExit):
    pass


def refuse_unsafe() -> None:
    results = checks.run_checks(tags=[START_TAG], include_deployment_checks=True)
    errors = [result for result in results if result.level >= checks.ERROR]
    if errors:
        lines = [f"  {error.id}: {error.msg}\n    {error.hint}" for error in errors]
        raise UnsafeSettings("\n".join(["Datafort does not start:", *lines]))


def check_settings(app_configs: object = None, **_: Any) -> list[CheckMessage]:
    return [
        *_debug(sys.argv, settings.ALLOWED_HOSTS),
        *_secret_key(settings.SECRET_KEY),
        *_encryption_keys(settings.ENCRYPTION_KEYS),
        *_links_in_mails(settings.EMAIL_BACKEND),
        *_site_address(settings.SITE_ADDRESS),
        *_organisers(settings.ORGANISERS),
        *_backup_command(settings.BACKUP_COMMAND),
        *check_database(settings.DATABASES["default"]),
    ]


def _debug(arguments: Sequence[str], hosts: Sequence[str]) -> Iterator[CheckMessage]:
    # The error pages of DEBUG show settings and code.
    if not settings.DEBUG:
        return
    public = [host for host in [*bound_hosts(arguments), *hosts] if not is_loopback(host)]
    if public:
        yield Error(
            f"DEBUG is on, and other computers can reach the site at {', '.join(public)}.",
            hint="Switch DEBUG off, or serve on 127.0.0.1 only.",
            id="datafort.E001",
        )


def bound_hosts(arguments: Sequence[str]) -> list[str]:
    """Return the hosts in a command line of granian, gunicorn or runserver."""
    hosts = [os.environ["GRANIAN_HOST"]] if "GRANIAN_HOST" in os.environ else []
    for at, argument in enumerate(arguments):
        name, is_joined, value = argument.partition("=")
        if name in HOST_OPTIONS:
            hosts += [value] if is_joined else list(arguments[at + 1 : at + 2])
        elif argument == "runserver":
            # Its address is "8000", "host" or "host:8000".
            values = [value for value in arguments[at + 1 :] if not value.startswith("-")]
            hosts += [value for value in values if not value.isdigit()]
    # [::1]:8000 is the host ::1.
    return [re.sub(r"^\[?(.*?)\]?:\d+$", r"\1", host) for host in hosts]


def _secret_key(key: str) -> Iterator[CheckMessage]:
    # Sessions and links are signed with it.
    is_made_up = key.startswith("django-insecure-") or len(set(key)) < MIN_LETTERS
    if is_made_up or len(key) < SHORTEST_KEY:
        yield Error(
            "The SECRET_KEY can be guessed.",
            hint=(
                f"Set at least {SHORTEST_KEY} random characters, such as the output of: "
                'python -c "import secrets; print(secrets.token_urlsafe(50))". '
                "Put the old key into SECRET_KEY_FALLBACKS for a while."
            ),
            id="datafort.E002",
        )


def check_file_modes(app_configs: object = None, **_: Any) -> Iterator[CheckMessage]:
    """Check that only the site's own account can read its folders, keys and database."""
    # Runs at the start and with `check --deploy`: other commands must work with such files.
    for path in private_files.readable_by_others():
        yield Error(
            f"Other accounts of this machine can read {path}.",
            hint=f"chmod {700 if path.is_dir() else 600} {path}",
            id="datafort.E003",
        )
    if backups := list(private_files.readable_backups()):
        yield checks.Warning(
            f"Other accounts of this machine can read {len(backups)} backups, such as "
            f"{backups[0]}.",
            hint=f"chmod -R go-rwx {settings.BACKUP_FOLDER}",
            id="datafort.W002",
        )


def _encryption_keys(keys: Sequence[str]) -> Iterator[CheckMessage]:
    # With bad keys, users with two-factor authentication cannot log in.
    if not keys:
        return
    from core import encryption

    if not encryption.are_usable(keys):
        yield Error(
            "DATAFORT_ENCRYPTION_KEYS contains an invalid key.",
            hint=(
                "Generate each key with: python -c "
                '"from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())"'
            ),
            id="datafort.E008",
        )


def _links_in_mails(backend: str) -> Iterator[CheckMessage]:
    # Without an address, an email with a reset link would use the Host header.
    if backend not in LOCAL_EMAIL_BACKENDS and not settings.SITE_ADDRESS:
        yield Error(
            "Links in emails would use a host name that strangers can choose.",
            hint="Set DATAFORT_PUBLIC_URL to the address where people reach this site.",
            id="datafort.E007",
        )


def _site_address(address: str) -> Iterator[CheckMessage]:
    # A scheme and a host with an optional port, and nothing else.
    try:
        parts = urlsplit(address)
        is_origin = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            and not any((parts.path, parts.query, parts.fragment, parts.username))
        )
    except ValueError:
        is_origin = False
    if address and not is_origin:
        yield Error(
            f"DATAFORT_PUBLIC_URL is {address}, which is not the address of a site.",
            hint="Give the scheme and the host, such as https://play.example.",
            id="datafort.E009",
        )


def _organisers(setting: str) -> Iterator[CheckMessage]:
    # A misspelt setting must not allow every account to create events.
    if setting not in ORGANISERS:
        yield Error(
            f"DATAFORT_ORGANISERS is {setting}, which is not a known setting.",
            hint=f"Set it to one of: {', '.join(ORGANISERS)}.",
            id="datafort.E010",
        )


def _backup_command(command: str) -> Iterator[CheckMessage]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        yield Error(
            f"DATAFORT_BACKUP_COMMAND cannot be read: {error}.",
            hint="Close its quotes, or put the command into a script and name the script.",
            id="datafort.E011",
        )
        return
    if words and shutil.which(words[0]) is None:
        yield checks.Warning(
            f"DATAFORT_BACKUP_COMMAND names {words[0]}, which this machine cannot run.",
            hint="Install it on the machines of the workers, or give its whole path.",
            id="datafort.W003",
        )


def check_database(database: dict[str, Any]) -> Iterator[CheckMessage]:
    if database["ENGINE"].endswith("sqlite3"):
        yield from _sqlite(database)
        if settings.REDIS_URL:
            yield checks.Warning(
                "With REDIS_URL, a worker and the web server write at the same time, but SQLite "
                "allows a single writer.",
                hint="Use PostgreSQL (DATABASE_URL), or leave REDIS_URL empty.",
                id="datafort.W001",
            )
        return
    options = str(database.get("OPTIONS", {}).get("options", ""))
    for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
        if limit not in options:
            yield Error(
                f"The database sets no {limit}: a slow query would block all others.",
                hint=f'Add "-c {limit}=5000" to the OPTIONS of the database.',
                id="datafort.E005",
            )


def _sqlite(database: dict[str, Any]) -> Iterator[CheckMessage]:
    kind = kind_of_file_system(Path(str(database["NAME"])))
    if kind in NETWORK_KINDS:
        yield Error(
            f"The database {database['NAME']} is on a network share ({kind}), where SQLite loses "
            "data.",
            hint="Put DATAFORT_VAR on a disk of this machine, or use PostgreSQL.",
            id="datafort.E004",
        )
    options = database.get("OPTIONS", {})
    required = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
    missing = [word for word in required if word not in str(options.get("init_command", ""))]
    if missing or options.get("transaction_mode") != "IMMEDIATE" or not options.get("timeout"):
        yield Error(
            "SQLite is not configured to wait for locks, sync writes and check foreign keys, so "
            "results can be lost.",
            hint="Use the OPTIONS of config/settings/base.py unchanged.",
            id="datafort.E006",
        )


def kind_of_file_system(path: Path, mounts: Path = MOUNTS_FILE) -> str:
    """Return the type of the file system, as Linux names it, or "" if unknown."""
    if not mounts.exists():
        return ""
    lines = [line.split() for line in mounts.read_text(encoding="utf-8").splitlines()]
    resolved = path.resolve()
    # The innermost mount counts, and the later of two at the same place.
    mounts_of_path = [
        (len(words[1]), at, words[2])
        for at, words in enumerate(lines)
        if len(words) > 2 and resolved.is_relative_to(words[1].replace("\\040", " "))
    ]
    return max(mounts_of_path)[2] if mounts_of_path else ""
