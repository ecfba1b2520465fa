"""The original list of rulings: its outline, and its match with the digest."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulings.parsing.digest import DocumentFacts, fingerprint
from rulings.parsing.records import DamagedDocument, DigestRuling, OriginalRuling

# A copy with narrow lines may break a rule of "=" into several lines.
SECTION_RULE = re.compile(r"=(?:\s*=){9,}")
HEADINGS = {"general": "General", "corp": "Corporation", "runner": "Runner"}
SHOWN_CHARACTERS = 60  # characters of the text in an error message


@dataclass(frozen=True)
class OutlineItem:
    """Text between one "@" and the next; `lead` is the start of its section."""

    lead: int
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Outline:
    """Parts of a document; spans are offsets into `text`."""

    text: str
    preamble: tuple[int, int]
    sections: dict[str, list[OutlineItem]]
    closing: tuple[int, int]


def outline_of(text: str) -> Outline:
    """Return the outline. Raises DamagedDocument if a section or its rules are missing."""
    rules = list(SECTION_RULE.finditer(text))
    sections = {}
    for index, (section, heading) in enumerate(HEADINGS.items()):
        _check_heading(text, rules, index, heading)
        if len(rules) <= 2 * index + 2:
            reason = f'the section "{heading}" has no end: the file is cut off'
            raise damaged_at(text, len(text), reason)
        start, end = rules[2 * index + 1].end(), rules[2 * index + 2].start()
        sections[section] = _items(text, heading, start, end)
    last = 2 * len(HEADINGS)
    if len(rules) > last + 1:
        if len(rules) == 2 * (last + 1):
            reason = "the list appears twice in this file: keep one of the two"
            raise damaged_at(text, rules[last + 1].start(), reason)
        raise damaged_at(text, rules[last + 1].start(), "a rule follows the end of the list")
    preamble = (0, rules[0].start())
    return Outline(text, preamble, sections, (rules[last].end(), len(text)))


def without_subject(text: str, subject: str) -> str | None:
    """Strip the subject from the end of the text; None if the text does not end with it.

    Only letters and digits are compared, because copies write "[TM]" or "(TM)".
    """
    letters = [re.escape(letter) for letter in subject if letter.isalnum()]
    pattern = r"""\s["']*""" + r"[\W_]*".join(letters) + r"[\W_]*\Z"
    found = re.search(pattern, text)
    return text[: found.start()] if found else None


def damaged_at(text: str, offset: int, reason: str) -> DamagedDocument:
    character = offset - text.rfind("\n", 0, offset)
    return DamagedDocument(reason, line=text.count("\n", 0, offset) + 1, character=character)


def shorten(text: str, *, from_end: bool = False) -> str:
    words = " ".join(text.split())
    if len(words) <= SHOWN_CHARACTERS:
        return words
    return f"...{words[-SHOWN_CHARACTERS:]}" if from_end else f"{words[:SHOWN_CHARACTERS]}..."


def _check_heading(text: str, rules: list[re.Match[str]], index: int, heading: str) -> None:
    if len(rules) < 2 * index + 2:
        reason = f'the section "{heading}" is missing: the file is cut off or is another document'
        raise damaged_at(text, len(text), reason)
    opening, closing = rules[2 * index : 2 * index + 2]
    found = text[opening.end() : closing.start()].strip()
    if found != heading:
        reason = f'the section "{heading}" should begin here, not "{shorten(found)}"'
        raise damaged_at(text, opening.start(), reason)


def _items(text: str, heading: str, start: int, end: int) -> list[OutlineItem]:
    marks = [mark.start() for mark in re.finditer("@", text[start:end])]
    if not marks:
        raise damaged_at(text, start, f'the section "{heading}" has no ruling')
    bounds = [start + mark for mark in marks] + [end]
    return [
        OutlineItem(start, left, right, text[left + 1 : right]) for left, right in pairwise(bounds)
    ]


# Match with the digest.

LARGEST_FILE = 1024 * 1024  # bytes; about ten times the size of the list
CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffd]")
BROKEN_AT_HYPHEN = re.compile(r"(?<=\w)(?:(--?)[^\S\n]*\n\s*|[^\S\n]*\n\s*(--))(?=\w)")
EDITION = re.compile(r"Rulings,?\s+(v[\d.]*\d)")


def read_original(
    data: bytes, digest: Sequence[DigestRuling], facts: DocumentFacts
) -> list[OriginalRuling]:
    """Return every ruling of the digest in its original wording, in the same order.

    Raises DamagedDocument with line, character and reason if the bytes are not text, if a section,
    subject or ruling is missing, unknown or out of order, or if any word differs from the published
    document.
    """
    outline = outline_of(decode_file(data))
    found = EDITION.search(outline.text[slice(*outline.preamble)])
    if found and found.group(1) != facts.edition:
        reason = f"this is {found.group(1)}, the digest is of {facts.title} {facts.edition}"
        raise damaged_at(outline.text, found.start(), reason)
    _check_fingerprint(outline, "preamble", outline.preamble, facts.preamble)
    rulings: list[OriginalRuling] = []
    for section, items in outline.sections.items():
        expected = [ruling for ruling in digest if ruling.section == section]
        rulings += _SectionReader(outline, expected, facts).rulings(items)
    _check_fingerprint(outline, "closing notice", outline.closing, facts.closing)
    return rulings


