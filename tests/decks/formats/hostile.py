"""Broken deck lists: mutated real lists, and random JSON and XML in the shape of decks.

A seed determines an endless sequence of inputs, so that failures can be repeated.
"""

import json
from collections.abc import Iterator
from random import Random

GAME = "0f38e453-26df-4c04-9d67-6d43de939c77"
CARD = "bc0f047c-01b1-427f-a439-d451eda"
TEXT = """my-deck\r
Noise: Hacker Extraordinaire (Core Set)\r
\r
Event (8)\r
3x Sure Gamble (Core Set)\r
2x Account Siphon (Core Set) \u2658 \u2022\u2022\u2022\u2022\u2022 \u2022\u2022\u2022\r
3x D\u00e9j\u00e0 Vu (Core Set) \u2022\u2022\u2022\r
\r
15 influence spent (max 15, available 0)\r
Cards up to Opening Moves"""
JINTEKI = """;; title: Gamble
;; identity: Noise: Hacker Extraordinaire
;; identity-code: 01001
;; notes: one
3 Sure Gamble [id: 01050, art: 0]
15 Minutes
1 24/7 News Cycle"""
TYPED = """Player: Ada
Tycho Extension x3
\u2022 3 "Armadillo" Armored Road Home (v1.0)
**Fang 2.0**
[ ] 12 Bodyweight\u2122 Data Cr\u00e8che # best
== My ice (4) =="""
V2 = {
    "data": [{"name": "a", "description": "<p>b &amp; c", "cards": {"01001": 1, "01050": 3}}],
    "success": True,
}
SLOTS = {"sure_gamble": 3, "noise_hacker_extraordinaire": 1}
V3 = {
    "data": {
        "id": "1",
        "attributes": {
            "identity_card_id": "noise_hacker_extraordinaire",
            "card_slots": SLOTS,
            "notes": "x",
        },
    }
}
METEOR = {"decks": [{"name": "a", "identity": "noise", "entries": {"sure-gamble": 3}}]}
OCTGN = f"""<?xml version="1.0" encoding="UTF-8"?>
<deck game="{GAME}">
<section name="Identity"><card qty="1" id="{CARD}01001">Noise</card></section>
<section name="R&amp;D"><card qty="3" id="{CARD}01050">Sure Gamble</card></section>
<notes><![CDATA[x]]></notes></deck>"""
REAL = [TEXT, JINTEKI, TYPED, OCTGN, *(json.dumps(deck, indent=1) for deck in (V2, V3, METEOR))]

PIECES = [
    *("3x ", "\n", "\r", "\t", " ", "x3", "(3)", "[", "]", "{", "}", ":", ",", '"', "\\", "#"),
    *(";;", "<", ">", "</", "&", "&amp;", "<![CDATA[", "]]>", "<!DOCTYPE a", "<!ENTITY b 'c'>"),
    *("<?", "--", "\u2022", "\u25cf", "\ufeff", "\0", "\ud800", "\u202e", "\u200b", "\u00d7"),
    *("\u0301", "\U0001f31f", "null", "true", "NaN", "-0", "1e999", "9" * 30, "0", "-1", "2.5"),
    *("\\u0000", "\\ud800", "&#0;", '"cards":', '"card_slots":', '"entries":', '"identity":'),
    *('"data":', '"success":false', '"decks":', ";; identity:", ";; identity-code: 01001\n"),
    *(";; notes:", "Identity: ", "Event (3)\n", "//", "*", "<card qty='3'>", "<section>"),
    *("</deck>", "<deck>", "<notes>", "id='01050'", "Sure Gamble"),
]
KEYS = [
    *("data", "attributes", "decks", "cards", "card_slots", "entries", "identity", "name", "notes"),
    *("identity_card_id", "description", "success", "msg", "errors", "01001", "sure_gamble", ""),
]
SCALARS = [None, True, False, 0, 1, 3, -1, 999, 1000, 2.5, 3.0, 10**17, "", "x", "01050", "noise"]
NAMES = ["deck", "section", "card", "notes", "a", "sections"]


def sources(seed: int) -> Iterator[str]:
    rng = Random(seed)
    makers = [mutate_list, mutate_list, random_pieces, json_of_a_shape, xml_of_a_shape]
    while True:
        yield rng.choice(makers)(rng)


def mutate_list(rng: Random) -> str:
    """A real list with some damage."""
    source = rng.choice(REAL)
    for _ in range(rng.randint(1, 6)):
        start = rng.randint(0, len(source))
        end = min(len(source), start + rng.choice([0, 1, 1, 3, 20, 200]))
        replacement = rng.choice([_piece, _letter, _part_of_another, _repeated, _nothing])(rng)
        source = source[:start] + replacement + source[end:]
    return source


def random_pieces(rng: Random) -> str:
    """Random pieces of lists."""
    return "".join(rng.choice([_piece, _letter])(rng) for _ in range(rng.randint(0, 30)))


def json_of_a_shape(rng: Random) -> str:
    """JSON with the keys of decks and random values."""
    return json.dumps(_value(rng, rng.randint(0, 6)), indent=rng.choice([None, 1]))


def xml_of_a_shape(rng: Random) -> str:
    """XML with the elements of decks in random order and depth."""
    return f"<deck game='{rng.choice([GAME, '', 'x'])}'>{_elements(rng, 5)}</deck>"


def _value(rng: Random, depth: int) -> object:
    kind = rng.randint(0, 3) if depth else 3
    if kind == 0:
        return [_value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    if kind < 3:
        return {_key(rng): _value(rng, depth - 1) for _ in range(rng.randint(0, 5))}
    return rng.choice([*SCALARS, _letter(rng) * 3])


def _key(rng: Random) -> str:
    return rng.choice(KEYS) if rng.random() < 0.8 else _letter(rng)


def _elements(rng: Random, depth: int) -> str:
    return "".join(_element(rng, depth) for _ in range(rng.randint(0, 3)))


def _element(rng: Random, depth: int) -> str:
    name = rng.choice(NAMES)
    code = rng.choice(["01001", "01050", "99999", "x", ""])
    quantity = rng.choice(["3", "1", "0", "-1", "x", "", "9" * 12])
    inner = (
        _elements(rng, depth - 1) if depth and name != "card" else rng.choice(["Noise", "Fang", ""])
    )
    return f'<{name} qty="{quantity}" id="{CARD}{code}" name="Identity">{inner}</{name}>'


def _piece(rng: Random) -> str:
    return rng.choice(PIECES)


def _letter(rng: Random) -> str:
    return chr(rng.choice([rng.randrange(128), rng.randrange(0x3000), rng.randrange(0x110000)]))


def _part_of_another(rng: Random) -> str:
    source = rng.choice(REAL)
    start = rng.randint(0, len(source))
    return source[start : start + rng.randint(0, 80)]


def _repeated(rng: Random) -> str:
    return rng.choice(PIECES) * rng.choice([2, 5, 30, 300])


def _nothing(rng: Random) -> str:
    return ""
