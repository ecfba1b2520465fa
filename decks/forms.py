"""What a visitor may ask the card list, and how a deck list comes in."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from core.errors import Refusal
from decks import queries
from decks.formats import file_text
from decks.formats.plain_text import MAX_BYTES
from decks.models import Side
from decks.services.fetching import fetch_deck

TYPES = {
    "Corp": ["agenda", "ice", "node", "operation", "upgrade"],
    "Runner": ["hardware", "prep", "program", "resource"],
}


class CardSearch(forms.Form):
    """Words of a title and three filters, each of them optional."""

    q = forms.CharField(label="Title", required=False, max_length=120)
    side = forms.ChoiceField(label="Side", required=False)
    type = forms.ChoiceField(label="Type", required=False)
    set = forms.ChoiceField(label="Set", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = [
            (side, [(name, name.capitalize()) for name in names]) for side, names in TYPES.items()
        ]
        sets = [(name, name) for name in queries.set_names()]
        self._choose("side", [("", "Both sides"), *Side.choices])
        self._choose("type", [("", "All types"), *groups])
        self._choose("set", [("", "All sets"), *sets])

    def _choose(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


class DeckSourceForm(forms.Form):
    """A deck list, in one of three ways: pasted, from a file, or from NetrunnerDB.

    A pasted text that is still the one the page was opened with does not count beside a file
    or an address. The form must be sent as multipart, with `files`.
    """

    text = forms.CharField(
        label="List",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(
        label="From a file",
        required=False,
        help_text="A text, JSON or OCTGN (.o8d) file in UTF-8.",
        error_messages={"empty": "This file is empty. Choose another, or paste the list."},
        widget=forms.FileInput(attrs={"accept": ".txt,.json,.o8d,text/plain,application/json"}),
    )
    address = forms.CharField(
        label="From NetrunnerDB",
        required=False,
        max_length=300,
        help_text="The address of a decklist, or of your own deck if you share it.",
        widget=forms.TextInput(
            attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}
        ),
    )
    _source = ""

    @staticmethod
    def fetch(address: str) -> str:
        """Where the deck of an address comes from."""
        return fetch_deck(address)

    def clean_file(self) -> str:
        """The text of the file; empty without one."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size is None or file.size > MAX_BYTES:
            raise forms.ValidationError(
                f"This file has {file.size:,} bytes; a list may have {MAX_BYTES:,}. Choose the"
                " file of one deck."
            )
        try:
            return file_text.text_of(file.read())
        except Refusal as refusal:
            raise forms.ValidationError(str(refusal), code=refusal.code) from refusal

    def clean(self) -> dict[str, Any]:
        asked = super().clean() or self.cleaned_data
        if self.errors:
            return asked
        ways = [way for way in ("file", "address") if asked[way].strip()]
        if asked["text"].strip() and not (ways and self._is_as_opened(asked["text"])):
            ways.append("text")
        if len(ways) == 1:
            self._take(ways[0], asked[ways[0]])
        elif ways:
            self.add_error(None, "Give the list in one way only: pasted, a file, or an address.")
        else:
            self.add_error(
                None, "Paste the list, choose its file, or give its address on NetrunnerDB."
            )
        return asked

    def source_text(self) -> str:
        """The list as it came, for the readers. Only of a form that is valid."""
        return self._source

    def _is_as_opened(self, text: str) -> bool:
        opened = str(self.get_initial_for_field(self.fields["text"], "text") or "")
        return text.split() == opened.split()

    def _take(self, way: str, given: str) -> None:
        try:
            self._source = self.fetch(given) if way == "address" else given
        except Refusal as refusal:
            self.add_error(way, forms.ValidationError(str(refusal), code=refusal.code))
