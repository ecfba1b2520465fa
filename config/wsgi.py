"""The entry point of the web server."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from core import garbage, starting
from core.crew import crewed
from core.whole_bodies import whole_bodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

application = whole_bodies(crewed(get_wsgi_application(), settings.WORKERS))
starting.begin()
garbage.look_seldom()

if settings.TICKS_IN_PROCESS:
    # No worker and no beat beside this process: it looks at the time itself.
    from config import ticker

    ticker.start()
