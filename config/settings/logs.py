"""Logging: formats, levels and loggers."""

import logging
from typing import Any

from config.settings.accounts import ALLAUTH_TRUSTED_PROXY_COUNT
from config.settings.environment import one_of

LOG_FORMATS = ("plain", "json")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
# Frequent successful requests are logged at DEBUG only, and never with the user.
DJANGO_STRUCTLOG_STATUS_DEFAULT_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
DJANGO_STRUCTLOG_USER_ID_FIELD = ""
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
# A trusted proxy may set the request ID; core.logs validates it.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = ALLAUTH_TRUSTED_PROXY_COUNT > 0
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"()": "core.logs.plain_formatter"},
        "json": {"()": "core.logs.json_formatter"},
    },
    "filters": {"tasks": {"()": "core.logs.TaskFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": one_of("DATAFORT_LOG_FORMAT", default="plain", choices=LOG_FORMATS),
        }
    },
    "loggers": {
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # django-structlog logs these errors, without the address.
        "django.request": {"level": "CRITICAL"},
        # A single line per task, when it is done; not when a worker or beat passes it on.
        "celery.app.trace": {"filters": ["tasks"]},
        "celery.beat": {"level": "WARNING"},
        "celery.worker.request": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
    },
    "root": {
        "handlers": ["console"],
        "level": one_of("DATAFORT_LOG_LEVEL", default="INFO", choices=LOG_LEVELS),
    },
}
