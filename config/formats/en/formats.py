"""Formats of English pages: 24-hour times. Everything else is Django's format for en-gb."""

TIME_FORMAT = "H:i"  # 18:30
DATETIME_FORMAT = "j M Y, H:i"  # 12 Sep 2026, 18:30
SHORT_DATETIME_FORMAT = "d/m/Y H:i"  # 12/09/2026 18:30
