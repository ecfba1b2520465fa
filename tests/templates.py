"""What is made once for all test processes, and again when what it is made from has changed."""

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache" / "d"
"""Where it lies until then."""
MADE_FROM = (
    *("*/migrations/*.py", "*/models/*.py", "decks/**/*.*", "rulings/**/*.*"),
    *("tests/factories/library.py", "tests/rulings/builders.py"),
)


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Of all test processes only this one is in here."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def stamp() -> str:
    """Another text after any change of what a database is made from."""
    found = hashlib.sha256()
    for path in sorted({path for pattern in MADE_FROM for path in ROOT.glob(pattern)}):
        if path.is_file() and path.suffix != ".pyc":
            found.update(path.read_bytes())
    return found.hexdigest()[:12]
