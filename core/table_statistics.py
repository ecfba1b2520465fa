"""What the database knows of how much is in its tables."""

from django.apps import apps
from django.db import connection


def renew(app_label: str) -> None:
    """After an import: with the statistics of empty tables a search is planned badly."""
    tables = {model._meta.db_table for model in apps.get_app_config(app_label).get_models()}
    with connection.cursor() as cursor:
        for table in sorted(tables):
            cursor.execute(f"ANALYZE {connection.ops.quote_name(table)}")
