"""A cache that may be gone: slower then, not broken."""

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from core.breaker import breaker_of

logger = logging.getLogger(__name__)


class StandInRedisCache(RedisCache):
    """Redis; while it does not answer, or is full, a small cache of this process stands in.

    Limits then count for each process by itself, which is stricter than not at
    all; finished pages are rendered once by each. One request in a while waits
    for the answer of Redis, the others do not ask. STAND_IN_ENTRIES in the
    settings of the cache is how much the small one holds.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        entries = params.get("STAND_IN_ENTRIES", 300)
        # Each has its own: finished pages must not push out what limits have counted.
        self._stand_in = LocMemCache(
            f"stand-in:{self.key_prefix}", {"OPTIONS": {"MAX_ENTRIES": entries}}
        )
        self._breaker = breaker_of(server)

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().add, self._stand_in.add, *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().get, self._stand_in.get, *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().set, self._stand_in.set, *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().touch, self._stand_in.touch, *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().delete, self._stand_in.delete, *args, **kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().incr, self._stand_in.incr, *args, **kwargs)

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().has_key, self._stand_in.has_key, *args, **kwargs)

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().get_many, self._stand_in.get_many, *args, **kwargs)

    def set_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().set_many, self._stand_in.set_many, *args, **kwargs)

    def delete_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().delete_many, self._stand_in.delete_many, *args, **kwargs)

    def clear(self) -> Any:
        """Forget what this site keeps; the queue and other sites share the server."""
        return self._ask(self._clear_own, self._stand_in.clear)

    def _clear_own(self) -> bool:
        client = self._cache.get_client(write=True)
        for key in client.scan_iter(match=f"{self.key_prefix}:*", count=1000):
            client.delete(key)
        return True

    def _ask(
        self, redis: Callable[..., Any], stand_in: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        if not self._breaker.may_ask():
            return stand_in(*args, **kwargs)
        try:
            answer = redis(*args, **kwargs)
        except RedisError as error:
            if self._breaker.failed():
                logger.warning("Redis does not answer (%s); this process stands in", error)
            return stand_in(*args, **kwargs)
        except BaseException:
            # Not for want of an answer: a key that is not there, or a value that cannot be kept.
            self._tell_answered()
            raise
        self._tell_answered()
        return answer

    def _tell_answered(self) -> None:
        if self._breaker.answered():
            logger.info("Redis answers again")


def forget_pages() -> None:
    """Drop every finished page, which may show a name that is forgotten; counts of limits stay."""
    caches["pages"].clear()
