"""The games that can be played; `onr` is the default everywhere."""

from django.db import models


class GameSystem(models.TextChoices):
    ONR = "onr", "Netrunner (1996)"
    ANR = "anr", "Android: Netrunner"
    FREE_RADICALS = "free_radicals", "Free Radicals"
