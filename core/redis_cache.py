"""Redis as the cache. While it does not answer, pages are slower and nothing is counted."""

import logging
from typing import Any

from django.core.cache import caches
from django_redis.cache import RedisCache
from pybreaker import STATE_CLOSED, CircuitBreaker, CircuitBreakerError, CircuitBreakerListener
from redis import Redis
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import ResponseError

logger = logging.getLogger(__name__)


class LogNews(CircuitBreakerListener):
    """A line when Redis stops answering, and one when it answers again."""

    def state_change(self, cb: Any, old_state: Any, new_state: Any) -> None:
        if old_state.name == STATE_CLOSED:
            logger.warning("Redis does not answer")
        elif new_state.name == STATE_CLOSED:
            logger.info("Redis answers again")


breaker = CircuitBreaker(
    fail_max=1,
    reset_timeout=5,
    exclude=[ResponseError],
    listeners=[LogNews()],
    throw_new_error_on_trip=False,
)
"""One of this process: one command in five seconds finds out whether Redis hangs. Commands go one
at a time, so those of other threads wait with it, a quarter of a second at most."""


class GuardedRedis(Redis):
    """A client that asks nothing for a while once Redis has not answered."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        try:
            return breaker.call(super().execute_command, *args, **options)
        except CircuitBreakerError as error:
            raise NoConnection("Redis did not answer a moment ago.") from error


class SharedRedisCache(RedisCache):
    """A cache on a server that others use as well: the task queue, other sites."""

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """As if nobody had added it where Redis is away: allauth uses this as a lock."""
        return super().add(*args, **kwargs) is not False

    def clear(self) -> None:
        """Drop what this cache keeps, and not the whole database of Redis."""
        self.delete_pattern("*", itersize=1000)


def forget_pages() -> None:
    """Drop finished pages and rows, which may show a forgotten name; counts of limits stay."""
    for name in ("pages", "template_fragments", "public_rows"):
        caches[name].clear()
