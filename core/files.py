"""Uploads of text files, and files to download."""

import io
import re
from http import HTTPStatus
from typing import Any

import segno
from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.utils.functional import Promise
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# Error code for a file of another kind.
UNSUPPORTED_FILE = "not_taken"
# Kinds of file by their first bytes.
SIGNATURES = {
    b"PK\x03\x04": gettext_lazy("a ZIP archive or an office document"),
    b"PK\x05\x06": gettext_lazy("an empty archive"),
    b"\x1f\x8b": gettext_lazy("a packed file"),
    b"BZh": gettext_lazy("a packed file"),
    b"\xfd7zXZ": gettext_lazy("a packed file"),
    b"7z\xbc\xaf\x27\x1c": gettext_lazy("an archive"),
    b"Rar!": gettext_lazy("an archive"),
    b"%PDF": gettext_lazy("a PDF"),
    b"\x89PNG": gettext_lazy("a picture"),
    b"\xff\xd8\xff": gettext_lazy("a picture"),
    b"GIF8": gettext_lazy("a picture"),
    b"RIFF": gettext_lazy("a picture or a sound"),
    b"\x00\x00\x01\x00": gettext_lazy("a picture"),
    b"{\\rtf": gettext_lazy("a document of a word processor (RTF)"),
    b"\xd0\xcf\x11\xe0": gettext_lazy("an office document"),
    b"\x7fELF": gettext_lazy("a program"),
    b"MZ\x90": gettext_lazy("a program"),
    b"SQLite format 3": gettext_lazy("a database"),
}
HEAD_BYTES = 64 * 1024
MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|!doctype|!--|svg|html|!entity)", re.IGNORECASE)
DANGEROUS_MARKUP = re.compile(rb"<!(?:doctype|entity)|<svg[\s>/]", re.IGNORECASE)
# The only accepted XML: a decklist of OCTGN.
OCTGN_DECK = re.compile(rb"<deck[\s>]")


def unsupported_kind(data: bytes, *, takes_octgn: bool) -> str:
    """Describe the file if it is not acceptable text; return "" for text."""
    for signature, kind in SIGNATURES.items():
        if data.startswith(signature):
            return str(kind)
    head = data[:HEAD_BYTES]
    if head[257:262] == b"ustar":
        return _("an archive")
    if not MARKUP.match(head):
        return ""
    is_list = takes_octgn and OCTGN_DECK.search(head) and not DANGEROUS_MARKUP.search(head)
    return "" if is_list else _("a page, a drawing or XML")


class TextFileField(forms.FileField):
    """A text file. Its first bytes decide, not its name (OWASP ASVS 5.2.2)."""

    def __init__(self, *, what: str | Promise, takes_octgn: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.what, self.takes_octgn = what, takes_octgn

    def clean(self, data: Any, initial: Any = None) -> Any:
        file: UploadedFile[Any] | None = super().clean(data, initial)
        if not isinstance(file, UploadedFile):
            return file
        kind = unsupported_kind(file.read(HEAD_BYTES), takes_octgn=self.takes_octgn)
        file.seek(0)
        if kind:
            message = _("This file is %(kind)s, which cannot be used. Choose %(what)s.") % {
                "kind": kind,
                "what": self.what,
            }
            raise forms.ValidationError(message, code=UNSUPPORTED_FILE)
        return file


def form_status(
    form: forms.BaseForm, wrong: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY
) -> HTTPStatus:
    """Return 200, `wrong`, or 415 for an uploaded file of an unsupported kind."""
    if not form.errors:
        return HTTPStatus.OK
    is_refused = any(form.has_error(name, UNSUPPORTED_FILE) for name in form.errors)
    return HTTPStatus.UNSUPPORTED_MEDIA_TYPE if is_refused else wrong


# Downloads.


def attachment_response(data: bytes, name: str, media_type: str) -> HttpResponse:
    # An attachment is never opened as a page.
    disposition = content_disposition_header(as_attachment=True, filename=name)
    headers = {
        "Content-Disposition": disposition or "attachment",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(data, content_type=media_type, headers=headers)


def qr_code_response(code: segno.QRCode, title: str) -> HttpResponse:
    # Dark on light in every theme, so that cameras can read it.
    image = io.BytesIO()
    code.save(image, kind="svg", border=4, scale=8, dark="#10202b", light="#fff", title=title)
    response = HttpResponse(image.getvalue(), content_type="image/svg+xml")
    response["Cache-Control"] = "private, max-age=3600"
    return response
