"""Tests: quick hashing, plain static files, everything else as it is served."""

import os
import tempfile

from config.settings.base import *  # noqa: F403
from config.settings.base import CACHES, DATABASES, IS_SQLITE, REST_FRAMEWORK, STORAGES
from config.settings.environment import BASE_DIR
from config.settings.limits import API_LIMITS

SECRET_KEY = "only-for-tests, and long enough for the checks at the start"  # noqa: S105
ENCRYPTION_KEYS = ["b25seS1mb3ItdGVzdHMtYW5kLTMyLWJ5dGVzLWxvbmc="]
ADMIN_NEEDS_SECOND_FACTOR = False  # tests of it switch it on
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STATIC_ROOT = BASE_DIR / "static"  # nothing is collected
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True  # a test client looks for the file it is asked for alone
# Processes that test side by side share a Redis; limits of one are not another's.
for name, cache in CACHES.items():
    cache["KEY_PREFIX"] = f"datafort-test-{os.getpid()}-{name}"
# What one test asks is no other test's; tests of the limits set their own.
API_LIMITS = dict.fromkeys(API_LIMITS, 1_000_000)
# A page that one test has seen is no other test's; tests of kept pages set their own.
STRANGERS_PAGES_SECONDS = 0
REST_FRAMEWORK = {**REST_FRAMEWORK, "EXCEPTION_HANDLER": "tests.api.refusals.exception_handler"}
CELERY_TASK_ALWAYS_EAGER = True
TICKS_IN_PROCESS = False
CELERY_TASK_EAGER_PROPAGATES = False
BACKUP_COMMAND = ""
BACKUP_FOLDER = ""  # tests of backups name one

if IS_SQLITE:
    # A file, as it is served: an in-memory database knows no waiting for locks.
    TEST_FILE = f"datafort-test-{os.getpid()}.sqlite3"
    DATABASES["default"]["TEST"] = {"NAME": os.path.join(tempfile.gettempdir(), TEST_FILE)}
    # Nobody needs a test's database after a cut of power.
    DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA synchronous=OFF;"
else:
    # A test is one transaction, which lies open while the test thinks; what is said last holds.
    DATABASES["default"]["OPTIONS"]["options"] += " -c idle_in_transaction_session_timeout=600000"
    # Emptying every table after a test takes longer than 5 s on a busy disk.
    DATABASES["default"]["OPTIONS"]["options"] += " -c statement_timeout=30000"
# Threads of a test leave no connection behind that holds its database.
DATABASES["default"]["CONN_MAX_AGE"] = 0
