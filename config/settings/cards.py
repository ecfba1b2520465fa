"""Minimal settings for `check_deck`: only cards and decks, for a fast start."""

from config.settings.base import *  # noqa: F403
from config.settings.base import INSTALLED_APPS as ALL_APPS

# Decks have foreign keys to players, whose models need these apps.
NEEDED = ("decks.", "players.", "allauth", "django.contrib.auth", "django.contrib.contenttypes")
SECRET_KEY = "signs nothing: no page is served with these settings"  # noqa: S105
INSTALLED_APPS = [app for app in ALL_APPS if app.startswith((*NEEDED, "django.contrib.sessions"))]
LOGGING_CONFIG = None
