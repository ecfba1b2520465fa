"""Backups are known by their folder. No release has had the table, so nothing reads it any more."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0021_new_players_limited")]

    operations = [migrations.DeleteModel("Backup")]
