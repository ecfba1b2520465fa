"""A browser in words people know, out of what it says of itself."""

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)
"""Sign and name; the first sign that is there counts, because browsers name their forebears too."""


def device_name(user_agent: str) -> str:
    """Such as "Firefox, Android"; what is unknown stays as it says, up to 60 letters."""
    known = [
        next((name for sign, name in names if sign in user_agent), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, known)) or user_agent[:60] or "Unknown"
