"""What a person wrote, or was written about them alone: it goes with them."""

from django.db.models import Q

from matches.models import ResultReport
from players.models import Player
from rulings.importer import index
from rulings.models import Citation, JudgeCall, JudgeNote, RulingDocument, RulingVersion
from tournaments.erasing.people import Person
from tournaments.models import DeckCheck, DeckReceipt, LocalRuling, LogEntry, Penalty, Registration


def forget_own_words(players: list[Player]) -> None:
    """Reasons, notes and questions about these players; the facts beside them stay."""
    places = Registration.objects.filter(player__in=players)
    about = Q(registration__in=places) | Q(player__in=players)
    LogEntry.objects.filter(about).exclude(reason="").update(reason="")
    penalties = Penalty.objects.filter(registration__in=places)
    JudgeNote.objects.filter(penalty__in=penalties).update(text="")
    penalties.update(withdrawn_reason="")
    JudgeCall.objects.filter(player__in=players).update(about="")
    ResultReport.objects.filter(seat__player__in=players).update(note="")
    DeckCheck.objects.filter(submission__registration__in=places).update(note="")
    DeckReceipt.objects.filter(submission__registration__in=places).update(reason="")
    places.update(avoid_group="", avoids_stream=False, fixed_table=None)


def sign_rulings_anew(person: Person, names: set[str]) -> None:
    """The local rulings a judge made stay in force; who made them is not told any more.

    The database lets nobody change a citation, so it is written anew.
    """
    if person.user is None:
        return
    rulings = LocalRuling.objects.filter(made_here=True).values("ruling")
    versions = RulingVersion.objects.filter(ruling__in=rulings, written_by=person.user)
    cut = {name[:80] for name in names}
    signed = list(Citation.objects.filter(version__in=versions, authority__in=cut))
    Citation.objects.filter(pk__in=[one.pk for one in signed]).delete()
    for one in signed:
        one.authority = person.label
    Citation.objects.bulk_create(signed)
    signed_versions = {one.version_id for one in signed}
    documents = RulingDocument.objects.filter(rulings__versions__in=signed_versions)
    for document in documents.distinct():
        index.update(document)
