"""Measure pages of the demo site with Lighthouse's mobile preset: `make lighthouse`.

Needs Chromium and npx. Prints a table; ends with 1 when a score is below 100. Lighthouse simulates
a slow phone from what it measures, so other work on the machine lowers the performance score.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import phone
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.every_page import EVENT, LEAGUE
from tests.live_site import running_site

LIGHTHOUSE = "lighthouse@13.5.0"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
PLAYER_NUMBER = 4
PUBLIC = {
    "home": "/",
    "event": EVENT,
    "pairings": f"{EVENT}pairings/",
    "standings": f"{EVENT}standings/",
    "table": f"{EVENT}rounds/1/tables/1/",
    "player": f"{EVENT}players/{PLAYER_NUMBER}/",
    "deck check": "/decks/check/",
    "statistics": f"{EVENT}statistics/",
    "series": LEAGUE,
    "rulings search": "/rulings/search/?q=virus",
}
STAFF = {
    "roster": f"{EVENT}roster/",
    "results": f"{EVENT}rounds/3/results/",
    "settings": f"{EVENT}desk/settings/",
}
PLAYER = {"my table": f"{EVENT}me/"}


def main() -> None:
    """Measure every page and print its scores."""
    if CHROMIUM is None:
        sys.exit("Chromium is not installed.")
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder), demo=True) as site,
        sync_playwright() as playwright,
    ):
        logins = dict(
            line.split() for line in (Path(folder) / "demo_login").read_text().splitlines()
        )
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        staff = _organiser(browser, site.address, logins["organiser"])
        player = _player(browser, staff, site.address)
        readers = ((PUBLIC, ""), (STAFF, _cookies(staff)), (PLAYER, _cookies(player)))
        browser.close()
        sys.stdout.write(f"| page | {' | '.join(CATEGORIES)} |\n|---|{'---|' * len(CATEGORIES)}\n")
        is_perfect = True
        for pages, cookies in readers:
            for name, path in pages.items():
                scores = _scores(f"{site.address}{path}", cookies)
                is_perfect = is_perfect and min(scores) == 100
                sys.stdout.write(f"| {name} | {' | '.join(map(str, scores))} |\n")
                sys.stdout.flush()
    sys.exit(0 if is_perfect else 1)


def _organiser(browser: Browser, site: str, password: str) -> Page:
    page = browser.new_page()
    page.goto(f"{site}/account/login/")
    page.locator("[name=login]").fill("organiser")
    page.locator("[name=password]").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{site}/me/")
    return page


def _player(browser: Browser, staff: Page, site: str) -> Page:
    staff.goto(f"{site}{EVENT}roster/{PLAYER_NUMBER}/link/")
    name = staff.locator("h1 bdi").inner_text()
    staff.get_by_role("button", name="Make a link").click()
    page = browser.new_page()
    phone.claim(page, staff.locator("#claim-link").inner_text().strip(), name)
    return page


def _cookies(page: Page) -> str:
    return "; ".join(f"{each.get('name')}={each.get('value')}" for each in page.context.cookies())


def _scores(address: str, cookies: str) -> list[int]:
    """Return the score of each category, 0 to 100."""
    command = ["npx", "--yes", LIGHTHOUSE, address, "--output=json", "--quiet"]
    command += [f"--only-categories={','.join(CATEGORIES)}"]
    command += [f"--chrome-flags=--headless=new {' '.join(FLAGS)}"]
    if cookies:
        command += [f"--extra-headers={json.dumps({'Cookie': cookies})}"]
    environment = {**os.environ, "CHROME_PATH": str(CHROMIUM)}
    answer = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    report: dict[str, Any] = json.loads(answer.stdout)
    return [round(100 * report["categories"][name]["score"]) for name in CATEGORIES]


if __name__ == "__main__":
    main()
