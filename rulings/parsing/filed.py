"""What a file of rulings holds that others wrote: house rulings, or those of NetrunnerDB."""

import datetime
from dataclasses import dataclass, field
from typing import Literal

from decks.games import DEFAULT

Sort = Literal["", "card", "topic", "card_id"]


@dataclass(frozen=True)
class FiledRuling:
    """One ruling of a file.

    `subject` is the title of a card or a topic: `sort` says which of them, "" where the card list
    has to tell; "card_id" is a card by its name in lists of other programs. `id` is its code, ""
    where the code is found by the words. `supersedes` are codes, `cards` and `topics` further
    subjects. Texts are paragraphs with an empty line between them. `line` is where it begins.
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
    """The head of a file and its rulings, in their order.

    `slug` tells documents apart: the next file of this slug is the next edition. `authority` is
    who said what names nobody.
    """

    title: str
    slug: str
    published_on: datetime.date
    game: str = DEFAULT.id
    edition: str = ""
    authority: str = ""
    rulings: tuple[FiledRuling, ...] = ()
