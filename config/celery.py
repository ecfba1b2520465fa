"""The Celery application; settings with the prefix CELERY_ configure it."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

app = Celery("datafort")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
