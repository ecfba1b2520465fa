"""What this machine could not test, in one line; with CI=true nothing may be left out.

python -m tests.left_out
"""

import os
import shutil
import sys
from collections.abc import Iterator

from tests import scaled

PROGRAMS = {
    "pages in a browser": ("chromium", "chromium-browser"),
    "a site behind nginx": ("nginx", "/usr/sbin/nginx"),
    "a Redis that fails": ("redis-server",),
}


def left_out() -> Iterator[str]:
    """What was not tested, each with its reason."""
    for what, programs in PROGRAMS.items():
        if not any(map(shutil.which, programs)):
            yield f"{what} (no {programs[0]} on the path)"
    if reasons := scaled.missing():
        yield f"PostgreSQL and Redis ({' '.join(' '.join(reasons).split())})"


def main() -> int:
    """Tell it, and whether that is a failure."""
    found = list(left_out())
    print(f"Left out: {'; '.join(found)}" if found else "Nothing was left out.")
    return 1 if found and os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
