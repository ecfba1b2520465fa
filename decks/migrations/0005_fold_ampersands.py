"""Titles with "&" between words are searched with "and" from this release on."""

from typing import Any

from django.db import migrations

from decks.titles import folded_title


def fold_again(apps: Any, _schema_editor: Any) -> None:
    """Fold the titles and aliases that hold the sign; an import of cards does the same."""
    for model, title, folded in (
        ("Card", "title", "folded_title"),
        ("CardAlias", "alias", "folded_alias"),
    ):
        rows = apps.get_model("decks", model).objects
        for row in rows.filter(**{f"{title}__contains": "&"}):
            setattr(row, folded, folded_title(getattr(row, title)))
            row.save(update_fields=[folded])


class Migration(migrations.Migration):
    dependencies = [("decks", "0004_notices_on_versions")]
    operations = [migrations.RunPython(fold_again, migrations.RunPython.noop)]
