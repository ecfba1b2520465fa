"""Players: names, privacy, personal links and accounts."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext

from core import secret_links
from core.errors import Refusal
from core.languages import in_words
from core.text import Message, clean, gettext_noop, with_full_stop
from players import names, queries
from players.models import Player, User

CLAIM_LIFETIME = timedelta(days=30)
MAX_FORMER_NAMES = 30
PRIVACY_FIELDS = ["shown_name", "hides_history", "hides_from_streams"]


class NameNotUsable(Refusal):
    """The name or the pronouns are invalid; the message lists every problem."""


class AccountHasPlayer(Refusal):
    pass


class PlayerHasAccount(Refusal):
    pass


class PlayerErased(Refusal):
    pass


class ClaimRefused(Refusal):
    pass


class ClaimUnknown(ClaimRefused):
    """The link was used, replaced or never issued; strangers must not see which."""


class ClaimExpired(ClaimRefused):
    pass


@transaction.atomic
def create_player(name: str, pronouns: str = "", user: User | None = None) -> Player:
    """Create a player. Raises NameNotUsable, or AccountHasPlayer if the account has a player."""
    _refuse_problems(names.name_problems(name))
    _refuse_problems(names.pronoun_problems(pronouns))
    if user is not None:
        _refuse_second_player(user)
    return Player.objects.create(name=clean(name), pronouns=clean(pronouns), user=user)


@transaction.atomic
def create_players(people: Iterable[tuple[str, str]]) -> list[Player]:
    """Create guests from (name, pronouns), all or none. Raises NameNotUsable."""
    players = []
    for name, pronouns in people:
        _refuse_problems(names.name_problems(name))
        _refuse_problems(names.pronoun_problems(pronouns))
        player = Player(pronouns=clean(pronouns))
        # `bulk_create` does not call `save`, which sets the keys of the name.
        player.set_name(name)
        players.append(player)
    return Player.objects.bulk_create(players)


@transaction.atomic
def rename_player(player: Player, name: str, pronouns: str | None = None) -> None:
    """Change the name, and the pronouns unless None. Raises NameNotUsable, or PlayerErased."""
    # A rename that waited for an erasure must not restore the name.
    locked = Player.objects.select_for_update().get(pk=player.pk)
    _refuse_erased(locked)
    _refuse_problems(new_name_problems(locked, name))
    player.name = clean(name)
    note_former_name(player)
    fields = ["name", "name_key", "sort_key", "former_names"]
    if pronouns is not None:
        _refuse_problems(names.pronoun_problems(pronouns))
        player.pronouns = clean(pronouns)
        fields.append("pronouns")
    player.save(update_fields=fields)


def new_name_problems(player: Player, name: str) -> Iterator[Message]:
    # Former names are stored for erasing, so their number is limited.
    yield from names.name_problems(name)
    known = {player.name, *player.former_names}
    if len(known) > MAX_FORMER_NAMES and clean(name) not in known:
        yield Message(
            gettext_noop(
                "%(name)s has already had %(most)s other names, which is the limit. Use one of "
                "them again, or ask the site's administrator."
            ),
            {"name": player.name, "most": MAX_FORMER_NAMES},
        )


@transaction.atomic
def set_privacy(
    player: Player, shown_name: str, *, hides_history: bool, hides_from_streams: bool
) -> None:
    """Set how a player appears beyond a single event. Raises NameNotUsable, or PlayerErased."""
    _refuse_erased(Player.objects.select_for_update().get(pk=player.pk))
    if clean(shown_name):
        _refuse_problems(names.name_problems(shown_name))
    player.shown_name = clean(shown_name)
    player.hides_history, player.hides_from_streams = hides_history, hides_from_streams
    player.save(update_fields=PRIVACY_FIELDS)


def note_former_name(player: Player) -> None:
    """Add the stored name to the former names, before saving another: erasing needs it."""
    stored, former = Player.objects.values_list("name", "former_names").get(pk=player.pk)
    if stored != player.name and stored not in former:
        former = [*former, stored]
    player.former_names = former


@transaction.atomic
def add_former_names(player: Player, other: Player) -> None:
    """Add the names of `other`, who is the same person, so that erasing finds them."""
    locked = Player.objects.select_for_update().get(pk=player.pk)
    # Duplicates are added too, so that they can be removed again.
    player.former_names = [*locked.former_names, other.name, *other.former_names]
    player.save(update_fields=["former_names"])


@transaction.atomic
def remove_former_names(player: Player, other: Player) -> None:
    """Undo `add_former_names`, as `other` is a different person after all."""
    names_left = list(Player.objects.select_for_update().get(pk=player.pk).former_names)
    for name in (other.name, *other.former_names):
        if name in names_left:
            names_left.remove(name)
    player.former_names = names_left
    player.save(update_fields=["former_names"])


@transaction.atomic
def issue_claim(player: Player, expires_at: datetime | None = None) -> str:
    """Issue a personal link and return its secret, of which only the hash is stored (ASVS 6.5.2).

    Older links of the player and the sessions they opened end. The link works once, by default for
    30 days. Raises PlayerHasAccount, or PlayerErased.
    """
    secret = secret_links.new_secret()
    guests = Player.objects.filter(pk=player.pk, user=None, erased_at=None, merged_into=None)
    changed = guests.update(
        claim_hash=secret_links.digest(secret),
        claim_expires_at=expires_at or timezone.now() + CLAIM_LIFETIME,
        claim_generation=F("claim_generation") + 1,
        claimed_at=None,
    )
    player.refresh_from_db()
    if not changed:
        _refuse_erased(player)
        raise PlayerHasAccount(
            gettext("%(player)s has an account, so you do not need a link. Log in instead.")
            % {"player": player.name}
        )
    return secret


@transaction.atomic
def issue_claims(players: Sequence[Player], expires_at: datetime) -> list[str]:
    """Like `issue_claim` for many guests, in their order and with few queries."""
    chosen = [(player, secret_links.new_secret()) for player in players]
    for player, secret in chosen:
        player.claim_hash, player.claim_expires_at = secret_links.digest(secret), expires_at
        player.claim_generation += 1
        player.claimed_at = None
    fields = ["claim_hash", "claim_expires_at", "claim_generation", "claimed_at"]
    Player.objects.bulk_update(players, fields)
    return [secret for _, secret in chosen]


@transaction.atomic
def use_claim(digest: str) -> Player:
    """Use up the link and return its player. Raises ClaimUnknown or ClaimExpired."""
    player = get_claimable_player(digest)
    # If two requests use the link, only the first matches this condition.
    unused = Player.objects.filter(pk=player.pk, claim_hash=digest, user=None)
    if not unused.update(claim_hash=None, claim_expires_at=None, claimed_at=timezone.now()):
        raise _claim_unknown()
    player.refresh_from_db()
    return player


def get_claimable_player(digest: str) -> Player:
    """Return the player of an unused link. Raises ClaimUnknown or ClaimExpired."""
    player = queries.player_by_claim(digest)
    if player is None:
        raise _claim_unknown()
    if player.claim_expires_at is None or player.claim_expires_at <= timezone.now():
        raise ClaimExpired(gettext("This link has expired. Ask the organiser for a new one."))
    return player


@transaction.atomic
def link_guest(guest: Player, user: User) -> Player:
    """Give the guest to an account. Raises AccountHasPlayer, PlayerHasAccount, PlayerErased."""
    _refuse_second_player(user)
    still_guest = Player.objects.filter(pk=guest.pk, user=None, erased_at=None, merged_into=None)
    is_linked = still_guest.update(user=user, claim_hash=None, claim_expires_at=None)
    guest.refresh_from_db()
    if not is_linked:
        _refuse_erased(guest)
        raise PlayerHasAccount(
            gettext("%(guest)s already belongs to another account.") % {"guest": guest.name}
        )
    return guest


@transaction.atomic
def claim_for_account(digest: str, user: User) -> Player:
    """Use up the link and give its player to the account. Raises ClaimRefused, AccountHasPlayer."""
    return link_guest(use_claim(digest), user)


@transaction.atomic
def give_account_a_player(user: User, name: str, guest: Player | None) -> Player:
    """Return the new account's player: its guest, or a new player. Raises NameNotUsable."""
    if guest is None:
        return create_player(name or user.username, user=user)
    try:
        player = link_guest(guest, user)
    except (PlayerHasAccount, PlayerErased):
        # Another device of the guest signed up, or had the guest erased, a moment ago.
        return create_player(name or user.username, user=user)
    if name and clean(name) != player.name:
        rename_player(player, name)
    return player


def _refuse_second_player(user: User) -> None:
    # The account is locked, so that two requests cannot both find it without a player.
    User.objects.select_for_update().get(pk=user.pk)
    if player := Player.objects.filter(user=user).first():
        text = gettext("Your account already plays as %(player)s") % {"player": player.name}
        raise AccountHasPlayer(with_full_stop(text))


def _refuse_erased(player: Player) -> None:
    if player.erased_at is not None:
        raise PlayerErased(
            gettext(
                "The data of %(player)s was erased, so this player cannot be renamed or get a "
                "link. If they come back, add them to the roster as a new player."
            )
            % {"player": player.name}
        )


def _refuse_problems(problems: Iterator[Message]) -> None:
    if messages := list(map(in_words, problems)):
        raise NameNotUsable(" ".join(messages), problems=messages)


def _claim_unknown() -> ClaimUnknown:
    return ClaimUnknown(
        gettext(
            "This link was used before, was replaced by a newer one, or is not complete. Ask the "
            "organiser for a new link."
        )
    )
