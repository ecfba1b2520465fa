"""The text in a file that somebody chose: UTF-8, or a refusal that says what the file is."""

from core.errors import Refusal

UTF_8_MARK = b"\xef\xbb\xbf"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
KINDS = {
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\x1f\x8b": "a packed file",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"{\\rtf": "a document of a word processor (RTF)",
    b"\xd0\xcf\x11\xe0": "an office document",
}
"""What the first bytes of a file tell."""

WHAT_TO_DO = "Save it as text in UTF-8 and choose it again, or paste the list instead."


class NoListInFile(Refusal):
    """The file holds no text that could be read; the message says what it is."""


def text_of(data: bytes) -> str:
    """The text of a file in UTF-8, with or without a mark at its start. Raises NoListInFile."""
    for first, kind in KINDS.items():
        if data.startswith(first):
            text = f"This file is {kind}, not a list. Choose a text, JSON or .o8d file."
            raise NoListInFile(text)
    if data.startswith(UTF_16_MARKS) or _looks_like_utf_16(data):
        raise NoListInFile(f'This file is saved in UTF-16 ("Unicode"). {WHAT_TO_DO}')
    if b"\x00" in data:
        raise NoListInFile("This is not a text file. Choose a text, JSON or .o8d file.")
    try:
        return data.removeprefix(UTF_8_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        reason = f'This file is not saved in UTF-8 but in an older code ("ANSI"): see line {line}'
        raise NoListInFile(f"{reason}. {WHAT_TO_DO}") from error


def _looks_like_utf_16(data: bytes) -> bool:
    """Latin letters of two bytes each, without the mark that would say so."""
    start = data[:200]
    return len(start) > 3 and (not any(start[::2]) or not any(start[1::2]))
