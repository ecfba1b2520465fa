"""Formats of English pages: 24-hour times. Everything else is Django's format for en-gb."""

TIME_FORMAT = "H:i"  # 18:30
DATETIME_FORMAT = "j M Y, H:i"  # 12 Sep 2026, 18:30
SHORT_DATETIME_FORMAT = "d/m/Y H:i"  # 12/09/2026 18:30
# Formats of our own.
LONG_DATE_FORMAT = "j F Y"  # 12 September 2026
LONG_DATETIME_FORMAT = "j F Y, H:i"  # 12 September 2026, 18:30
EXACT_DATETIME_FORMAT = "j F Y, H:i:s"  # 12 September 2026, 18:30:05
EXACT_TIME_FORMAT = "H:i:s"  # 18:30:05
SHORT_MONTH_DATE_FORMAT = "j M Y"  # 12 Sep 2026
DAY_TIME_FORMAT = "j F, H:i"  # 12 September, 18:30
WEEKDAY_DAY_FORMAT = "l j F"  # Saturday 12 September
WEEKDAY_DATE_FORMAT = "l j F Y"  # Saturday 12 September 2026
