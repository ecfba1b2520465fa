"""Separate counters of login tries for each test."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _no_tries_of_others() -> None:
    cache.clear()
