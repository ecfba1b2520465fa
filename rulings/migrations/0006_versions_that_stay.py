"""A version of a ruling and its sources never change: the database refuses it.

The original wording may be filled in once. A later migration that rebuilds one of the tables on
SQLite has to make its trigger again.
"""

from django.db import migrations

GUARDED = {
    "rulings_rulingversion": ("ruling_id", "number", "text", "in_force_from", "created_at"),
    "rulings_citation": ("version_id", "position", "authority", "via", "venue", "date", "about"),
}
FILLED_ONCE = "(old.original_text <> '' AND new.original_text <> old.original_text)"
REFUSAL = "What was written of a ruling never changes; write a new version."


def make(apps, schema_editor):
    for table, columns in GUARDED.items():
        is_postgres = schema_editor.connection.vendor == "postgresql"
        differs = "IS DISTINCT FROM" if is_postgres else "IS NOT"
        changed = [f"old.{column} {differs} new.{column}" for column in columns]
        if table == "rulings_rulingversion":
            changed.append(FILLED_ONCE)
        make_one = _postgres if is_postgres else _sqlite
        for statement in make_one(table, " OR ".join(changed)):
            schema_editor.execute(statement, params=None)


def _postgres(table, changed):
    return [
        f"CREATE FUNCTION {table}_stays() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'check_violation'; END $$",
        f"CREATE TRIGGER {table}_stays BEFORE UPDATE ON {table} FOR EACH ROW"
        f" WHEN ({changed}) EXECUTE FUNCTION {table}_stays()",
    ]


def _sqlite(table, changed):
    return [
        f"CREATE TRIGGER {table}_stays BEFORE UPDATE ON {table} FOR EACH ROW"
        f" WHEN {changed} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    ]


def drop(apps, schema_editor):
    for table in GUARDED:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER {table}_stays ON {table}", params=None)
            schema_editor.execute(f"DROP FUNCTION {table}_stays()", params=None)
        else:
            schema_editor.execute(f"DROP TRIGGER {table}_stays", params=None)


class Migration(migrations.Migration):

    dependencies = [("rulings", "0005_notes_in_their_place")]

    operations = [migrations.RunPython(make, drop)]
