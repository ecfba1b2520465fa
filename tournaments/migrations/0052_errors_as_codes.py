"""Store errors and reasons that the program makes as codes.

Other texts of earlier releases stay as they are.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

LOG_REASONS = {"Round 1 was published.": "round_1_published"}
STOP_REASONS = {
    "The event to copy was deleted.": "event_deleted",
    "The series has no owner.": "no_owner",
    "The last event has begun.": "last_event_begun",
}
DISABLED_REASONS = {"Switched off by hand.": "by_hand"}
DELIVERY_ERRORS = {
    "The webhook was switched off.": "switched_off",
    "The secret of this webhook cannot be read any more. Make a new one.": "no_secret",
    "The address of this webhook cannot be read any more. Enter it again.": "no_address",
}


def write_codes(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for model, field, codes in (
        ("LogEntry", "reason", LOG_REASONS),
        ("EveningPlan", "stopped_why", STOP_REASONS),
        ("Webhook", "disabled_why", DISABLED_REASONS),
        ("WebhookDelivery", "last_error", DELIVERY_ERRORS),
    ):
        rows = apps.get_model("tournaments", model).objects
        for text, code in codes.items():
            rows.filter(**{field: text}).update(**{field: code})


def add_fields(model: str) -> list[migrations.AddField]:
    return [
        migrations.AddField(
            model,
            "error_code",
            models.CharField(blank=True, db_default="", default="", max_length=60),
        ),
        migrations.AddField(model, "error_params", models.JSONField(blank=True, null=True)),
    ]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0051_tournament_language")]

    operations = [
        *add_fields("job"),
        *add_fields("sitejob"),
        migrations.RunPython(write_codes, migrations.RunPython.noop),
    ]
