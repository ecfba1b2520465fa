"""Decks and card data fetched from NetrunnerDB."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from core import http
from core.http import Policy
from core.json_guard import NotJson
from decks import netrunnerdb, services
from decks.formats.plain_text import MAX_BYTES
from decks.netrunnerdb import DeckNotThere, NotADeckAddress, StrangeAnswer
from decks.services import DeckNotFetched
from tests.core.network import PUBLIC, record
from tests.core.test_hostile_addresses import HOSTILE
from tests.core.tls_site import replies, tls_site

pytestmark = pytest.mark.check(17)

UUID = "0f3a9b0e-6b5c-4c0e-9d2a-3f1b2c4d5e6f"
BASE = "https://netrunnerdb.com/api/2.0/public"
DECK = {"id": 12345, "uuid": UUID, "name": "A Deck", "description": "", "cards": {"01050": 3}}
ENVELOPE = {"data": [DECK], "total": 1, "success": True, "version_number": "2.0"}


class Answers:
    """Site responses by address; 404 for all other addresses."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {path.replace("__", "/"): answer for path, answer in answers.items()}
        self.asked: list[str] = []

    def __call__(self, url: str, policy: Policy) -> Any:
        self.asked.append(url)
        assert policy.hosts == frozenset({"netrunnerdb.com"})
        answer = self.answers.get(url.removeprefix(f"{BASE}/").split("/")[0])
        if answer is None:
            raise http.WrongStatus("netrunnerdb.com answered with status 404.", status=404)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.parametrize(
    ("typed", "requested"),
    [
        ("https://netrunnerdb.com/en/decklist/12345/a-deck", "decklist/12345"),
        (f"https://netrunnerdb.com/en/decklist/{UUID}/a-deck-", f"decklist/{UUID}"),
        (f"https://netrunnerdb.com/en/decklist/{UUID.upper()}", f"decklist/{UUID}"),
        ("https://netrunnerdb.com/decklist/12345", "decklist/12345"),
        ("https://www.netrunnerdb.com/fr/decklist/12345/nom#cards", "decklist/12345"),
        ("http://netrunnerdb.com/en/decklist/12345?x=1", "decklist/12345"),
        ("netrunnerdb.com/en/decklist/12345/a-deck/", "decklist/12345"),
        ("https://netrunnerdb.com/en/deck/view/99", "deck/99"),
        (f"https://netrunnerdb.com/en/deck/view/{UUID}", f"deck/{UUID}"),
        ("https://netrunnerdb.com/en/deck/edit/99", "deck/99"),
        ("HTTPS://NetrunnerDB.com/en/deck/view/99", "deck/99"),
        ("https://netrunnerdb.com/api/2.0/public/deck/99", "deck/99"),
        ("https://netrunnerdb.com/api/2.0/public/decklist/99.json", None),
        (" 12345 ", "decklist/12345"),
        (UUID, f"decklist/{UUID}"),
        ("", None),
        ("my deck", None),
        ("1234567890", None),
        ("-5", None),
        ("12345; DROP", None),
        ("\u0661\u0662\u0663", None),
        ("https://netrunnerdb.com/en/card/01050", None),
        ("https://netrunnerdb.com/en/decklist/", None),
        ("https://netrunnerdb.com/en/decklist/../../etc/passwd", None),
        ("https://netrunnerdb.com/en/decklist/12345%2f..", None),
        ("https://netrunnerdb.com.example.com/en/decklist/12345/a", None),
        ("https://example.com/netrunnerdb.com/en/decklist/12345/a", None),
        ("https://netrunnerdb.com@example.com/en/decklist/12345/a", None),
        ("https://netrunnerdb.com:8443/en/decklist/12345/a", None),
        ("ftp://netrunnerdb.com/en/decklist/12345/a", None),
        ("https://arkhamdb.com/decklist/view/12345/a", None),
        ("https://netrunnerdb.com/en/decklist/12345/" + "a" * 5000, None),
    ],
)
def test_only_the_id_is_taken_from_an_address(typed: str, requested: str | None):
    answers = Answers(decklist=ENVELOPE, deck=ENVELOPE)
    if requested is None:
        with pytest.raises(NotADeckAddress, match="not the address of a deck on NetrunnerDB"):
            services.fetch_deck(typed, answers)
        assert answers.asked == []
    else:
        services.fetch_deck(typed, answers)
        assert answers.asked == [f"{BASE}/{requested}"]


