"""Collect static files when they have changed, and serve them."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.http import HttpRequest, HttpResponse
from whitenoise.compress import Compressor
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

STAMP = ".collected"
# Files of libraries that no page here uses.
UNUSED = ["redoc", "rest_framework"]


class PackedFiles(CompressedManifestStaticFilesStorage):
    """Compress with gzip only: brotli, if installed, takes ten times as long."""

    def create_compressor(self, **kwargs: Any) -> Compressor:
        return super().create_compressor(**kwargs, use_brotli=False)


class StaticFiles(WhiteNoiseMiddleware):
    """Also serve files that were collected after this process began.

    During an upgrade, pages of the new release request their stylesheet from old processes.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        if not self.autorefresh:
            folder = os.path.join(os.path.abspath(settings.STATIC_ROOT), "")
            self.directories.append((folder, self.static_prefix))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        url = request.path_info
        if not self.autorefresh and url.startswith(self.static_prefix) and url not in self.files:
            found = self.find_file(url)
            if found is not None:
                self.files[url] = found
        response: HttpResponse = super().__call__(request)
        return response


def collect_if_changed() -> bool:
    """Collect static files if they have changed, and return whether they had.

    Hashing and compressing them takes seconds.
    """
    stamp = Path(settings.STATIC_ROOT) / STAMP
    wanted = _fingerprint()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return False
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED)
    stamp.write_text(wanted, encoding="utf-8")
    return True


def _fingerprint() -> str:
    """Hash the path, size and time of each source file."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            facts = (path, storage.size(path), storage.get_modified_time(path).timestamp())
            digest.update(repr(facts).encode())
    return digest.hexdigest()
