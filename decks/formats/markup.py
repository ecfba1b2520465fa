"""Markdown and BBCode around lines, as NetrunnerDB exports them for Reddit and forums.

A link to a card contains the code of its printing: "/en/card/01034". Every expression is anchored
or stops at the next bracket, so parsing takes linear time.
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
    """Return (line without markup, printing code of the linked card or "")."""
    if "[" not in line and "/card/" not in line:
        return line, ""
    address = CARD_ADDRESS.search(line)
    words = MARKDOWN_LINK.sub(r"\1", line)
    words = BBCODE_TAG.sub("", words)
    if not address:
        return words, ""
    # A bare URL after the title is not part of it.
    words = CARD_ADDRESS.sub("", words)
    return MARKDOWN_SET.sub(r"\2", words), address[1]


def bold_words(line: str) -> str:
    """Return the words of a line that is entirely bold in BBCode, otherwise ""."""
    found = BOLD_LINE.fullmatch(line)
    return without_markup(found[1])[0].strip() if found else ""
