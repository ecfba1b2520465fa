"""Permissions for rulings. Writing local rulings is checked by their event."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.module_loading import import_string
from rest_framework.request import Request

from players import factors
from players.models import Player, User
from players.queries import current_player
from rulings.models import Ruling
from rulings.queries import PUBLISHED

Answer = TypeVar("Answer", bound=HttpResponse)
LocalRulings = Callable[[User | None, Player | None, datetime | None, bool], QuerySet[Ruling]]


def readable_rulings(
    user: User | None,
    player: Player | None = None,
    *,
    at: datetime | None = None,
    by_code: bool = True,
) -> QuerySet[Ruling]:
    """Return the published rulings, and local ones of events this person may read.

    `at` is the creation time of the API token, if any. With `by_code` False, only local rulings of
    events known to the person are included.
    """
    local: LocalRulings = import_string(settings.LOCAL_RULINGS_FOR)
    local_ones = local(user, player, at, by_code).values("pk")
    return Ruling.objects.filter(PUBLISHED | Q(pk__in=local_ones))


def rulings_readable_by(request: HttpRequest, *, at: datetime | None = None) -> QuerySet[Ruling]:
    user = request.user if request.user.is_authenticated else None
    return readable_rulings(user, current_player(request), at=at)


def rulings_findable_by(request: HttpRequest) -> QuerySet[Ruling]:
    """Return the rulings that the user can find by search, without a code."""
    user = request.user if request.user.is_authenticated else None
    return readable_rulings(user, current_player(request), by_code=False)


def mark_private(answer: Answer, ruling: Ruling) -> Answer:
    if ruling.is_for_readers_of_its_event:
        patch_cache_control(answer, private=True)
    return answer


def rulings_readable_with_token(request: Request) -> QuerySet[Ruling]:
    return rulings_readable_by(request, at=getattr(request.auth, "created", None))


def can_write_rulings(user: User | AnonymousUser) -> bool:
    if not user.is_authenticated or not user.is_staff:
        return False
    return not settings.ADMIN_NEEDS_SECOND_FACTOR or factors.has_factor(user)
