"""Who may read and write rulings. Local rulings are written at their event, and asked there."""

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
from rulings.queries.reading import PUBLISHED

Answer = TypeVar("Answer", bound=HttpResponse)
LocalRulings = Callable[[User | None, Player | None, datetime | None, bool], QuerySet[Ruling]]


def readable(
    user: User | None,
    player: Player | None = None,
    *,
    at: datetime | None = None,
    by_code: bool = True,
) -> QuerySet[Ruling]:
    """The published rulings, and the local ones of events this person may read.

    `at` is when their token was made, if a program asks for them. Not `by_code`, only those of
    events they know of.
    """
    local: LocalRulings = import_string(settings.LOCAL_RULINGS_FOR)
    local_ones = local(user, player, at, by_code).values("pk")
    return Ruling.objects.filter(PUBLISHED | Q(pk__in=local_ones))


def readable_by(request: HttpRequest, *, at: datetime | None = None) -> QuerySet[Ruling]:
    """As `readable`, for whoever asks."""
    user = request.user if request.user.is_authenticated else None
    return readable(user, current_player(request), at=at)


def findable_by(request: HttpRequest) -> QuerySet[Ruling]:
    """Of those that whoever asks may read, what a search finds without a code."""
    user = request.user if request.user.is_authenticated else None
    return readable(user, current_player(request), by_code=False)


def kept_private(answer: Answer, ruling: Ruling) -> Answer:
    """The answer that shows the ruling, which no shared cache keeps where only some may read it."""
    if ruling.is_for_readers_of_its_event:
        patch_cache_control(answer, private=True)
    return answer


def readable_by_program(request: Request) -> QuerySet[Ruling]:
    """As `readable`, for the account of a token, or the browser that asks the API."""
    return readable_by(request, at=getattr(request.auth, "created", None))


def can_write(user: User | AnonymousUser, *, at: datetime | None = None) -> bool:
    """Site administrators write new versions; nobody changes an old one.

    With a second factor, where the site asks for one; `at` is when their token was made.
    """
    if not user.is_authenticated or not user.is_staff:
        return False
    return not settings.ADMIN_NEEDS_SECOND_FACTOR or factors.has_factor(user, at=at)


def can_write_by_program(request: Request) -> bool:
    """As `can_write`, for the account of a token, or the browser that asks the API."""
    # A token that is older than the second factor was made without it.
    return can_write(request.user, at=getattr(request.auth, "created", None))
