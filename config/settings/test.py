"""Settings for tests: fast hashing and plain static files."""

import os
import tempfile

from config.settings.base import *  # noqa: F403
from config.settings.base import CACHES, DATABASES, IS_SQLITE, REST_FRAMEWORK, STORAGES
from config.settings.environment import BASE_DIR
from config.settings.limits import API_LIMITS

SECRET_KEY = "only-for-tests, and long enough for the checks at the start"  # noqa: S105
ENCRYPTION_KEYS = ["b25seS1mb3ItdGVzdHMtYW5kLTMyLWJ5dGVzLWxvbmc="]
ADMIN_NEEDS_SECOND_FACTOR = False  # its own tests turn it on
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STATIC_ROOT = BASE_DIR / "static"  # no collectstatic in tests
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True  # looks up requested files instead of scanning the folder
# Parallel test processes share a Redis; the prefix separates their counters.
for name, cache in CACHES.items():
    cache["KEY_PREFIX"] = f"datafort-test-{os.getpid()}-{name}"
# No limits between tests; tests of limits set their own.
API_LIMITS = dict.fromkeys(API_LIMITS, 1_000_000)
# No cached pages between tests; tests of the page cache set their own time.
STRANGERS_PAGES_SECONDS = 0
REST_FRAMEWORK = {**REST_FRAMEWORK, "EXCEPTION_HANDLER": "tests.api.refusals.exception_handler"}
CELERY_TASK_ALWAYS_EAGER = True
TICKS_IN_PROCESS = False
CELERY_TASK_EAGER_PROPAGATES = False
BACKUP_COMMAND = ""
BACKUP_FOLDER = ""  # tests of backups set it

if IS_SQLITE:
    # A file as in production: an in-memory database does not wait for locks.
    TEST_FILE = f"datafort-test-{os.getpid()}.sqlite3"
    DATABASES["default"]["TEST"] = {"NAME": os.path.join(tempfile.gettempdir(), TEST_FILE)}
    # Test data need not survive a power cut.
    DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA synchronous=OFF;"
else:
    # A test is one long transaction, idle while the test runs Python. The last option wins.
    DATABASES["default"]["OPTIONS"]["options"] += " -c idle_in_transaction_session_timeout=600000"
    # Emptying all tables after a test takes longer than 5 s on a busy disk.
    DATABASES["default"]["OPTIONS"]["options"] += " -c statement_timeout=30000"
# Connections of test threads must not stay open and block dropping the database.
DATABASES["default"]["CONN_MAX_AGE"] = 0
