"""Every response is a document or an error of the same shape."""

from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from tests.api.matrix.table import is_list
from tests.api.routes import ADDRESSES, PUBLIC
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("library")
PARAMETERS = [
    *("page", "page_size", "round", "game", "finished", "ordering", "search", "side", "type"),
    *("set", "section", "kind", "subject", "card", "starts_on_after", "starts_on_before", "x"),
    *("as_of", "from", "to", "authority", "document", "all", "local", "related", "format"),
]
ODD_VALUES = ["", "0", "-1", "1", "2", "1e3", "99999999999999999999", "\x00", "٣", "true", "name"]
QUERIES = st.dictionaries(
    st.sampled_from(PARAMETERS), st.sampled_from(ODD_VALUES) | st.text(max_size=20), max_size=3
)
MISSING = [
    "/api/v1/nothing/",
    "/api/v1/events/nothing/",
    "/api/v1/events/spring-run/decks/nothing/",
    "/api/v1/events/spring-run/rounds/x/",
    "/api/v1/cards/onr/nothing/",
    "/api/v1/cards/anr/ice-pick-willie/",
    "/api/v1/cards/chess/ice-pick-willie/",
    "/api/v1/rulings/nothing-1/",
    "/api/v1/rulings/%FF/",
    "/api/v1/cards/?page=999999999",
    "/api/v1/cards/?page=59",
]


def is_problem(body: object) -> bool:
    return isinstance(body, dict) and set(body) == {"code", "detail", "errors"}


def test_all_lists_have_the_same_shape(api: APIClient, event: Tournament):
    lists = [
        address for operation, address in zip(PUBLIC, ADDRESSES, strict=True) if is_list(operation)
    ]
    assert len(lists) > 7
    for address in lists:
        body = api.get(address).json()
        # The reach of a search, and why standings are empty or outdated.
        assert set(body) - {"search", "why_empty", "updating_from_round"} == {
            "count",
            "next",
            "previous",
            "results",
        }, address
        assert len(body["results"]) == min(body["count"], 100), address


def test_missing_objects_are_a_404(api: APIClient, event: Tournament):
    for address in MISSING:
        answer = api.get(address)
        assert answer.status_code == 404, address
        assert is_problem(answer.json())
    assert is_problem(api.post("/api/v1/nothing/").json())


def test_root_links_to_every_part_of_the_api(api: APIClient, event: Tournament):
    links = api.get("/api/v1/").json()

    assert set(links) == {"events", "series", "cards", "formats", "rulings", "schema", "docs"}
    assert {api.get(link).status_code for link in links.values()} == {200}


@pytest.mark.parametrize("side", ["%0A", "a%0Ab", "%0D%0A"])
def test_address_with_a_line_break_gets_an_error_of_the_api(api: APIClient, side: str):
    for answer in (
        api.get(f"/api/v1/events/spring/decks/1/{side}/"),
        api.post(f"/api/v1/events/spring/decks/1/{side}/lock/"),
    ):
        assert answer.status_code == 404
        assert answer["Content-Type"] == "application/json"
        assert answer.json()["code"] == "not_found"


def test_unsupported_accept_header_is_a_406(api: APIClient):
    answer = api.get("/api/v1/cards/", HTTP_ACCEPT="image/png")

    assert answer.status_code == 406
    assert is_problem(answer.json())


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(address=st.sampled_from(ADDRESSES), query=QUERIES)
@example(address="/api/v1/rulings/", query={"search": '"'})
@example(address="/api/v1/rulings/", query={"search": "a AND (OR* NEAR"})
@example(address="/api/v1/cards/", query={"search": "%_\\"})
@example(address="/api/v1/rulings/", query={"as_of": "0001-01-01", "format": "txt"})
@example(address="/api/v1/rulings/", query={"card": "x" * 140, "related": "true"})
@example(address="/api/v1/rulings/all/", query={"as_of": "2026-5-1"})
@example(address="/api/v1/rulings/tracing-1/", query={"as_of": "2026-5-1"})
def test_odd_queries_get_a_valid_response(
    api: APIClient, event: Tournament, address: str, query: dict[str, str]
):
    encoded = urlencode(query, errors="replace")
    answer = api.get(f"{address}?{encoded}")

    assert answer.status_code in (200, 400, 404)
    assert answer.status_code == 200 or is_problem(answer.json())
