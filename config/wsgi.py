"""The entry point of the web server."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from core import checks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

application = get_wsgi_application()
checks.refuse_unsafe()

if settings.TICKS_IN_PROCESS:
    # No worker and no beat beside this process: it looks at the time itself.
    from config import ticker

    ticker.start()
