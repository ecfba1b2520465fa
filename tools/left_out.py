"""What this machine could not test, in one line; with CI=true nothing may be left out.

python -m tools.left_out
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tools import scaled

SEEDS = Path(__file__).resolve().parents[2] / "shared" / "seeds"
"""Documents that are not ours to ship."""
COMMANDS = {
    "pages in a browser": ("chromium", "chromium-browser"),
    "a site behind nginx": ("nginx", "/usr/sbin/nginx"),
    "a Redis that fails": ("redis-server",),
    "the units of systemd": ("systemd-analyze",),
    "the examples for a shell": ("curl",),
    "the catalogues of translations": ("xgettext",),
    "the OpenAPI document by Redocly": ("redocly",),
    "the OpenAPI document by Spectral": ("spectral",),
}
DOCUMENTS = {"the original list of rulings": "002_*.txt", "words copied from documents": "*.txt"}
"""What is compared with those, and their names."""


def requires_documents() -> bool:
    # Hosted CI cannot have them.
    return os.environ.get("CI") == "true" and "GITHUB_ACTIONS" not in os.environ


def left_out() -> Iterator[str]:
    """What was not tested, each with its reason."""
    for what, commands in COMMANDS.items():
        if not any(map(shutil.which, commands)):
            yield f"{what} (no {commands[0]} on the path)"
    if reasons := scaled.missing():
        yield f"PostgreSQL and Redis ({' '.join(' '.join(reasons).split())})"


def missing_documents() -> Iterator[str]:
    for what, files in DOCUMENTS.items():
        if not any(SEEDS.glob(files)):
            yield f"{what} (no {files} in {SEEDS})"


def main() -> int:
    """Print it, and whether that is a failure."""
    machine, documents = [*left_out()], [*missing_documents()]
    found = machine + documents
    print(f"Left out: {'; '.join(found)}" if found else "Nothing was left out.")
    is_failure = (machine and os.environ.get("CI") == "true") or (
        documents and requires_documents()
    )
    return 1 if is_failure else 0


if __name__ == "__main__":
    sys.exit(main())
