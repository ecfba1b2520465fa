"""Every address of the rulings: roles, caching and invalid input."""

from collections.abc import Iterator
from itertools import cycle

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from players.models import User
from rulings import services, short_urls, urls
from rulings.models import Ruling, RulingVersion
from rulings.reference_importer import load_reference
from tests.factories.library import load_cards, load_few_rulings
from tests.factories.tournaments import make_user
from tests.shared_rows import shared_rows

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("matrix_library"),
    pytest.mark.check(3, 8, 19),
    pytest.mark.goal("G7"),
]

READ, WRITE, BOTH = ("GET",), ("POST",), ("GET", "POST")
OPEN = (
    *("index", "search", "pick", "booklet", "all_changes", "changes_feed", "cited", "guide"),
    *("rules", "rules_page", "document", "card", "subject", "ruling", "version", "changes"),
    *("game_card", "game_subject"),
)
OF_ADMINISTRATORS = {"rulings:import": BOTH, "rulings:edit": BOTH, "rulings:stand": WRITE}
METHODS = {
    **{f"rulings:{name}": READ for name in OPEN},
    "ruling_short": READ,
    "ruling_short_version": READ,
    **OF_ADMINISTRATORS,
}
ROUTES = {
    **{f"rulings:{route.name}": route for route in urls.urlpatterns},
    **{str(route.name): route for route in short_urls.urlpatterns},
}
SLUGS = {
    "rulings:card": "ball-and-chain",
    "rulings:game_card": "ball-and-chain",
    "rulings:document": "local-rulings-onr",
    "rulings:rules_page": "two-round-match",
}
API = ("/api/v1/rulings/", "/api/v1/rulings/all/", "/api/v1/rulings/documents/")
ODD = (
    *("", "abc", "-1", "0", "9" * 30, "+0000", "\u0661", "x" * 10_000, "[]", "%s", "a\r\nb"),
    *("0001-01-01", "9999-12-31", "2026-13-45", "1997-05-12T00:00:00+0000", "a\0b", "\u202e"),
    *('"', "*", '" OR "', "NEAR(a b)", "a & !b | :*", "'; --", "text:a", "R-0001 v99999"),
    *("<script>alert(1)</script>", "{{ 7 }}", "\U0001f996", "a" * 61, "/" * 2000),
)
ASKED = (
    *("q", "search", "card", "authority", "since", "until", "kind", "game", "document", "ended"),
    *("page", "page_size", "as_of", "from", "to", "codes", "wording", "section", "subject"),
    *("related", "all", "local", "format"),
)
WRITTEN = (
    *("seen", "text", "in_force_from", "reason", "kind", "source-TOTAL_FORMS", "source-0-date"),
    *("source-INITIAL_FORMS", "source-0-authority", "source-0-about", "supersedes"),
    *("withdrawn_on", "save", "import", "file"),
)


@pytest.fixture(scope="module")
def matrix_library(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The small list, a page of rules, and a ruling of a head judge."""
    yield from shared_rows(django_db_blocker, _fill)


def _fill() -> None:
    load_cards()
    load_few_rulings()
    load_reference()
    services.create_local_ruling(
        services.get_local_document("onr"), subject="Dice", text="No dice."
    )


def address(name: str) -> str:
    ids = {
        "code": "tracing-1",
        "game": "onr",
        "number": 1,
        "short": "R-0001",
        "slug": SLUGS.get(name, "tracing"),
    }
    return reverse(name, kwargs={key: ids[key] for key in ROUTES[name].pattern.converters})


def browser_of(actor: str) -> Client:
    browser = Client(enforce_csrf_checks=actor == "forged")
    if actor in ("administrator", "forged"):
        browser.force_login(User.objects.create_user("admin", is_staff=True))
    elif actor == "reader":
        browser.force_login(make_user())
    return browser


def outcome(browser: Client, method: str, name: str) -> str:
    answer = browser.generic(method, address(name))
    if answer.status_code == 302:
        return "log in" if answer["Location"].startswith("/account/login/") else "ok"
    return {200: "ok", 422: "ok"}.get(answer.status_code, str(answer.status_code))


def expected(actor: str, method: str, name: str) -> str:
    if name in OF_ADMINISTRATORS and actor == "anonymous":
        return "log in"
    if method not in METHODS[name]:
        return "405"
    if name in OF_ADMINISTRATORS and actor == "reader":
        return "403"
    return "ok"


def test_every_address_is_in_the_matrix():
    assert ROUTES.keys() == METHODS.keys()


@pytest.mark.parametrize("actor", ["anonymous", "reader", "administrator"])
def test_status_for_each_role(actor: str):
    browser = browser_of(actor)
    cells = [(name, method) for name in METHODS for method in BOTH]
    expected_statuses = {cell: expected(actor, cell[1], cell[0]) for cell in cells}

    assert {
        (name, method): outcome(browser, method, name) for name, method in cells
    } == expected_statuses


@pytest.mark.parametrize("name", OF_ADMINISTRATORS)
def test_forged_form_writes_nothing(name: str):
    before = RulingVersion.objects.count()

    assert browser_of("forged").post(address(name), {"text": "x"}).status_code == 403
    assert RulingVersion.objects.count() == before


@pytest.fixture
def judge() -> Client:
    """A judge looking for a ruling for a table, which is stored in the session."""
    judge = browser_of("reader")
    session = judge.session
    session["citing"] = {"label": "table 5", "url": "/events/secret/desk/"}
    session.save()
    return judge


def test_ruling_page_leads_a_judge_back_to_the_table(judge: Client):
    assert b"/events/secret/" in judge.get(address("rulings:ruling")).content


@pytest.mark.parametrize("name", [route for route in METHODS if route not in OF_ADMINISTRATORS])
def test_search_of_a_judge_is_not_cached_publicly(judge: Client, name: str):
    # The address alone does not identify the page.
    judge_response, public_response = judge.get(address(name)), Client().get(address(name))

    assert b"/events/secret/" not in public_response.content
    if judge_response.content != public_response.content:
        assert "Cookie" in judge_response["Vary"]
        assert "Cookie" in public_response["Vary"]


@pytest.mark.parametrize(
    ("shift", "share"),
    [(0, 8), *(pytest.param(shift, 1, marks=pytest.mark.slow) for shift in (0, 7, 13))],
)
def test_no_query_parameter_causes_an_error(shift: int, share: int, client: Client):
    # In every field; a quick run tests an eighth of the parameters at each address.
    values = cycle([*ODD[shift:], *ODD[:shift]])
    addresses_ = [address(name) for name in METHODS if name not in OF_ADMINISTRATORS]

    for number, address_ in enumerate([*addresses_, *API, f"{API[0]}tracing-1/"]):
        for field, value in zip(ASKED[number % share :: share], values, strict=False):
            answer = client.get(address_, {field: value})
            assert answer.status_code < 500, (address_, field, value)


def test_no_form_input_causes_an_error():
    browser, values = browser_of("administrator"), cycle(ODD)

    for name in OF_ADMINISTRATORS:
        for _ in ODD:
            typed = dict(zip(WRITTEN, values, strict=False))
            assert browser.post(address(name), typed).status_code < 500, (name, typed)
    assert Ruling.objects.filter(code="tracing-1").exists()
