"""The WSGI entry point of the web server."""

import gc
import os
import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from core import checks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

# Modules are never freed, and collecting garbage while importing takes a sixth of the start.
gc.disable()
application = get_wsgi_application()
checks.refuse_unsafe()
# Import the URLs now instead of during the first request.
import_module(settings.ROOT_URLCONF)
gc.freeze()
gc.enable()

# With Python's default of 5 ms, a quick request waits for a busy thread after each query. That is
# about ten times as long as the query takes.
sys.setswitchinterval(0.0005)

if settings.TICKS_IN_PROCESS:
    # There is no worker and no beat: this process runs the schedule.
    from config import ticker

    ticker.start_ticker()
