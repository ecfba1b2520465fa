"""Finished pages are kept by the address of their event, and many tests name theirs alike."""

import pytest
from django.core.cache import caches


@pytest.fixture(autouse=True)
def _empty_cache():
    for name in caches.settings:
        caches[name].clear()
