"""House rulings as JSON lines: the header, then one object per ruling."""

from core.errors import Refusal
from core.json_guard import Json, parse
from rulings.parsing.faults import Fault
from rulings.parsing.filed import FiledDocument, FiledRuling
from rulings.parsing.house_fields import FIELDS, LISTS, head_of, ruling_of

MOST_DEPTH = 3


def read_lines(text: str) -> tuple[FiledDocument | None, list[FiledRuling], list[Fault]]:
    """Return the header (None if it has faults), the rulings, and all faults."""
    document: FiledDocument | None = None
    rulings: list[FiledRuling] = []
    faults: list[Fault] = []
    is_head = True
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        row, wrong = _object(line, number)
        if row is not None and is_head:
            document, wrong = _head(row, number)
        elif row is not None:
            ruling, wrong = _ruling(row, number)
            rulings.append(ruling)
        is_head = False
        faults += wrong
    return document, rulings, faults


def _object(line: str, number: int) -> tuple[dict[str, Json] | None, list[Fault]]:
    try:
        row = parse(line, most_depth=MOST_DEPTH)
    except Refusal as refusal:
        return None, [Fault(number, f"{refusal} Each line is one JSON object")]
    if not isinstance(row, dict):
        return None, [Fault(number, "a line holds one JSON object. Write { ... }")]
    return row, []


def _head(row: dict[str, Json], number: int) -> tuple[FiledDocument | None, list[Fault]]:
    wrong = [key for key, value in row.items() if not isinstance(value, str)]
    document, faults = head_of({k: v for k, v in row.items() if isinstance(v, str)}, number)
    return document, [*_not_text(wrong, number), *faults]


def _ruling(row: dict[str, Json], number: int) -> tuple[FiledRuling, list[Fault]]:
    fields: dict[str, str | tuple[str, ...]] = {}
    wrong = []
    for key, value in row.items():
        if key in LISTS and isinstance(value, list) and all(isinstance(one, str) for one in value):
            fields[key] = tuple(value)
        elif key not in LISTS and isinstance(value, str):
            fields[key] = value
        elif key in LISTS or key in FIELDS or key in ("subject", "text"):
            wrong.append(key)
        else:
            fields[key] = ""
    subject, text = (str(fields.pop(key, "")) for key in ("subject", "text"))
    ruling, faults = ruling_of(subject, text, fields, number)
    return ruling, [*_not_text(wrong, number), *faults]


def _not_text(keys: list[str], number: int) -> list[Fault]:
    return [
        Fault(number, f'"{key[:40]}" is not a {"list of texts" if key in LISTS else "text"}')
        for key in keys
    ]
