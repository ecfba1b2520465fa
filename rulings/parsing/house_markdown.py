"""House rulings as Markdown: header lines, a heading per subject, a "-" item per ruling."""

import re
from dataclasses import dataclass, field

from rulings.parsing.faults import Fault, Faulty
from rulings.parsing.house_fields import FIELDS, LISTS

FENCE = "---"
# Possessive quantifiers (++) avoid backtracking over long runs of blanks.
HEAD_LINE = re.compile(r"\s*+(\w++(?: ++\w++)*+)\s*+:(.*)")
FIELD_LINE = re.compile(r"(?:\t| {2})\s*+- ++(\w++(?: ++\w++)*+)\s*+:(.*)")
BULLET = re.compile(r"[-*] +(.*)")
# Lines of text that start with one of these are escaped with a backslash.
ESCAPED = "-*#\\"


@dataclass
class Block:
    """A ruling of the file, not yet validated."""

    subject: str
    line: int
    text: list[str] = field(default_factory=list)
    fields: dict[str, str | tuple[str, ...]] = field(default_factory=dict)


def head_lines(lines: list[str]) -> tuple[dict[str, str], int, list[Fault]]:
    """Return the header fields between two "---", the number of the next line, and faults.

    Raises Faulty if there is no header. `lines` must not be empty.
    """
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    fields: dict[str, str] = {}
    faults: list[Fault] = []
    if lines[first].strip() != FENCE:
        # Without a header this is another kind of file, so other faults would be meaningless.
        raise Faulty([Fault(first + 1, 'the head is missing. Begin with a line "---"')])
    for index in range(first + 1, len(lines)):
        line = lines[index]
        if line.strip() == FENCE:
            return fields, index + 1, faults
        if not line.strip():
            continue
        found = HEAD_LINE.fullmatch(line)
        if found is None:
            faults.append(Fault(index + 1, 'a head line reads "title: ...". Fix this one'))
        elif (key := found.group(1).lower()) in fields:
            faults.append(Fault(index + 1, f'"{key}" appears twice. Keep one'))
        else:
            fields[key] = found.group(2).strip()
    return fields, len(lines), [*faults, Fault(first + 1, 'the head has no end. Write a "---"')]


def blocks(lines: list[str], start: int) -> tuple[list[Block], list[Fault]]:
    """Return the rulings below the header with their first lines, and faults."""
    reader = _Reader()
    for number, line in enumerate(lines[start:], start=start + 1):
        reader.read(number, line.rstrip())
    return reader.blocks, reader.faults


def listed(key: str, text: str) -> tuple[str, ...]:
    """Split a list at semicolons; lists of codes may also use commas."""
    marked = text.replace(",", ";") if key == "supersedes" else text
    return tuple(name.strip() for name in marked.split(";") if name.strip())


class _Reader:
    """Line-by-line parser that tracks the current subject and ruling."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.faults: list[Fault] = []
        self.subject: str | None = None
        self.block: Block | None = None

    def read(self, number: int, line: str) -> None:
        if not line:
            if self.block and not self.block.fields:
                self.block.text.append("")
        elif line.startswith("#"):
            self._heading(number, line)
        elif found := BULLET.fullmatch(line):
            self._begin(number, found.group(1))
        elif found := FIELD_LINE.fullmatch(line):
            self._field(number, found.group(1).lower(), found.group(2).strip())
        else:
            self._go_on(number, line)

    def _heading(self, number: int, line: str) -> None:
        marks, _, heading = line.partition(" ")
        self.block = None
        if marks == "##":
            self.subject = heading.strip()
        elif marks != "#" or self.subject is not None:
            self._fault(number, 'a subject has a heading with two "#". Write "## Lockjaw"')

    def _begin(self, number: int, text: str) -> None:
        if self.subject is None:
            self._fault(number, 'this ruling stands under no subject. Write "## Lockjaw" before it')
        self.block = Block(self.subject or "", number, [_unescaped(text)])
        if self.subject is not None:
            self.blocks.append(self.block)

    def _field(self, number: int, key: str, text: str) -> None:
        if self.block is None:
            self._fault(number, 'this line belongs to no ruling. Begin one with "- "')
        elif key not in FIELDS:
            known = ", ".join(FIELDS)
            self._fault(
                number,
                f'there is no field "{key[:40]}". Write one of {known}; a line of the text that '
                'begins with "-" has "\\" before it',
            )
        elif key in self.block.fields:
            self._fault(number, f'"{key}" appears twice in this ruling. Keep one')
        else:
            self.block.fields[key] = listed(key, text) if key in LISTS else text

    def _go_on(self, number: int, line: str) -> None:
        if self.block is None:
            self._fault(number, 'this line belongs to no ruling. Begin one with "- "')
        elif not line.startswith(("  ", "\t")):
            self._fault(
                number, 'a line that goes on begins with two spaces, a new ruling with "- "'
            )
        elif line.lstrip().startswith("-"):
            self._fault(number, 'a field reads "  - date: 2026-05-31"; text gets "\\" before a "-"')
        elif self.block.fields:
            self._fault(number, "the text of a ruling stands before its fields. Move this line up")
        else:
            self.block.text.append(_unescaped(line.strip()))

    def _fault(self, number: int, reason: str) -> None:
        self.faults.append(Fault(number, reason))


def _unescaped(line: str) -> str:
    return line[1:] if line.startswith("\\") else line


def escaped(line: str) -> str:
    """Escape a line of text so that it is not parsed as markup."""
    return f"\\{line}" if line.startswith(tuple(ESCAPED)) else line
