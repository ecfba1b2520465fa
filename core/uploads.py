"""What kind of file somebody chose: text is read, anything else is refused as what it is."""

import re
from http import HTTPStatus
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

NOT_TAKEN = "not_taken"
"""The code of what a form says of a file of another kind."""
KINDS = {
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"PK\x05\x06": "an empty archive",
    b"\x1f\x8b": "a packed file",
    b"BZh": "a packed file",
    b"\xfd7zXZ": "a packed file",
    b"7z\xbc\xaf\x27\x1c": "an archive",
    b"Rar!": "an archive",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"RIFF": "a picture or a sound",
    b"\x00\x00\x01\x00": "a picture",
    b"{\\rtf": "a document of a word processor (RTF)",
    b"\xd0\xcf\x11\xe0": "an office document",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"SQLite format 3": "a database",
}
"""What the first bytes tell."""
HEAD = 64 * 1024
MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|!doctype|!--|svg|html|!entity)", re.IGNORECASE)
BOMB = re.compile(rb"<!(?:doctype|entity)|<svg[\s>/]", re.IGNORECASE)
DECK = re.compile(rb"<deck[\s>]")
"""XML that is taken: a list of OCTGN."""


def kind_of(data: bytes, *, takes_octgn: bool = False) -> str:
    """What the file is in words, when it is no text that any field takes; "" for text."""
    for first, kind in KINDS.items():
        if data.startswith(first):
            return kind
    head = data[:HEAD]
    if head[257:262] == b"ustar":
        return "an archive"
    if not MARKUP.match(head):
        return ""
    is_list = takes_octgn and DECK.search(head) and not BOMB.search(head)
    return "" if is_list else "a page, a drawing or XML"


class TextFileField(forms.FileField):
    """A file of text. Archives, pictures, office documents and XML are refused unread.

    OWASP ASVS 5.2.2: the first bytes decide, not the name. `takes_octgn` lets lists of OCTGN pass.
    """

    def __init__(self, *, what: str, takes_octgn: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.what, self.takes_octgn = what, takes_octgn

    def clean(self, data: Any, initial: Any = None) -> Any:
        file: UploadedFile[Any] | None = super().clean(data, initial)
        if not isinstance(file, UploadedFile):
            return file
        kind = kind_of(file.read(HEAD), takes_octgn=self.takes_octgn)
        file.seek(0)
        if kind:
            words = f"This file is {kind}, which is not taken. Choose {self.what}."
            raise forms.ValidationError(words, code=NOT_TAKEN)
        return file


def status_of(
    form: forms.BaseForm, wrong: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY
) -> HTTPStatus:
    """How a form that was sent is answered: 200, `wrong`, or 415 for a file of another kind."""
    if not form.errors:
        return HTTPStatus.OK
    is_refused = any(form.has_error(name, NOT_TAKEN) for name in form.errors)
    return HTTPStatus.UNSUPPORTED_MEDIA_TYPE if is_refused else wrong
