"""What `celery -A config` finds."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

from core.celery import app as app
