"""Statistics of the database's query planner."""

from django.apps import apps
from django.db import connection


def renew(app_label: str) -> None:
    """Update the planner's statistics after an import: those of empty tables give slow searches."""
    tables = {model._meta.db_table for model in apps.get_app_config(app_label).get_models()}
    with connection.cursor() as cursor:
        for table in sorted(tables):
            cursor.execute(f"ANALYZE {connection.ops.quote_name(table)}")
