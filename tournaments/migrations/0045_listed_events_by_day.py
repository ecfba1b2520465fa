from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0044_rated_events"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="tournament",
            index=models.Index(
                fields=["visibility", "starts_on", "id", "practice_of", "finished_at"],
                name="listed_events_by_day",
            ),
        ),
        migrations.RemoveIndex(
            model_name="tournament",
            name="events_by_day",
        ),
    ]
