"""The entry point of the web server."""

import gc
import os
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

if settings.TICKS_IN_PROCESS:
    # No worker and no beat beside this process: it looks at the time itself.
    from config import ticker

    ticker.start()