@pytest.mark.parametrize(
    "typed", [*HOSTILE, "12345", f"https://netrunnerdb.com/en/deck/view/{UUID}"]
)
def test_typed_address_never_changes_the_host(monkeypatch: pytest.MonkeyPatch, typed: str):
    network = record(monkeypatch, {"netrunnerdb.com": [PUBLIC]})

    with pytest.raises((NotADeckAddress, DeckNotFetched)):
        services.fetch_deck(typed)
    assert set(network.looked_up) <= {"netrunnerdb.com"}
    assert set(network.connected) <= {(PUBLIC, 443)}


def test_fetched_deck_is_text_with_all_cards():
    text = services.fetch_deck(
        "https://netrunnerdb.com/en/decklist/12345", Answers(decklist=ENVELOPE)
    )

    assert json.loads(text)["data"] == [DECK]


def test_number_may_be_a_deck_or_a_decklist():
    answers = Answers(decklist={"success": False, "msg": "No such."}, deck=ENVELOPE)

    assert json.loads(services.fetch_deck("12345", answers))["data"] == [DECK]
    assert answers.asked == [f"{BASE}/decklist/12345", f"{BASE}/deck/12345"]


def test_long_description_is_omitted():
    deck = {**DECK, "description": "<p>\u00e9</p>" * 9000}
    text = services.fetch_deck("12345", Answers(decklist={**ENVELOPE, "data": [deck]}))

    assert len(text.encode()) < MAX_BYTES
    assert json.loads(text)["data"][0]["cards"] == DECK["cards"]


@pytest.mark.parametrize(
    "failure",
    [
        {"success": False, "msg": "You are not allowed to see this."},
        {"success": False},
        http.WrongStatus("no", status=401),
        http.WrongStatus("no", status=403),
        http.WrongStatus("no", status=404),
    ],
)
def test_private_deck_is_refused_with_advice(failure: Any):
    private_address, published = (
        "https://netrunnerdb.com/en/deck/view/7",
        "https://netrunnerdb.com/decklist/7",
    )

    with pytest.raises(DeckNotThere, match="Share your decks"):
        services.fetch_deck(private_address, Answers(deck=failure))
    with pytest.raises(DeckNotThere, match="no published decklist 7"):
        services.fetch_deck(published, Answers(decklist=failure))
    with pytest.raises(DeckNotThere):
        services.fetch_deck("7", Answers(decklist=failure, deck=failure))


@pytest.mark.parametrize(
    "answer",
    [
        [],
        "deck",
        12,
        {},
        {"success": True},
        {"data": None},
        {"data": []},
        {"data": [1]},
        {"data": [DECK, DECK]},
        {"data": DECK},
    ],
)
def test_malformed_response_is_refused(answer: Any):
    with pytest.raises(StrangeAnswer, match="paste the list"):
        services.fetch_deck("12345", Answers(decklist=answer))


@pytest.mark.parametrize(
    ("failure", "advice"),
    [
        (
            http.Unreachable("x"),
            "NetrunnerDB cannot be reached: there may be no",
        ),
        (http.TooSlow("x"), "is taking too long"),
        (http.TooBig("netrunnerdb.com answered with more."), "answered with more"),
        (http.WrongStatus("It answered with status 500.", status=500), "status 500"),
        (http.AddressNotAllowed("It is not public."), "It is not public."),
        (NotJson("This is not JSON."), "not JSON"),
    ],
)
def test_network_errors_suggest_an_alternative(failure: Exception, advice: str):
    with pytest.raises(DeckNotFetched) as refusal:
        services.fetch_deck("12345", Answers(decklist=failure))

    assert advice in str(refusal.value)
    assert str(refusal.value).endswith("Paste the list instead, or choose its file.")


def test_concurrent_fetches_are_limited(settings):
    settings.API_LIMITS = {**settings.API_LIMITS, "at_once": 2}
    messages = []

    def while_others_ask(url: str, policy: Policy) -> Any:
        try:
            services.fetch_deck("12345", while_others_ask)
        except DeckNotFetched as refusal:
            messages.append(str(refusal))
        return ENVELOPE

    services.fetch_deck("12345", while_others_ask)
    services.fetch_deck("12345", Answers(decklist=ENVELOPE))
    assert len(messages) == 1
    assert "Try again in a few seconds, or paste the list." in messages[0]


def test_offline_site_explains_the_failure(monkeypatch: pytest.MonkeyPatch):
    network = record(monkeypatch)

    with pytest.raises(DeckNotFetched, match="cannot be reached"):
        services.fetch_deck("https://netrunnerdb.com/en/decklist/12345/a")
    assert network.looked_up == ["netrunnerdb.com"]


