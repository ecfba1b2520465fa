"""Which kind of file of rulings this is, by what it begins with."""

import re
from enum import StrEnum

SHOWN = 4000  # characters from the start that tell
LIST = re.compile(r"\ANetrunner Rulings,|={10}|^@|\s@[A-Z]", re.MULTILINE)
RULINGS = re.compile(r'"(?:data|attributes|card_id|nsg_rules_team_verified|success)"\s*:')


class FileKind(StrEnum):
    """What a file of rulings may be; the value says it in words."""

    LIST = "the list Netrunner Rulings"
    HOUSE = "house rulings"
    NETRUNNERDB = "rulings of NetrunnerDB"


def kind_of(data: bytes) -> FileKind | None:
    """The kind of the file, None where it looks like none of them. Nothing is proven by it."""
    text = data[: 4 * SHOWN].decode("utf-8-sig", errors="replace")[:SHOWN].lstrip()
    if text.startswith("["):
        return FileKind.NETRUNNERDB
    if text.startswith("{"):
        return FileKind.NETRUNNERDB if RULINGS.search(text) else FileKind.HOUSE
    if text.startswith(("---", "#")):
        return FileKind.HOUSE
    return FileKind.LIST if LIST.search(text) else None