def read_notice(data: bytes) -> str:
    """Return preamble and closing notice verbatim, separated by an empty line.

    Requires a document that passed `read_original`. Lines are joined, because line breaks differ
    between copies.
    """
    outline = outline_of(decode_file(data))
    parts = (outline.text[slice(*span)] for span in (outline.preamble, outline.closing))
    return "\n\n".join(rejoin_lines(part) for part in parts)


def rejoin_lines(text: str) -> str:
    """Join the text to one line; rejoin words broken at a hyphen."""
    return " ".join(BROKEN_AT_HYPHEN.sub(r"\1\2", text).split())


def decode_file(data: bytes) -> str:
    if len(data) > LARGEST_FILE:
        raise DamagedDocument(f"the file is larger than {LARGEST_FILE} bytes", line=1)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        character = error.start - data.rfind(b"\n", 0, error.start)
        raise DamagedDocument("this is not UTF-8 text", line=line, character=character) from error
    if found := CONTROL_CHARACTERS.search(text):
        raise damaged_at(text, found.start(), "the text contains a control character")
    return text


def _check_fingerprint(outline: Outline, name: str, span: tuple[int, int], expected: str) -> None:
    if fingerprint(outline.text[slice(*span)]) != expected:
        raise damaged_at(
            outline.text,
            span[0],
            f"the {name} is not that of the document: words are changed or lost",
        )


@dataclass(frozen=True)
class _SectionReader:
    outline: Outline
    expected: list[DigestRuling]
    facts: DocumentFacts

    def rulings(self, items: Sequence[OutlineItem]) -> Iterator[OriginalRuling]:
        self._check_first_subject(items)
        for index, item in enumerate(items):
            if index >= len(self.expected):
                raise self._damaged(item, "this ruling is not in the list")
            yield self._ruling(index, item)
        if len(items) < len(self.expected):
            missing = self.expected[len(items)]
            raise self._damaged(items[-1], f"after it, {_ruling_label(missing)} is missing")

    def _check_first_subject(self, items: Sequence[OutlineItem]) -> None:
        first = self.expected[0]
        lead = self.outline.text[items[0].lead : items[0].start]
        if fingerprint(lead) != fingerprint(first.subject):
            raise damaged_at(
                self.outline.text,
                items[0].lead,
                f'the subject "{first.subject}" should be here, not "{shorten(lead)}"',
            )

    def _ruling(self, index: int, item: OutlineItem) -> OriginalRuling:
        ruling = self.expected[index]
        wording = self._wording(index, item.text)
        if wording is None or fingerprint(wording) != self.facts.rulings.get(ruling.code):
            raise self._diagnosis(index, item)
        text = rejoin_lines(wording)
        return OriginalRuling(ruling.code, ruling.subject, text, text.startswith("ERRATA"))

    def _wording(self, index: int, text: str) -> str | None:
        # None if the subject of the next ruling does not follow.
        following = self._following_subject(index)
        return without_subject(text, following) if following else text

    def _following_subject(self, index: int) -> str:
        if index + 1 == len(self.expected):
            return ""
        subject = self.expected[index + 1].subject
        return "" if subject == self.expected[index].subject else subject

    def _diagnosis(self, index: int, item: OutlineItem) -> DamagedDocument:
        ruling = self.expected[index]
        for subject, found in self._readings(index, item):
            if found is ruling:
                return self._wrong_successor(index, item, subject)
            if found.number > ruling.number:
                reason = (
                    f"{_ruling_label(ruling)} is missing: {_ruling_label(found)} is in its place"
                )
            else:
                reason = (
                    f"{_ruling_label(found)} is here again, {_ruling_label(ruling)} is expected"
                )
            return self._damaged(item, reason)
        if self._wording(index, item.text) is None:
            return self._wrong_successor(index, item, shorten(item.text, from_end=True))
        return self._damaged(
            item, f"this is not the wording of {_ruling_label(ruling)}: words are changed or lost"
        )

    def _readings(self, index: int, item: OutlineItem) -> Iterator[tuple[str, DigestRuling]]:
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

    def _wrong_successor(self, index: int, item: OutlineItem, found: str) -> DamagedDocument:
        after = f"after {_ruling_label(self.expected[index])}"
        if index + 1 == len(self.expected):
            reason = f'{after} the section should end, but "{found}" follows'
        elif following := self._following_subject(index):
            but = f', not "{found}"' if found else ""
            reason = f'{after} the subject "{following}" should follow{but}'
        else:
            reason = (
                f'{after}, {_ruling_label(self.expected[index + 1])} is missing before "{found}"'
            )
        return damaged_at(self.outline.text, item.end, reason)

    def _damaged(self, item: OutlineItem, reason: str) -> DamagedDocument:
        return damaged_at(self.outline.text, item.start, reason)


def _ruling_label(ruling: DigestRuling) -> str:
    return f"ruling {ruling.number} ({ruling.code})"
