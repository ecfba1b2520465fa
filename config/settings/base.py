"""What every way of running Datafort shares.

Two profiles, one code path: without DATABASE_URL and REDIS_URL everything
runs embedded (SQLite, tasks in the process, memory cache); with them it is
scaled (PostgreSQL, Celery workers, Redis).
"""

import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF

PROJECT = Path(__file__).resolve().parent.parent.parent
# A wheel carries templates, static files and the description of the API within this package.
PACKAGED = PROJECT / "config" / "files"
BASE_DIR = PACKAGED if PACKAGED.exists() else PROJECT
env = environ.Env()

VAR_DIR = Path(env("DATAFORT_VAR", default=str(BASE_DIR / "var")))

DEBUG = False
ALLOWED_HOSTS: list[str] = []

INSTALLED_APPS = [
    "tournaments.apps.TournamentsConfig",
    "rulings.apps.RulingsConfig",
    "matches.apps.MatchesConfig",
    "decks.apps.DecksConfig",
    "players.apps.PlayersConfig",
    "core.apps.CoreConfig",
    "django.contrib.admin.apps.SimpleAdminConfig",
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
    "tournaments.views.probes.probes_first",
    "core.body_limits.bodies_limited",
    "core.service_unavailable.DatabaseMayBeAway",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # What is kept packed already stays as it is; the length of the rest is blurred (BREACH).
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "core.body_limits.fields_without_nul",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "players.middleware.account_pages_unstored",
    "players.middleware.few_passwords_at_once",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournaments.views.probes.RequestMetrics",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            # What templates everywhere use, so that none has to load it.
            "builtins": [
                "core.templatetags.captured",
                "core.templatetags.idempotency",
                "django.contrib.humanize.templatetags.humanize",
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
                "tournaments.views.offline.offline",
            ],
        },
    },
]

