"""Parse the original list of rulings and match it one to one to the digest.

The document has a preamble, then the sections General, Corporation and Runner. Each is headed by
its name between two rules of "=". A last rule and a closing notice follow. A subject has its own
line; an item starts with "@".

In the flattened copy all of this is on one line, so a subject follows the previous ruling without a
mark. The end of the ruling is found with the digest: it lists the subjects in order, and the
fingerprint of each ruling verifies the cut.

The document marks 40 items with "ERRATA"; the digest counts 41 errata. The difference is the first
ruling on Rent-to-Own Contract: it has no mark, but its sentence says that it counts as errata.
"""

import re
from collections.abc import Iterator, Sequence

from rulings.parsing.citations import sources_in
from rulings.parsing.document import DocumentFacts, fingerprint
from rulings.parsing.outline import Item, Outline, outline_of, shortened, without_subject
from rulings.parsing.records import Damaged, DigestRuling, OriginalRuling

LARGEST = 1024 * 1024  # bytes; about ten times the size of the list
FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffd]")
BROKEN_AT_HYPHEN = re.compile(r"(?<=\w)(?:(--?)[^\S\n]*\n\s*|[^\S\n]*\n\s*(--))(?=\w)")
EDITION = re.compile(r"Rulings,?\s+(v[\d.]*\d)")


def read_original(
    data: bytes, digest: Sequence[DigestRuling], facts: DocumentFacts
) -> list[OriginalRuling]:
    """Return every ruling of the digest in its original wording, in the same order.

    Raises Damaged with line, character and reason if the bytes are not text, if a section, subject
    or ruling is missing, unknown or out of order, or if any word differs from the published
    document.
    """
    outline = outline_of(decoded(data))
    _check_edition(outline, facts)
    _check_words(outline, "preamble", outline.preamble, facts.preamble)
    rulings = []
    for section, items in outline.sections.items():
        expected = [ruling for ruling in digest if ruling.section == section]
        rulings += list(_Section(outline, expected, facts).rulings(section, items))
    _check_words(outline, "closing notice", outline.closing, facts.closing)
    return rulings


def notice_of(data: bytes) -> str:
    """Return preamble and closing notice verbatim, separated by an empty line.

    Requires a document that passed `read_original`; nothing is checked here. Lines are joined,
    because line breaks differ between copies.
    """
    outline = outline_of(decoded(data))
    parts = (outline.text[slice(*span)] for span in (outline.preamble, outline.closing))
    return "\n\n".join(rejoined(part) for part in parts)


def rejoined(text: str) -> str:
    """Join the text to one line; rejoin words broken at a hyphen."""
    return " ".join(BROKEN_AT_HYPHEN.sub(r"\1\2", text).split())


def decoded(data: bytes) -> str:
    """Decode a file and normalise its line endings to LF."""
    if len(data) > LARGEST:
        raise Damaged(f"the file is larger than {LARGEST} bytes", line=1)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        character = error.start - data.rfind(b"\n", 0, error.start)
        raise Damaged("this is not UTF-8 text", line=line, character=character) from error
    if found := FORBIDDEN.search(text):
        line = text.count("\n", 0, found.start()) + 1
        character = found.start() - text.rfind("\n", 0, found.start())
        raise Damaged("a control character stands in the text", line=line, character=character)
    return text


def _check_edition(outline: Outline, facts: DocumentFacts) -> None:
    found = EDITION.search(outline.text[slice(*outline.preamble)])
    if found and found.group(1) != facts.edition:
        reason = f"this is {found.group(1)}, the digest is of {facts.title} {facts.edition}"
        raise outline.damaged(found.start(), reason)


def _check_words(outline: Outline, name: str, span: tuple[int, int], expected: str) -> None:
    if fingerprint(outline.text[slice(*span)]) != expected:
        raise outline.damaged(
            span[0], f"the {name} is not that of the document: words are changed or lost"
        )


