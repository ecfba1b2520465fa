"""Every address is in a table of roles, and only administrators open the admin."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from players.models import User
from tests.factories.tournaments import make_event, make_user, player_number
from tests.rulings import test_route_matrix as rulings
from tests.tournaments.cast import browser_of

pytestmark = [pytest.mark.check(3), pytest.mark.goal("G7")]

# Tested in tests/tournaments/matrix and tests/api/matrix.
OWN_TABLES = ("tournaments:", "api:")
# Includes forms, which the tests of accounts and claim links submit.
FOR_ALL = {
    *(
        "home",
        "schema",
        "api_docs",
        "slash_missing",
        "decks:cards",
        "decks:complete",
        "decks:check",
        "decks:card",
    ),
    *("players:me", "players:claim", "players:claim_confirm", "players:forget"),
    *("account_login", "account_logout", "account_signup", "account_inactive"),
    *("account_reset_password", "account_reset_password_done", "account_confirm_email"),
    *("account_reset_password_from_key", "account_reset_password_from_key_done"),
    *("account_email_verification_sent", "account_confirm_login_code"),
    *("mfa_authenticate", "mfa_login_webauthn"),
    *("privacy", "imprint", "accessibility", "credits", "styleguide"),
    *("robots_txt", "security_txt"),
}
FOR_ACCOUNTS = {
    *("account_email", "account_change_password", "account_set_password"),
    *("account_reauthenticate", "mfa_index", "mfa_reauthenticate", "mfa_activate_totp"),
    *("mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"),
    *("mfa_download_recovery_codes", "mfa_list_webauthn", "mfa_add_webauthn"),
    *("mfa_reauthenticate_webauthn", "mfa_remove_webauthn", "mfa_edit_webauthn"),
    "players:sessions",
}
OF_A_KEY = {"mfa_remove_webauthn", "mfa_edit_webauthn"}
# Probes and metrics; without the token they show no details.
FOR_MONITORING = {"livez", "readyz", "metrics"}
ADMIN = "admin:"
OF_THE_ADMIN = {"object_id": "1", "id": "1", "url": "x", "app_label": "players"}
OPEN_IN_THE_ADMIN = {"admin:login", "admin:logout"}


def named(resolver: URLResolver | None = None, space: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Yield each URL pattern with its full name."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLPattern):
            yield f"{space}{entry.name}", entry
        else:
            yield from named(entry, f"{space}{entry.namespace}:" if entry.namespace else space)


def test_every_address_is_in_a_table():
    names = {name for name, _ in named() if not name.startswith((*OWN_TABLES, ADMIN))}

    assert names == FOR_ALL | FOR_ACCOUNTS | FOR_MONITORING | rulings.METHODS.keys()


@pytest.mark.django_db
def test_pages_of_an_account_redirect_to_the_login():
    user = make_user()
    for name, _ in named():
        if name in FOR_ACCOUNTS:
            answer = Client().get(reverse(name, args=[user.pk] if name in OF_A_KEY else []))
            assert answer.status_code == 302, name
            assert answer["Location"].startswith("/account/login/"), name


@pytest.mark.django_db
@pytest.mark.usefixtures("quiet_requests")
def test_event_staff_cannot_open_the_admin():
    event = make_event(players=2)
    people = ("anonymous", "player", "judge", "scorekeeper", "organiser", "owner")
    browsers = {person: browser_of(person, event, player_number(event, 1)) for person in people}
    addresses = [
        reverse(name, kwargs={key: OF_THE_ADMIN[key] for key in pattern.pattern.regex.groupindex})
        for name, pattern in named()
        if name.startswith(ADMIN) and name not in OPEN_IN_THE_ADMIN and "None" not in name
        if name not in ("admin:view_on_site",)
    ]
    accounts = list(User.objects.order_by("pk").values())

    for person, browser in browsers.items():
        for address in addresses:
            for send in (browser.get, browser.post):
                assert send(address).status_code in (302, 403, 404), (person, address)

    assert len(addresses) > 60
    assert list(User.objects.order_by("pk").values()) == accounts