# --- Database -----------------------------------------------------------------
DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'datafort.sqlite3'}")}
# Each thread keeps its connection: to open one takes longer than to ask a few questions.
DATABASES["default"]["CONN_MAX_AGE"] = 60
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Immediate transactions wait for the lock at the start, where waiting is
    # safe; deferred ones fail at once when two writers meet.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
        ),
    }
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["OPTIONS"] = {
        "options": "-c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000",
        # Seconds, milliseconds: a server that does not answer any more keeps no request for ever.
        "connect_timeout": 3,
        "tcp_user_timeout": 10_000,
        # What a connection asks again and again the server plans once.
        "server_side_binding": True,
        "prepare_threshold": 5,
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Cache, sessions and tasks -------------------------------------------------
REDIS_URL = env("REDIS_URL", default="")
# Two sites may share one server: each has names of its own there.
REDIS_PREFIX = env("DATAFORT_REDIS_PREFIX", default="datafort")
# One try, soon given up: a page does not wait for a cache (core.cache).
REDIS_CACHE: dict[str, Any] = {
    "BACKEND": "core.cache.SharedRedisCache",
    "LOCATION": REDIS_URL,
    "OPTIONS": {
        "REDIS_CLIENT_CLASS": "core.cache.GuardedRedis",
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
# "default" counts who asks and who guesses: core.limits, allauth. "pages" is a cache of its own, or
# whoever asks for many pages would push out what was counted.
CACHES = {
    name: {**REDIS_CACHE, "KEY_PREFIX": f"{REDIS_PREFIX}:{name}"}
    if REDIS_URL
    else {**MEMORY_CACHE, "LOCATION": name, "OPTIONS": {"MAX_ENTRIES": entries}}
    for name, entries in (("default", 20_000), ("pages", 300))
}
# Rows of long tables, as Django's tag {% cache %} keeps them: a few rounds and rosters.
CACHES["template_fragments"] = {
    **MEMORY_CACHE,
    "LOCATION": "template_fragments",
    "OPTIONS": {"MAX_ENTRIES": 4_000},
}
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
# A worker that gave up would leave the jobs of the day undone once the broker is back.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 60,
    "socket_connect_timeout": 1,
    # Longer than a worker waits for the next job, which is 1 second.
    "socket_timeout": 5,
    "global_keyprefix": f"{REDIS_PREFIX}:queue:",
}
# A turn that no worker took in time is left out: the next one does the same.
CELERY_BEAT_SCHEDULE = {
    name: {"task": task, "schedule": timedelta(seconds=5), "options": {"expires": 5}}
    for name, task in (
        ("sweep-jobs", "tournaments.tasks.sweep_jobs"),
        ("carry-out-due", "tournaments.tasks.carry_out_due"),
    )
}
# Whether the web server runs the schedule above in threads of its own (config.ticker).
TICKS_IN_PROCESS = False

# --- Accounts -------------------------------------------------------------------
AUTH_USER_MODEL = "players.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "players:me"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
# A shop's computer has no mail server; nothing waits for a mail.
ACCOUNT_EMAIL_VERIFICATION = "none"
# Sign-up takes an address that another account has, and a mail to it says so: nobody learns from
# the answer whose address is known here.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_LOGOUT_ON_GET = False
# A hall of phones shares one address: an account is what is protected, its password by
# players.login_tries, its second factor here. A passkey cannot be guessed.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "5/5m/key,600/5m/ip",
    "login": "600/5m/ip",
    "signup": "600/5m/ip",
}
ACCOUNT_ADAPTER = "players.adapter.AccountAdapter"
ACCOUNT_FORMS = {"login": "players.forms.LoginForm", "signup": "players.forms.SignupForm"}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Datafort: "
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
# Whoever adds a mail address to an account can have a new password sent there.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
MFA_ADAPTER = "players.adapter.MFAAdapter"
# What encrypts secrets of second factors and webhooks (core.encryption), the newest key first;
# without any a key is made beside the secret key.
ENCRYPTION_KEYS = env.list("DATAFORT_ENCRYPTION_KEYS", default=[])
MFA_TOTP_ISSUER = "Datafort"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "add_webauthn": "players.forms.AddPasskeyForm",
    "authenticate_webauthn": "players.forms.PasskeyForm",
    "login_webauthn": "players.forms.PasskeyLoginForm",
    "reauthenticate_webauthn": "players.forms.PasskeyAgainForm",
}
# A key cannot be guessed; a hall of phones shares one address.
MFA_RATE_LIMITS = {"webauthn_login": "1200/5m/ip"}
# Mail is never verified here, so a second factor cannot wait for that.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Whether staff may log in by password where others in the network can read along.
ALLOW_PLAIN_LOGINS = env.bool("DATAFORT_PLAIN_LOGINS", default=False)
# Who helps to run an event, for what knows of no events.
HAS_A_ROLE = "tournaments.queries.events.has_a_role"
# Which local rulings somebody may read, for what knows of no events.
LOCAL_RULINGS_FOR = "tournaments.visibility.local_rulings_for"
# Where the administration answers, below the site's address.
ADMIN_PATH = env("DATAFORT_ADMIN_PATH", default="admin").strip("/")
# Administrators of the site act as such only with a second factor.
ADMIN_NEEDS_SECOND_FACTOR = True
# How many proxies before the site append to X-Forwarded-For; none is believed otherwise.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("DATAFORT_PROXIES", default=0)
# The mail server with its account; without one mails are printed. A password is written as in an
# address: what is neither a letter nor a digit as %XX.
MAIL = env.email_url("DATAFORT_EMAIL_URL", default="consolemail://")
EMAIL_BACKEND = env("DATAFORT_EMAIL_BACKEND", default=MAIL["EMAIL_BACKEND"])
EMAIL_HOST, EMAIL_PORT = MAIL["EMAIL_HOST"] or "localhost", MAIL["EMAIL_PORT"] or 25
EMAIL_HOST_USER = MAIL["EMAIL_HOST_USER"] or ""
EMAIL_HOST_PASSWORD = MAIL["EMAIL_HOST_PASSWORD"] or ""
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.get("EMAIL_USE_TLS", False), MAIL.get("EMAIL_USE_SSL", False)
# Whom mails come from. Servers refuse what they do not know as theirs.
DEFAULT_FROM_EMAIL = env("DATAFORT_EMAIL_FROM", default="datafort@localhost")
# Seconds for each answer of the mail server, so that a mail takes less than core.jobs.LEASE.
EMAIL_TIMEOUT = 5

# Months after their last event, log-in or word to stay people are forgotten; 0: never.
FORGET_AFTER_MONTHS = env.int("DATAFORT_FORGET_AFTER_MONTHS", default=12)
CELERY_BEAT_SCHEDULE["forget-absent"] = {
    "task": "tournaments.tasks.forget_absent",
    "schedule": timedelta(hours=1),
    "options": {"expires": 3600},
}

# --- Messages to phones -------------------------------------------------------------
# Both, or no phone is told anything: a key of `manage.py make_push_key`, and who answers for it.
PUSH_KEY = env("DATAFORT_PUSH_KEY", default="")
PUSH_CONTACT = env("DATAFORT_PUSH_CONTACT", default="")

# --- Other programs --------------------------------------------------------------------
# Where people reach this site, for the addresses that other programs are told.
SITE_ADDRESS = env("DATAFORT_PUBLIC_URL", default="").rstrip("/")
# Where results are uploaded to, and the account for it, where there is one.
ABR_URL = env("DATAFORT_ABR_URL", default="https://alwaysberunning.net").rstrip("/")
ABR_USER = env("DATAFORT_ABR_USER", default="")
ABR_PASSWORD = env("DATAFORT_ABR_PASSWORD", default="")

