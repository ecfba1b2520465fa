"""Store the problems and notices of lists as codes and params.

The English texts of earlier versions stay as they are, with the code "uncoded".
"""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def text(words: str) -> dict[str, Any]:
    return {"code": "uncoded", "params": {"text": words}}


def wrap_texts(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    versions = apps.get_model("decks", "DecklistVersion").objects
    for version in versions.only("breaches", "notices").iterator():
        if not version.breaches and not version.notices:
            continue
        version.breaches = [
            {
                "code": breach["code"],
                "line": breach["line"],
                "card": breach["card"],
                "problem": [text(breach["message"])],
                "remedies": [text(breach["remedy"])],
                "source": text(breach["rule"]),
            }
            for breach in version.breaches
        ]
        version.notices = [
            {
                "code": notice["code"],
                "card": notice["card"],
                "effects": [text(notice["message"])],
                "cause": text(notice["cause"]),
            }
            for notice in version.notices
        ]
        version.save(update_fields=["breaches", "notices"])


class Migration(migrations.Migration):
    dependencies = [("decks", "0005_fold_ampersands")]

    operations = [migrations.RunPython(wrap_texts, migrations.RunPython.noop)]
