"""Import a rulings file of any kind: detect the kind, then import or preview it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from core.errors import Refusal
from core.rate_limits import one_at_a_time
from players.models import User
from rulings import importer
from rulings.importer.filed import WHAT, Change, Filed, faults_of_names, import_filed
from rulings.models import DocumentKind
from rulings.parsing.faults import Faulty
from rulings.parsing.filed import FiledDocument
from rulings.parsing.house import read_house
from rulings.parsing.kinds import FileKind, kind_of
from rulings.parsing.netrunnerdb import read_netrunnerdb
from rulings.parsing.original import LARGEST, decoded
from rulings.parsing.records import Damaged

LARGEST_JSON = 8 * LARGEST  # bytes
ADVICE = {
    FileKind.LIST: "Take the list v1.62 as it was published, whole, once, and in its order.",
    FileKind.HOUSE: "Fix these lines; docs/rulings-files.md describes the format.",
    FileKind.NETRUNNERDB: "Fetch the rulings again, all of them.",
}
WHAT_THERE_IS = (
    "This is not a file of rulings. There are three kinds: the list Netrunner Rulings v1.62, house "
    "rulings (Markdown that begins with ---, or JSON lines), and the rulings of NetrunnerDB (JSON)."
)


class FileRefused(Refusal):
    """A rejected file with its detected kind, all reasons, and advice."""

    code = "rulings_file_refused"

    def __init__(self, message: str, reasons: Iterable[str] = (), advice: str = "") -> None:
        super().__init__(message)
        self.reasons = list(reasons)
        self.advice = advice

    def __str__(self) -> str:
        return "\n".join(filter(None, [*self.args, *self.reasons, self.advice]))


@dataclass(frozen=True)
class Report:
    """Result of an import or preview: counts by name, and each affected ruling."""

    kind: FileKind
    document: str
    counts: dict[str, int]
    changes: list[Change] = field(default_factory=list)
    unknown_cards: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if the import changes nothing."""
        return not self.changes and not self.counts.get("wordings added")


def import_file(data: bytes, *, by: User | None = None, preview: bool = False) -> Report:
    """Import or preview a file of any kind; all or nothing.

    Raises FileRefused with reasons, lines and advice, and Busy during another import.
    """
    if len(data) > LARGEST_JSON:
        raise FileRefused(f"The file is larger than {LARGEST_JSON:,} bytes.")
    kind = kind_of(data)
    if kind is None:
        raise FileRefused(WHAT_THERE_IS)
    with one_at_a_time("import"):
        try:
            return _imported(data, kind, by, preview=preview)
        except Damaged as damaged:
            raise _refused(kind, [str(damaged)]) from damaged
        except Faulty as faulty:
            raise _refused(kind, faulty.lines()) from faulty
        except Refusal as refusal:
            raise FileRefused(str(refusal)) from refusal


def _imported(data: bytes, kind: FileKind, by: User | None, *, preview: bool) -> Report:
    if kind is FileKind.LIST:
        return _list_report(importer.import_original(data, preview=preview))
    if kind is FileKind.HOUSE:
        document, document_kind = _house(data), DocumentKind.HOUSE
    else:
        document, document_kind = read_netrunnerdb(data), DocumentKind.NETRUNNERDB
    return _filed_report(import_filed(document, document_kind, by, preview=preview), kind)


def _house(data: bytes) -> FiledDocument:
    """Parse a house file. Raises Faulty with unknown names as well as syntax faults."""
    try:
        return read_house(decoded(data))
    except Faulty as faulty:
        if faulty.readable is None:
            raise
        raise Faulty([*faulty.faults, *faults_of_names(faulty.readable)]) from faulty


def _refused(kind: FileKind, reasons: list[str]) -> FileRefused:
    return FileRefused(f"This was read as {kind.value}.", reasons, ADVICE[kind])


def _list_report(imported: "importer.Imported") -> Report:
    counts = {
        "rulings": imported.rulings,
        "subjects": imported.subjects,
        "marked as errata": imported.marked_errata,
        "wordings added": imported.added,
        "created": imported.created,
        "new versions": imported.new_versions,
    }
    return Report(FileKind.LIST, str(imported.document), counts)


def _filed_report(filed: Filed, kind: FileKind) -> Report:
    counted = Counter(change.what for change in filed.changes)
    counts = {what: counted[what] for what in WHAT}
    return Report(
        kind,
        str(filed.document),
        {**counts, "unchanged": filed.unchanged},
        filed.changes,
        filed.unknown_cards,
    )
