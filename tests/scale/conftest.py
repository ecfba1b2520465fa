"""Two web servers and two workers of a site, which share PostgreSQL and Redis."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.api.live.visitor import Visitor, with_token
from tests.live_site import Site, another_server, another_worker, running_site

TOKEN_LIMIT = "40"
"""Requests per minute and token, low enough for a test to exceed."""


@dataclass(frozen=True)
class Machines:
    """Both servers, and the token of an organiser."""

    first: Site
    second: Site
    organiser: Visitor
    token: str

    @property
    def addresses(self) -> tuple[str, str]:
        return self.first.address, self.second.address


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        pytest.skip("Two machines share PostgreSQL and Redis: set DATABASE_URL and REDIS_URL.")
    folder = tmp_path_factory.mktemp("machines")
    with (
        running_site(folder, DATAFORT_LIMIT_WRITES_AT_ONCE="1000") as first,
        another_server(first) as second,
        another_worker(first, "second@here"),
    ):
        organiser, token = with_token(first.address, "mara")
        yield Machines(first, second, organiser, token)
