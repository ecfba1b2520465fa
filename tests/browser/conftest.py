"""A real browser before the running site."""

import logging
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 15_000  # milliseconds; everything else may be running on the same two cores
logger = logging.getLogger(__name__)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
NewPage = Callable[..., Page]
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember a failure, so that the pages can be drawn as they were."""
    report = yield
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    return report


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Headless Chromium; where there is none, the tests say so and are left out, but not in CI.

    Of this folder alone: while it is open its event loop runs, beside which Django refuses to ask
    a database.
    """
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is not installed.")
        pytest.skip("Chromium is not installed; browser tests are left out.")
    # Sessions of the live site are its own; Django here only reads settings.
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewPage]:
    """Pages of different people; a script error on any of them fails the test.

    After a failure every open page is drawn into the test's temporary folder.
    """
    pages: list[Page] = []
    errors: list[str] = []

    def open_page(**options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        pages.append(page)
        return page

    yield open_page
    for number, page in enumerate(pages):
        if request.node.stash.get(FAILED, False):
            page.screenshot(path=tmp_path / f"page-{number}.png", full_page=True)
            logger.error("page %s was at %s: %s", number, page.url, tmp_path)
        page.context.close()
    assert errors == []
