"""Upload form for rulings."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from core.uploads import TextFileField

MOST_BYTES = 900_000
TOO_LARGE = (
    "This has {size:,} bytes; the page takes {most:,}. Import it on the server with the command "
    "import_rulings."
)


class ImportForm(forms.Form):
    """A file of rulings, uploaded or pasted; `data` are its bytes. A file takes precedence.

    After a preview, the text field contains the previewed data, so that exactly this is imported.
    """

    file = TextFileField(
        what="a .md, .jsonl, .json or text file",
        label="File",
        required=False,
        help_text="House rulings (.md, .jsonl), NetrunnerDB's rulings (.json), or the list v1.62.",
        error_messages={"empty": "This file is empty. Choose another."},
        widget=forms.FileInput(attrs={"accept": ".md,.txt,.json,.jsonl,text/plain"}),
    )
    text = forms.CharField(
        label="Or its text",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean_file(self) -> bytes:
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return b""
        self._check_size(file.size or 0)
        return bytes(file.read())

    def clean(self) -> dict[str, Any]:
        """Set `data`, which must not be empty."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        cleaned["data"] = cleaned["file"] or cleaned["text"].encode()
        self._check_size(len(cleaned["data"]))
        if not cleaned["data"].strip():
            raise forms.ValidationError("Choose a file, or paste its text.", code="nothing")
        return cleaned

    def _check_size(self, size: int) -> None:
        if size > MOST_BYTES:
            message = TOO_LARGE.format(size=size, most=MOST_BYTES)
            raise forms.ValidationError(message, code="too_large")
