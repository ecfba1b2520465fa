"""Decode an uploaded text file: UTF-8, or a refusal that names the file type."""

from core.errors import Refusal

UTF_8_MARK = b"\xef\xbb\xbf"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# File types by their first bytes.
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

WHAT_TO_DO = "Save it as text in UTF-8 and choose it again, or paste the list instead."


class NoListInFile(Refusal):
    """The file contains no readable text; the message names its type."""


def text_of(data: bytes) -> str:
    """Decode a UTF-8 file with or without a byte order mark. Raises NoListInFile."""
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
    """Detect two-byte Latin letters without a byte order mark."""
    start = data[:200]
    return len(start) > 3 and (not any(start[::2]) or not any(start[1::2]))
