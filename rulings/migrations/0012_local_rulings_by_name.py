"""Local rulings were signed with the log-in name of their judge: sign them with the player's name.

The database lets nobody change a citation, so it is written anew.
"""

from django.db import migrations


def sign_by_name(apps, schema_editor):
    Citation = apps.get_model("rulings", "Citation")
    Player = apps.get_model("players", "Player")
    SearchEntry = apps.get_model("rulings", "SearchEntry")
    made = Citation.objects.filter(version__ruling__document__kind="local")
    for citation in made.exclude(version__written_by=None).select_related("version__written_by"):
        user = citation.version.written_by
        if citation.authority != user.username[:80]:
            continue
        player = Player.objects.filter(user=user).first()
        name = player.name if player else f"{user.first_name} {user.last_name}".strip()
        citation.delete()
        citation.pk, citation.authority = None, (name or "Head judge")[:80]
        citation.save(force_insert=True)
        SearchEntry.objects.filter(ruling=citation.version.ruling_id).update(source="")


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0002_forgotten_people"),
        ("rulings", "0011_local_rulings_for_their_event"),
    ]

    operations = [migrations.RunPython(sign_by_name, migrations.RunPython.noop)]
