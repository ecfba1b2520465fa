"""Room for encrypted addresses of webhooks; rows in clear are still read."""

from django.db import migrations

from core.model_fields import EncryptedField


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0040_latest_backup_and_site_jobs")]

    operations = [
        migrations.AlterField("webhook", "address", EncryptedField(max_length=2000)),
    ]
