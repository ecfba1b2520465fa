from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0050_plain_words_of_choices"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="language",
            field=models.CharField(blank=True, db_default="", default="", max_length=10),
        ),
    ]
