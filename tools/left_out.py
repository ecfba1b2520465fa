"""Print what this machine could not test, in one line; with CI=true, nothing may be left out.

python -m tools.left_out
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tools import scaled

SEEDS = Path(__file__).resolve().parents[2] / "shared" / "seeds"
"""Documents that we may not ship."""
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
"""Documents used in comparisons, and their file names."""


def requires_documents() -> bool:
    # Hosted CI cannot have the documents.
    return os.environ.get("CI") == "true" and "GITHUB_ACTIONS" not in os.environ


def left_out() -> Iterator[str]:
    """Yield what was not tested, each with its reason."""
    for name, commands in COMMANDS.items():
        if not any(map(shutil.which, commands)):
            yield f"{name} (no {commands[0]} on the path)"
    if reasons := scaled.missing():
        yield f"PostgreSQL and Redis ({' '.join(' '.join(reasons).split())})"


def missing_documents() -> Iterator[str]:
    for name, files in DOCUMENTS.items():
        if not any(SEEDS.glob(files)):
            yield f"{name} (no {files} in {SEEDS})"


def main() -> int:
    """Print what was left out; return 1 if that is a failure."""
    machine, documents = [*left_out()], [*missing_documents()]
    left_out_parts = machine + documents
    print(f"Left out: {'; '.join(left_out_parts)}" if left_out_parts else "Nothing was left out.")
    is_failure = (machine and os.environ.get("CI") == "true") or (
        documents and requires_documents()
    )
    return 1 if is_failure else 0


if __name__ == "__main__":
    sys.exit(main())
