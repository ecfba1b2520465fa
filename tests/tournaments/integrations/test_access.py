"""Roles at an event, and secrets that open something: invitations, tokens, links, join codes."""

import re
from collections import Counter
from datetime import date, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from core import secret_links
from core.secret_links import digest
from players import services as players
from tests.factories import tournaments as make
from tests.factories.sessions import logged_in
from tests.factories.tournaments import add_staff, make_user, owner_of
from tests.tournaments.scenes import four_players
from tournaments.event import permissions
from tournaments.event.actors import Actor
from tournaments.integrations import queries as integration_queries
from tournaments.integrations.services import tokens
from tournaments.integrations.services.tokens import Wanted
from tournaments.models import ApiToken, Registration, StaffInvitation, StaffRole, Tournament
from tournaments.models.codes import ALPHABET, CODE_LENGTH, new_join_code
from tournaments.registration.services import profiles
from tournaments.settings.services import events, staff

FORM = {"name": "Bot", "scope": "read", "event": "", "lasts": "30"}


@pytest.fixture
def event() -> Tournament:
    """Of this test alone: its address is free for others."""
    return four_players()


def test_a_token_is_kept_as_a_hash_alone():
    secret = tokens.make(make.make_user(), Wanted("Bot", "read"))

    kept = ApiToken.objects.values().get()
    assert len(secret) == 64
    assert all(secret not in str(value) for value in kept.values())
    assert kept["expiry"] is None


def test_a_token_ends_when_its_time_is_over():
    user = make.make_user()
    tokens.make(user, Wanted("Bot", "read", lasts=timedelta(days=1)))
    assert integration_queries.live_tokens(user).count() == 1

    with time_machine.travel(timezone.now() + timedelta(days=1, seconds=1)):
        assert integration_queries.live_tokens(user).count() == 0
        assert integration_queries.ended_tokens(user).count() == 1


def test_there_are_twenty_at_most_and_revoking_makes_room():
    user = make.make_user()
    for number in range(tokens.MOST_LIVE):
        tokens.make(user, Wanted(f"Bot {number}", "read"))

    with pytest.raises(tokens.TooManyTokens):
        tokens.make(user, Wanted("One more", "read"))
    tokens.revoke(integration_queries.live_tokens(user)[0])
    tokens.make(user, Wanted("One more", "read"))
    tokens.make(make.make_user(), Wanted("Somebody else's", "read"))


def test_the_oldest_that_have_ended_are_forgotten(monkeypatch):
    monkeypatch.setattr(tokens, "MOST_ENDED", 3)
    user = make.make_user()
    for number in range(5):
        tokens.make(user, Wanted(f"Bot {number}", "read"))
        tokens.revoke_all(user)

    assert [token.name for token in integration_queries.ended_tokens(user)] == [
        "Bot 4",
        "Bot 3",
        "Bot 2",
    ]


def test_the_log_of_an_event_names_its_tokens_and_no_secret():
    event = make.make_event(players=0)
    owner = make.owner_of(event).user
    assert owner is not None
    secret = tokens.make(owner, Wanted("Bot", "results", event))
    tokens.make(owner, Wanted("Another", "read"))
    tokens.revoke_all(owner)
    tokens.revoke_all(owner)

    entries = event.log.filter(action__startswith="token").order_by("pk")
    logged = [(entry.action, entry.subject, entry.user) for entry in entries]
    assert logged == [("token made", "Bot", owner), ("token revoked", "Bot", owner)]
    assert secret not in str(list(entries.values()))


def link_of(starts_on: date) -> tuple[str, Registration]:
    event = make.make_event(players=1, starts_on=starts_on)
    place = event.registrations.select_related("tournament", "player").get()
    return profiles.issue_claim(place, make.owner_of(event)), place


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

    again = profiles.issue_claim(place, make.owner_of(place.tournament))

    with pytest.raises(players.ClaimUnknown):
        players.claim(digest(secret))
    assert players.claim(digest(again)) == place.player


