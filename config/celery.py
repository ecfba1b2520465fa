"""The Celery application for `celery -A config`."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

from core.celery import app as app