def test_deck_is_fetched_over_a_real_connection(tmp_path, monkeypatch: pytest.MonkeyPatch):
    reply = replies("200 OK", json.dumps(ENVELOPE).encode())
    with tls_site(tmp_path, reply, name="netrunnerdb.com") as site:
        policy_ = site.policy(hosts=frozenset({"netrunnerdb.com"}))
        text = services.fetch_deck("12345", lambda url, _: http.get_json(url, policy_))

    assert json.loads(text)["data"] == [DECK]
    assert site.requests[0].startswith(b"GET /api/2.0/public/decklist/12345 HTTP/1.1\r\n")


def records(count: int, first: int = 0) -> list[dict[str, Any]]:
    return [
        {"id": f"card_{number}", "type": "cards", "attributes": {"title": f"Card {number}"}}
        for number in range(first, first + count)
    ]


def paged(all_records: list[Any], requested: list[str]) -> Callable[[str, Policy], Any]:
    """A site with these records on pages of 100."""

    def get(url: str, policy: Policy) -> Any:
        assert policy.hosts == frozenset({"api.netrunnerdb.com"})
        requested.append(url)
        start = 100 * (len(requested) - 1)
        return {
            "data": all_records[start : start + 100],
            "links": {"next": "https://evil.example/"},
        }

    return get


@pytest.mark.parametrize(("count", "pages"), [(0, 1), (99, 1), (100, 2), (250, 3)])
def test_card_data_is_fetched_page_by_page(count: int, pages: int):
    requested: list[str] = []
    all_records = [
        one
        for page in netrunnerdb.get_pages("cards", paged(records(count), requested))
        for one in page
    ]

    assert all_records == records(count)
    assert requested == [
        "https://api.netrunnerdb.com/api/v3/public/cards"
        f"?page%5Bnumber%5D={number}&page%5Bsize%5D=100"
        for number in range(1, pages + 1)
    ]


@pytest.mark.parametrize("total", [70, 71, 105])
def test_pages_shorter_than_requested_are_read_to_the_end(total: int):
    requested: list[str] = []

    def get(url: str, policy: Policy) -> Any:
        start = 35 * len(requested)
        requested.append(url)
        page = records(total)[start : start + 35]
        return {"data": page, "meta": {"stats": {"total": {"count": total}}}}

    all_records = [one for page in netrunnerdb.get_pages("cards", get) for one in page]
    assert all_records == records(total)
    assert len(requested) == -(-total // 35)


def test_fewer_records_than_the_total_are_refused():
    answers: list[dict[str, Any]] = [{"data": records(3)}, {"data": []}]

    def get(url: str, policy: Policy) -> Any:
        return {**answers.pop(0), "meta": {"stats": {"total": {"count": 5}}}}

    with pytest.raises(StrangeAnswer):
        list(netrunnerdb.get_pages("cards", get))


@pytest.mark.parametrize(
    "answer",
    [[], {}, {"data": {}}, {"data": [1]}, {"data": [{"id": 1, "attributes": {}}]}, {"data": [{}]}],
)
def test_card_data_of_another_shape_is_refused(answer: Any):
    with pytest.raises(StrangeAnswer, match=r"not a list of printings\. Try again later\.$"):
        list(netrunnerdb.get_pages("printings", lambda url, policy: answer))


def test_endless_pages_are_refused():
    with pytest.raises(StrangeAnswer, match="with an end"):
        list(netrunnerdb.get_pages("cards", lambda url, policy: {"data": records(100)}))


@pytest.mark.usefixtures("anr_cards")
def test_fetched_deck_is_read_like_a_pasted_one():
    cards = {"01001": 1, "01050": 3, "30030": 2, "99999": 1}
    deck = {**DECK, "description": "<p>Runs &amp; steals</p>", "cards": cards}
    text = services.fetch_deck("12345", Answers(decklist={**ENVELOPE, "data": [deck]}))

    verdict = services.check_deck(text, game="anr")

    assert verdict.form == "netrunnerdb_v2"
    assert verdict.identity.title == "Noise: Hacker Extraordinaire"
    gambles = [slot.quantity for slot in verdict.slots if slot.card.title == "Sure Gamble"]
    assert gambles == [3, 2]
    unknown = [breach for breach in verdict.breaches if breach.code == "unknown_printing"]
    assert len(unknown) == 1
    assert "99999" in unknown[0].message
