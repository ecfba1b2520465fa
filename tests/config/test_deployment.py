"""Settings of a production site (goals: docs/dev/reliability.md)."""

import importlib
import sys
from types import ModuleType

import pytest
from django.test import Client, override_settings
from django.utils.module_loading import import_string

import config.settings
from config.settings import accounts
from config.settings.logs import LOGGING
from core import logs

KEY = "k9X2mQ7vLr4TzB8wYc1NsJd6HfGa3PeU5oRi0qKt-and-some-more"


@pytest.fixture
def production(monkeypatch) -> ModuleType:
    monkeypatch.setenv("SECRET_KEY", KEY)
    monkeypatch.setenv("SECRET_KEY_FALLBACKS", "older,oldest")
    monkeypatch.setenv("DATAFORT_PUBLIC_URL", "https://play.example")
    monkeypatch.delitem(sys.modules, "config.settings.production", raising=False)
    handlers = LOGGING["handlers"]
    monkeypatch.setitem(handlers, "console", dict(handlers["console"]))  # and back again
    module = importlib.import_module("config.settings.production")
    monkeypatch.delitem(sys.modules, "config.settings.production")
    return module


def reload_settings(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Load a module of the settings with the current environment variables."""
    monkeypatch.delitem(sys.modules, f"config.settings.{name}")
    monkeypatch.setattr(config.settings, name, getattr(config.settings, name))  # and back again
    return importlib.import_module(f"config.settings.{name}")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (
            "smtp+tls://club:p%40ss%2Fword@mail.example:587",
            ("smtp", "mail.example", 587, "club", "p@ss/word", True, False),
        ),
        (
            "smtp+ssl://mail.example:465",
            ("smtp", "mail.example", 465, "", "", False, True),
        ),
        (None, ("console", "localhost", 25, "", "", False, False)),
    ],
)
def test_email_server_comes_from_settings(address, expected, monkeypatch):
    if address:
        monkeypatch.setenv("DATAFORT_EMAIL_URL", address)
    module = reload_settings("accounts", monkeypatch)

    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")
    backend = module.EMAIL_BACKEND.split(".")[-2]
    assert (backend, *(getattr(module, f"EMAIL_{name}") for name in names)) == expected


def test_database_url_options_take_precedence(monkeypatch):
    query = "sslmode=verify-full&conn_max_age=5"
    monkeypatch.setenv("DATABASE_URL", f"postgres://db.example/club?{query}")

    database = reload_settings("base", monkeypatch).DATABASES["default"]

    assert (database["CONN_MAX_AGE"], database["OPTIONS"]["sslmode"]) == (5, "verify-full")
    assert "statement_timeout" in database["OPTIONS"]["options"]


@pytest.mark.parametrize("redis", ["", "redis://redis.example/0"])
def test_site_without_workers_runs_its_schedule(monkeypatch, redis: str):
    monkeypatch.setenv("REDIS_URL", redis)

    assert (not redis) == reload_settings("base", monkeypatch).TICKS_IN_PROCESS


@pytest.mark.parametrize(
    ("address", "is_made"),
    [("", True), ("sqlite:////srv/club.sqlite3", True), ("postgres://db.example/club", False)],
)
def test_sqlite_site_makes_backups_automatically(monkeypatch, address: str, is_made: bool):
    monkeypatch.delenv("DATAFORT_BACKUPS", raising=False)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    if address:
        monkeypatch.setenv("DATABASE_URL", address)

    module = reload_settings("base", monkeypatch)

    assert (str(module.VAR_DIR / "backups") if is_made else "") == module.BACKUP_FOLDER


@pytest.mark.parametrize("value", ["often", "0", "1441", "1.5", ""])
def test_invalid_backup_interval_stops_the_start_with_a_message(monkeypatch, value: str):
    monkeypatch.setenv("DATAFORT_BACKUP_MINUTES", value)

    with pytest.raises(SystemExit, match=r"DATAFORT_BACKUP_MINUTES is '.*from 1 to 1440"):
        reload_settings("base", monkeypatch)


def test_production_has_keys_cookies_and_headers_of_a_public_site(production):
    expected = {
        # 1-3: no debugging, keys that can be changed, one public address.
        "DEBUG": False,
        "SECRET_KEY": KEY,
        "SECRET_KEY_FALLBACKS": ["older", "oldest"],
        "ALLOWED_HOSTS": ["play.example"],
        "CSRF_TRUSTED_ORIGINS": ["https://play.example"],
        # 4, 5: cookies and https.
        "SESSION_COOKIE_NAME": "__Host-session",
        "SESSION_COOKIE_SECURE": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "CSRF_COOKIE_NAME": "__Host-csrf",
        "CSRF_COOKIE_SECURE": True,
        "CSRF_COOKIE_SAMESITE": "Lax",
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 365 * 24 * 3600,
        # 6: proxy headers count only behind a configured proxy.
        "ALLAUTH_TRUSTED_PROXY_COUNT": 0,
        # 8: the security headers for browsers.
        "SECURE_REFERRER_POLICY": "same-origin",
        "SECURE_CONTENT_TYPE_NOSNIFF": True,
        "X_FRAME_OPTIONS": "DENY",
        # 11: administrators and their passwords.
        "ADMIN_NEEDS_SECOND_FACTOR": True,
        "ALLOW_PLAIN_LOGINS": False,
        # 12: limits of requests; for bodies see tests/core/test_body_limits.py.
        "DATA_UPLOAD_MAX_NUMBER_FIELDS": 1200,
    }

    assert {name: getattr(production, name) for name in expected} == expected
    assert not hasattr(production, "SECURE_PROXY_SSL_HEADER")
    # Cached pages are for requests without cookies: tournaments/web/polling.py.
    assert not hasattr(production, "CSRF_USE_SESSIONS")


def test_production_logs_in_json(production):
    logged = production.LOGGING
    formatter = logged["formatters"][logged["handlers"]["console"]["formatter"]]

    assert import_string(formatter["()"]) is logs.json_formatter


def test_passwords_are_long_uncommon_and_hashed_with_argon2(production):
    hasher = import_string(production.PASSWORD_HASHERS[0])()
    # The minimum of OWASP.
    assert (hasher.algorithm, hasher.memory_cost, hasher.time_cost) == ("argon2", 19 * 1024, 2)
    rules = {rule["NAME"].rsplit(".", 1)[1]: rule for rule in production.AUTH_PASSWORD_VALIDATORS}
    assert rules["MinimumLengthValidator"]["OPTIONS"] == {"min_length": 12}
    assert "CommonPasswordValidator" in rules
    # No rules of composition (NIST SP 800-63B, 5.1.1.2).
    assert len(rules) == 3


def test_admin_has_its_own_address(production, monkeypatch):
    assert production.ADMIN_PATH.startswith("site-")
    assert len(production.ADMIN_PATH) == len("site-") + 12
    assert accounts.ADMIN_PATH == "admin"


def test_content_security_policy_allows_the_own_site_only(production):
    rules = production.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert not [rule for rule in rules.values() if "'unsafe-inline'" in rule or "*" in rule]
    assert rules["default-src"] == ["'self'"]
    assert rules["frame-ancestors"] == ["'none'"]
    assert rules["object-src"] == rules["base-uri"] == ["'none'"]


@pytest.mark.django_db
def test_every_response_has_the_security_headers():
    answer = Client().get("/account/login/")

    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert "unsafe-inline" not in answer["Content-Security-Policy"]


@pytest.mark.check(22)
@pytest.mark.django_db
def test_cookies_of_production_belong_to_a_single_host(production, django_user_model):
    names = [
        f"{cookie}_COOKIE_{key}" for cookie in ("SESSION", "CSRF") for key in ("NAME", "SECURE")
    ]
    django_user_model.objects.create_user("mara", password="a long password")

    with override_settings(**{name: getattr(production, name) for name in names}):
        browser = Client()
        login = {"login": "mara", "password": "a long password"}
        browser.post("/account/login/", login, secure=True)
        browser.get("/me/", secure=True)
        session, csrf = browser.cookies["__Host-session"], browser.cookies["__Host-csrf"]

    for cookie in (session, csrf):
        # Required by the prefix __Host- (RFC 6265bis, 4.1.3.2).
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")
        assert cookie["samesite"] == "Lax"
    assert session["httponly"]
