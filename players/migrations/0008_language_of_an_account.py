from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("players", "0007_incident_counts"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="language",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=10, verbose_name="language"
            ),
        ),
    ]
