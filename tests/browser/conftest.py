"""Fixtures for a real browser and the running site."""

import logging
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 15_000  # Milliseconds. The two cores may be busy with other tests.
logger = logging.getLogger(__name__)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
NewPage = Callable[..., Page]
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record a failure, so that open pages are drawn before they close."""
    report = yield
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    return report


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Headless Chromium; without Chromium the tests are skipped, except in CI.

    The fixture belongs to this folder alone: Playwright runs an event loop, in which Django refuses
    database queries.
    """
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is not installed.")
        pytest.skip("Chromium is not installed; browser tests are left out.")
    # The site has its own sessions; Django here only reads settings.
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewPage]:
    """A function that opens a page in its own context; a script error on any page fails the test.

    After a failure, every open page is drawn into the test's temporary folder.
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
