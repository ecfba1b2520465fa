"""Text for chats: without mentions, split into messages that fit.

A channel renders Markdown, so characters with a meaning in Markdown are escaped there. Text to copy
is plain, because many chat apps show the Markdown characters.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

# Maximum length of a message in UTF-16 code units, the strictest count.
MAX_MESSAGE_UNITS = 2000
MARKDOWN_CHARACTERS = re.compile(r"([\\`*_~|<>\[\]()#:+-])")
# Inserted after an @, so that the text never mentions an account, wherever it is pasted.
ZERO_WIDTH_SPACE = "\N{ZERO WIDTH SPACE}"


def plain_line(text: str) -> str:
    """Join text into a single line that mentions no account. Email addresses keep their @."""
    return re.sub(r"(?<!\w)@", f"@{ZERO_WIDTH_SPACE}", " ".join(text.split()))


def escape_markdown(text: str) -> str:
    """Escape text for Markdown and join it into a single line."""
    return MARKDOWN_CHARACTERS.sub(r"\\\1", " ".join(text.split())).replace(
        "@", f"@{ZERO_WIDTH_SPACE}"
    )


def bold_markdown(text: str) -> str:
    return f"**{text}**"


@dataclass(frozen=True)
class TextStyle:
    # Prepares a name for this kind of text.
    name: Callable[[str], str]
    bold: Callable[[str], str]


PLAIN = TextStyle(plain_line, str)
MARKDOWN = TextStyle(escape_markdown, bold_markdown)


def message_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def split_into_messages(heading: str, lines: Iterable[str], *, continued: str) -> list[str]:
    """Split lines into as few messages as possible, each with a heading. No line is cut.

    `continued` is the heading of later messages. Each line must fit in a message with its heading.
    """
    made: list[str] = []
    piece = heading
    for line in lines:
        if message_length(piece) + 1 + message_length(line) > MAX_MESSAGE_UNITS:
            made.append(piece)
            piece = continued
        piece = f"{piece}\n{line}"
    return [*made, piece]
