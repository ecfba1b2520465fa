from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0022_no_rows_of_backups'),
    ]

    operations = [
        migrations.AddField(
            model_name='registration',
            name='version',
            field=models.PositiveIntegerField(default=0),
        ),
    ]
