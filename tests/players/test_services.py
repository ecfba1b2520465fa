from datetime import timedelta

import pytest
from django.utils import timezone

from core.secret_links import digest
from players import services
from players.models import Player, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return User.objects.create_user("ada")


def test_player_is_stored_with_clean_name_and_keys():
    player = services.create_player("  Zoe\u0308  D. ", "she/her")

    player.refresh_from_db()
    assert (player.name, player.name_key, player.pronouns) == (
        "Zo\u00eb D.",
        "zo\u00eb d.",
        "she/her",
    )


@pytest.mark.parametrize("name", ["", " \u200b", "a" * 101, "Ada\x00", "\u202eAda"])
def test_unusable_name_makes_no_player(name):
    with pytest.raises(services.NameNotUsable):
        services.create_player(name)

    assert not Player.objects.exists()


def test_unusable_pronouns_make_no_player():
    with pytest.raises(services.NameNotUsable, match="Pronouns have at most 30"):
        services.create_player("Ada", "x" * 31)


def test_account_has_one_player(user):
    services.create_player("Ada", user=user)

    with pytest.raises(services.AccountHasPlayer, match="already plays as Ada"):
        services.create_player("Bo", user=user)


def test_renaming_changes_name_and_key_and_pronouns_only_on_request():
    player = services.create_player("Ada", "she/her")

    services.rename_player(player, "Bo")
    player.refresh_from_db()
    assert (player.name, player.name_key, player.pronouns) == ("Bo", "bo", "she/her")

    services.rename_player(player, "Bo", "")
    player.refresh_from_db()
    assert player.pronouns == ""


def test_renaming_to_nothing_is_refused():
    player = services.create_player("Ada")

    with pytest.raises(services.NameNotUsable):
        services.rename_player(player, "\u200b")

    player.refresh_from_db()
    assert player.name == "Ada"


def test_number_of_new_names_is_limited_but_old_names_return():
    player = services.create_player("Ada")
    for number in range(services.MAX_FORMER_NAMES):
        services.rename_player(player, f"Ada {number}")

    with pytest.raises(services.NameNotUsable, match="has already had 30 other names"):
        services.rename_player(player, "Bo")
    for name in ("Ada", "Ada 29", "Ada 3"):
        services.rename_player(player, name)

    player.refresh_from_db()
    assert player.name == "Ada 3"
    assert {*player.former_names} >= {"Ada", *(f"Ada {number}" for number in range(30))} - {"Ada 3"}
    with pytest.raises(services.NameNotUsable):
        services.rename_player(player, "Bo")


def test_secrets_are_long_and_unique():
    player = services.create_player("Ada")

    secrets = {services.issue_claim(player) for _ in range(50)}

    assert len(secrets) == 50
    # 6 bits per character.
    assert min(map(len, secrets)) * 6 >= 128


def test_claim_hands_over_the_player_once():
    player = services.create_player("Ada")
    secret = services.issue_claim(player)

    claimed = services.use_claim(digest(secret))

    assert claimed == player
    assert claimed.claimed_at is not None
    assert claimed.claim_hash is None
    with pytest.raises(services.ClaimUnknown, match="Ask the organiser for a new"):
        services.use_claim(digest(secret))


@pytest.mark.parametrize("made_up", ["made-up", ""])
def test_used_and_made_up_links_are_refused_in_the_same_words(made_up):
    secret = services.issue_claim(services.create_player("Ada"))
    services.use_claim(digest(secret))

    with pytest.raises(services.ClaimUnknown) as used:
        services.use_claim(digest(secret))
    with pytest.raises(services.ClaimUnknown) as refusal:
        services.use_claim(digest(made_up))

    assert (str(used.value), used.value.code) == (str(refusal.value), refusal.value.code)


def test_newer_link_ends_the_older_one():
    player = services.create_player("Ada")
    old_link, new_link = services.issue_claim(player), services.issue_claim(player)

    with pytest.raises(services.ClaimUnknown):
        services.use_claim(digest(old_link))
    assert services.use_claim(digest(new_link)) == player
    assert player.claim_generation == 2


@pytest.mark.parametrize(
    ("expiry", "lasts"), [(None, timedelta(days=30)), (timedelta(hours=1), timedelta(hours=1))]
)
def test_link_expires_after_thirty_days_or_at_the_given_time(time_machine, expiry, lasts):
    time_machine.move_to("2026-05-01T10:00:00Z", tick=False)
    player = services.create_player("Ada")
    secret = services.issue_claim(player, expiry and timezone.now() + expiry)

    time_machine.shift(lasts + timedelta(seconds=1))

    with pytest.raises(services.ClaimExpired, match="has expired"):
        services.use_claim(digest(secret))


def test_player_with_an_account_gets_no_link(user):
    player = services.create_player("Ada", user=user)

    with pytest.raises(services.PlayerHasAccount):
        services.issue_claim(player)

    player.refresh_from_db()
    assert player.claim_hash is None


def test_linking_a_guest_ends_open_links(user):
    guest = services.create_player("Ada")
    secret = services.issue_claim(guest)

    services.link_guest(guest, user)

    assert Player.objects.get(user=user) == guest
    with pytest.raises(services.ClaimUnknown):
        services.use_claim(digest(secret))


def test_guest_is_linked_to_the_first_account_only(user):
    guest = services.create_player("Ada")
    services.link_guest(guest, user)

    with pytest.raises(services.PlayerHasAccount):
        services.link_guest(guest, User.objects.create_user("bo"))

    assert Player.objects.get().user == user


def test_erased_player_gets_no_name_link_or_account(user):
    services.create_player("Ada")
    for_name, for_link, for_account = (Player.objects.get() for _ in range(3))
    Player.objects.update(name="Player 1", erased_at=timezone.now())

    with pytest.raises(services.PlayerErased):
        services.rename_player(for_name, "Ada")
    with pytest.raises(services.PlayerErased):
        services.issue_claim(for_link)
    with pytest.raises(services.PlayerErased):
        services.link_guest(for_account, user)

    player = Player.objects.get()
    assert (player.name, player.claim_hash, player.user) == ("Player 1", None, None)


@pytest.mark.parametrize("lost_reason", ["taken", "erased"])
def test_new_account_of_a_guest_just_lost_gets_a_new_player(user, lost_reason):
    guest = services.create_player("Ada")
    if lost_reason == "taken":
        services.link_guest(guest, User.objects.create_user("other"))
    else:
        Player.objects.update(erased_at=timezone.now())

    player = services.give_account_a_player(user, "", guest)

    assert (player.name, player.user) == ("ada", user)
    assert player != guest
