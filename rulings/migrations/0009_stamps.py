"""A new stamp with every change of the rulings, written by the database.

SQLite has one writer at a time, so one row is enough; on PostgreSQL each statement adds a row, so
that no transaction waits for another. A later migration that rebuilds one of the tables on SQLite
has to make its triggers again.
"""

from django.db import migrations, models

WATCHED = (
    "rulings_rulingdocument",
    "rulings_ruling",
    "rulings_ruling_supersedes",
    "rulings_rulingversion",
    "rulings_citation",
    "rulings_rulinglink",
)
CHANGES = ("INSERT", "UPDATE", "DELETE")
POSTGRES_FUNCTION = """
CREATE FUNCTION rulings_are_stamped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rulings_rulingstamp(value) VALUES (md5(random()::text || clock_timestamp()::text));
  RETURN NULL;
END $$
"""
SQLITE_BODY = (
    "INSERT INTO rulings_rulingstamp(id, value)"
    " SELECT 1, '' WHERE NOT EXISTS (SELECT 1 FROM rulings_rulingstamp WHERE id = 1);"
    " UPDATE rulings_rulingstamp SET value = lower(hex(randomblob(16))) WHERE id = 1;"
)


def make(apps, schema_editor):
    for statement in _statements(schema_editor.connection.vendor):
        schema_editor.execute(statement, params=None)


def _statements(vendor):
    if vendor == "postgresql":
        yield POSTGRES_FUNCTION
        for table in WATCHED:
            yield (
                f"CREATE TRIGGER {table}_stamped AFTER {' OR '.join(CHANGES)} ON {table}"
                " FOR EACH STATEMENT EXECUTE FUNCTION rulings_are_stamped()"
            )
        return
    for table in WATCHED:
        for change in CHANGES:
            name = f"{table}_stamped_{change.lower()}"
            yield f"CREATE TRIGGER {name} AFTER {change} ON {table} BEGIN {SQLITE_BODY} END"


def drop(apps, schema_editor):
    is_postgres = schema_editor.connection.vendor == "postgresql"
    for table in WATCHED:
        if is_postgres:
            schema_editor.execute(f"DROP TRIGGER {table}_stamped ON {table}", params=None)
            continue
        for change in CHANGES:
            name = f"{table}_stamped_{change.lower()}"
            schema_editor.execute(f"DROP TRIGGER {name}", params=None)
    if is_postgres:
        schema_editor.execute("DROP FUNCTION rulings_are_stamped()", params=None)


class Migration(migrations.Migration):
    dependencies = [("rulings", "0008_notes_of_practice")]

    operations = [
        migrations.CreateModel(
            name="RulingStamp",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("value", models.CharField(max_length=40)),
            ],
        ),
        migrations.RunPython(make, drop),
    ]
