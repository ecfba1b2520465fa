"""Text content of the whole database, table by table."""

from django.db import connection

from players.models import Session


def dumped() -> dict[str, str]:
    """Return all rows of the site and the content of its sessions, by table.

    Skips the "kept_..." tables of cards and rulings for tests. Decodes JSON escapes.
    """
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names()
        rows = {name: _rows(cursor, name) for name in tables if not name.startswith("kept_")}
    rows["sessions"] = repr([session.get_decoded() for session in Session.objects.all()])
    return rows


def tables_with(*words: str) -> set[str]:
    """Tables that contain one of these words, in any case."""
    folded = [word.casefold() for word in words]
    return {
        table for table, rows in dumped().items() if any(word in rows.casefold() for word in folded)
    }


def _rows(cursor, table: str) -> str:
    cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
    return repr(cursor.fetchall()).encode("ascii", "backslashreplace").decode("unicode-escape")
