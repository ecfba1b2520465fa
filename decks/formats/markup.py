"""Markdown and BBCode around typed lines, as NetrunnerDB exports them for Reddit and forums.

A link to a card holds the code of its printing: "/en/card/01034". Every expression is anchored
or stops at the next bracket, so reading takes time in proportion to the line.
"""

import re

CARD_ADDRESS = re.compile(
    r"(?:https?://)?(?:[\w-]{1,20}\.)?netrunnerdb\.com/(?:[a-z-]{2,5}/)?card/(\d{5})(?!\d)[^\s\])]*",
    re.IGNORECASE,
)
MARKDOWN_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
MARKDOWN_SET = re.compile(r"(?:(?<=\s)|^)([_*])(\([^()]*\))\1(?=\s|$)")
BBCODE_TAG = re.compile(
    r"\[(?:/?(?:b|i|u|url|list|color|size|quote|code|center)|\*"
    r"|(?:url|list|color|size|quote|code)=[^\[\]]*)\]",
    re.IGNORECASE,
)
BOLD_LINE = re.compile(r"\s*\[b\](.*)\[/b\]\s*", re.IGNORECASE)


def without_markup(line: str) -> tuple[str, str]:
    """(the line as plain words, the printing code of the card it links to or nothing)."""
    if "[" not in line and "/card/" not in line:
        return line, ""
    address = CARD_ADDRESS.search(line)
    words = MARKDOWN_LINK.sub(r"\1", line)
    words = BBCODE_TAG.sub("", words)
    if not address:
        return words, ""
    # A bare address after the title is no part of it.
    words = CARD_ADDRESS.sub("", words)
    return MARKDOWN_SET.sub(r"\2", words), address[1]


def bold_words(line: str) -> str:
    """The words of a line that is all bold in BBCode; nothing for other lines."""
    found = BOLD_LINE.fullmatch(line)
    return without_markup(found[1])[0].strip() if found else ""
