"""Sample pages of rules."""

from rulings import reference

HEAD = """title: Tea and cake
game: onr
slug: tea-and-cake
edition: 1
date: 2026-11-21
codes: S-9000 to S-9099
about: How tea is drunk.
source: pot = The teapot | 1996-04-29
source: cook = The cook
"""
SECTIONS = """
## 1.1 Pouring {S-9001}

The host pours. Guests wait,
and say *thank you*.

- milk first
- or milk
  last, see S-9003

Source: pot, page 3; cook

## 1.2 Drinking {S-9002}

Guests drink slowly (R-0001).

Source: cook
Cards: Tycho Extension

## 2.1 Documents disagree: cake {S-9003}

The pot says before, the cook says after. The cook counts.

Source: pot; cook, kitchen door
"""
PAGE = HEAD + SECTIONS


def page_of(text: str = PAGE) -> reference.ReferencePage:
    return reference.read_page(text)


def page_with(sections: int) -> reference.ReferencePage:
    """Return a page with N sections, each with a reference to a ruling and to another section."""
    body = "".join(
        f"\n## {number}.1 Cup {number} {{S-{9000 + number}}}\n\n"
        f"Drink cup {number}, see S-9001 and R-0001.\n\nSource: pot, page {number}\n"
        for number in range(1, sections + 1)
    )
    return page_of(HEAD + body)