# --- Language and time ------------------------------------------------------------
LANGUAGE_CODE = "en-gb"
TIME_ZONE = env("DATAFORT_TIME_ZONE", default="UTC")
USE_I18N = True
USE_TZ = True

# --- Static files -------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "core.stylesheet.SiteStylesheet",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "core.static_files.PackedFiles"},
}

# Nobody waits for the sources of scripts; to pack them takes longer than all else.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("png", "jpg", "webp", "woff", "woff2", "gz", "br", "map")

# --- Live --------------------------------------------------------------------------------
# Where config.live answers, e.g. /live or http://192.168.1.5:8001; empty: pages only poll.
LIVE_URL = env("DATAFORT_LIVE_URL", default="").rstrip("/")

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
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
# By the name of the address; all others take core.body_limits.MOST_BYTES. A deck page sends the
# list it was opened with beside a chosen file, and each form has fields around what is sent.
ROOM_OF_A_FORM = 64 * 1024
BODY_LIMITS = {
    **dict.fromkeys(
        (
            *("decks:check", "api:deck_check", "api:deck_export", "api:event_deck_check"),
            *("tournaments:deck", "tournaments:deck_change", "api:my_deck", "api:deck"),
        ),
        32 * 1024 + ROOM_OF_A_FORM,
    ),
    **dict.fromkeys(
        (
            *("tournaments:roster_paste", "tournaments:roster_csv", "tournaments:roster_apply"),
            *("api:registration_lists", "rulings:import", "api:ruling_imports"),
        ),
        1024 * 1024 + ROOM_OF_A_FORM,
    ),
    **dict.fromkeys(("tournaments:import", "api:imports"), 5 * 1024 * 1024 + ROOM_OF_A_FORM),
}
# What is pasted counts as what is chosen as a file: BODY_LIMITS says how much that may be.
DATA_UPLOAD_MAX_MEMORY_SIZE = max(BODY_LIMITS.values())
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# --- API ---------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["core.json_parser.GuardedJsonParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournaments.api.authentication.TokenAuthentication",
        "tournaments.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_THROTTLE_CLASSES": [
        "core.limits.AddressThrottle",
        "tournaments.api.authentication.TokenThrottle",
        "tournaments.api.authentication.TokenWriteThrottle",
        "tournaments.api.authentication.PersonThrottle",
    ],
    "DEFAULT_PAGINATION_CLASS": "core.api.Pagination",
    "DEFAULT_SCHEMA_CLASS": "core.openapi.Schema",
    "EXCEPTION_HANDLER": "core.api.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
