"""A prepared step of an event."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from tests.crashes.bench import Bench
from tests.crashes.works import WORKS
from tests.factories.tournaments import make_event, play_round


@pytest.fixture
def bench(step: str, transactional_db: None, tmp_path: Path) -> Bench:
    """The step named by the parameter of the test."""
    # A second event, of which nothing may change.
    play_round(make_event(2, name="beside"))
    work = WORKS[step]()
    work.send("OPTIONS")
    return Bench(work, tmp_path, timezone.now() + timedelta(minutes=2))
