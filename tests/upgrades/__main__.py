"""Create an old database, fill it, upgrade it, and report its rows.

    DATABASE_URL=... python -m tests.upgrades before

Prints a JSON object. The database named by the settings is used, and must be empty.
"""

import json
import os
import sys
import time
from typing import Any

import django
from django.apps.registry import Apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from core import encryption
from core.model_fields import EncryptedField
from tests.upgrades.releases import STATES, State

OWN = ("players", "decks", "matches", "rulings", "tournaments")


def main(name: str) -> dict[str, Any]:
    """Upgrade a filled database from this state, and return a report."""
    from tests.upgrades.filling import counted, fill

    state = STATES[name]
    old = _migrated_to(_targets(state), stepwise(connection))
    fill(old)
    before = counted(old)
    started = time.monotonic()
    executor = MigrationExecutor(connection)
    new = _migrated_to(executor.loader.graph.leaf_nodes(), executor)
    seconds = time.monotonic() - started
    after = counted(new)
    report = {
        "seconds": round(seconds, 1),
        "empty": sorted(table for table, rows in before.items() if not rows),
        "before": before,
        "after": after,
        "left_to_do": _plan(),
        "in_clear": _in_clear(new),
        "unreadable": _unreadable(old),
    }
    if name == "before":
        report["back"] = counted(_migrated_to(_targets(state), stepwise(connection)))
    return report


def _targets(state: State) -> list[tuple[str, str]]:
    """Tables of other packages have their current state: testing their upgrades is not our job."""
    graph = MigrationExecutor(connection).loader.graph
    other_nodes = [node for node in graph.leaf_nodes() if node[0] not in OWN]
    return [*state.items(), *other_nodes]


def stepwise(connection: BaseDatabaseWrapper | None) -> MigrationExecutor:
    """Return an executor that can stop between migrations which a squashed migration replaces."""
    executor = MigrationExecutor(connection)
    loader = MigrationLoader(connection, replace_migrations=False)
    for key, squashed in loader.replacements.items():
        loader.graph.remove_replacement_node(key, squashed.replaces)
    executor.loader = loader
    return executor


def _migrated_to(targets: list[tuple[str, str]], executor: MigrationExecutor) -> Apps:
    executor.migrate(targets)
    apps: Apps = executor.loader.project_state(targets).apps
    return apps


def _plan() -> list[str]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [str(migration) for migration, _ in plan]


def _in_clear(apps: Apps) -> list[str]:
    """Columns of encrypted fields that contain an unencrypted value."""
    columns = []
    for model in apps.get_models():
        table = model._meta.db_table
        for field in model._meta.get_fields():
            if isinstance(field, EncryptedField):
                with connection.cursor() as cursor:
                    cursor.execute(f"SELECT {field.column} FROM {table}")
                    values = [row[0] for row in cursor.fetchall()]
                if not all(value.startswith(encryption.FERNET_PREFIX) for value in values):
                    columns.append(f"{table}.{field.column}")
    return columns


def _unreadable(old: Apps) -> list[str]:
    """Tables that the old code can no longer read, each with the reason."""
    tables = []
    for model in old.get_models():
        try:
            list(model._base_manager.all()[:5])
        except django.db.Error as error:
            tables.append(f"{model._meta.db_table}: {error}".strip())
    return tables


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    json.dump(main(sys.argv[1]), sys.stdout)
