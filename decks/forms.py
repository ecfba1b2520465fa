"""Forms for the card search and for decklist input."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext, gettext_lazy

from core.errors import Refusal
from core.files import TextFileField
from decks import games, queries
from decks.catalogue import format_table
from decks.check_sentences import sentence
from decks.formats import plain_text, readers
from decks.formats.plain_text import MAX_BYTES
from decks.models import Side
from decks.services import fetch_deck, requested_rules

# Value for the ban list of the Top Runners' Conference.
BAN_LIST = "ban_list"


class CardSearchForm(forms.Form):
    game = forms.ChoiceField(
        choices=lambda: [(game.id, game.name) for game in games.with_decks()],
        required=False,
        widget=forms.HiddenInput,
    )
    q = forms.CharField(label=gettext_lazy("Title"), required=False, max_length=120)
    side = forms.ChoiceField(label=gettext_lazy("Side"), required=False)
    type = forms.ChoiceField(label=gettext_lazy("Type"), required=False)
    faction = forms.ChoiceField(label=gettext_lazy("Faction"), required=False)
    set = forms.ChoiceField(label=gettext_lazy("Set"), required=False)
    legal = forms.ChoiceField(label=gettext_lazy("Legal today in"), required=False)

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        # For an unknown game the form shows an error, and the page uses the default game.
        game = games.GAMES.get(str(data.get("game", "")), games.DEFAULT)
        if not game.has_decks:
            game = games.DEFAULT
        self.game_shown = game.id
        groups = [
            (side.capitalize() or "Both", [(name, name.capitalize()) for name in names])
            for side, names in game.card_types.items()
        ]
        self._choose("side", [("", gettext("Both sides")), *Side.choices])
        self._choose("type", [("", gettext("All types")), *groups])
        self._choose("set", [("", gettext("All sets")), *queries.set_choices(self.game_shown)])
        if game.has_identities:
            factions = queries.faction_choices(game.id)
            self._choose("faction", [("", gettext("All factions")), *factions])
        else:
            del self.fields["faction"]
        if game.has_formats:
            formats = queries.format_choices(game.id)
            self._choose("legal", [("", gettext("Any card")), *formats])
        else:
            del self.fields["legal"]

    def _choose(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


class DeckSourceForm(forms.Form):
    """A decklist that is pasted, uploaded (multipart), or fetched from NetrunnerDB."""

    text = forms.CharField(
        label=gettext_lazy("Decklist"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = TextFileField(
        what=gettext_lazy("a text, JSON or .o8d file, or paste the list"),
        takes_octgn=True,
        label=gettext_lazy("From a file"),
        required=False,
        help_text=gettext_lazy("A text, JSON or OCTGN (.o8d) file in UTF-8."),
        error_messages={
            "empty": gettext_lazy("This file is empty. Choose another, or paste the list.")
        },
        widget=forms.FileInput(attrs={"accept": ".txt,.json,.o8d,text/plain,application/json"}),
    )
    address = forms.CharField(
        label=gettext_lazy("From NetrunnerDB"),
        required=False,
        max_length=300,
        help_text=gettext_lazy("The address of a decklist, or of your own deck if sharing is on."),
        widget=forms.TextInput(
            attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}
        ),
    )
    add_card = forms.CharField(
        label=gettext_lazy("Add a card"),
        required=False,
        max_length=140,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "list": "deck-titles"}
        ),
    )
    add_copies = forms.IntegerField(
        label=gettext_lazy("Copies"),
        required=False,
        min_value=1,
        max_value=99,
        initial=3,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    # Value of the button next to a line: line number, colon, and the intended title.
    use = forms.CharField(required=False, max_length=160, widget=forms.HiddenInput)
    # The list of a valid form, whichever way it was given.
    source_text = ""

    def clean_file(self) -> str:
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size is None or file.size > MAX_BYTES:
            raise forms.ValidationError(
                gettext(
                    "This file has %(size)s bytes. The limit is %(max_bytes)s: choose the file of "
                    "a single deck."
                )
                % {"size": format(file.size, ","), "max_bytes": format(MAX_BYTES, ",")}
            )
        try:
            return readers.decode_text(file.read())
        except readers.NoListInFile as refusal:
            raise forms.ValidationError(sentence(refusal.problem), code=refusal.code) from refusal

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        self._edit(cleaned)
        # Unchanged initial text is ignored if a file or an address is given.
        ways = [way for way in ("file", "address") if cleaned[way].strip()]
        if cleaned["text"].strip() and not (ways and self._is_as_opened(cleaned["text"])):
            ways.append("text")
        if ways == ["address"]:
            try:
                self.source_text = fetch_deck(cleaned["address"])
            except Refusal as refusal:
                self.add_error("address", forms.ValidationError(str(refusal), code=refusal.code))
        elif len(ways) == 1:
            self.source_text = cleaned[ways[0]]
        elif ways:
            self.add_error(
                None,
                gettext("Use only one way: paste the list, choose a file, or give an address."),
            )
        else:
            self.add_error(
                None,
                gettext("Paste the list, choose a file, or give its address on NetrunnerDB."),
            )
        return cleaned

    @staticmethod
    def _edit(cleaned: dict[str, Any]) -> None:
        """Apply a correction button or the "Add a card" fields to the typed list."""
        number, _, title = cleaned["use"].partition(":")
        if number.isascii() and number.isdigit() and title:
            cleaned["text"] = plain_text.replace_title(cleaned["text"], int(number), title)
        if cleaned["add_card"]:
            copies = cleaned["add_copies"] or 1
            cleaned["text"] = plain_text.append_card(cleaned["text"], copies, cleaned["add_card"])
        cleaned |= {"use": "", "add_card": "", "add_copies": cleaned["add_copies"] or 3}

    def _is_as_opened(self, text: str) -> bool:
        opened = str(self.get_initial_for_field(self.fields["text"], "text") or "")
        return text.split() == opened.split()


class DeckCheckForm(DeckSourceForm):
    rules = forms.ChoiceField(label=gettext_lazy("Game and format"))
    side = forms.ChoiceField(
        label=gettext_lazy("Side"),
        required=False,
        choices=[("", gettext_lazy("From the list")), *Side.choices],
    )
    date = forms.DateField(
        label=gettext_lazy("Day of the event"),
        required=False,
        help_text=gettext_lazy(
            "The list is checked by the rules of the format on this day. Leave blank for today."
        ),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    identity = forms.CharField(
        label=gettext_lazy("Identity"),
        required=False,
        max_length=140,
        help_text=gettext_lazy(
            "For Android: Netrunner only. Needed if the list does not name the identity."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    # Digest of the list that was checked last, which is the initial text of the page.
    checked = forms.CharField(required=False, widget=forms.HiddenInput)
    field_order = ("rules", "date", "text", "file", "address", "identity", "side")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["rules"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = rule_choices()

    def result_form(self) -> "DeckCheckForm":
        """Return the form for the result page, with the list in the text box."""
        text = self.source_text
        ways = {"text": text, "checked": _digest(text), "file": None, "address": ""}
        return DeckCheckForm(initial={**self.cleaned_data, **ways})

    def check_arguments(self) -> dict[str, Any]:
        """Return the arguments of `check_deck` apart from the list. Call only on a valid form."""
        game, _, choice = self.cleaned_data["rules"].partition(":")
        has_formats = games.GAMES[game].has_formats
        settings = {"format": choice} if has_formats else {"ban_list": choice == BAN_LIST}
        return {
            "game": game,
            "rules": requested_rules(game, settings),
            "side": self.cleaned_data["side"] or None,
            "date": self.cleaned_data["date"],
            "identity": self.cleaned_data["identity"].strip() or None,
        }

    def _is_as_opened(self, text: str) -> bool:
        checked: str = self.cleaned_data["checked"]
        return _digest(text) == checked


def _digest(text: str) -> str:
    """Digest that ignores differences in whitespace."""
    return sha256(" ".join(text.split()).encode()).hexdigest()


def rule_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Choices of rules, grouped by game: "onr", "anr:standard" and so on."""
    groups = []
    for game in games.with_decks():
        if game.has_formats:
            choices = [
                (f"{game.id}:{format_.id}", format_.name) for format_ in format_table(game.id)
            ]
            choices.append((game.id, gettext("Any card, basic rules only")))
        else:
            # A closed select element does not show the name of the group.
            with_bans = (
                f"{game.id}:{BAN_LIST}",
                gettext("%(game)s, conference ban list") % {"game": game.name},
            )
            choices = [(game.id, game.name), with_bans]
        groups.append((game.name, choices))
    return groups
