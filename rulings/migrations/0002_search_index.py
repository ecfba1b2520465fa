"""A real full-text index beside the search entries, kept by the database itself.

PostgreSQL: a generated, weighted tsvector with a GIN index, under a
configuration that stems and drops no word (a phrase may hold any).
SQLite: an FTS5 table over the same rows, kept by triggers. A later migration
that rebuilds the table on SQLite has to make the triggers again.
"""

from django.db import migrations

POSTGRES = [
    "CREATE TEXT SEARCH DICTIONARY rulings_stem (TEMPLATE = snowball, LANGUAGE = english)",
    "CREATE TEXT SEARCH CONFIGURATION rulings_words (COPY = pg_catalog.simple)",
    "ALTER TEXT SEARCH CONFIGURATION rulings_words"
    " ALTER MAPPING FOR asciiword, word, numword WITH rulings_stem",
    "ALTER TABLE rulings_searchentry ADD COLUMN words tsvector GENERATED ALWAYS AS ("
    " setweight(to_tsvector('rulings_words'::regconfig, heading), 'A') ||"
    " setweight(to_tsvector('rulings_words'::regconfig, body), 'B') ||"
    " setweight(to_tsvector('rulings_words'::regconfig, source), 'C')) STORED",
    "CREATE INDEX rulings_searchentry_words ON rulings_searchentry USING gin (words)",
]
POSTGRES_BACK = [
    "ALTER TABLE rulings_searchentry DROP COLUMN words",
    "DROP TEXT SEARCH CONFIGURATION rulings_words",
    "DROP TEXT SEARCH DICTIONARY rulings_stem",
]

ADD = (
    "INSERT INTO rulings_words(rowid, heading, body, source)"
    " VALUES (new.ruling_id, new.heading, new.body, new.source);"
)
REMOVE = (
    "INSERT INTO rulings_words(rulings_words, rowid, heading, body, source)"
    " VALUES ('delete', old.ruling_id, old.heading, old.body, old.source);"
)
SQLITE = [
    "CREATE VIRTUAL TABLE rulings_words USING fts5(heading, body, source,"
    " content='rulings_searchentry', content_rowid='ruling_id', tokenize='porter unicode61')",
    f"CREATE TRIGGER rulings_words_added AFTER INSERT ON rulings_searchentry BEGIN {ADD} END",
    f"CREATE TRIGGER rulings_words_removed AFTER DELETE ON rulings_searchentry BEGIN {REMOVE} END",
    f"CREATE TRIGGER rulings_words_changed AFTER UPDATE ON rulings_searchentry"
    f" BEGIN {REMOVE} {ADD} END",
    "INSERT INTO rulings_words(rulings_words) VALUES ('rebuild')",
]
SQLITE_BACK = [
    "DROP TRIGGER rulings_words_added",
    "DROP TRIGGER rulings_words_removed",
    "DROP TRIGGER rulings_words_changed",
    "DROP TABLE rulings_words",
]


def make(apps, schema_editor):
    _run(schema_editor, {"postgresql": POSTGRES, "sqlite": SQLITE})


def drop(apps, schema_editor):
    _run(schema_editor, {"postgresql": POSTGRES_BACK, "sqlite": SQLITE_BACK})


def _run(schema_editor, statements):
    # Parameters None: a statement is taken as it is written.
    for statement in statements[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):

    dependencies = [("rulings", "0001_initial")]

    operations = [migrations.RunPython(make, drop)]
