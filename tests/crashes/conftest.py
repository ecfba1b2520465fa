"""The steps of an evening, ready to be tried."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from tests.crashes.bench import Bench
from tests.crashes.works import works


@pytest.fixture
def benches(transactional_db: None, tmp_path: Path) -> dict[str, Bench]:
    """Every step of the evening, by its name."""
    ready = works()
    for work in ready.values():
        work.ask("OPTIONS")
    now = timezone.now() + timedelta(minutes=2)
    return {name: Bench(work, tmp_path, now) for name, work in ready.items()}
