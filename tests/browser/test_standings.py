"""The standings on the screen of a small laptop and on a phone."""

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page

from matches.scoring.rules import scoring_rule
from tests.browser.conftest import NewPage
from tests.browser.test_bracket import PHONE, static_text
from tournaments.models import Tournament
from tournaments.results.standings_pages import (
    GridCell,
    GridLine,
    RoundOutcome,
    StandingLine,
    StandingsGrid,
)

pytestmark = pytest.mark.browser

STYLES = ("tokens", "base", "components/table", "components/event", "components/standings")
LAPTOP_WIDTH = 1024
FIGURES = (("SoS", "12.6400"), ("ESoS", "12.6720"), ("Buchholz", "316"))


def open_standings(page: Page) -> None:
    """Show 22 players after five rounds, with three tie-breakers."""
    cells = tuple(
        GridCell(number, RoundOutcome.WON, 20, place=22, side="Runner") for number in range(1, 6)
    )
    grid = StandingsGrid(
        after=5,
        stored=5,
        tie_breakers=(),
        headings=tuple((heading, heading) for heading, _ in FIGURES),
        rounds=tuple(range(1, 6)),
        has_sides=True,
        lines=tuple(
            GridLine(
                StandingLine(rank, f"Jean-Baptiste {rank}", "he/him", rank, 100, FIGURES, False),
                moved=-11,
                record=(5, 0, 0),
                corp=50,
                runner=50,
                cells=cells,
                verdict="in",
            )
            for rank in range(1, 23)
        ),
    )
    context = {
        "grid": grid,
        "rule": scoring_rule("onr_runner_only"),
        "tournament": Tournament(slug="wide"),
        "identities": {},
    }
    page.set_content(render_to_string("tournaments/results/_grid.html", context))
    for style in STYLES:
        page.add_style_tag(content=static_text(f"css/{style}.css"))


def test_five_rounds_and_three_tie_breakers_fit_a_small_laptop(new_page: NewPage):
    page = new_page(viewport={"width": LAPTOP_WIDTH, "height": 768})
    open_standings(page)

    # The margins of the page.
    page.add_style_tag(content="body { padding-inline: 25px }")
    table = page.locator("#standings")
    assert table.evaluate("area => area.scrollWidth - area.clientWidth") == 0
    assert page.locator(".cell__short").first.inner_text().strip() == "22nd R"
    assert page.locator("tbody tr").first.evaluate("row => row.offsetHeight") <= 56


def test_hidden_texts_of_cells_do_not_widen_the_page_of_a_tablet(new_page: NewPage):
    page = new_page(viewport={"width": 650, "height": 900})
    open_standings(page)

    assert page.locator("#standings").evaluate("area => area.scrollWidth > area.clientWidth")
    assert not page.evaluate("document.scrollingElement.scrollWidth > innerWidth")


def test_rounds_of_a_player_name_the_side_on_a_phone(new_page: NewPage):
    page = new_page(viewport=PHONE)
    open_standings(page)

    page.locator(".table__more summary").first.click()

    cell = page.locator("tbody tr").first.locator(".cell").first
    assert cell.locator(".cell__long").is_visible()
    assert not cell.locator(".cell__short").is_visible()
