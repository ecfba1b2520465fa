"""Counts that end by themselves, in a cache: how often, within some time."""

from django.core.cache.backends.base import BaseCache


def one_more(cache: BaseCache, key: str, seconds: int) -> int:
    """Count one under this key, which is forgotten so many seconds after the first; how many.

    Always 1 while the cache is away.
    """
    if cache.add(key, 1, seconds):
        return 1
    try:
        return cache.incr(key) or 1
    except ValueError:
        # It ended, or a full cache dropped it, between the two calls.
        cache.add(key, 1, seconds)
        return 1
