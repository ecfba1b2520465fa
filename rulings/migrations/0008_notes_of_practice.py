from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rulings", "0007_overturned_answers")]

    operations = [
        migrations.AddField(
            model_name="judgenote",
            name="is_practice",
            field=models.BooleanField(default=False),
        ),
    ]