class _Section:
    def __init__(
        self, outline: Outline, expected: list[DigestRuling], facts: DocumentFacts
    ) -> None:
        self.outline = outline
        self.expected = expected
        self.facts = facts

    def rulings(self, section: str, items: Sequence[Item]) -> Iterator[OriginalRuling]:
        self._check_first_subject(items)
        for index, item in enumerate(items):
            if index >= len(self.expected):
                raise self._damaged(item, "this ruling is not in the list")
            yield self._ruling(section, index, item)
        if len(items) < len(self.expected):
            missing = self.expected[len(items)]
            raise self._damaged(items[-1], f"after it, {_named(missing)} is missing")

    def _check_first_subject(self, items: Sequence[Item]) -> None:
        first = self.expected[0]
        lead = self.outline.text[items[0].lead : items[0].start]
        if fingerprint(lead) != fingerprint(first.subject):
            raise self.outline.damaged(
                items[0].lead,
                f'the subject "{first.subject}" should stand here, not "{shortened(lead)}"',
            )

    def _ruling(self, section: str, index: int, item: Item) -> OriginalRuling:
        ruling = self.expected[index]
        wording = self._wording(index, item.text)
        if wording is None or fingerprint(wording) != self.facts.rulings.get(ruling.code):
            raise self._diagnosis(index, item)
        text = rejoined(wording)
        line, character = self.outline.place(item.start)
        return OriginalRuling(
            code=ruling.code,
            section=section,
            subject=ruling.subject,
            text=text,
            sources=sources_in(text),
            is_marked_errata=text.startswith("ERRATA"),
            line=line,
            character=character,
        )

    def _wording(self, index: int, text: str) -> str | None:
        """Return the item without the subject that follows it, or None if that is missing."""
        following = self._following_subject(index)
        return without_subject(text, following) if following else text

    def _following_subject(self, index: int) -> str:
        if index + 1 == len(self.expected):
            return ""
        subject = self.expected[index + 1].subject
        return "" if subject == self.expected[index].subject else subject

    def _diagnosis(self, index: int, item: Item) -> Damaged:
        ruling = self.expected[index]
        for subject, found in self._readings(index, item):
            if found is ruling:
                return self._wrong_successor(index, item, subject)
            if found.number > ruling.number:
                reason = f"{_named(ruling)} is missing: {_named(found)} stands in its place"
            else:
                reason = f"{_named(found)} stands here again, {_named(ruling)} is expected"
            return self._damaged(item, reason)
        if self._wording(index, item.text) is None:
            return self._wrong_successor(index, item, shortened(item.text, from_end=True))
        return self._damaged(
            item, f"this is not the wording of {_named(ruling)}: words are changed or lost"
        )

    def _readings(self, index: int, item: Item) -> Iterator[tuple[str, DigestRuling]]:
        """Yield (following subject or "", ruling) for rulings with the text of this item.

        The expected ruling comes first, then later ones, then earlier ones.
        """
        cuts = {"": item.text}
        for subject in {ruling.subject for ruling in self.expected}:
            if (wording := without_subject(item.text, subject)) is not None:
                cuts[subject] = wording
        prints = {subject: fingerprint(wording) for subject, wording in cuts.items()}
        for ruling in [*self.expected[index:], *self.expected[:index]]:
            for subject, print_ in prints.items():
                if self.facts.rulings.get(ruling.code) == print_:
                    yield subject, ruling

    def _wrong_successor(self, index: int, item: Item, found: str) -> Damaged:
        after = f"after {_named(self.expected[index])}"
        if index + 1 == len(self.expected):
            reason = f'{after} the section should end, but "{found}" follows'
        elif following := self._following_subject(index):
            stands = f', not "{found}"' if found else ""
            reason = f'{after} the subject "{following}" should follow{stands}'
        else:
            reason = f'{after}, {_named(self.expected[index + 1])} is missing before "{found}"'
        return self.outline.damaged(item.end, reason)

    def _damaged(self, item: Item, reason: str) -> Damaged:
        return self.outline.damaged(item.start, reason)


def _named(ruling: DigestRuling) -> str:
    return f"ruling {ruling.number} ({ruling.code})"
