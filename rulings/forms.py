"""Forms to cite, search, write and import rulings."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.files import TextFileField
from decks import games
from decks.models import Card
from rulings import queries, search
from rulings.models import Ruling, RulingDocument, RulingKind, RulingVersion
from rulings.parsing.records import RulingSource
from rulings.search import RulingFilters
from rulings.words import LONGEST_TYPED

LONGEST_NOTE = 2000  # characters
LONGEST_REASON = 200  # the subject of a call, or the reason to escalate it to the head judge
MAX_CITED = 12
CITED_SEPARATOR = re.compile(r"[,;\n]")


class CodesInput(forms.TextInput):
    """A text input for codes that merges checkboxes of the same name into its value."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        if not hasattr(data, "getlist"):
            return data.get(name)
        return ", ".join(dict.fromkeys(code for code in data.getlist(name) if code.strip()))


class CitedRulingsField(forms.CharField):
    """Rulings by code or URL, separated by commas or newlines; cleans to RulingVersions.

    A bare code means the version in force. `among` limits the rulings that may be cited.
    """

    among: QuerySet[Ruling] | None = None

    def __init__(self, **options: Any) -> None:
        defaults = {
            "label": gettext_lazy("Rulings"),
            "required": False,
            "max_length": 1000,
            "widget": CodesInput,
            "help_text": gettext_lazy(
                "Codes such as R-0231 or page addresses, separated by commas."
            ),
        }
        super().__init__(**{**defaults, **options})

    def clean(self, value: Any) -> list[RulingVersion]:
        typed = [
            code.strip() for code in CITED_SEPARATOR.split(super().clean(value)) if code.strip()
        ]
        if len(typed) > MAX_CITED:
            raise forms.ValidationError(
                _("Cite at most %(max_cited)s rulings.") % {"max_cited": MAX_CITED}, code="too_many"
            )
        found = {code: queries.version_by_code(code, self.among) for code in typed}
        unknown = [
            _unknown_code_message(code) for code, version in found.items() if version is None
        ]
        if unknown:
            raise forms.ValidationError(unknown, code="unknown_ruling")
        return [version for version in found.values() if version is not None]


class CiteForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("What happened and what was decided."),
    )
    rulings = CitedRulingsField()

    def __init__(self, *args: Any, among: QuerySet[Ruling] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        limit_citable_rulings(self, among)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not cleaned.get("rulings") and not cleaned.get("text"):
            raise forms.ValidationError(_("Write a note or cite a ruling."), code="empty_note")
        return cleaned


def limit_citable_rulings(form: forms.Form, among: QuerySet[Ruling] | None) -> None:
    for field in form.fields.values():
        if isinstance(field, CitedRulingsField):
            field.among = among


def _unknown_code_message(typed: str) -> str:
    if nearest := queries.nearest_codes(typed):
        text = _('There is no ruling with the code "%(typed)s". Did you mean %(nearest)s?')
        return text % {"typed": typed, "nearest": ", ".join(nearest)}
    return _(
        'There is no ruling with the code "%(typed)s". Find the ruling under Rulings and copy its '
        "code."
    ) % {"typed": typed}


# Search.

MAX_CARDS = 6


def search_kinds() -> list[tuple[str, str]]:
    kinds = [(kind.value, str(capfirst(kind.label))) for kind in RulingKind]
    return [("", _("All kinds")), *kinds]


class CardsField(forms.Field):
    """Cards by title, with a parameter for each; cleans to a list of Cards."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[Card]:
        typed = [title.strip()[:LONGEST_TYPED] for title in value or () if title.strip()]
        found: dict[int, Card] = {}
        unknown = []
        for title in dict.fromkeys(typed[:MAX_CARDS]):
            if card := next(iter(search.cards_named(title, 1)), None):
                found[card.pk] = card
            else:
                unknown.append(f'No card matches "{title}".')
        if unknown:
            raise forms.ValidationError(unknown, code="unknown_card")
        return list(found.values())


class DayInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        # The format that browsers require, whatever the language.
        super().__init__(format="%Y-%m-%d")


class RulingSearchForm(forms.Form):
    """Search words and optional filters; invalid filters are reported and ignored."""

    q = forms.CharField(label=gettext_lazy("Card, words or code"), required=False)
    card = CardsField(label=gettext_lazy("Cards"), required=False)
    authority = forms.CharField(label=gettext_lazy("Given by"), required=False, max_length=80)
    since = forms.DateField(label=gettext_lazy("Dated from"), required=False, widget=DayInput)
    until = forms.DateField(label=gettext_lazy("Dated until"), required=False, widget=DayInput)
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), required=False, choices=search_kinds)
    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        required=False,
        choices=[("", gettext_lazy("All games")), *games.choices()],
    )
    document = forms.ChoiceField(label=gettext_lazy("Document"), required=False)
    ended = forms.BooleanField(
        label=gettext_lazy("Include rulings no longer in force"), required=False
    )

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        documents = [
            (document.slug, str(document))
            for document in RulingDocument.objects.order_by("game", "title")
        ]
        field = self.fields["document"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("All except local rulings")), *documents]

    def filters(self, *, local: bool) -> RulingFilters:
        """Return the valid filters; `local` includes rulings that apply only to an event."""
        cleaned = self.cleaned_data
        return RulingFilters(
            cards=[card.pk for card in cleaned.get("card") or ()],
            authority=cleaned.get("authority", ""),
            since=cleaned.get("since"),
            until=cleaned.get("until"),
            kind=cleaned.get("kind", ""),
            game=cleaned.get("game", ""),
            document=cleaned.get("document", ""),
            ended=cleaned.get("ended", False),
            local=local,
        )

    @property
    def game_of_titles(self) -> str:
        return self.cleaned_data.get("game") or games.DEFAULT.id

    @property
    def typed(self) -> str:
        return str(self.data.get("q", ""))[:LONGEST_TYPED].strip()

    @property
    def is_narrowed(self) -> bool:
        return any(value for name, value in self.cleaned_data.items() if name != "q")

    def authorities(self) -> list[str]:
        return search.cited_authorities()


# Versions.

LONGEST_VERSION_TEXT = 6000  # characters
MAX_SOURCES = 12
# Blank rows for further sources, so that adding one requires no script.
BLANK_ROWS = 2
WRITABLE_KINDS = [
    (kind.value, kind.label.capitalize()) for kind in RulingKind if kind != "reference"
]
CODE_SEPARATOR = re.compile(r"[,;\s]+")


class VersionForm(forms.Form):
    """The next version. `seen` is the number of the version that the writer has read."""

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    text = forms.CharField(
        label=gettext_lazy("Text of the ruling"),
        max_length=LONGEST_VERSION_TEXT,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=gettext_lazy("Use our own words. An empty line starts a new paragraph."),
    )
    kind = forms.ChoiceField(choices=WRITABLE_KINDS)
    in_force_from = forms.DateField(
        label=gettext_lazy("In force from"),
        widget=DayInput,
        help_text=gettext_lazy("The day of the decision. Earlier days show the previous version."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason for the new version"),
        max_length=200,
        help_text=gettext_lazy(
            'Shown next to the version, such as "The date of the answer was wrong".'
        ),
    )

    def clean_in_force_from(self) -> Any:
        day = self.cleaned_data["in_force_from"]
        if day > timezone.localdate():
            raise forms.ValidationError(
                _("This day is in the future. Choose today or an earlier day."), code="not_yet"
            )
        return day


class SourceForm(forms.Form):
    authority = forms.CharField(label=gettext_lazy("Given by"), max_length=80, required=False)
    via = forms.CharField(label=gettext_lazy("Via"), max_length=80, required=False)
    venue = forms.CharField(label=gettext_lazy("Published in"), max_length=80, required=False)
    date = forms.DateField(label=gettext_lazy("Date"), required=False, widget=DayInput)
    about = forms.CharField(label=gettext_lazy("Card"), max_length=120, required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if any(cleaned.values()) and not cleaned.get("authority"):
            self.add_error("authority", _("Enter who gave the ruling, or clear this row."))
        return cleaned


class BaseSourceFormSet(forms.BaseFormSet[SourceForm]):
    def sources(self) -> list[RulingSource]:
        return [
            RulingSource(**form.cleaned_data)
            for form in self.forms
            if any(form.cleaned_data.values())
        ]

    def with_blank_rows(self) -> forms.BaseFormSet[SourceForm]:
        return SourceFormSet(prefix="source", initial=list(map(asdict, self.sources())))


SourceFormSet = forms.formset_factory(
    SourceForm, BaseSourceFormSet, extra=BLANK_ROWS, max_num=MAX_SOURCES, absolute_max=MAX_SOURCES
)


class StandingForm(forms.Form):
    supersedes = forms.CharField(
        label=gettext_lazy("Supersedes"),
        required=False,
        max_length=300,
        help_text=gettext_lazy(
            "Codes such as R-0012, separated by commas. Leave blank if it supersedes none."
        ),
    )
    withdrawn_on = forms.DateField(
        label=gettext_lazy("Withdrawn on"),
        required=False,
        widget=DayInput,
        help_text=gettext_lazy(
            "The first day on which it no longer applies. Leave blank if it is not withdrawn."
        ),
    )

    def __init__(self, *args: Any, among: QuerySet[Ruling] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.among = among

    def clean_supersedes(self) -> list[Ruling]:
        typed = filter(None, CODE_SEPARATOR.split(self.cleaned_data["supersedes"]))
        found = {code: queries.find_by_code(code, self.among) for code in typed}
        unknown = [_unknown_code_message(code) for code, ruling in found.items() if ruling is None]
        if unknown:
            raise forms.ValidationError(unknown, code="unknown_ruling")
        return [ruling for ruling in found.values() if ruling is not None]


def version_forms_of(ruling: Ruling) -> tuple[VersionForm, Any]:
    version = ruling.current
    form = VersionForm(
        initial={
            "seen": version.number if version else 0,
            "text": version.text if version else "",
            "kind": ruling.kind,
            "in_force_from": version.in_force_from if version else None,
        }
    )
    citations = version.citations.all() if version else []
    rows = [
        {name: getattr(citation, name) for name in SourceForm.base_fields} for citation in citations
    ]
    return form, SourceFormSet(prefix="source", initial=rows)


def standing_form_of(ruling: Ruling) -> StandingForm:
    codes = ", ".join(other.short_code for other in ruling.supersedes.all())
    return StandingForm(initial={"supersedes": codes, "withdrawn_on": ruling.withdrawn_on})


# Imports.

MAX_IMPORT_BYTES = 900_000
IMPORT_TOO_LARGE = gettext_lazy(
    "This has %(size)s bytes. The limit of this page is %(most)s. Import larger files on the "
    "server with the command import_rulings."
)


class RulingsImportForm(forms.Form):
    """A file of rulings, uploaded or pasted; `data` are its bytes. A file takes precedence.

    After a preview, the text field contains the previewed data, so that exactly this is imported.
    """

    file = TextFileField(
        what="a .md, .jsonl, .json or text file",
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy(
            "House rulings (.md, .jsonl), NetrunnerDB's rulings (.json), or Netrunner "
            "Rulings v1.62."
        ),
        error_messages={"empty": gettext_lazy("This file is empty. Choose another.")},
        widget=forms.FileInput(attrs={"accept": ".md,.txt,.json,.jsonl,text/plain"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste its text"),
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
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        cleaned["data"] = cleaned["file"] or cleaned["text"].encode()
        self._check_size(len(cleaned["data"]))
        if not cleaned["data"].strip():
            raise forms.ValidationError(_("Choose a file, or paste its text."), code="nothing")
        return cleaned

    def _check_size(self, size: int) -> None:
        if size > MAX_IMPORT_BYTES:
            message = IMPORT_TOO_LARGE % {
                "size": format(size, ","),
                "most": format(MAX_IMPORT_BYTES, ","),
            }
            raise forms.ValidationError(message, code="too_large")
