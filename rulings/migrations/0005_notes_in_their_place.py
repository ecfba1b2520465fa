"""What was moved into notes leaves its old place, in a transaction of its own."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("rulings", "0004_a_legal_source")]

    operations = [
        migrations.RemoveField("judgecall", "answer"),
        migrations.RemoveField("judgenote", "cited"),
        migrations.AddField(
            "judgenote",
            "cited",
            models.ManyToManyField(
                related_name="notes",
                through="rulings.NoteCitation",
                to="rulings.rulingversion",
            ),
        ),
    ]
