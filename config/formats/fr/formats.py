"""Formats of French pages. Everything else is Django's."""

DATETIME_FORMAT = "j M Y, H:i"  # 12 sep 2026, 18:30
# Formats of our own, as in config.formats.en.
LONG_DATE_FORMAT = "j F Y"  # 12 septembre 2026
LONG_DATETIME_FORMAT = "j F Y, H:i"  # 12 septembre 2026, 18:30
EXACT_DATETIME_FORMAT = "j F Y, H:i:s"  # 12 septembre 2026, 18:30:05
EXACT_TIME_FORMAT = "H:i:s"  # 18:30:05
SHORT_MONTH_DATE_FORMAT = "j M Y"  # 12 sep 2026
DAY_TIME_FORMAT = "j F, H:i"  # 12 septembre, 18:30
WEEKDAY_DAY_FORMAT = "l j F"  # samedi 12 septembre
WEEKDAY_DATE_FORMAT = "l j F Y"  # samedi 12 septembre 2026
