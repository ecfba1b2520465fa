"""Pages load htmx if, and only if, an element or a script uses it."""

import re
from functools import cache
from pathlib import Path

from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"
STATIC = Path(settings.BASE_DIR) / "static"
LOADED = "components/htmx.html"
REQUEST = re.compile(r"\bhx-(get|post|put|patch|delete)=")
SENT = re.compile(r"window\.htmx\s*\.ajax\(")
SCRIPT = re.compile(r"'(js/\w+\.js)'")
# Content of a side sheet. The page below it loads htmx; alone, it is a page of plain forms.
SHEET = "data-sheet-content"
PART = re.compile(r'{%-? *(?:include|extends) "([^"]+)"')


@cache
def parts(name: str) -> frozenset[str]:
    """Return the template, and all templates it includes or extends."""
    path = TEMPLATES / name
    if not path.exists():
        return frozenset()
    included = PART.findall(path.read_text(encoding="utf-8"))
    return frozenset([name]).union(*(parts(template) for template in included))


def uses_htmx(source: str) -> bool:
    scripts = (STATIC / script for script in SCRIPT.findall(source))
    by_script = any(SENT.search(script.read_text(encoding="utf-8")) for script in scripts)
    return by_script or (SHEET not in source and bool(REQUEST.search(source)))


def test_only_pages_with_htmx_elements_load_htmx():
    sources = {
        path.relative_to(TEMPLATES).as_posix(): path.read_text(encoding="utf-8")
        for path in TEMPLATES.rglob("*.html")
    }
    pages = [name for name in sources if "base.html" in parts(name) and "base" not in name]
    using = {
        page for page in pages if any(uses_htmx(sources[template]) for template in parts(page))
    }

    assert using
    assert {page for page in pages if LOADED in parts(page)} == using
