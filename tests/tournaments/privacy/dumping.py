"""The whole database as text, table by table."""

from django.db import connection

from players.models import Session


def dumped() -> dict[str, str]:
    """Every row of every table of the site, and what sessions hold, in plain words.

    The cards and rulings that tests copy are kept beside the site, in tables "kept_...". JSON is
    kept with escapes by one database, so these are read as the letters they stand for.
    """
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names()
        rows = {name: _rows(cursor, name) for name in tables if not name.startswith("kept_")}
    rows["sessions"] = repr([one.get_decoded() for one in Session.objects.all()])
    return rows


def tables_with(*words: str) -> set[str]:
    """The tables that hold one of these words, in any case of letters."""
    wanted = [word.casefold() for word in words]
    return {
        table for table, rows in dumped().items() if any(word in rows.casefold() for word in wanted)
    }


def _rows(cursor, table: str) -> str:
    cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
    return repr(cursor.fetchall()).encode("ascii", "backslashreplace").decode("unicode-escape")
