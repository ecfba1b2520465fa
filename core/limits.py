"""How often the API is asked: counted by the minute in a cache, never in the database."""

from __future__ import annotations

import time
from abc import abstractmethod
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.addresses import counted_address
from core.counting import one_more

if TYPE_CHECKING:
    # DRF loads its views only after what authenticates and counts.
    from rest_framework.views import APIView

SECONDS = 60


def counted(name: str, who: str) -> int:
    """One more of this kind by somebody in this minute; how many that makes."""
    key = f"{name}:{who}:{int(time.time() // SECONDS)}"
    return one_more(cache, key, 2 * SECONDS)


def is_over(name: str, who: str) -> bool:
    """Count one more, and whether that is too many; `settings.API_LIMITS` has the numbers."""
    return counted(name, who) > int(settings.API_LIMITS[name])


def seconds_left() -> int:
    """Until the next minute begins."""
    return SECONDS - int(time.time() % SECONDS)


class MinuteThrottle(BaseThrottle):
    """So many requests a minute by `who`; DRF answers 429 and says when to come again."""

    name = ""

    @abstractmethod
    def who(self, request: Request) -> str:
        """Who is counted; "" counts nobody."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        who = self.who(request)
        return not who or not is_over(self.name, who)

    def wait(self) -> float:
        return seconds_left()


class AddressThrottle(MinuteThrottle):
    """All that comes from one address: a hall of phones shares one."""

    name = "address"

    def who(self, request: Request) -> str:
        return counted_address(request._request)
