"""Sources of data and bundled front-end parts, for the credits page; NOTICE.md has the same."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Source:
    name: str | Promise
    origin: str
    included: str | Promise
    address: str = ""


@dataclass(frozen=True)
class Part:
    name: str
    license: str
    address: str


DATA = (
    Source(
        _("Cards of Netrunner (1996)"),
        "Datafort",
        _("A table made for this project. It holds facts printed on the cards, without card text."),
    ),
    Source(
        _("Cards, sets, formats and ban lists of Android: Netrunner"),
        "NetrunnerDB/netrunner-cards-json, 2025-09-17",
        _("Figures, names and ids, without card text or pictures."),
        "https://github.com/NetrunnerDB/netrunner-cards-json",
    ),
    Source(
        _("Rulings of Netrunner (1996)"),
        "Netrunner Rulings v1.62, 1998-12-14",
        _("A summary of each ruling in our own words, with its citations."),
    ),
    Source(
        _("Rules reference"),
        "Datafort",
        _("Summaries in our own words. Each page names its sources."),
    ),
)
# Loaded by browsers; other libraries run on the server only.
PARTS = (
    Part("htmx", "0BSD", "https://htmx.org"),
    Part("Swagger UI", "Apache-2.0", "https://github.com/swagger-api/swagger-ui"),
    Part("jQuery", "MIT", "https://jquery.com"),
    Part("Select2", "MIT", "https://select2.org"),
    Part("XRegExp", "MIT", "https://xregexp.com"),
)
