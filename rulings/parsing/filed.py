"""Content of a third-party rulings file: house rulings or NetrunnerDB's rulings."""

import datetime
from dataclasses import dataclass, field
from typing import Literal

from decks.games import DEFAULT

Sort = Literal["", "card", "topic", "card_id"]


@dataclass(frozen=True)
class FiledRuling:
    """One ruling of a file.

    `subject` is a card title or a topic, depending on `sort`. If `sort` is "", the card list
    decides; "card_id" is a card id of other programs. `id` is the code; if it is "", the code is
    found by the text. `supersedes` are codes, `cards` and `topics` further subjects. Texts are
    paragraphs separated by an empty line. `line` is the first line in the file.
    """

    subject: str
    text: str
    sort: Sort = ""
    kind: str = "ruling"
    authority: str = ""
    via: str = ""
    venue: str = ""
    date: datetime.date | None = None
    id: str = ""
    supersedes: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class FiledDocument:
    """The header of a file and its rulings in order.

    `slug` identifies the document: a later file with the same slug is the next edition. `authority`
    is the default for rulings that name none.
    """

    title: str
    slug: str
    published_on: datetime.date
    game: str = DEFAULT.id
    edition: str = ""
    authority: str = ""
    rulings: tuple[FiledRuling, ...] = ()
