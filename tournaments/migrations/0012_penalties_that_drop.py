"""A penalty knows that it took its player out, and why it was withdrawn."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0011_local_rulings_again")]

    operations = [
        migrations.AddField(
            model_name="penalty", name="dropped", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="penalty",
            name="withdrawn_reason",
            field=models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
    ]
