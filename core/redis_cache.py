"""Redis as the cache. Without it pages are slower and limits are not counted."""

import logging
from typing import Any

from django.core.cache import caches
from django_redis.cache import RedisCache
from pybreaker import STATE_CLOSED, CircuitBreaker, CircuitBreakerError, CircuitBreakerListener
from redis import Redis
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import ResponseError

logger = logging.getLogger(__name__)


class LogStateChanges(CircuitBreakerListener):
    def state_change(self, cb: Any, old_state: Any, new_state: Any) -> None:
        if old_state.name == STATE_CLOSED:
            logger.warning("Redis does not answer")
        elif new_state.name == STATE_CLOSED:
            logger.info("Redis answers again")


# Shared by this process: while Redis hangs, a command every five seconds tests it. Commands run in
# sequence, so other threads wait for it too, a quarter of a second at most.
breaker = CircuitBreaker(
    fail_max=1,
    reset_timeout=5,
    exclude=[ResponseError],
    listeners=[LogStateChanges()],
    throw_new_error_on_trip=False,
)


class GuardedRedis(Redis):
    """A client that sends no commands for a while after Redis has failed to answer."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        try:
            return breaker.call(super().execute_command, *args, **options)
        except CircuitBreakerError as error:
            raise NoConnection("Redis did not answer a moment ago.") from error


class SharedRedisCache(RedisCache):
    """A cache on a Redis server that the task queue or other sites also use."""

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """Return True while Redis is away, as allauth uses this as a lock."""
        return super().add(*args, **kwargs) is not False

    def clear(self) -> None:
        """Delete the keys of this cache only, not the whole Redis database."""
        self.delete_pattern("*", itersize=1000)


def clear_page_caches() -> None:
    """Drop rendered pages and rows, which may show an erased name; rate limits are not reset."""
    for name in ("pages", "template_fragments", "public_rows"):
        caches[name].clear()
