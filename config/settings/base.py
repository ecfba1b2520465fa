"""Settings shared by all deployments.

There are two profiles with the same code. Without DATABASE_URL and REDIS_URL the site is embedded:
SQLite, tasks in the process, memory cache. With them it scales: PostgreSQL, Celery workers, Redis.

Accounts and email are in accounts.py, the API in api.py, languages in languages.py, limits in
limits.py and logs in logs.py.
"""

from datetime import timedelta
from typing import Any

from csp.constants import NONE, SELF

from config.settings.accounts import *  # noqa: F403
from config.settings.api import *  # noqa: F403
from config.settings.environment import (
    BASE_DIR,
    address,
    database,
    env,
    redis_server,
    time_zone,
    whole_number,
)
from config.settings.environment import VAR_DIR as VAR_DIR
from config.settings.languages import *  # noqa: F403
from config.settings.limits import *  # noqa: F403
from config.settings.logs import *  # noqa: F403
from core.version import VERSION

DEBUG = False
ALLOWED_HOSTS: list[str] = []

INSTALLED_APPS = [
    "tournaments.apps.TournamentsConfig",
    "rulings.apps.RulingsConfig",
    "matches.apps.MatchesConfig",
    "decks.apps.DecksConfig",
    "players.apps.PlayersConfig",
    "core.apps.CoreConfig",
    "players.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "django_prometheus",
    "django_structlog",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "rest_framework",
    "template_partials",
]

MIDDLEWARE = [
    "core.logs.RequestMiddleware",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "tournaments.ops.views.probes_first",
    "core.languages.LanguageMiddleware",
    "core.body_limits.limit_bodies",
    "core.service_unavailable.DatabaseOutageMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "core.static_files.StaticFilesMiddleware",
    # GZipMiddleware adds random padding against BREACH and skips compressed responses.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "players.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "core.body_limits.reject_nul_characters",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "players.middleware.prevent_caching_account_pages",
    "players.middleware.limit_password_checks",
    "core.rate_limits.limit_simultaneous_writes",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournaments.ops.views.RequestMetrics",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            # Built in, so that templates need no {% load %}.
            "builtins": [
                "core.templatetags.capture",
                "core.templatetags.idempotency",
                "core.templatetags.mixed_numbers",
                "core.templatetags.operator",
                "core.templatetags.site_address",
                "core.templatetags.status_label",
                "django.contrib.humanize.templatetags.humanize",
                "django.templatetags.i18n",
                "django.templatetags.static",
                "django.templatetags.tz",
                "rulings.templatetags.ruling_text",
                "template_partials.templatetags.partials",
                "tournaments.templatetags.identities",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "tournaments.web.offline.offline",
            ],
        },
    },
]

# --- Database -----------------------------------------------------------------
DATABASES = {
    "default": database("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'datafort.sqlite3'}")
}
IS_SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
# Persistent connections: opening a connection takes longer than a few queries.
DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
if IS_SQLITE:
    # Immediate transactions wait for the lock at the start, where waiting is safe. Deferred
    # transactions fail as soon as two writers collide.
    OPTIONS: dict[str, Any] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
        ),
    }
else:
    DATABASES["default"].setdefault("CONN_HEALTH_CHECKS", True)
    OPTIONS = {
        "options": "-c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000",
        # In seconds and milliseconds: a dead server must not block a request for long.
        "connect_timeout": 3,
        "tcp_user_timeout": 10_000,
        # Server-side prepared statements.
        "server_side_binding": True,
        "prepare_threshold": 5,
    }
