"""Rules for migrations: reversible, no long lock on a large table, compatible with the old code."""

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from django.utils import timezone

from tests.upgrades.__main__ import stepwise
from tests.upgrades.releases import BEFORE, WITHOUT_DOWNTIME, State

pytestmark = [pytest.mark.check(37), pytest.mark.goal("G14")]

LARGE = {
    *("deckslot", "game", "gameseat", "idempotencyrecord", "logentry", "resultreport", "seat"),
    *("standing", "webhookdelivery"),
}
"""Tables that grow with every event: PostgreSQL must not lock them while an index is created."""

CONTRACTS = (
    operations.RemoveField,
    operations.RenameField,
    operations.RenameModel,
    operations.DeleteModel,
)
"""Operations that break the old code; allowed one release after the last use."""


def own_migrations(earliest_state: State | None = None) -> list[Migration]:
    """Our migrations in order; with `since`, only those after a state."""
    nodes = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return [
        migration
        for (app, name), migration in sorted(nodes.items())
        if app in BEFORE and (earliest_state is None or name > earliest_state[app])
    ]


def faults(check: Any, earliest_state: State | None = None) -> list[str]:
    return [
        f"{migration}: {fault}"
        for migration in own_migrations(earliest_state)
        for operation in migration.operations
        for fault in check(migration, operation)
    ]


def note_of(migration: Migration) -> str:
    return inspect.getdoc(inspect.getmodule(type(migration))) or ""


def is_irreversible(migration: Migration, operation: Any) -> Iterator[str]:
    if not operation.reversible and "cannot be undone" not in note_of(migration):
        yield f"{operation.describe()}: give it a reverse, or say why it cannot be undone"


def needs_a_value(migration: Migration, operation: Any) -> Iterator[str]:
    if isinstance(operation, operations.AddField) and not _is_new_table(migration, operation):
        field = operation.field
        if not field.null and not field.has_default() and not field.many_to_many:
            yield f"{operation.name} of {operation.model_name}: old rows have nothing to put there"


def breaks_old_inserts(migration: Migration, operation: Any) -> Iterator[str]:
    """Django drops the default of a new column; only db_default remains in the database."""
    if not isinstance(operation, operations.AddField | operations.AlterField):
        return
    model, field = operation.model_name_lower, operation.field
    if model in new_tables() or _is_new_table(migration, operation):
        return
    if field.null or field.many_to_many or field.generated or field.has_db_default():
        return
    if isinstance(operation, operations.AlterField) and not was_optional(migration, operation):
        return
    yield f"{operation.name} of {model}: old processes store no value there; set db_default"


def new_tables() -> set[str]:
    """Names of models unknown to the old code."""
    return {
        operation.name_lower
        for migration in own_migrations(WITHOUT_DOWNTIME)
        for operation in migration.operations
        if isinstance(operation, operations.CreateModel)
    }


def was_optional(migration: Migration, operation: Any) -> bool:
    """Return True if the column required no value before this migration."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    before = loader.project_state(migration.dependencies, at_end=True)
    field = before.models[migration.app_label, operation.model_name_lower].fields[operation.name]
    return bool(field.null or field.has_db_default())


def _is_new_table(migration: Migration, operation: Any) -> bool:
    """Return True if this migration or an initial migration of the app creates the table."""
    new_models = {
        operation_.name_lower
        for operation_ in migration.operations
        if isinstance(operation_, operations.CreateModel)
    }
    return bool(migration.initial) or operation.model_name_lower in new_models


def locks_a_large_table(migration: Migration, operation: Any) -> Iterator[str]:
    if type(operation) is operations.AddIndex and operation.model_name_lower in LARGE:
        yield f"{operation.index.name}: on PostgreSQL make it with AddIndexConcurrently"


def breaks_old_code(migration: Migration, operation: Any) -> Iterator[str]:
    if isinstance(operation, CONTRACTS) and "nothing reads it" not in note_of(migration):
        yield f"{operation.describe()}: code of before still reads it"


def test_every_migration_is_reversible_or_explains_why_not():
    assert faults(is_irreversible) == []


def test_every_new_column_has_a_value_for_old_rows():
    assert faults(needs_a_value, BEFORE) == []


def test_old_processes_can_store_rows_during_an_upgrade():
    assert faults(breaks_old_inserts, WITHOUT_DOWNTIME) == []


def test_no_index_locks_a_large_table():
    assert faults(locks_a_large_table, BEFORE) == []


def test_old_code_can_still_read():
    assert faults(breaks_old_code, BEFORE) == []


def test_faulty_migrations_are_found():
    bad = Migration("0099_bad", "tournaments")
    index = models.Index(fields=["action"], name="by_action")

    assert list(is_irreversible(bad, operations.RunPython(lambda apps, editor: None)))
    assert list(needs_a_value(bad, operations.AddField("seat", "x", models.IntegerField())))
    assert list(locks_a_large_table(bad, operations.AddIndex("LogEntry", index)))
    assert list(breaks_old_code(bad, operations.RemoveField("seat", "points")))


def test_required_column_without_a_database_default_is_found():
    class NewMigration(Migration):
        dependencies = [("tournaments", "0044_rated_events")]

    bad = NewMigration("0099_bad", "tournaments")
    required = models.DateTimeField(default=timezone.now)
    good = models.IntegerField(default=0, db_default=0)

    assert list(breaks_old_inserts(bad, operations.AddField("tournament", "x", required)))
    finished = operations.AlterField("tournament", "finished_at", required)
    assert list(breaks_old_inserts(bad, finished))
    assert not list(breaks_old_inserts(bad, operations.AddField("tournament", "x", good)))
    created = operations.AlterField("tournament", "created_at", required)
    assert not list(breaks_old_inserts(bad, created))
    assert not list(breaks_old_inserts(bad, operations.AddField("ratedevent", "x", required)))


def test_migration_numbers_are_unique():
    numbers = [
        f"{migration.app_label} {migration.name[:4]}"
        for migration in own_migrations()
        if not migration.replaces
    ]

    assert len(numbers) == len(set(numbers))


def test_squashed_migrations_create_the_same_models():
    graph = stepwise(None).loader.graph
    squashed = [migration for migration in own_migrations() if migration.replaces]

    assert squashed
    for migration in squashed:
        squashed_state = MigrationLoader(None, ignore_no_migrations=True).project_state(
            (migration.app_label, migration.name)
        )
        replaced = graph.make_state(nodes=migration.replaces[-1], at_end=True)
        assert models_of(squashed_state, migration.app_label) == models_of(
            replaced, migration.app_label
        )


def models_of(state: ProjectState, app: str) -> dict[str, Any]:
    """Fields, options and bases of each model, as migrations write them."""
    return {
        name: (
            {key: deep_deconstruct(field) for key, field in model.fields.items()},
            {key: deep_deconstruct(value) for key, value in model.options.items() if value},
            model.bases,
        )
        for (label, name), model in state.models.items()
        if label == app
    }


def deep_deconstruct(value: Any) -> Any:
    return MigrationAutodetector(ProjectState(), ProjectState()).deep_deconstruct(value)
