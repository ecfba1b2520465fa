"""Secrets that open something: tokens of programs, personal links, join codes."""

from collections import Counter
from datetime import date, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.secret_links import digest
from players import services as players
from tests.factories import tournaments as make
from tournaments import queries
from tournaments.codes import ALPHABET, CODE_LENGTH, new_join_code
from tournaments.models import ApiToken, Registration
from tournaments.services import claims, events, tokens
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


def link_of(starts_on: date) -> tuple[str, Registration]:
    event = make.make_event(players=1, starts_on=starts_on)
    place = event.registrations.select_related("tournament", "player").get()
    return claims.issue_claim(place, make.owner_of(event)), place


@pytest.mark.check(23)
@pytest.mark.parametrize(
    ("days_ahead", "works_for"),
    [(0, 29), (60, 89), (-365, 6)],
)
def test_a_link_ends_a_while_after_the_event(time_machine, days_ahead, works_for):
    time_machine.move_to("2026-05-02T10:00:00Z")
    secret, _place = link_of(timezone.now().date() + timedelta(days=days_ahead))

    time_machine.shift(timedelta(days=works_for))
    assert players.claimable(digest(secret))
    time_machine.shift(timedelta(days=1, hours=1))
    with pytest.raises(players.ClaimExpired):
        players.claim(digest(secret))


@pytest.mark.check(23)
def test_a_link_is_made_anew_and_the_former_one_ends():
    secret, place = link_of(timezone.now().date())

    again = claims.issue_claim(place, make.owner_of(place.tournament))

    with pytest.raises(players.ClaimUnknown):
        players.claim(digest(secret))
    assert players.claim(digest(again)) == place.player


@pytest.mark.check(21)
def test_join_codes_are_spread_over_all_there_are(figure):
    codes = [new_join_code() for _ in range(100_000)]

    # 32 letters at 6 places: 30 bits. So many of them meet 4.7 times on the average.
    assert len(ALPHABET) ** CODE_LENGTH >= 2**30
    assert len(codes) - len(set(codes)) < 25
    expected = len(codes) / len(ALPHABET)
    for place in range(CODE_LENGTH):
        seen = Counter(code[place] for code in codes)
        assert seen.keys() == set(ALPHABET)
        # Six standard deviations of a fair draw.
        assert all(abs(count - expected) < 6 * expected**0.5 for count in seen.values())
    figure(f"{len(set(codes))} different codes in {len(codes)} draws")


@pytest.mark.check(21)
def test_a_code_dies_when_registration_closes():
    event = make.make_event(players=0, visibility="private")
    address = reverse("tournaments:join_code", args=[event.join_code])
    assert Client().get(address).status_code == 200

    events.set_registration(event, make.owner_of(event), is_open=False)
    closed, unknown = (
        Client().get(address),
        Client().get(address.replace(event.join_code, "ZZZZZZ")),
    )

    assert closed.status_code == unknown.status_code == 404
    assert closed.text.replace(event.join_code, "ZZZZZZ") == unknown.text
