"""Measure pages of the demo site with Lighthouse's mobile preset: `make lighthouse`.

`python -m tools.lighthouse results "my table"` measures only those pages. Requires Chromium and
npx. Prints a table; returns 1 if a score is below 100. Lighthouse simulates a slow phone from its
measurements, so other work on the machine lowers the performance score.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

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
        # Lighthouse opens its pages in these browsers, so each page is logged in as its reader.
        stranger, staff, player = (
            playwright.chromium.launch_persistent_context(
                str(Path(folder) / reader),
                executable_path=CHROMIUM,
                args=[*FLAGS, f"--remote-debugging-port={port}"],
            )
            for reader, port in (("stranger", 9331), ("staff", 9332), ("player", 9333))
        )
        desk = _log_in_organiser(staff, site.address, logins["organiser"])
        _claim_player(player, desk, site.address)
        sys.stdout.write(f"| page | {' | '.join(CATEGORIES)} |\n|---|{'---|' * len(CATEGORIES)}\n")
        is_perfect = True
        for pages, port in ((PUBLIC, 9331), (STAFF, 9332), (PLAYER, 9333)):
            for name, path in pages.items():
                if sys.argv[1:] and name not in sys.argv[1:]:
                    continue
                scores = _scores(f"{site.address}{path}", port)
                is_perfect = is_perfect and min(scores) == 100
                sys.stdout.write(f"| {name} | {' | '.join(map(str, scores))} |\n")
                sys.stdout.flush()
        for context in (stranger, staff, player):
            context.close()
    sys.exit(0 if is_perfect else 1)


def _log_in_organiser(context: BrowserContext, site: str, password: str) -> Page:
    page = context.new_page()
    page.goto(f"{site}/account/login/")
    page.locator("[name=login]").fill("organiser")
    page.locator("[name=password]").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{site}/me/")
    return page


def _claim_player(context: BrowserContext, staff: Page, site: str) -> None:
    staff.goto(f"{site}{EVENT}roster/{PLAYER_NUMBER}/link/")
    name = staff.locator("h1 bdi").inner_text()
    staff.get_by_role("button", name="Make a link").click()
    link = staff.locator("#claim-link").inner_text().strip()
    staff.goto("about:blank")
    page = context.new_page()
    phone.claim(page, link, name)
    page.goto("about:blank")


def _scores(address: str, port: int) -> list[int]:
    """Return the score of each category, 0 to 100, from the browser that listens on this port."""
    command = ["npx", "--yes", LIGHTHOUSE, address, "--output=json", "--quiet"]
    command += [f"--only-categories={','.join(CATEGORIES)}"]
    command += [f"--port={port}", "--disable-storage-reset"]
    answer = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    report: dict[str, Any] = json.loads(answer.stdout)
    return [round(100 * report["categories"][name]["score"]) for name in CATEGORIES]


if __name__ == "__main__":
    main()