@pytest.mark.check(21)
def test_join_codes_are_spread_over_all_there_are(figure):
    codes = [new_join_code() for _ in range(20_000)]

    # 32 letters at 6 places: 30 bits. So many of them meet once in five runs.
    assert len(ALPHABET) ** CODE_LENGTH >= 2**30
    assert len(codes) - len(set(codes)) < 5
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


def test_an_account_has_one_role_which_can_change(event: Tournament):
    judge = add_staff(event, StaffRole.JUDGE)

    staff.give_role(event, owner_of(event), judge, StaffRole.SCOREKEEPER)

    assert event.staff.get(user=judge).role == StaffRole.SCOREKEEPER
    entry = event.log.filter(action="role given").first()
    assert (entry.before, entry.after) == (
        {"role": "judge"},
        {"role": "scorekeeper", "account": judge.pk},
    )


def test_the_owner_stays_the_only_owner(event: Tournament):
    owner = event.staff.get()
    other = make_user()

    with pytest.raises(staff.StaffRefused):
        staff.give_role(event, owner_of(event), other, StaffRole.OWNER)
    with pytest.raises(staff.StaffRefused):
        staff.invite(event, owner_of(event), StaffRole.OWNER, timezone.now())
    with pytest.raises(staff.StaffRefused):
        staff.give_role(event, owner_of(event), owner.user, StaffRole.JUDGE)
    with pytest.raises(staff.StaffRefused):
        staff.take_role(event, owner_of(event), owner)

    assert event.staff.get() == owner


def test_who_became_owner_a_moment_ago_is_not_removed(event: Tournament):
    owner, judge = owner_of(event), add_staff(event, StaffRole.JUDGE)
    seen_as_judge = event.staff.get(user=judge)
    staff.hand_over(event, owner, event.staff.get(user=judge))

    with pytest.raises(staff.StaffRefused, match="The owner cannot be removed"):
        staff.take_role(event, owner, seen_as_judge)

    assert event.staff.get(role=StaffRole.OWNER).user == judge


def test_the_event_is_handed_over_and_the_old_owner_stays_as_organiser(event: Tournament):
    owner, heir = owner_of(event), add_staff(event, StaffRole.JUDGE)

    staff.hand_over(event, owner, event.staff.get(user=heir))

    assert event.staff.get(role=StaffRole.OWNER).user == heir
    assert event.staff.get(user=owner.user).role == StaffRole.ORGANISER
    with pytest.raises(staff.StaffRefused):
        staff.hand_over(event, Actor(user=heir), event.staff.get(user=heir))


def invited(event: Tournament, role: str = StaffRole.SCOREKEEPER, hours: int = 24) -> str:
    """The digest of a new link."""
    ends_at = timezone.now() + timedelta(hours=hours)
    return secret_links.digest(staff.invite(event, owner_of(event), role, ends_at, "Mara"))


def test_an_invitation_gives_its_role_once(event: Tournament):
    digest, mara = invited(event), make_user()

    staff.accept(digest, mara)

    assert permissions.can_enter_results(Actor(user=mara), event)
    with pytest.raises(staff.InvitationOver, match="used"):
        staff.accept(digest, make_user())
    assert event.staff.count() == 2


def test_only_the_hash_of_an_invitation_is_kept(event: Tournament):
    secret = staff.invite(event, owner_of(event), StaffRole.JUDGE, timezone.now())

    assert len(secret) >= 22
    assert StaffInvitation.objects.get().secret_hash == secret_links.digest(secret)
    assert secret not in str([*StaffInvitation.objects.values(), *event.log.values()])


def test_an_invitation_ends_with_its_time_or_when_it_is_withdrawn(event: Tournament):
    late, withdrawn = invited(event, hours=0), invited(event)
    staff.withdraw(StaffInvitation.objects.get(secret_hash=withdrawn), owner_of(event))

    with pytest.raises(staff.InvitationOver, match="too old"):
        staff.accept(late, make_user())
    with pytest.raises(staff.InvitationOver, match="withdrawn"):
        staff.accept(withdrawn, make_user())
    with pytest.raises(staff.InvitationUnknown):
        staff.accept(secret_links.digest("a guess"), make_user())


