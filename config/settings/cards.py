"""Cards and decks alone: what `check_deck` needs, so that it need not load the rest."""

from config.settings.base import *  # noqa: F403
from config.settings.base import INSTALLED_APPS as ALL_APPS

# What decks refer to: players, and what players refer to.
NEEDED = ("decks.", "players.", "allauth", "django.contrib.auth", "django.contrib.contenttypes")
SECRET_KEY = "signs nothing: no page is served with these settings"  # noqa: S105
INSTALLED_APPS = [app for app in ALL_APPS if app.startswith((*NEEDED, "django.contrib.sessions"))]
LOGGING_CONFIG = None
