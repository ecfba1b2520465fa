"""Finished pages are kept by the address of their event, and many tests name theirs alike."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()
