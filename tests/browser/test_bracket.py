"""The bracket on a screen that is too narrow for it."""

from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import find
from django.template.loader import render_to_string
from playwright.sync_api import Page, ViewportSize

from tests.browser.conftest import NewPage
from tournaments.results.bracket_pages import BracketDrawing, BracketLine, BracketSide

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}


def game(number: int, state: str, *, is_mine: bool = False) -> BracketLine:
    """A match in column `number`, each below the one before."""
    seats = BracketSide("", "Ada", number=1, is_me=is_mine), BracketSide("", "Bo", number=2)
    x, y = 4 + 274 * number, 62 + 92 * number
    return BracketLine(number, "", "", f"Match {number}", "", seats, state, (), None, x, y)


def open_bracket(page: Page, *games: BracketLine) -> None:
    drawing = BracketDrawing(1200, 500, games, lines=(), headings=(), sides_change=True)
    page.set_content(render_to_string("tournaments/results/_bracket.html", {"bracket": drawing}))
    for style in ("css/tokens.css", "css/base.css", "css/components/bracket.css"):
        page.add_style_tag(content=static_text(style))
    page.add_script_tag(content=static_text("js/bracket.js"))


def static_text(name: str) -> str:
    return Path(str(find(name))).read_text("utf-8")


def visible_games(page: Page) -> list[int]:
    """Return the positions of the matches that are fully visible."""
    positions: list[int] = page.locator(".bracket__game").evaluate_all(
        """(games) => {
          const edges = document.getElementById("bracket").getBoundingClientRect();
          const isSeen = (box) => box.left >= edges.left && box.right <= edges.right;
          const places = games.map((game, place) => place);
          return places.filter((place) => isSeen(games[place].getBoundingClientRect()));
        }"""
    )
    return positions


def test_bracket_begins_with_the_current_round(new_page: NewPage):
    page = new_page(viewport=PHONE)
    open_bracket(page, game(0, "over"), game(1, "over"), game(2, "playing"), game(3, "waiting"))

    assert visible_games(page) == [2]


def test_own_match_comes_before_other_matches_of_the_round(new_page: NewPage):
    page = new_page(viewport=PHONE)
    own_game = game(3, "playing", is_mine=True)
    open_bracket(page, game(0, "over"), game(1, "playing"), game(2, "playing"), own_game)

    assert visible_games(page) == [3]


def test_finished_bracket_begins_with_the_deciding_match(new_page: NewPage):
    page = new_page(viewport=PHONE)
    open_bracket(page, game(0, "over"), game(1, "over"), game(2, "over"), game(3, "skipped"))

    assert visible_games(page) == [2]


def test_bracket_follows_a_round_that_begins(new_page: NewPage):
    page = new_page(viewport=PHONE)
    open_bracket(page, game(0, "playing"), game(1, "waiting"), game(2, "waiting"))
    assert visible_games(page) == [0]

    page.evaluate(
        """() => {
          const [first, second] = document.querySelectorAll(".bracket__game");
          first.setAttribute("class", "bracket__game bracket__game--over");
          second.setAttribute("class", "bracket__game bracket__game--playing");
          document.dispatchEvent(new CustomEvent("datafort:fresh", { detail: {} }));
        }"""
    )

    assert visible_games(page) == [1]
