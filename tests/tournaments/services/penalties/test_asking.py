"""What judges ask about penalties, and what is left when an event goes."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches import records
from matches.models import Match
from matches.scoring import GameEnd
from rulings import services as ruling_services
from rulings.guide import PenaltyKind
from rulings.models import (
    JudgeNote,
    NoteCitation,
    RulingVersion,
)
from tests.factories.penalties import penalise, take_back
from tests.factories.tournaments import (
    enter_result,
    owner_of,
    player_number,
    start_round,
    sweep,
    tables_of,
)
from tests.tournaments.services.penalties.talk import points, position, table_with
from tournaments import queries
from tournaments.models import Penalty, Registration, Tournament
from tournaments.queries import penalties as asked
from tournaments.queries.penalties import InfractionCount
from tournaments.services import practice


def read_all(event: Tournament) -> list[str]:
    """Everything a page prints of each penalty."""
    return [
        f"{one} {one.registration.player} {one.note.text} {one.note.author} {one.pairing} "
        f"{list(map(read, one.note.citations.all()))}"
        for one in asked.of_event(event)
    ]


def read(citation: NoteCitation) -> str:
    return f"{citation.version.ruling.short_code} {citation.version.ruling.document.title}"


def version() -> RulingVersion:
    house = ruling_services.local_document("onr")
    written = ruling_services.new_ruling(house, subject="Late", text="Be there.").current
    assert written is not None
    return written


def test_all_of_an_event_is_read_in_a_fixed_number_of_queries(event: Tournament):
    start_round(event)
    cited = version()
    penalise(player_number(event, 1), cited=[cited])
    with CaptureQueriesContext(connection) as few:
        read_all(event)

    for number in (1, 2, 3, 4):
        penalise(player_number(event, number), PenaltyKind.WARNING, cited=[cited])
    with CaptureQueriesContext(connection) as many:
        told = read_all(event)

    assert len(many) == len(few)
    assert len(told) == 5
    assert cited.ruling.short_code in told[0]


def test_of_a_player_and_by_infraction_the_most_frequent_first(event: Tournament):
    ada, bo = player_number(event, 1), player_number(event, 2)
    mine = [penalise(ada), penalise(ada, infraction="slow-play")]
    take_back(penalise(bo, infraction="slow-play"))

    assert list(asked.of_player(ada)) == mine
    assert asked.counts(event) == [
        InfractionCount("slow-play", "Slow play", 2, 1),
        InfractionCount("late", "Late to the table", 1, 0),
    ]


def test_a_warning_and_what_was_withdrawn_wait_for_nothing(event: Tournament, ada: Registration):
    penalise(ada)
    take_back(penalise(ada, PenaltyKind.GAME_LOSS))
    waiting = penalise(ada, PenaltyKind.MATCH_LOSS)

    assert list(asked.waiting(event)) == [waiting]


def test_a_practice_has_the_results_and_no_penalties(event: Tournament):
    round_, ada = start_round(event), player_number(event, 1)
    enter_result(table_with(round_, ada), sweep(position(round_, ada)))
    penalise(ada, PenaltyKind.GAME_LOSS, game=1)
    penalise(other_table(event, round_, ada), PenaltyKind.MATCH_LOSS)

    copy = practice.copy(event, owner_of(event), with_rounds=True)

    copied = queries.rounds(copy).select_related("stage__tournament").get()
    assert not copy.penalties.exists()
    assert points(copied, player_number(copy, 1)) == (10, 10)
    made = Match.objects.filter(pk__in=[one.match_id for one in tables_of(copied)])
    assert all(match.losses == [] and match.is_settled for match in made)
    for match in made:
        assert records.told_result(match) == records.settled_result(match)
        assert GameEnd.JUDGE in {game.end for game in records.settled_result(match).games}
        report = records.told_report(match)
        assert records.from_document(report.result) == records.settled_result(match)


def other_table(event: Tournament, round_, place):
    """Somebody who sits at the other table."""
    (other,) = (one for one in tables_of(round_) if one != table_with(round_, place))
    return event.registrations.select_related("player", "tournament").get(
        player=other.match.seats.get(position=1).player_id
    )


def test_a_practice_thrown_away_leaves_no_note(event: Tournament):
    copy = practice.copy(event, owner_of(event), with_rounds=True)
    penalise(player_number(event, 1), text="Kept.")
    given = penalise(player_number(copy, 1), text="Thrown away.", cited=[version()])
    assert given.note.is_practice

    practice.throw_away(copy)

    assert [note.text for note in JudgeNote.objects.all()] == ["Kept."]


def test_an_event_is_deleted_with_its_penalties(event: Tournament):
    penalise(player_number(event, 1))

    event.delete()

    assert not Penalty.objects.exists()
