"""Every address of the API, filled in for what the fixtures have made."""

from config import api_urls

VALUES = {
    "events": {"<slug:slug>": "spring-run", "<int:number>": "1"},
    "cards": {"<slug:game>": "onr", "<slug:slug>": "ice-pick-willie"},
    "formats": {},
    "rulings": {"<slug:code>": "tracing-1"},
}
WRITTEN = ["decks/check/"]
TEMPLATES = [
    str(pattern.pattern)
    for pattern in api_urls.urlpatterns
    if pattern.name not in (None, "start") and str(pattern.pattern) not in WRITTEN
]


def address(template: str) -> str:
    """The address of a route, with values that exist."""
    for sign, value in VALUES[template.split("/")[0]].items():
        template = template.replace(sign, value)
    return f"/api/v1/{template}"


ADDRESSES = [address(template) for template in TEMPLATES]
LISTS = [one for one in ADDRESSES if one.endswith(("s/", "standings/")) and "rounds/1/" not in one]
