from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from tests.factories import tournaments as make
from tournaments import queries
from tournaments.models import ApiToken
from tournaments.services import tokens
from tournaments.services.tokens import Wanted


def test_a_token_is_kept_as_a_hash_alone():
    secret = tokens.make(make.make_user(), Wanted("Bot", "read"))

    kept = ApiToken.objects.values().get()
    assert len(secret) == 64
    assert all(secret not in str(value) for value in kept.values())
    assert kept["expiry"] is None


def test_a_token_ends_when_its_time_is_over():
    user = make.make_user()
    tokens.make(user, Wanted("Bot", "read", lasts=timedelta(days=1)))
    assert queries.live_tokens(user).count() == 1

    with time_machine.travel(timezone.now() + timedelta(days=1, seconds=1)):
        assert queries.live_tokens(user).count() == 0
        assert queries.ended_tokens(user).count() == 1


def test_there_are_twenty_at_most_and_revoking_makes_room():
    user = make.make_user()
    for number in range(tokens.MOST_LIVE):
        tokens.make(user, Wanted(f"Bot {number}", "read"))

    with pytest.raises(tokens.TooManyTokens):
        tokens.make(user, Wanted("One more", "read"))
    tokens.revoke(queries.live_tokens(user)[0])
    tokens.make(user, Wanted("One more", "read"))
    tokens.make(make.make_user(), Wanted("Somebody else's", "read"))


def test_the_oldest_that_have_ended_are_forgotten(monkeypatch):
    monkeypatch.setattr(tokens, "MOST_ENDED", 3)
    user = make.make_user()
    for number in range(5):
        tokens.make(user, Wanted(f"Bot {number}", "read"))
        tokens.revoke_all(user)

    assert [token.name for token in queries.ended_tokens(user)] == ["Bot 4", "Bot 3", "Bot 2"]


def test_the_log_of_an_event_tells_of_its_tokens_and_of_no_secret():
    event = make.make_event(players=0)
    owner = make.owner_of(event).user
    assert owner is not None
    secret = tokens.make(owner, Wanted("Bot", "results", event))
    tokens.make(owner, Wanted("Another", "read"))
    tokens.revoke_all(owner)
    tokens.revoke_all(owner)

    entries = event.log.filter(action__startswith="token").order_by("pk")
    told = [(entry.action, entry.subject, entry.user) for entry in entries]
    assert told == [("token made", "Bot", owner), ("token revoked", "Bot", owner)]
    assert secret not in str(list(entries.values()))
