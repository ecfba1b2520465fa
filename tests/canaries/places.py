"""Places where the site itself stores or sends text: caches, logs, emails and waiting rows."""

import gzip
import logging
from collections.abc import Iterable, Iterator
from typing import Any

from django.core import mail
from django.core.cache import caches
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
from django.db.models import Model

from core.page_cache import CachedPage
from core.redis_cache import SharedRedisCache
from tournaments.models import Job, WebhookDelivery

FORMATTER = logging.Formatter("%(name)s %(message)s")


def cached() -> list[str]:
    """Every key and value of every cache, decompressed."""
    return [text for name in caches.settings for text in _of_cache(caches[name])]


def _of_cache(cache: Any) -> Iterator[str]:
    for key in list(_keys(cache)):
        value = cache.get(key)
        if isinstance(value, CachedPage):
            yield f"{key} {value.headers} {gzip.decompress(value.body).decode()}"
        else:
            yield f"{key} {_as_text(value)}"


def _keys(cache: Any) -> Iterator[str]:
    """Keys without prefix, version and language."""
    if isinstance(cache, SharedRedisCache):
        yield from cache.iter_keys("*")
        return
    if isinstance(cache, DummyCache):
        return
    assert isinstance(cache, LocMemCache)
    for key in vars(cache)["_cache"]:
        yield key.removeprefix(cache.make_key(""))


def _as_text(value: object) -> str:
    """Everything an object contains: rows with their fields, and files as text."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, Model):
        return repr({name: _as_text(field) for name, field in vars(value).items()})
    if hasattr(value, "__dict__"):
        return repr({name: _as_text(field) for name, field in vars(value).items()})
    return repr(value)


def logged(records: Iterable[logging.LogRecord]) -> list[str]:
    """Log lines with their tracebacks."""
    return [FORMATTER.format(record) for record in records]


def mailed() -> list[str]:
    """Emails with their headers."""
    return [str(message.message()) for message in mail.outbox]


def waiting() -> list[str]:
    """Waiting and failed jobs, and webhook deliveries."""
    jobs = [f"{job.key} {job.payload} {job.error}" for job in Job.objects.all()]
    deliveries = WebhookDelivery.objects.all()
    return [*jobs, *(f"{delivery.payload} {delivery.last_error}" for delivery in deliveries)]
