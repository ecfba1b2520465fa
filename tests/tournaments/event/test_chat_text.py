"""Text for chat channels: escaped, without mentions, in messages that fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.chat_text import (
    MAX_MESSAGE_UNITS,
    ZERO_WIDTH_SPACE,
    escape_markdown,
    message_length,
    plain_line,
    split_into_messages,
)

pytestmark = pytest.mark.check(11)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        (
            "*Bo* <@12> [x](y) # `z`",
            rf"\*Bo\* \<@{ZERO_WIDTH_SPACE}12\> \[x\]\(y\) \# \`z\`",
        ),
        ("@everyone", f"@{ZERO_WIDTH_SPACE}everyone"),
        ("https://evil.example", r"https\://evil.example"),
        ("Ada\nBo\tCy", "Ada Bo Cy"),
    ],
)
def test_escape_markdown(text: str, escaped: str):
    assert escape_markdown(text) == escaped


def test_plain_line_has_no_marks_and_mentions_no_account():
    assert plain_line("*Bo*\n@everyone") == f"*Bo* @{ZERO_WIDTH_SPACE}everyone"


@given(st.lists(st.text(max_size=300), max_size=60), st.text(min_size=1, max_size=100))
def test_every_piece_fits_and_no_line_is_cut(lines: list[str], heading: str):
    lines = [line.replace("\n", " ") for line in lines]
    heading = heading.replace("\n", " ")

    made = split_into_messages(heading, lines, continued=f"{heading} (continued)")

    assert all(message_length(piece) <= MAX_MESSAGE_UNITS for piece in made)
    assert [line for piece in made for line in piece.split("\n")[1:]] == lines


def test_characters_outside_the_basic_plane_count_twice():
    assert message_length("😀") == 2
