"""Detect the kind of a rulings file from its beginning."""

import re
from enum import StrEnum

SHOWN = 4000  # characters examined
LIST = re.compile(r"\ANetrunner Rulings,|={10}|^@|\s@[A-Z]", re.MULTILINE)
RULINGS = re.compile(r'"(?:data|attributes|card_id|nsg_rules_team_verified|success)"\s*:')


class FileKind(StrEnum):
    # The values are display names.
    LIST = "the list Netrunner Rulings"
    HOUSE = "house rulings"
    NETRUNNERDB = "rulings of NetrunnerDB"


def kind_of(data: bytes) -> FileKind | None:
    """Guess the kind of the file; None if unknown. The content is not validated."""
    text = data[: 4 * SHOWN].decode("utf-8-sig", errors="replace")[:SHOWN].lstrip()
    if text.startswith("["):
        return FileKind.NETRUNNERDB
    if text.startswith("{"):
        return FileKind.NETRUNNERDB if RULINGS.search(text) else FileKind.HOUSE
    if text.startswith(("---", "#")):
        return FileKind.HOUSE
    return FileKind.LIST if LIST.search(text) else None
