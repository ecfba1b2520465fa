"""Look-ups of players and accounts."""

from collections.abc import Callable

from allauth.account.models import EmailAddress
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from players import sessions
from players.models import Player, User


def current_player(request: HttpRequest) -> Player | None:
    """Return the account's player, else the guest that this session has claimed, else None."""
    if not hasattr(request, "cached_player"):
        if request.user.is_authenticated:
            player = Player.objects.filter(user=request.user).first()
        else:
            player = claimed_guest(request)
        request.cached_player = player  # type: ignore[attr-defined]
    return request.cached_player  # type: ignore[attr-defined,no-any-return]


def forget_current_player(request: HttpRequest) -> None:
    # The player changes with a login, logout or claim.
    if hasattr(request, "cached_player"):
        del request.cached_player


def claimed_guest(request: HttpRequest) -> Player | None:
    """Return the guest that this session has claimed and that has no account, or None."""
    claimed = request.session.get(sessions.GUEST_KEY)
    if claimed is None:
        return None
    pk, generation = claimed
    guests = Player.objects.filter(user=None, merged_into=None)
    return guests.filter(pk=pk, claim_generation=generation).first()


def player_by_claim(digest: str) -> Player | None:
    """Return the guest whose unused link has this digest, expired or not."""
    return Player.objects.filter(claim_hash=digest, user=None, merged_into=None).first()


def usernames_of(address: str) -> list[str]:
    owners = EmailAddress.objects.filter(email=address).values("user")
    users = User.objects.filter(Q(email=address) | Q(pk__in=owners))
    return list(users.order_by("pk").values_list("username", flat=True))


def listable_players() -> QuerySet[Player]:
    """Players that pages over several events may name."""
    return Player.objects.filter(hides_history=False, erased_at=None, merged_into=None)


def find_by_shown_name(fits: Callable[[str], bool]) -> list[int]:
    # Compared in Python, because a database folds fewer letters than core.text.
    rows = Player.objects.exclude(shown_name="").values_list("pk", "shown_name")
    return [pk for pk, name in rows if fits(name)]


def approved_organisers() -> QuerySet[User]:
    directly = Q(user_permissions__codename="add_tournament")
    by_group = Q(groups__permissions__codename="add_tournament")
    return User.objects.filter(directly | by_group).distinct()
