from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0042_encrypted_webhook_addresses"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="import_touched_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                condition=models.Q(("import_touched_at__isnull", False)),
                fields=["import_touched_at"],
                name="imports_in_progress",
            ),
        ),
    ]
