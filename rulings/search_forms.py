"""Search form for rulings."""

from collections.abc import Mapping
from typing import Any

from django import forms

from decks import games
from decks.models import Card
from rulings import queries
from rulings.models import RulingDocument, RulingKind
from rulings.queries import names
from rulings.queries.finding import Narrowed
from rulings.words import LONGEST_TYPED

MOST_CARDS = 6
KINDS = [("", "Every kind"), *((kind.value, kind.label.capitalize()) for kind in RulingKind)]


class CardsField(forms.Field):
    """Cards by title, with a parameter for each; cleans to a list of Cards."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[Card]:
        typed = [title.strip()[:LONGEST_TYPED] for title in value or () if title.strip()]
        found: dict[int, Card] = {}
        unknown = []
        for title in dict.fromkeys(typed[:MOST_CARDS]):
            if card := next(iter(names.cards_named(title, 1)), None):
                found[card.pk] = card
            else:
                unknown.append(f'No card matches "{title}".')
        if unknown:
            raise forms.ValidationError(unknown, code="unknown_card")
        return list(found.values())


class DayInput(forms.DateInput):
    input_type = "date"


class RulingSearch(forms.Form):
    """Search words and optional filters; invalid filters are reported and ignored."""

    q = forms.CharField(label="Card, words or code", required=False)
    card = CardsField(label="Cards", required=False)
    authority = forms.CharField(label="Who said it", required=False, max_length=80)
    since = forms.DateField(label="Said since", required=False, widget=DayInput)
    until = forms.DateField(label="Said until", required=False, widget=DayInput)
    kind = forms.ChoiceField(label="Kind", required=False, choices=KINDS)
    game = forms.ChoiceField(
        label="Game", required=False, choices=[("", "All games"), *games.choices()]
    )
    document = forms.ChoiceField(label="Document", required=False)
    ended = forms.BooleanField(label="Include rulings no longer in force", required=False)

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        documents = [
            (one.slug, str(one)) for one in RulingDocument.objects.order_by("game", "title")
        ]
        field = self.fields["document"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "All except local rulings"), *documents]

    def narrowed(self, *, local: bool) -> Narrowed:
        """Return the valid filters; `local` includes rulings that apply only to an event."""
        asked = self.cleaned_data
        return Narrowed(
            cards=[card.pk for card in asked.get("card") or ()],
            authority=asked.get("authority", ""),
            since=asked.get("since"),
            until=asked.get("until"),
            kind=asked.get("kind", ""),
            game=asked.get("game", ""),
            document=asked.get("document", ""),
            ended=asked.get("ended", False),
            local=local,
        )

    @property
    def game_of_titles(self) -> str:
        return self.cleaned_data.get("game") or games.DEFAULT.id

    @property
    def typed(self) -> str:
        """The search words as typed, truncated to LONGEST_TYPED."""
        return str(self.data.get("q", ""))[:LONGEST_TYPED].strip()

    @property
    def is_narrowed(self) -> bool:
        return any(value for name, value in self.cleaned_data.items() if name != "q")

    def authorities(self) -> list[str]:
        return queries.authorities()
