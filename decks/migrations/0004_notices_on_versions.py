from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0003_android_netrunner"),
    ]

    operations = [
        migrations.AddField(
            model_name="decklistversion",
            name="notices",
            field=models.JSONField(default=list),
        ),
    ]
