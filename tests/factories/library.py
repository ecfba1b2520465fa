"""The shipped cards and rulings, imported once: a test copies their rows.

`keep` runs when the template of the test databases is created (tests/databases.py) and stores the
rows in tables of its own. Tests of the importers themselves import the data again.
"""

from collections.abc import Iterator

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, models, transaction

from core import database
from decks.importer import import_cards
from decks.models import Catalogue
from rulings import importer
from rulings.models import RulingStamp
from tests.rulings.builders import digest_of

Model = type[models.Model]


def load_cards(game: str = "onr") -> None:
    """All shipped cards of a game with its formats, unless they are loaded already."""
    if not Catalogue.objects.filter(game=game).exists():
        _load(game)


def load_rulings() -> None:
    """All 498 shipped rulings; their cards come from `load_cards`."""
    load_cards()
    _load("rulings")
    database.update_table_statistics("rulings")


def load_few_rulings() -> None:
    """Seven rulings on six subjects: `tests.rulings.builders.digest_of`."""
    load_cards()
    _load("few")


@transaction.atomic
def _load(name: str) -> None:
    """Copy the rows stored under this name."""
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        filled = [model for model in _models() if _kept(name, model) in tables]
        for model in filled:
            columns = _columns(model)
            cursor.execute(
                f"INSERT INTO {_quoted(model._meta.db_table)} ({columns})"
                f" SELECT {columns} FROM {_quoted(_kept(name, model))}"
            )
        for statement in connection.ops.sequence_reset_sql(no_style(), filled):
            cursor.execute(statement)


@transaction.atomic
def keep() -> None:
    """Import everything into an empty database, store the rows aside, and empty it again.

    Sequences continue, so that rows of two games have different ids.
    """
    import_cards("anr")
    _keep_rows("anr", "decks")
    _empty("decks")
    import_cards("onr")
    _keep_rows("onr", "decks")
    for name, digest in (("rulings", None), ("few", digest_of())):
        importer.load_digest(digest)
        _keep_rows(name, "rulings")
        _empty("rulings")
    _empty("decks")


def _keep_rows(name: str, app: str) -> None:
    with connection.cursor() as cursor:
        for model in _models(app):
            if model._default_manager.exists():
                source = _quoted(model._meta.db_table)
                columns = _columns(model)
                cursor.execute(
                    f"CREATE TABLE {_quoted(_kept(name, model))} AS SELECT {columns} FROM {source}"
                )


def _empty(app: str) -> None:
    with connection.cursor() as cursor:
        for model in _models(app):
            cursor.execute(f"DELETE FROM {_quoted(model._meta.db_table)}")


def _models(*names: str) -> Iterator[Model]:
    for name in names or ("decks", "rulings"):
        models_of = apps.get_app_config(name).get_models(include_auto_created=True)
        # Triggers write the stamps.
        yield from (model for model in models_of if model is not RulingStamp)


def _columns(model: Model) -> str:
    return ", ".join(_quoted(str(field.column)) for field in model._meta.local_concrete_fields)


def _kept(name: str, model: Model) -> str:
    return f"kept_{name}_{model._meta.db_table}"


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
