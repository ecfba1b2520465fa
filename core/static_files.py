"""Static files: one stylesheet from its parts, collected when changed, and served."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder, get_finders
from django.core.files.storage import FileSystemStorage
from django.core.management import call_command
from django.http import HttpRequest, HttpResponse
from whitenoise.compress import Compressor
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

STAMP_FILE = ".collected"
# Files of libraries that no page here uses.
UNUSED_FOLDERS = ["redoc", "rest_framework"]


class GzipStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Compress with gzip only: brotli, if installed, takes ten times as long."""

    def create_compressor(self, **kwargs: Any) -> Compressor:
        return super().create_compressor(**kwargs, use_brotli=False)


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """Serve files collected after the start too: old processes still run after an upgrade."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        if not self.autorefresh:
            folder = os.path.join(os.path.abspath(settings.STATIC_ROOT), "")
            self.directories.append((folder, self.static_prefix))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        url = request.path_info
        if not self.autorefresh and url.startswith(self.static_prefix) and url not in self.files:
            file = self.find_file(url)
            if file is not None:
                self.files[url] = file
        response: HttpResponse = super().__call__(request)
        return response


def collect_if_changed() -> bool:
    # Hashing and compressing all files takes seconds.
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            facts = (path, storage.size(path), storage.get_modified_time(path).timestamp())
            digest.update(repr(facts).encode())
    stamp, fingerprint = Path(settings.STATIC_ROOT) / STAMP_FILE, digest.hexdigest()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == fingerprint:
        return False
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED_FOLDERS)
    stamp.write_text(fingerprint, encoding="utf-8")
    return True


# The stylesheet, joined from its parts and minified.

STYLESHEET_NAME = "css/site.css"
# Below static/css, in the order of the cascade.
STYLESHEET_PARTS = (
    "tokens",
    "base",
    "layout",
    "components/shell",
    "components/controls",
    "components/forms",
    "components/data",
    "components/table",
    "components/event",
    "components/phone-bar",
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
CSS_SPACE = r"(?:\s|/\*(?:[^*]|\*(?!/))*\*/)"
# A string; a separator with the space around it; a colon with the space after it; space.
CSS_TOKEN = re.compile(
    r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    rf"|{CSS_SPACE}*([{{}};,]){CSS_SPACE}*|(:)\s+|{CSS_SPACE}+",
    re.DOTALL,
)


def minify_css(css: str) -> str:
    """Remove comments and insignificant space; strings and selectors are unchanged."""
    packed = CSS_TOKEN.sub(lambda match: match[1] or match[2] or match[3] or " ", css)
    return packed.replace(";}", "}").strip()


class SiteStylesheet(BaseFinder):
    """Finder that writes the site's stylesheet again when a part has changed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = FileSystemStorage(location=settings.VAR_DIR / "stylesheet")

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:
        if path != STYLESHEET_NAME:
            return []
        written = str(self._write_if_changed())
        return [written] if find_all else written

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        self._write_if_changed()
        yield STYLESHEET_NAME, self.storage

    def _write_if_changed(self) -> Path:
        source: Path = settings.BASE_DIR / "static" / "css"
        parts = ((source / f"{part}.css").read_text(encoding="utf-8") for part in STYLESHEET_PARTS)
        text = minify_css("\n".join(parts))
        path = Path(self.storage.path(STYLESHEET_NAME))
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            # Create the folder closed to other accounts, whichever process is first.
            settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return path
