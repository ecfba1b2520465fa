"""Decks handed in before there were receipts get their first one."""

from django.db import migrations


def write_first_receipts(apps, schema_editor):
    DeckReceipt = apps.get_model("tournaments", "DeckReceipt")
    submissions = apps.get_model("tournaments", "DeckSubmission").objects.filter(receipts=None)
    DeckReceipt.objects.bulk_create(
        DeckReceipt(
            submission=submission,
            number=1,
            version_id=submission.version_id,
            received_at=submission.received_at,
        )
        for submission in submissions
    )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_decks_checked_and_shown")]

    operations = [migrations.RunPython(write_first_receipts, migrations.RunPython.noop)]
