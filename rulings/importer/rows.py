"""Write rulings without their versions: position, subject and kind."""

from collections.abc import Mapping, Sequence

from django.db.models import Model

from core.errors import Refusal
from core.text import comparison_key
from rulings.importer import wordings
from rulings.importer.links import Names
from rulings.models import Ruling, RulingDocument
from rulings.parsing.records import DigestRuling

BATCH = 100  # rows in one statement


class NumberChanged(Refusal):
    """The digest assigns a different number to a known ruling; numbers are permanent."""

    code = "ruling_number_changed"


def write_rulings(
    document: RulingDocument, digest: Sequence[DigestRuling], names: Names
) -> tuple[dict[str, Ruling], int, int]:
    """Return the rulings by code, the number of new rulings, and the number of changed rulings.

    A ruling whose newest version is a manual edit retains its kind.
    """
    known = {ruling.code: ruling for ruling in document.rulings.all()}
    wanted = {entry.code: _fields_of(entry, names) for entry in digest}
    by_hand = wordings.by_hand(document)
    for entry in digest:
        check_number(known.get(entry.code), entry)
    new = [
        Ruling(
            document=document,
            code=entry.code,
            short_code=entry.short_code or f"R-{entry.number:04d}",
            number=entry.number,
            **wanted[entry.code],
        )
        for entry in digest
        if entry.code not in known
    ]
    for ruling in known.values():
        if ruling.pk in by_hand and ruling.code in wanted:
            wanted[ruling.code]["kind"] = ruling.kind
    changed = [
        known[code] for code in wanted if code in known and set_fields(known[code], wanted[code])
    ]
    Ruling.objects.bulk_create(new)
    if changed:
        Ruling.objects.bulk_update(changed, list(wanted[changed[0].code]), batch_size=BATCH)
    rulings = known | {ruling.code: ruling for ruling in new}
    return {code: rulings[code] for code in wanted}, len(new), len(changed)


def _fields_of(entry: DigestRuling, names: Names) -> dict[str, object]:
    return {
        "section": entry.section,
        "subject": entry.subject,
        "subject_key": comparison_key(entry.subject),
        "subject_slug": entry.subject_slug,
        "kind": entry.kind,
        "reverses": entry.reverses,
        "card_id": names.card_id(entry.subject) if entry.section != "general" else None,
    }


def check_number(ruling: Ruling | None, entry: DigestRuling) -> None:
    if ruling is not None and ruling.number != entry.number:
        raise NumberChanged(
            f"Ruling {entry.code} is number {ruling.number}, the digest says {entry.number}."
        )


def set_fields(row: Model, fields: Mapping[str, object]) -> bool:
    """Set the fields and return True if any value changed."""
    before = {field: getattr(row, field) for field in fields}
    for field, value in fields.items():
        setattr(row, field, value)
    return before != fields
