"""The steps of docs/tutorial/ on a running site."""

import pytest
from playwright.sync_api import Browser

from tools import tutorials

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_tutorials_can_be_followed_to_the_end(site: str, browser: Browser) -> None:
    pictures: list[str] = []

    tutorials.walk_all(browser, site, lambda _page, name: pictures.append(name))

    assert {"final-standings", "bracket-of-a-top-4", "planned-events"} <= set(pictures)
