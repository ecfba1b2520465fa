"""Files made once for all test processes, and again when their sources change."""

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache" / "d"
"""Folder of these files."""
MADE_FROM = (
    *("*/migrations/*.py", "*/models/*.py", "decks/**/*.*", "rulings/**/*.*"),
    *("tests/factories/library.py", "tests/rulings/builders.py"),
)


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Admit one test process at a time."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def stamp() -> str:
    """A digest of everything a test database is made from."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in MADE_FROM for path in ROOT.glob(pattern)}):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