def test_who_has_a_role_keeps_it_and_the_link_stays_good(event: Tournament):
    digest = invited(event, StaffRole.ORGANISER)

    with pytest.raises(staff.StaffRefused, match="judge here already"):
        staff.accept(digest, add_staff(event, StaffRole.JUDGE))

    assert staff.accept(digest, make_user()).role == StaffRole.ORGANISER


@pytest.fixture
def browser(client: Client) -> Client:
    """Logged in as mara, who owns Spring Run."""
    mara = make.make_user("mara")
    make.make_event(players=2, owner=mara)
    client.force_login(mara)
    return client


def secret_on(page: str) -> str:
    found = re.search(r"Token ([0-9a-f]{64})", page)
    assert found is not None
    return found[1]


def test_a_token_is_shown_once_and_works(browser: Client):
    made = browser.post("/me/tokens/", {**FORM, "event": "spring-run"})
    secret = secret_on(made.content.decode())

    assert made.status_code == 201
    assert "no-store" in made.headers["Cache-Control"]
    assert made.headers["Referrer-Policy"] == "no-referrer"
    # Or a browser sends "Origin: null" with the form, which is refused.
    assert '<meta name="referrer" content="same-origin">' in made.content.decode()
    assert "/api/v1/events/spring-run/" in made.content.decode()
    assert secret not in browser.get("/me/tokens/").content.decode()
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    assert api.get("/api/v1/events/spring-run/").status_code == 200


def test_the_list_says_where_how_long_and_when_last_used(browser: Client):
    secret = secret_on(
        browser.post("/me/tokens/", {**FORM, "event": "spring-run", "lasts": ""}).content.decode()
    )
    page = browser.get("/me/tokens/").content.decode()
    assert "read what you may read" in page
    assert page.count(">Never<") == 2

    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    api.get("/api/v1/events/")

    assert browser.get("/me/tokens/").content.decode().count(">Never<") == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "\u202e"},
        {"scope": "all"},
        {"event": "elsewhere"},
        {"lasts": "2"},
        {"name": "x" * 81},
    ],
)
def test_what_is_wrong_makes_no_token(browser: Client, wrong: dict[str, str]):
    make.make_event(players=0, name="Elsewhere")

    assert browser.post("/me/tokens/", {**FORM, **wrong}).status_code == 422
    assert not ApiToken.objects.exists()


def test_only_its_owner_revokes_a_token(browser: Client, client: Client):
    browser.post("/me/tokens/", FORM)
    token = ApiToken.objects.get()
    stranger = logged_in(make.make_user())

    assert stranger.post(f"/me/tokens/{token.public_id}/revoke/").status_code == 404
    assert browser.get(f"/me/tokens/{token.public_id}/revoke/").status_code == 405
    stranger.post("/me/tokens/revoke/")
    assert ApiToken.objects.get().is_live

    browser.post(f"/me/tokens/{token.public_id}/revoke/")
    assert not ApiToken.objects.get().is_live


def test_all_are_revoked_at_once(browser: Client):
    secrets = [secret_on(browser.post("/me/tokens/", FORM).content.decode()) for _ in range(2)]

    browser.post("/me/tokens/revoke/")

    for secret in secrets:
        answer = APIClient().get("/api/v1/events/", HTTP_AUTHORIZATION=f"Token {secret}")
        assert answer.status_code == 401


def test_a_token_loses_what_its_account_loses(browser: Client):
    event = make.make_event(players=0, name="Other", visibility="private")
    judge = make.add_staff(event, StaffRole.JUDGE)
    secret = tokens.make(judge, Wanted("Bot", "manage", event))
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    assert api.get("/api/v1/events/other/").status_code == 200

    staff.take_role(event, make.owner_of(event), event.staff.get(user=judge))

    assert api.get("/api/v1/events/other/").status_code == 404
