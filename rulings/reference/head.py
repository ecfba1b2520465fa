"""Header of a page of the rules reference: its metadata and sources."""

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence

from rulings.reference.records import LONGEST_SOURCE, Fault, Line, SourceLine

FIELDS = ("title", "game", "slug", "edition", "date", "codes", "about")
LONGEST = {"title": 120, "edition": 20, "slug": 70, "about": 300}
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
RANGE = re.compile(r"S-([0-9]{4}) to S-([0-9]{4})")


def read_head(
    lines: Sequence[Line], faults: list[Fault]
) -> tuple[dict[str, Line], dict[str, SourceLine]]:
    """Parse fields with their lines, and sources by key; add invalid lines to `faults`."""
    head: dict[str, Line] = {}
    sources: dict[str, SourceLine] = {}
    for number, line in lines:
        field, colon, value = (part.strip() for part in line.partition(":"))
        if not line:
            continue
        if field == "source" and colon:
            _declare(sources, number, value, faults)
        elif field in head:
            faults.append(Fault(number, f'"{field}" is given twice.', "Keep one of the two."))
        elif field in FIELDS and value:
            head[field] = (number, value)
        else:
            known = ", ".join((*FIELDS, "source"))
            faults.append(Fault(number, f'"{line}" says nothing.', f"Known fields: {known}."))
    return head, sources


def _declare(sources: dict[str, SourceLine], number: int, value: str, faults: list[Fault]) -> None:
    key, equals, source = (part.strip() for part in value.partition("="))
    document, _, date = (part.strip() for part in source.partition("|"))
    if not equals or not key or not document or len(document) > LONGEST_SOURCE:
        form = f'Write "source: key = document | date", at most {LONGEST_SOURCE} letters.'
        faults.append(Fault(number, f'"{value}" is not a source.', form))
    elif key in sources:
        faults.append(Fault(number, f'There is a source "{key}" already.', "Choose another key."))
    elif date and not _is_date(date):
        faults.append(Fault(number, f'"{date}" is not a date.', "Write it as 2012-09-30."))
    else:
        sources[key] = SourceLine(
            document, date=datetime.date.fromisoformat(date) if date else None
        )


def head_faults(head: Mapping[str, Line], slug: str, games: Sequence[str]) -> Iterator[Fault]:
    for field in FIELDS:
        if field not in head:
            yield Fault(1, f'The head has no "{field}".', f'Add a line "{field}: ...".')
    for field, most in LONGEST.items():
        number, value = head.get(field, (1, ""))
        if len(value) > most:
            yield Fault(number, f"The {field} has {len(value)} letters.", f"At most {most} fit.")
    number, value = head.get("game", (1, ""))
    if value and value not in games:
        yield Fault(number, f'There is no game "{value}".', f"Choose one of {', '.join(games)}.")
    number, value = head.get("slug", (1, slug))
    if value != slug or not SLUG.fullmatch(value):
        yield Fault(
            number, f'The slug is "{value}", the file is named "{slug}".', "Name both alike."
        )
    number, value = head.get("date", (1, ""))
    if value and not _is_date(value):
        yield Fault(number, f'"{value}" is not a date.', "Write it as 2026-11-21.")
    number, value = head.get("codes", (1, ""))
    if value and range_of(head) == (0, 0):
        yield Fault(number, f'"{value}" is not a range.', 'Write it as "S-0100 to S-0199".')


def range_of(head: Mapping[str, Line]) -> tuple[int, int]:
    """Return the first and last number of the page's codes; zeros if the header has none."""
    found = RANGE.fullmatch(head.get("codes", (1, ""))[1])
    first, last = (int(found[1]), int(found[2])) if found else (0, 0)
    return (first, last) if first < last else (0, 0)


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
