"""Recognise lines of a typed list that are not cards: headings, totals, comments."""

import re

COMMENT = re.compile(r"#|//|;")
LABEL = re.compile(
    r"(?:deck|deck ?name|name|title|player|author|event|side|format|game|date|notes?|total|size"
    r"|cards|agenda points|faction|source|exported|corp|runner|influence|warning|rotation"
    r"|legality|mwl|points)\b[^:]{0,20}:",
    re.IGNORECASE,
)
# The last line of an export: "Decklist published on https://netrunnerdb.com.", "Deck built on ...".
FOOTER = re.compile(
    r"(?:(?:deck ?list|deck) )?(?:published|built|exported|generated|created|made)"
    r" (?:on|at|by|from|with) ",
    re.IGNORECASE,
)
ADDRESS = re.compile(r"https?://\S+$", re.IGNORECASE)
# The lines below a list: "45 cards (min 45)", "15 influence spent (max 15)", "Cards up to ...".
TOTAL = re.compile(
    r"\d+(?: ?/ ?\d+)? (?:cards|agenda points|influence(?: spent| points?)?(?= ?[(/,]|$))\b"
    r"|cards up to ",
    re.IGNORECASE,
)
SUMMARY_SIGN = re.compile(r" ?[/,;|] ?|(?<=\)) ")
COUNT_FIRST = re.compile(r"\d{1,3}x? ")
FRAME = "=-_*~ "
# Backticks around a pasted list, after quotes were straightened.
FENCE = "'"
TYPES = "agenda ice node operation upgrade hardware prep program resource asset event identity"
GROUPS = "barrier wall sentry icebreaker breaker virus corp runner corporation deck total"
GROUPS += " fracter decoder killer mythic multi"
RARITIES = frozenset(
    word + ending for word in ("common", "uncommon", "rare", "vital") for ending in ("", "s")
)
FACTIONS = (
    "anarch, criminal, shaper, haas-bioroid, jinteki, nbn, weyland, weyland consortium, neutral"
)
# Without a count they may be the identity; with a count they are a total.
MINI_FACTIONS = frozenset(["adam", "apex", "sunny lebeau"])
OTHERS = (
    "code gate, code gates, corp deck, runner deck, corporate deck, corporation deck, deck list,"
    " decklist, main deck, stack, r&d, r&d / stack, other, others, cards, sentries, viruses,"
    " identities, ai, ais"
)
WORDS = frozenset(
    [
        *OTHERS.split(", "),
        *FACTIONS.split(", "),
        *RARITIES,
        *(word + ending for word in f"{TYPES} {GROUPS}".split() for ending in ("", "s")),
    ]
)


def is_remark(line: str) -> bool:
    """Match a line that starts with "#", "//" or ";"."""
    return bool(COMMENT.match(line))


def is_comment(line: str) -> bool:
    """Match a remark, a label such as "Player:", a bare URL, or the footer of an export."""
    if is_remark(line) or is_footer(line) or ADDRESS.match(line):
        return True
    return ":" in line and bool(LABEL.match(line))


def is_footer(line: str) -> bool:
    """Match the last line of an export, which names the site it comes from."""
    return bool(FOOTER.match(line))


def is_heading(line: str) -> bool:
    """Match a type, a side or a total, with or without a count: "Ice (12)", "45 cards"."""
    if TOTAL.match(line):
        return True
    bare = line.strip(FRAME + ":").casefold()
    if not bare.strip(FENCE) or _is_summary(bare):
        return True
    words = _without_count(bare)
    return words in WORDS or (words != bare and words in MINI_FACTIONS)


def _is_summary(words: str) -> bool:
    """Match counted kinds of cards: "20 commons/5 vitals", "agenda (5) nodes (18)", "12 rares"."""
    parts = [COUNT_FIRST.sub("", part, count=1) for part in SUMMARY_SIGN.split(words)]
    if len(parts) == 1:
        return parts[0] != words and parts[0] in RARITIES
    return any(map(str.isdigit, words)) and all(_without_count(part) in WORDS for part in parts)


def _without_count(words: str) -> str:
    """Strip the count: "ice (12)", "ice: 12" and "ice [12 cards]" become "ice"."""
    inner = words.rstrip(")]").removesuffix("cards").rstrip()
    before = inner.rstrip("0123456789")
    return words if before == inner else before.rstrip(" :([-")


def framed_words(line: str) -> str | None:
    """Return the words of "== My ice ==" or "My ice:", or None without heading marks.

    The words may still be a card in bold print; only the card table can decide.
    """
    words = line.strip(FRAME)
    framed = line[:2].strip(FRAME) == "" and line[-1:] in FRAME
    if framed or line.endswith(":"):
        words = words.rstrip(": ")
        return None if words[:1].isdigit() else words
    return None
