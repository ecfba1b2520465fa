"""Separate counters of login tries for each test."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _reset_login_tries() -> None:
    cache.clear()
