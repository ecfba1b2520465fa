"""Join the stylesheets of all components into one minified file, so that a page loads one."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

NAME = "css/site.css"
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
"""In the order of the cascade; below static/css."""

SPACE = r"(?:\s|/\*(?:[^*]|\*(?!/))*\*/)"
"""White space or a comment. A comment must not extend beyond its first end."""
TOKEN = re.compile(
    r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    rf"|{SPACE}*([{{}};,]){SPACE}*|(:)\s+|{SPACE}+",
    re.DOTALL,
)
"""A string; a separator with the space around it; a colon with the space after it; space."""


def minified(css: str) -> str:
    """Remove comments and space that has no meaning; strings and selectors stay as they are."""
    packed = TOKEN.sub(lambda found: found[1] or found[2] or found[3] or " ", css)
    return packed.replace(";}", "}").strip()


class SiteStylesheet(BaseFinder):
    """Find the stylesheet of the site; it is written again when one of its parts has changed."""

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
            # Closed to other accounts whoever asks first for something in it.
            settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return path
