"""Pages load htmx if, and only if, an element uses it."""

import re
from functools import cache
from pathlib import Path

from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"
LOADED = "components/htmx.html"
REQUEST = re.compile(r"\bhx-(get|post|put|patch|delete)=")
PART = re.compile(r'{%-? *(?:include|extends) "([^"]+)"')


@cache
def parts(name: str) -> frozenset[str]:
    """Return the template, and all templates it includes or extends."""
    path = TEMPLATES / name
    if not path.exists():
        return frozenset()
    found = PART.findall(path.read_text(encoding="utf-8"))
    return frozenset([name]).union(*(parts(part) for part in found))


def test_only_pages_with_htmx_elements_load_htmx():
    sources = {
        path.relative_to(TEMPLATES).as_posix(): path.read_text(encoding="utf-8")
        for path in TEMPLATES.rglob("*.html")
    }
    pages = [name for name in sources if "base.html" in parts(name) and "base" not in name]
    using = {page for page in pages if any(REQUEST.search(sources[part]) for part in parts(page))}

    assert using
    assert {page for page in pages if LOADED in parts(page)} == using
