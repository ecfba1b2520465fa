from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.routes import ADDRESSES
from tests.factories import tournaments as make
from tournaments.models import Tournament
from tournaments.services import registrations


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_answer_that_has_not_changed_is_a_304(
    api: APIClient, event: Tournament, library: None, address: str
):
    first = api.get(address)
    again = api.get(address, HTTP_IF_NONE_MATCH=first.headers["ETag"])

    assert first.status_code == 200
    assert "no-cache" in first.headers["Cache-Control"]
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]


def test_asking_again_about_an_event_costs_one_query(
    api: APIClient, event: Tournament, django_assert_num_queries: Any
):
    address = "/api/v1/events/spring-run/rounds/1/"
    etag = api.get(address).headers["ETag"]

    with django_assert_num_queries(1):
        assert api.get(address, HTTP_IF_NONE_MATCH=etag).status_code == 304


def test_a_change_of_the_event_changes_the_etag(api: APIClient, event: Tournament):
    address = "/api/v1/events/spring-run/players/"
    before = api.get(address)
    registrations.drop(make.player_number(event, 1), make.owner_of(event))

    after = api.get(address, HTTP_IF_NONE_MATCH=before.headers["ETag"])

    assert after.status_code == 200
    assert after.json()["results"][0]["state"] == "dropped"


def test_each_page_of_a_list_has_an_etag_of_its_own(api: APIClient, event: Tournament):
    address = "/api/v1/events/spring-run/players/?page_size=3"
    etags = {api.get(f"{address}&page={page}").headers["ETag"] for page in (1, 2, 3)}

    assert len(etags) == 3