# How many a minute. A hall of 500 phones that ask every five seconds makes 6,000 at one address.
API_LIMITS = {
    "address": env.int("DATAFORT_LIMIT_ADDRESS", default=20_000),
    "token": env.int("DATAFORT_LIMIT_TOKEN", default=600),
    "token_writes": env.int("DATAFORT_LIMIT_TOKEN_WRITES", default=300),
    "person": env.int("DATAFORT_LIMIT_PERSON", default=300),
    "unknown_tokens": env.int("DATAFORT_LIMIT_UNKNOWN_TOKENS", default=600),
    # Strangers at one address: deck checks, previews, booklets and exports; searches follow typing.
    "expensive": env.int("DATAFORT_LIMIT_EXPENSIVE", default=120),
    "search": env.int("DATAFORT_LIMIT_SEARCH", default=600),
    # One account with a role at an event: as many of each.
    "organiser": env.int("DATAFORT_LIMIT_ORGANISER", default=300),
    # Of one account, previews among them: the site reads one file at a time.
    "imports": env.int("DATAFORT_LIMIT_IMPORTS", default=20),
    # Not a minute, but at the same time, forms of account pages too: fewer than threads.
    "at_once": env.int("DATAFORT_LIMIT_AT_ONCE", default=3),
}
# Where core.api_writes keeps its answers.
KEPT_ANSWERS = "tournaments.KeptAnswer"
KNOX_TOKEN_MODEL = "tournaments.ApiToken"  # noqa: S105 - the name of a table
# Its own table of tokens is not ours: nothing would ever stand in it.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {"TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Token"}
# Made by `make openapi`, and served as it is.
API_DESCRIPTION = BASE_DIR / "docs" / "openapi.yaml"
SPECTACULAR_SETTINGS = {
    "TITLE": "Datafort API",
    "DESCRIPTION": (
        "Everything the pages do. What everybody may read needs no token; to run an event, play in "
        "it or read what is yours, make one on your page, under Tokens."
    ),
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "RegistrationStateEnum": "tournaments.models.RegistrationState.choices",
        "LockedByEnum": "tournaments.models.LockedBy.choices",
        "DeckAudienceEnum": "tournaments.models.DeckAudience.choices",
        "FoundEnum": "tournaments.serializers.people.deck_checks.OUTCOMES",
        "ArrivalEnum": "tournaments.serializers.people.roster.OUTCOMES",
        "StaffRoleEnum": "tournaments.models.StaffRole.choices",
        "GivenRoleEnum": "tournaments.serializers.people.staff.GIVEN_ROLES",
        "FirstSystemEnum": "tournaments.serializers.people.settings.STARTS",
        "SendingKindEnum": "tournaments.serializers.people.gathering.SENT",
        "RoundStateEnum": "tournaments.serializers.rounds.PUBLIC_STATES",
        "GameEnum": "decks.games.GameSystem.choices",
        "JudgedGameEnum": "decks.api.verdicts.JUDGED_GAMES",
        "KindEnum": "rulings.models.RulingKind.choices",
        "DocumentKindEnum": "rulings.models.DocumentKind.choices",
        "RulingStateEnum": "rulings.serializers.STATES",
        "CallStateEnum": "tournaments.serializers.judging.calls.STATES",
        "NoteKindEnum": "rulings.models.NoteKind.choices",
        "PenaltyKindEnum": "tournaments.serializers.judging.guide.KINDS",
        "PenaltyOfACallEnum": "tournaments.serializers.judging.calls.MILDER",
        "SystemEnum": "tournaments.systems.STORED",
        "CutSystemEnum": "tournaments.systems.ELIMINATIONS",
        "CutEnum": "tournaments.systems.CUTS",
        "DeliveryStateEnum": "tournaments.models.DeliveryState.choices",
        "UploadStateEnum": "tournaments.models.UploadState.choices",
        "HappeningEnum": "tournaments.models.WebhookEvent.choices",
        "HeardEnum": "tournaments.services.webhooks.CHOICES",
        "JobStateEnum": "core.jobs.JobState.choices",
        "JobKindEnum": "tournaments.models.JobKind.choices",
        "MatchStateEnum": "matches.models.MatchState.choices",
        "ReportStateEnum": "matches.models.ReportState.choices",
        "AnyRoundStateEnum": "tournaments.models.RoundState.choices",
        "BracketGameStateEnum": "tournaments.serializers.cuts.GAME_STATES",
        "ClockStateEnum": "tournaments.serializers.clocks.CLOCK_STATES",
        "StepEnum": "tournaments.serializers.desk.STEPS",
        "RoleEnum": "tournaments.serializers.results.ROLES",
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# --- Backups -----------------------------------------------------------------------------
# Where the worker keeps them; "" makes none. A server says itself which disk that is.
BACKUP_FOLDER = env(
    "DATAFORT_BACKUPS", default="" if env("DATABASE_URL", default="") else str(VAR_DIR / "backups")
)
# How often while a round is played, besides after every round; 0: after rounds and daily alone.
BACKUP_MINUTES = env.int("DATAFORT_BACKUP_MINUTES", default=10)
BACKUPS_KEPT = env.int("DATAFORT_BACKUPS_KEPT", default=100)
BACKUP_DAYS = env.int("DATAFORT_BACKUP_DAYS", default=30)
# A worker logs as the site does.
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE["back-up-when-due"] = {
    "task": "tournaments.tasks.back_up_when_due",
    "schedule": timedelta(seconds=60),
    "options": {"expires": 60},
}

# --- Watching ----------------------------------------------------------------------------
# Opens /metrics and the details of /readyz; "": /metrics does not exist.
METRICS_TOKEN = env("DATAFORT_METRICS_TOKEN", default="")

# --- Logs --------------------------------------------------------------------------------
# What is read again and again is told at DEBUG alone, and never who asked.
DJANGO_STRUCTLOG_STATUS_DEFAULT_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
DJANGO_STRUCTLOG_USER_ID_FIELD = ""
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
# A proxy that is trusted may give each request its number.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = ALLAUTH_TRUSTED_PROXY_COUNT > 0
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"()": "core.logs.plain_formatter"},
        "json": {"()": "core.logs.json_formatter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": env("DATAFORT_LOG_FORMAT", default="plain"),
        }
    },
    "loggers": {
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # django-structlog tells both, without the address.
        "django.request": {"level": "CRITICAL"},
        "celery.app.trace": {"level": "WARNING"},
    },
    "root": {"handlers": ["console"], "level": env("DATAFORT_LOG_LEVEL", default="INFO")},
}
