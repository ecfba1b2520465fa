"""What every way of running Datafort shares.

Two profiles, one code path: without DATABASE_URL and REDIS_URL everything
runs embedded (SQLite, tasks in the process, memory cache); with them it is
scaled (PostgreSQL, Celery workers, Redis).
"""

from datetime import timedelta
from pathlib import Path

import django_stubs_ext
import environ
from csp.constants import NONE, SELF
from redis.backoff import NoBackoff
from redis.retry import Retry

django_stubs_ext.monkeypatch()  # lets forms and admins name the model they are for

BASE_DIR = Path(__file__).resolve().parent.parent.parent
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
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "template_partials",
]

MIDDLEWARE = [
    "core.bodies.bodies_limited",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # What is kept packed already stays as it is; the length of the rest is blurred (BREACH).
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "core.bodies.fields_without_nul",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "players.middleware.account_pages_unstored",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
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
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # Immediate transactions wait for the lock at the start, where waiting is
    # safe; deferred ones fail at once when two writers meet.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
        ),
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["OPTIONS"] = {
        "options": "-c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000"
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Cache, sessions and tasks -------------------------------------------------
REDIS_URL = env("REDIS_URL", default="")
# Two sites may share one server: each has names of its own there.
REDIS_PREFIX = env("DATAFORT_REDIS_PREFIX", default="datafort")
# One try, soon given up: a page does not wait for a cache.
REDIS_OPTIONS = {
    "retry": Retry(NoBackoff(), 0),
    "socket_connect_timeout": 0.5,
    "socket_timeout": 0.5,
}
CACHES = {
    "default": {
        "BACKEND": "core.cache.StandInRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": REDIS_PREFIX,
        "OPTIONS": REDIS_OPTIONS,
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_AGE = int(timedelta(days=60).total_seconds())
SESSION_COOKIE_SAMESITE = "Lax"

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 60,
    "socket_connect_timeout": 1,
    "global_keyprefix": f"{REDIS_PREFIX}:queue:",
}
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {"task": "tournaments.tasks.sweep_jobs", "schedule": timedelta(seconds=15)},
    "carry-out-due": {"task": "tournaments.tasks.carry_out_due", "schedule": timedelta(seconds=5)},
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
ACCOUNT_LOGOUT_ON_GET = False
# A hall of phones shares one address: an account is what is protected.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "5/5m/key,600/5m/ip",
    "login": "600/5m/ip",
    "signup": "600/5m/ip",
}
ACCOUNT_ADAPTER = "players.adapter.AccountAdapter"
ACCOUNT_FORMS = {"login": "players.forms.LoginForm", "signup": "players.forms.SignupForm"}
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Datafort: "
MFA_TOTP_ISSUER = "Datafort"
# Mail is never verified here, so a second factor cannot wait for that.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# How many proxies before the site append to X-Forwarded-For; none is believed otherwise.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("DATAFORT_PROXIES", default=0)
EMAIL_BACKEND = env(
    "DATAFORT_EMAIL_BACKEND", default="django.core.mail.backends.console.EmailBackend"
)
# Seconds: a mail server that does not answer keeps no worker.
EMAIL_TIMEOUT = 10

# --- Messages to phones -------------------------------------------------------------
# Both, or no phone is told anything: a key of `manage.py make_push_key`, and who answers for it.
PUSH_KEY = env("DATAFORT_PUSH_KEY", default="")
PUSH_CONTACT = env("DATAFORT_PUSH_CONTACT", default="")

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
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

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
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# --- API ---------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["core.json_parser.GuardedJsonParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "core.api.Pagination",
    "DEFAULT_SCHEMA_CLASS": "core.openapi.Schema",
    "EXCEPTION_HANDLER": "core.api.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Datafort API",
    "DESCRIPTION": "Read events, rounds, pairings, standings, cards and rulings; check deck lists.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "RegistrationStateEnum": "tournaments.models.RegistrationState.choices",
        "RoundStateEnum": "tournaments.serializers.rounds.PUBLIC_STATES",
        "GameEnum": "decks.games.GameSystem.choices",
        "JudgedGameEnum": "decks.api.verdicts.JUDGED_GAMES",
        "KindEnum": "rulings.models.RulingKind.choices",
        "DocumentKindEnum": "rulings.models.DocumentKind.choices",
        "RulingStateEnum": "rulings.serializers.STATES",
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# --- Logs --------------------------------------------------------------------------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    },
    "filters": {"hide_secrets": {"()": "players.logs.HideSecrets"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "plain",
            "filters": ["hide_secrets"],
        }
    },
    "loggers": {
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
        "celery.app.trace": {"level": "WARNING"},
    },
    "root": {"handlers": ["console"], "level": env("DATAFORT_LOG_LEVEL", default="INFO")},
}
