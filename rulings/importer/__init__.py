"""Import the shipped digest and the original document.

Both are idempotent: existing data stays unchanged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from decks import games
from rulings.importer import index, links, rows, superseding, wordings
from rulings.importer.rows import NumberChanged
from rulings.models import Ruling, RulingDocument
from rulings.parsing.digest import Reversal, read_digest, read_reversals
from rulings.parsing.document import DocumentFacts, read_facts
from rulings.parsing.original import notice_of, read_original
from rulings.parsing.records import DigestRuling, OriginalRuling

DATA = Path(__file__).parent.parent / "data"


@dataclass(frozen=True)
class Loaded:
    """Result of loading the digest; `leading_nowhere` are names without a card or subject."""

    rulings: int
    subjects: int
    created: int
    changed: int
    new_versions: int
    leading_nowhere: tuple[str, ...]


@dataclass(frozen=True)
class Imported:
    document: RulingDocument
    created: int
    new_versions: int
    rulings: int
    subjects: int
    marked_errata: int
    added: int


@cache
def shipped_digest() -> tuple[DigestRuling, ...]:
    return tuple(read_digest((DATA / "rulings_onr_digest.jsonl").read_text("utf-8")))


@cache
def shipped_facts() -> DocumentFacts:
    return read_facts((DATA / "rulings_onr_document.json").read_text("utf-8"))


@cache
def shipped_reversals() -> tuple[Reversal, ...]:
    codes = {ruling.code for ruling in shipped_digest()}
    text = (DATA / "rulings_onr_reversals.json").read_text("utf-8")
    return tuple(read_reversals(text, codes))


@transaction.atomic
def load_digest(digest: Sequence[DigestRuling] | None = None) -> Loaded:
    """Update the tables from the digest (default: the shipped digest).

    A changed text or citation of a known ruling creates a new version; existing versions are never
    changed. A version written by hand stays the newest until the digest itself changes. Rulings
    that were removed from the digest are not deleted. Cards are found by title and alias, so run
    this again after a card import. Raises NumberChanged.
    """
    digest = shipped_digest() if digest is None else digest
    document = _document(shipped_facts())
    names = links.names_of(digest, document.game)
    rulings, created, changed = rows.write_rulings(document, digest, names)
    new_versions = len(wordings.write_versions(document, digest, rulings))
    _write_reversals(rulings)
    wordings.write_cards_spoken_about(document, names)
    nowhere = links.write_links(digest, rulings, names)
    if created:
        index.update_after_import(document)
    else:
        index.update(document)
    subjects = len({ruling.subject_slug for ruling in digest})
    return Loaded(len(digest), subjects, created, changed, new_versions, nowhere)


def import_original(data: bytes, *, preview: bool = False) -> Imported:
    """Add the original wording to every version that lacks it; `preview` only counts.

    The preamble and closing notice become the notice of the document; its terms require both next
    to the wording. Raises parsing.records.Damaged before any write if the document differs from the
    one the digest restates.
    """
    originals = read_original(data, shipped_digest(), shipped_facts())
    counted = _originals_looked_at() if preview else _originals_written(originals, data)
    return Imported(
        document=counted.document,
        created=counted.created,
        new_versions=counted.new_versions,
        rulings=len(originals),
        subjects=len({original.subject for original in originals}),
        marked_errata=sum(original.is_marked_errata for original in originals),
        added=counted.added,
    )


@dataclass(frozen=True)
class _Counted:
    """Number of rulings created, new versions, and original wordings added."""

    document: RulingDocument
    created: int
    new_versions: int
    added: int


def _originals_looked_at() -> _Counted:
    facts, digest = shipped_facts(), shipped_digest()
    document = RulingDocument.objects.filter(**_name(facts)).first()
    document = document or RulingDocument(**_name(facts), **_other_fields(facts))
    known = {ruling.code: ruling for ruling in Ruling.objects.filter(document_id=document.pk)}
    for row in digest:
        rows.check_number(known.get(row.code), row)
    versions = wordings.versions_of(document)
    before = {
        row.code: versions.get(known[row.code].pk, []) if row.code in known else []
        for row in digest
    }
    new = {row.code for row in digest if not wordings.is_known(row, before[row.code])}
    # A new version inherits the original wording from its predecessor.
    bare = [
        code
        for code, written in before.items()
        if wordings.without_original(written)
        or (code in new and not (written and written[0].original_text))
    ]
    return _Counted(document, len(before.keys() - known.keys()), len(new), len(bare))


@transaction.atomic
def _originals_written(originals: Sequence[OriginalRuling], data: bytes) -> _Counted:
    loaded = load_digest()
    document = _document(shipped_facts())
    added = wordings.write_originals(document, {one.code: one.text for one in originals})
    if not document.notice:
        document.notice = notice_of(data)
        document.save(update_fields=["notice"])
    index.update(document)
    return _Counted(document, loaded.created, loaded.new_versions, added)


def _write_reversals(rulings: Mapping[str, Ruling]) -> None:
    """Write the reversals of the document; manual additions stay."""
    known = [reversal for reversal in shipped_reversals() if reversal.ruling in rulings]
    changed = []
    for reversal in known:
        ruling = rulings[reversal.ruling]
        if ruling.overturned != reversal.overturned:
            ruling.overturned = reversal.overturned
            changed.append(ruling)
    Ruling.objects.bulk_update(changed, ["overturned"])
    wanted = {
        rulings[reversal.ruling].pk: [
            rulings[code].pk for code in reversal.supersedes if code in rulings
        ]
        for reversal in known
    }
    superseding.write(games.ONR.id, wanted, replace=False)


def _document(facts: DocumentFacts) -> RulingDocument:
    # Lock the row so that concurrent imports do not write the same version.
    documents = RulingDocument.objects.select_for_update()
    document, _ = documents.get_or_create(**_name(facts), defaults=_other_fields(facts))
    return document


def _name(facts: DocumentFacts) -> dict[str, Any]:
    return {"game": games.ONR.id, "title": facts.title, "edition": facts.edition}


def _other_fields(facts: DocumentFacts) -> dict[str, Any]:
    slug = slugify(f"{facts.title} {facts.edition}".replace(".", "-"))
    return {"slug": slug, "published_on": facts.published_on}