# Options in DATABASE_URL (?sslmode=verify-full) take precedence.
DATABASES["default"]["OPTIONS"] = {**OPTIONS, **DATABASES["default"].get("OPTIONS", {})}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Cache, sessions and tasks -------------------------------------------------
REDIS_URL = redis_server("REDIS_URL")
# Prefix for sites that share a Redis server.
REDIS_PREFIX = env("DATAFORT_REDIS_PREFIX", default="datafort")
# A single try with a short timeout: pages must not wait for the cache (core.redis_cache).
REDIS_CACHE: dict[str, Any] = {
    "BACKEND": "core.redis_cache.SharedRedisCache",
    "LOCATION": REDIS_URL,
    "OPTIONS": {
        "REDIS_CLIENT_CLASS": "core.redis_cache.GuardedRedis",
        "SOCKET_CONNECT_TIMEOUT": 0.25,
        "SOCKET_TIMEOUT": 0.25,
        "IGNORE_EXCEPTIONS": True,
    },
}
if REDIS_URL:
    from redis.backoff import NoBackoff  # slow to load
    from redis.retry import Retry

    REDIS_CACHE["OPTIONS"]["CONNECTION_POOL_KWARGS"] = {"retry": Retry(NoBackoff(), 0)}
MEMORY_CACHE = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
# "default" has counters for core.rate_limits and allauth. "pages" is a separate cache, because page
# requests could otherwise evict the counters. "template_fragments" is for {% cache %}: rows of long
# tables for staff, and booklets of rulings. "public_rows" has rows of pairings and standings, in
# the memory of each process: a round trip to Redis costs as much as rendering the row.
CACHES = {
    # Cached objects are pickled: another release could not read them.
    name: {**REDIS_CACHE, "KEY_PREFIX": f"{REDIS_PREFIX}:{name}", "VERSION": VERSION}
    if REDIS_URL
    else {**MEMORY_CACHE, "LOCATION": name, "OPTIONS": {"MAX_ENTRIES": entries}}
    for name, entries in (("default", 20_000), ("pages", 300), ("template_fragments", 4_000))
}
CACHES["template_fragments"]["KEY_FUNCTION"] = "core.page_cache.key_by_language"
CACHES["public_rows"] = {
    **MEMORY_CACHE,
    "LOCATION": "public_rows",
    "KEY_FUNCTION": "core.page_cache.key_by_language",
    "OPTIONS": {"MAX_ENTRIES": 4_000},
}
# Cache time of the home page, event lists and rulings for visitors without a login; 0 disables it.
# nginx caches pages for the same time.
STRANGERS_PAGES_SECONDS = 1
SESSION_ENGINE = "players.sessions"
SESSION_SERIALIZER = "core.encryption.EncryptedSessions"
SESSION_COOKIE_AGE = int(timedelta(days=60).total_seconds())
SESSION_COOKIE_SAMESITE = "Lax"

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Retry forever: a worker that gave up would leave jobs undone after the broker is back.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 60,
    "socket_connect_timeout": 1,
    # Must be longer than a worker blocks for the next job (1 second).
    "socket_timeout": 5,
    "global_keyprefix": f"{REDIS_PREFIX}:queue:",
}
# A run that no worker picked up in time expires: the next run does the same work.
CELERY_BEAT_SCHEDULE = {
    name: {"task": task, "schedule": timedelta(seconds=5), "options": {"expires": 5}}
    for name, task in (
        ("sweep-jobs", "tournaments.tasks.sweep_jobs"),
        ("carry-out-due", "tournaments.tasks.carry_out_due"),
    )
}
# Without workers there is no beat process: the web server runs the schedule (config.ticker).
TICKS_IN_PROCESS = CELERY_TASK_ALWAYS_EAGER

# --- Push messages ------------------------------------------------------------------
# Push needs both: a key of `manage.py make_push_key`, and a contact for it.
PUSH_KEY = env("DATAFORT_PUSH_KEY", default="")
PUSH_CONTACT = env("DATAFORT_PUSH_CONTACT", default="")

# --- Integrations ------------------------------------------------------------------------
# Public address of this site, for links outside the browser (core.addresses).
SITE_ADDRESS = address("DATAFORT_PUBLIC_URL")
# Where results are uploaded, and its account, if any.
ABR_URL = address("DATAFORT_ABR_URL", default="https://alwaysberunning.net")
ABR_USER = env("DATAFORT_ABR_USER", default="")
ABR_PASSWORD = env("DATAFORT_ABR_PASSWORD", default="")

