"""Markup of texts, split into blocks and rendered as safe HTML."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.reference import (
    BulletList,
    Paragraph,
    TextPiece,
    TextPieceKind,
    blocks_of,
    codes_in,
    plain_text,
)
from rulings.templatetags.ruling_text import ruling_text

pytestmark = pytest.mark.check(11)

LETTERS = st.text(st.sampled_from("ab *-\n<>&\"'SRL-0123 "), max_size=200)


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert all(
            name == "href" and re.fullmatch(r"/r/[RSL]-\d+/", value or "") for name, value in attrs
        )

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def plain(text: str) -> TextPiece:
    return TextPiece(TextPieceKind.PLAIN, text)


def test_paragraphs_and_lists_are_rendered() -> None:
    assert blocks_of("One\nline.\n- first\n- second\n  half\n\nLast.") == [
        Paragraph((plain("One line."),)),
        BulletList(((plain("first"),), (plain("second half"),))),
        Paragraph((plain("Last."),)),
    ]


def test_emphasis_and_codes_are_rendered() -> None:
    assert blocks_of("A *b c* d, see R-0231.") == [
        Paragraph(
            (
                plain("A "),
                TextPiece(TextPieceKind.EMPHASIS, "b c"),
                plain(" d, see "),
                TextPiece(TextPieceKind.CODE, "R-0231"),
                plain("."),
            )
        )
    ]


@pytest.mark.parametrize(
    "text",
    ["NBN: The World is Yours* costs *", "2*3*4", "* not this *", "X-R-0231", "R-12", "S-1234567"],
)
def test_other_asterisks_and_codes_stay_plain(text: str) -> None:
    assert blocks_of(text) == [Paragraph((plain(text),))]


def test_codes_are_reported_once_in_order() -> None:
    assert codes_in("S-0104, R-0001 and S-0104 again, L-0007") == ["S-0104", "R-0001", "L-0007"]


def test_codes_become_links() -> None:
    assert ruling_text("See S-0104.") == '<p>See <a href="/r/S-0104/">S-0104</a>.</p>'


def test_text_is_escaped() -> None:
    html = ruling_text('<b onclick="x">*<i>*</b>\n- <img src=x>')

    assert Tags(html).tags == {"p", "em", "ul", "li"}


@given(LETTERS)
def test_any_text_renders_known_tags_and_all_words(text: str) -> None:
    rendered = Tags(ruling_text(text))

    assert rendered.tags <= {"p", "ul", "li", "em", "a"}
    bare = "".join(rendered.words).replace("*", "")
    # Without bullets and asterisks.
    assert bare.replace("-", "") == re.sub(r"[\s*-]", "", text)


@given(st.text())
def test_any_unicode_text_is_rendered(text: str) -> None:
    assert bool(ruling_text(text)) == bool(text.strip())


def test_excerpt_has_neither_bullets_nor_asterisks() -> None:
    text = "Say *thank you*,\nsee R-0231:\n- milk *first*\n  then tea\n- sugar\n\nDone."

    assert plain_text(text) == "Say thank you, see R-0231: milk first then tea sugar Done."
