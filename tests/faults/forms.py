"""The forms of a page as a browser would send them: every field with what stands in it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

Fields = dict[str, list[str]]


@dataclass
class Form:
    """Where a form is sent, and its fields; a name may have several values.

    `names` are all there are: boxes that nobody has ticked among them, and fields for files not.
    """

    action: str
    fields: Fields = field(default_factory=dict)
    method: str = "get"
    names: dict[str, None] = field(default_factory=dict)

    def filled(self, **typed: str) -> Fields:
        """The fields with what somebody typed; unticked boxes and buttons may be among it."""
        return {**self.fields, **{name: [text] for name, text in typed.items()}}


def forms_in(html: str) -> list[Form]:
    """Every form of the page, in order; fields may stand outside of the form they name."""
    parser = _Forms()
    parser.feed(html)
    return parser.forms


class _Forms(HTMLParser):
    """Collects forms; a select or textarea is kept open until its end."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._by_id: dict[str, Form] = {}
        self._here: Form | None = None
        self._owner: Form | None = None
        self._name = ""
        self._text: list[str] | None = None
        self._options: list[tuple[str, bool]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._here = Form(said.get("action", ""), method=said.get("method", "get").lower())
            self.forms.append(self._here)
            self._by_id[said.get("id", "")] = self._here
        elif tag == "input":
            self._input(said)
        elif tag in ("textarea", "select"):
            self._begin(said)
            self._text, self._options = ([], None) if tag == "textarea" else (None, [])
        elif tag == "option" and self._options is not None:
            self._options.append((said.get("value", ""), "selected" in said))

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._here = None
        elif tag == "textarea" and self._text is not None:
            # A browser leaves out the line break right after the tag.
            self._add("".join(self._text).removeprefix("\n"))
            self._text = None
        elif tag == "select" and self._options is not None:
            chosen = [value for value, is_chosen in self._options if is_chosen]
            chosen = chosen or [value for value, _ in self._options[:1]]
            for value in chosen:
                self._add(value)
            self._options = None

    def _input(self, said: dict[str, str]) -> None:
        kind = said.get("type", "text")
        if kind in ("submit", "button", "file", "image", "reset"):
            return
        self._begin(said)
        if kind in ("checkbox", "radio") and "checked" not in said:
            return
        self._add(said.get("value", "on" if kind == "checkbox" else ""))

    def _begin(self, said: dict[str, str]) -> None:
        self._owner, self._name = self._form_of(said), said.get("name", "")
        if self._owner is not None and self._name:
            self._owner.names[self._name] = None

    def _form_of(self, said: dict[str, str]) -> Form | None:
        return self._by_id.get(said["form"]) if "form" in said else self._here

    def _add(self, value: str) -> None:
        if self._owner is not None and self._name:
            self._owner.fields.setdefault(self._name, []).append(value)
