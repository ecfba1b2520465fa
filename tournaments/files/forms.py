"""Form for a tournament file, uploaded or pasted."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from core.files import TextFileField
from tournaments.files.services import MOST_UPLOAD_BYTES


class TournamentFileForm(forms.Form):
    """A valid form has `data`, the bytes of the file, and `name`, its file name."""

    file = TextFileField(
        what="the JSON file, taken out of its archive if it came in one",
        label="File",
        required=False,
        allow_empty_file=True,
        help_text="JSON of Cobra, AesopsTables or NRTM, or a document of Datafort.",
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )
    name = forms.CharField(max_length=200, required=False, widget=forms.HiddenInput)
    first_round_byes = forms.BooleanField(required=False)
    text = forms.CharField(
        label="Or paste what is in it",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file: UploadedFile[Any] | None = cleaned.get("file")
        text = str(cleaned.get("text") or "")
        if file is None and not text.strip():
            raise forms.ValidationError("Choose a file, or paste what is in it.")
        if file is not None and (file.size or 0) > MOST_UPLOAD_BYTES:
            raise forms.ValidationError(
                f"The file has {file.size:,} bytes; at most {MOST_UPLOAD_BYTES:,} are read."
            )
        cleaned["data"] = text.encode() if file is None else file.read()
        if file is not None:
            cleaned["name"] = str(file.name or "")
        return cleaned
