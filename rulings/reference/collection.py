"""What is wrong among several pages of the rules reference."""

from collections.abc import Iterator, Sequence

from rulings.reference.blocks import codes_in
from rulings.reference.records import Fault, Faulty, Page


def check(pages: Sequence[Page]) -> None:
    """Raises Faulty where pages share codes or titles, or name a section that does not exist."""
    known = {section.short_code for page in pages for section in page.sections}
    for at, page in enumerate(pages):
        faults = [*_shared(page, pages[:at]), *_leading_nowhere(page, known)]
        if faults:
            raise Faulty(page.slug, faults)


def _shared(page: Page, others: Sequence[Page]) -> Iterator[Fault]:
    for other in others:
        if page.first <= other.last and other.first <= page.last:
            yield Fault(1, f'Its codes overlap those of "{other.slug}".', "Give it others.")
        if (page.game, page.title) == (other.game, other.title):
            yield Fault(1, f'"{other.slug}" has the same title.', "Give it another.")


def _leading_nowhere(page: Page, known: set[str]) -> Iterator[Fault]:
    for section in page.sections:
        for code in codes_in(section.text):
            if code.startswith("S-") and code not in known:
                what = f"Section {section.place} sends the reader to {code}, which does not exist."
                yield Fault(section.line, what, "Name a section that is there.")
