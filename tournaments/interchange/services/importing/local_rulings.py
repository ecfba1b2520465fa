"""The rulings of head judges that held at an event, which were made here or come along."""

from collections.abc import Callable, Iterable

from players.models import User
from rulings import services as ruling_services
from rulings.models import DocumentKind, JudgeNote, Ruling
from tournaments.interchange.services.importing.tables import Told
from tournaments.judging import queries as judging_queries
from tournaments.models import LocalRuling, Tournament


def store_local_rulings(
    tournament: Tournament,
    told: Iterable[Told],
    owner: User | None,
    note: Callable[[Told], JudgeNote],
    *,
    trusted: bool,
) -> None:
    """A ruling that is known here holds again; one that is not is written from a `trusted` file.

    Rulings stay for good and everybody reads them, so a stranger's file writes none. It takes up
    those alone that its owner may use at any event. `note` writes what a ruling rests on.
    """
    for one in told:
        ruling = _known(tournament, one["code"], owner, trusted=trusted)
        made_here = ruling is None
        if ruling is None and trusted and one["text"].strip():
            ruling = _written(tournament, one, owner)
        if ruling is not None:
            local, is_new = LocalRuling.objects.get_or_create(
                tournament=tournament, ruling=ruling, defaults={"made_here": made_here}
            )
            if is_new and one["basis"]:
                local.basis = note(one["basis"])
                local.save(update_fields=["basis"])


def _known(
    tournament: Tournament, code: str, owner: User | None, *, trusted: bool
) -> Ruling | None:
    if not trusted:
        usable = (
            judging_queries.usable_rulings(owner, tournament) if owner else Ruling.objects.none()
        )
        return usable.filter(code=code).first()
    local = Ruling.objects.filter(document__kind=DocumentKind.LOCAL, document__game=tournament.game)
    return local.filter(code=code).first()


def _written(tournament: Tournament, told: Told, owner: User | None) -> Ruling:
    subject = told["subject"] or told["code"].rpartition("-")[0] or told["code"]
    card = judging_queries.card_titled(subject, tournament.game)
    return ruling_services.new_ruling(
        ruling_services.local_document(tournament.game),
        subject="" if card else subject,
        card=card,
        text=told["text"],
        by=owner,
    )
