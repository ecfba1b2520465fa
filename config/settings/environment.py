"""Readers for environment variables, and the folders of the site.

An invalid value exits with a message that names the setting and the allowed values.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import environ
from django.core.exceptions import ImproperlyConfigured

PROJECT = Path(__file__).resolve().parent.parent.parent
# A wheel carries templates, static files and the API schema within this package.
PACKAGED = PROJECT / "config" / "files"
BASE_DIR = PACKAGED if PACKAGED.exists() else PROJECT
env = environ.Env()
VAR_DIR = Path(env("DATAFORT_VAR", default=str(BASE_DIR / "var")))
ON, OFF = ("true", "on", "yes", "y", "ok", "1"), ("false", "off", "no", "n", "0", "")


def whole_number(name: str, default: int, least: int, most: int) -> int:
    text = env(name, default=str(default))
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        _refuse(name, f"a whole number from {least} to {most}", str(default))
    return number


def switch(name: str) -> bool:
    text = env(name, default="").strip().lower()
    if text not in (*ON, *OFF):
        _refuse(name, "true or false", "false")
    return text in ON


def one_of(name: str, default: str, choices: Collection[str]) -> str:
    by_typed = {choice.lower(): choice for choice in choices}
    typed = env(name, default=default).strip().lower()
    if typed not in by_typed:
        _refuse(name, f"one of {', '.join(choices)}", default)
    return by_typed[typed]


def time_zone(name: str, default: str) -> str:
    zone: str = env(name, default=default)
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        _refuse(name, "the name of a time zone, such as Europe/Berlin", default)
    return zone


def address(name: str, default: str = "", example: str = "https://play.example") -> str:
    """Return a URL without its trailing slash, or ""."""
    typed: str = env(name, default=default).strip().rstrip("/")
    if not _is_readable(typed):
        _refuse(name, f"an address, such as {example}", default or "none")
    return typed


def redis_server(name: str) -> str:
    # The address may contain a password, so errors never show it.
    typed: str = env(name, default="").strip().rstrip("/")
    if not _is_readable(typed):
        raise SystemExit(
            f"{name} is not the address of a Redis server. Set it to "
            "redis://:PASSWORD@HOST:PORT/NUMBER, or remove it to run without Redis. Write "
            "characters that are not letters or digits as %XX."
        )
    return typed


def database(name: str, default: str) -> dict[str, Any]:
    # The address contains a password, so errors never show it.
    try:
        options: dict[str, Any] = env.db(name, default=default)
    except (ImproperlyConfigured, KeyError, ValueError):
        options = {}
    if not str(options.get("ENGINE")).endswith((".postgresql", ".sqlite3")):
        raise SystemExit(
            f"{name} is not the address of a database. Set it to "
            "postgres://USER:PASSWORD@HOST:PORT/NAME or sqlite:////PATH, or remove it for a file "
            "in the folder of the site. Write characters that are not letters or digits as %XX."
        )
    return options


def mail_server(name: str) -> dict[str, Any]:
    # The address contains a password, so errors never show it.
    try:
        options: dict[str, Any] = env.email_url(name, default="consolemail://")
    except (ImproperlyConfigured, KeyError, ValueError):
        raise SystemExit(
            f"{name} is not the address of a mail server. Set it to "
            "smtp+tls://USER:PASSWORD@HOST:PORT or smtp+ssl://USER:PASSWORD@HOST:PORT, or remove "
            "it to print emails. Write characters that are not letters or digits as %XX."
        ) from None
    return options


def required(name: str, expected: str) -> str:
    text: str = env(name, default="").strip()
    if not text:
        raise SystemExit(f"{name} is missing. Set it to {expected}.")
    return text


def _is_readable(typed: str) -> bool:
    try:
        port = urlsplit(typed).port
    except ValueError:
        return False
    return port != 0


def _refuse(name: str, expected: str, default: str) -> NoReturn:
    raise SystemExit(
        f"{name} is {env(name)!r}. Set it to {expected}, or remove it for the default ({default})."
    )
