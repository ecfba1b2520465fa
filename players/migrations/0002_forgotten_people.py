from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]

    operations = [
        migrations.AddField("player", "erased_at", models.DateTimeField(blank=True, editable=False, null=True)),
        migrations.AddField("player", "former_names", models.JSONField(blank=True, default=list, editable=False)),
        migrations.AddField("player", "stays_from", models.DateTimeField(blank=True, editable=False, null=True)),
    ]
