"""The Celery application; settings with the prefix CELERY_ configure it.

Tasks name it themselves, so that commands without tasks need not load Celery.
"""

from celery import Celery

app = Celery("datafort")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Each task is ready when it is declared: bound at its first use, two threads can meet one that is
# half bound, without a stack of requests.
app.finalize()
