"""Where the site itself keeps or says something: caches, logs, mails, and rows that wait."""

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
    """Every key and value of every cache, what is packed unpacked."""
    return [text for name in caches.settings for text in _of_cache(caches[name])]


def _of_cache(cache: Any) -> Iterator[str]:
    for key in list(_keys(cache)):
        value = cache.get(key)
        if isinstance(value, CachedPage):
            yield f"{key} {value.headers} {gzip.decompress(value.body).decode()}"
        else:
            yield f"{key} {_written_out(value)}"


def _keys(cache: Any) -> Iterator[str]:
    """As the cache was asked for them, without its prefix, its version and the language."""
    if isinstance(cache, SharedRedisCache):
        yield from cache.iter_keys("*")
        return
    if isinstance(cache, DummyCache):
        return
    assert isinstance(cache, LocMemCache)
    for key in vars(cache)["_cache"]:
        yield key.removeprefix(cache.make_key(""))


def _written_out(value: object) -> str:
    """All that a kept object holds, rows with their fields and files as text."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, Model):
        return repr({name: _written_out(field) for name, field in vars(value).items()})
    if hasattr(value, "__dict__"):
        return repr({name: _written_out(field) for name, field in vars(value).items()})
    return repr(value)


def logged(records: Iterable[logging.LogRecord]) -> list[str]:
    """The lines, with their traces."""
    return [FORMATTER.format(record) for record in records]


def mailed() -> list[str]:
    """Every mail, with its head."""
    return [str(one.message()) for one in mail.outbox]


def waiting() -> list[str]:
    """Work that waits or failed, and what programs elsewhere are sent."""
    jobs = [f"{job.key} {job.payload} {job.error}" for job in Job.objects.all()]
    sent = WebhookDelivery.objects.all()
    return [*jobs, *(f"{one.payload} {one.last_error}" for one in sent)]
