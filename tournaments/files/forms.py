"""Form for a tournament file, uploaded or pasted."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.files import TextFileField
from tournaments.files.services import MAX_UPLOAD_BYTES


class TournamentFileForm(forms.Form):
    """A valid form has `data`, the bytes of the file, and `name`, its file name."""

    file = TextFileField(
        what=gettext_lazy("the JSON file, unpacked if it is in an archive"),
        label=gettext_lazy("File"),
        required=False,
        allow_empty_file=True,
        help_text=gettext_lazy("JSON from Cobra, AesopsTables, NRTM or Datafort."),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )
    name = forms.CharField(max_length=200, required=False, widget=forms.HiddenInput)
    first_round_byes = forms.BooleanField(required=False)
    text = forms.CharField(
        label=gettext_lazy("Or paste its contents"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file: UploadedFile[Any] | None = cleaned.get("file")
        text = str(cleaned.get("text") or "")
        if file is None:
            if not text.strip():
                raise forms.ValidationError(_("Choose a file, or paste its contents."))
            cleaned["data"] = text.encode()
        elif (file.size or 0) > MAX_UPLOAD_BYTES:
            raise forms.ValidationError(
                _("The file has %(size)s bytes. The limit is %(limit)s bytes.")
                % {"size": f"{file.size:,}", "limit": f"{MAX_UPLOAD_BYTES:,}"}
            )
        else:
            cleaned["data"], cleaned["name"] = file.read(), str(file.name or "")
        return cleaned
