"""Join the stylesheets of all components into a single minified file."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

NAME = "css/site.css"
# Below static/css, in the order of the cascade.
PARTS = (
    "tokens",
    "base",
    "layout",
    "components/shell",
    "components/controls",
    "components/forms",
    "components/data",
    "components/table",
    "components/event",
    "components/seat",
    "components/report",
    "components/news",
    "components/outbox",
    "components/desk",
    "components/deck",
    "components/rulings",
    "components/reference",
    "components/search",
    "components/legal",
)

# White space or a comment. A comment must not extend beyond its first end.
SPACE = r"(?:\s|/\*(?:[^*]|\*(?!/))*\*/)"
# A string; a separator with the space around it; a colon with the space after it; space.
TOKEN = re.compile(
    r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    rf"|{SPACE}*([{{}};,]){SPACE}*|(:)\s+|{SPACE}+",
    re.DOTALL,
)


def minified(css: str) -> str:
    """Remove comments and insignificant space; strings and selectors are unchanged."""
    packed = TOKEN.sub(lambda found: found[1] or found[2] or found[3] or " ", css)
    return packed.replace(";}", "}").strip()


class SiteStylesheet(BaseFinder):
    """Find the site's stylesheet, and write it again when a part has changed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = FileSystemStorage(location=settings.VAR_DIR / "stylesheet")

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:
        if path != NAME:
            return []
        made = str(self._made())
        return [made] if find_all else made

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        self._made()
        yield NAME, self.storage

    def _made(self) -> Path:
        source: Path = settings.BASE_DIR / "static" / "css"
        parts = ((source / f"{part}.css").read_text(encoding="utf-8") for part in PARTS)
        text = minified("\n".join(parts))
        path = Path(self.storage.path(NAME))
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            # Create the folder closed to other accounts, whichever process is first.
            settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return path