# --- Operator ----------------------------------------------------------------------------
# Shown in the footer and the imprint. An email or web address also creates a security.txt.
OPERATOR_NAME = env("DATAFORT_OPERATOR", default="").strip()
OPERATOR_CONTACT = env("DATAFORT_OPERATOR_CONTACT", default="").strip()
# Accounts that may create events and series: anybody, approved (accounts) or staff. core.checks
# rejects any other value.
ORGANISERS = env("DATAFORT_ORGANISERS", default="anybody").strip().lower()

# --- Time -------------------------------------------------------------------------
TIME_ZONE = time_zone("DATAFORT_TIME_ZONE", default="UTC")
USE_TZ = True

# --- Static files -------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "core.static_files.SiteStylesheet",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "core.static_files.GzipStaticFilesStorage"},
}

# Source maps are rarely requested, and compressing them takes the most time.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("png", "jpg", "webp", "woff", "woff2", "gz", "br", "map")

# --- Live --------------------------------------------------------------------------------
# URL of config.live, e.g. /live or http://192.168.1.5:8001. If empty, pages only poll.
LIVE_URL = address("DATAFORT_LIVE_URL", example="http://192.168.1.5:8001")

# --- Security --------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "connect-src": [SELF, *([LIVE_URL] if "//" in LIVE_URL else [])],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
CSRF_COOKIE_SAMESITE = "Lax"

# --- Forgetting --------------------------------------------------------------------------
# Months until people are erased after their last event, login or request to stay; 0 disables it.
FORGET_AFTER_MONTHS = whole_number("DATAFORT_FORGET_AFTER_MONTHS", default=12, least=0, most=1200)
CELERY_BEAT_SCHEDULE["count-statistics"] = {
    "task": "tournaments.tasks.count_statistics",
    "schedule": timedelta(seconds=60),
    "options": {"expires": 60},
}
CELERY_BEAT_SCHEDULE["forget-absent"] = {
    "task": "tournaments.tasks.forget_absent",
    "schedule": timedelta(hours=1),
    "options": {"expires": 3600},
}

# --- Backups -----------------------------------------------------------------------------
# Backup folder on the workers' machines; "" disables backups. On a server the operator sets it.
BACKUP_FOLDER = env("DATAFORT_BACKUPS", default=str(VAR_DIR / "backups") if IS_SQLITE else "")
# Minimum minutes between two automatic backups of the site.
BACKUP_MINUTES = whole_number("DATAFORT_BACKUP_MINUTES", default=10, least=1, most=1440)
# Old backups are thinned out to hourly, daily and weekly copies, each up to an age.
BACKUP_HOURS = whole_number("DATAFORT_BACKUP_HOURS", default=24, least=0, most=24 * 365)
BACKUP_DAYS = whole_number("DATAFORT_BACKUP_DAYS", default=14, least=1, most=3650)
BACKUP_WEEKS = whole_number("DATAFORT_BACKUP_WEEKS", default=8, least=0, most=520)
# Command that copies each new backup elsewhere; the path is appended as the last argument.
BACKUP_COMMAND = env("DATAFORT_BACKUP_COMMAND", default="").strip()
BACKUP_COMMAND_MINUTES = whole_number(
    "DATAFORT_BACKUP_COMMAND_MINUTES", default=30, least=1, most=1440
)
CELERY_BEAT_SCHEDULE["back-up-when-due"] = {
    "task": "tournaments.tasks.back_up_when_due",
    "schedule": timedelta(seconds=60),
    "options": {"expires": 60},
}

# --- Monitoring --------------------------------------------------------------------------
# Token for /metrics and the details of /readyz. If empty, /metrics does not exist.
METRICS_TOKEN = env("DATAFORT_METRICS_TOKEN", default="")
