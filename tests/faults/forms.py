"""Forms of a page as a browser would send them, with the current value of every field."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

Fields = dict[str, list[str]]


@dataclass
class Form:
    """The address and fields of a form; a name may have several values.

    `names` lists all names, including unticked boxes but not file fields.
    """

    action: str
    fields: Fields = field(default_factory=dict)
    method: str = "get"
    names: dict[str, None] = field(default_factory=dict)

    def filled(self, **typed: str) -> Fields:
        """The fields updated with typed values, which may include unticked boxes and buttons."""
        return {**self.fields, **{name: [text] for name, text in typed.items()}}


def forms_in(html: str) -> list[Form]:
    """Every form of the page, in order; fields may be outside the form they name."""
    parser = _Forms()
    parser.feed(html)
    return parser.forms


class _Forms(HTMLParser):
    """Collects forms; a select or textarea stays open until its end tag."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._by_id: dict[str, Form] = {}
        self._current_form: Form | None = None
        self._owner: Form | None = None
        self._name = ""
        self._text: list[str] | None = None
        self._options: list[tuple[str, bool]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._current_form = Form(
                attributes.get("action", ""), method=attributes.get("method", "get").lower()
            )
            self.forms.append(self._current_form)
            self._by_id[attributes.get("id", "")] = self._current_form
        elif tag == "input":
            self._input(attributes)
        elif tag in ("textarea", "select"):
            self._begin(attributes)
            self._text, self._options = ([], None) if tag == "textarea" else (None, [])
        elif tag == "option" and self._options is not None:
            self._options.append((attributes.get("value", ""), "selected" in attributes))

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._current_form = None
        elif tag == "textarea" and self._text is not None:
            # Browsers drop a line break directly after the tag.
            self._add("".join(self._text).removeprefix("\n"))
            self._text = None
        elif tag == "select" and self._options is not None:
            values_chosen = [value for value, is_chosen in self._options if is_chosen]
            values_chosen = values_chosen or [value for value, _ in self._options[:1]]
            for value in values_chosen:
                self._add(value)
            self._options = None

    def _input(self, attributes: dict[str, str]) -> None:
        kind = attributes.get("type", "text")
        if kind in ("submit", "button", "file", "image", "reset"):
            return
        self._begin(attributes)
        if kind in ("checkbox", "radio") and "checked" not in attributes:
            return
        self._add(attributes.get("value", "on" if kind == "checkbox" else ""))

    def _begin(self, attributes: dict[str, str]) -> None:
        self._owner, self._name = self._form_of(attributes), attributes.get("name", "")
        if self._owner is not None and self._name:
            self._owner.names[self._name] = None

    def _form_of(self, attributes: dict[str, str]) -> Form | None:
        return self._by_id.get(attributes["form"]) if "form" in attributes else self._current_form

    def _add(self, value: str) -> None:
        if self._owner is not None and self._name:
            self._owner.fields.setdefault(self._name, []).append(value)
