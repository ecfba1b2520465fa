"""Which lines of a typed list are not cards: headings, totals, remarks."""

import re

COMMENT = re.compile(r"#|//|;")
LABEL = re.compile(
    r"(?:deck|deck ?name|name|title|player|author|event|side|format|game|date|notes?|total|size"
    r"|cards|agenda points|faction|source|exported|corp|runner|influence|warning|rotation"
    r"|legality|mwl)\b[^:]{0,20}:",
    re.IGNORECASE,
)
# The lines below a list: "45 cards (min 45)", "15 influence spent (max 15)", "Cards up to ...".
TOTAL = re.compile(
    r"\d+(?: ?/ ?\d+)? (?:cards|agenda points|influence(?: spent| points?)?(?= ?[(/,]|$))\b"
    r"|cards up to ",
    re.IGNORECASE,
)
FRAME = "=-_*~ "
# Backticks around a pasted list, after quotes were made straight.
FENCE = "'"
TYPES = "agenda ice node operation upgrade hardware prep program resource asset event identity"
GROUPS = "barrier wall sentry icebreaker breaker virus corp runner corporation deck total"
GROUPS += " fracter decoder killer mythic multi"
OTHERS = (
    "code gate, code gates, corp deck, runner deck, corporate deck, corporation deck, deck list,"
    " decklist, main deck, stack, r&d, other, others, cards, sentries, viruses,"
    " identities, ai, ais"
)
WORDS = frozenset(
    [
        *OTHERS.split(", "),
        *(word + ending for word in f"{TYPES} {GROUPS}".split() for ending in ("", "s")),
    ]
)


def is_remark(line: str) -> bool:
    """A line that begins with #, // or ;"""
    return bool(COMMENT.match(line))


def is_comment(line: str) -> bool:
    """A remark, or a line that begins with a label such as "Player:"."""
    return is_remark(line) or (":" in line and bool(LABEL.match(line)))


def is_heading(line: str) -> bool:
    """A type, a side or a total, with or without a count: "Ice (12)", "45 cards"."""
    if TOTAL.match(line):
        return True
    bare = line.strip(FRAME + ":").casefold()
    return not bare.strip(FENCE) or _without_count(bare) in WORDS


def _without_count(words: str) -> str:
    """ "ice (12)", "ice: 12" and "ice [12 cards]" are "ice"."""
    inner = words.rstrip(")]").removesuffix("cards").rstrip()
    before = inner.rstrip("0123456789")
    return words if before == inner else before.rstrip(" :([-")


def framed_words(line: str) -> str | None:
    """The words of "== My ice ==" or "My ice:", None when nothing marks a heading.

    They may still be a card in bold print; only the card table knows.
    """
    words = line.strip(FRAME)
    framed = line[:2].strip(FRAME) == "" and line[-1:] in FRAME
    if framed or line.endswith(":"):
        words = words.rstrip(": ")
        return None if words[:1].isdigit() else words
    return None
