"""The entry point of the web server."""

import gc
import os
import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from core import checks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

# What is loaded stays: to look for garbage in it over and over takes a sixth of the start.
gc.disable()
application = get_wsgi_application()
checks.refuse_unsafe()
# Now, and not while the first reader waits.
import_module(settings.ROOT_URLCONF)
gc.freeze()
gc.enable()

# A thread that computes keeps the interpreter for so long. After each query a quick request waits
# for it once more, with Python's 5 ms about ten times as long as the query takes.
sys.setswitchinterval(0.0005)

if settings.TICKS_IN_PROCESS:
    # No worker and no beat beside this process: it looks at the time itself.
    from config import ticker

    ticker.start()
