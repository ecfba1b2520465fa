"""Results uploaded to AlwaysBeRunning: sent once, and never twice by themselves."""

import base64
import json
import ssl
from pathlib import Path

import pytest
import time_machine
from django.utils import timezone

from core import http, jobs
from core.http import Policy
from core.jobs import JobState
from tests.core.tls_site import replies, tls_site
from tests.factories.abr import ADDRESS, CODE, abr
from tests.factories.submissions import submit_for_all
from tests.factories.tournaments import fresh, make_event, owner_of, play_round
from tests.tournaments.files import fixtures
from tournaments.files import services as files_services
from tournaments.integrations import uploads
from tournaments.integrations.uploads import abr_policy
from tournaments.models import IdentitiesShown, Job, JobKind, Tournament, Upload, UploadState
from tournaments.practice import services as practice_services
from tournaments.settings import services as settings_services

REFUSED = Policy(hosts=frozenset({"decks.example"}), resolve=lambda *_: [])
"""Nobody listens there."""


@pytest.fixture(autouse=True)
def _address(settings) -> None:
    settings.ABR_URL = ADDRESS


def make_scene() -> Tournament:
    """Finished, with an identity of everybody."""
    event = make_event(players=2, game="anr", scoring_rule="anr_double")
    submit_for_all(event)
    play_round(event)
    settings_services.finish_event(event, owner_of(event))
    return event


def ask(event: Tournament, abr_event: int | None = None, *, again: bool = False) -> Upload:
    return uploads.request_upload(event, owner_of(event), abr_event=abr_event, again=again)


def work(event: Tournament, policy: Policy) -> Upload:
    """Do what the newest upload has to do now; the upload after it."""
    job = event.jobs.filter(kind=JobKind.UPLOAD).latest("pk")
    jobs.run_aside(Job, job.pk, lambda job: uploads.upload_results(job, policy))
    return event.uploads.latest("pk")


def job_of(event: Tournament) -> Job:
    return event.jobs.filter(kind=JobKind.UPLOAD).latest("pk")


def test_the_results_arrive_as_one_file_and_a_code_comes_back(tmp_path: Path, event: Tournament):
    ask(event)

    with abr(tmp_path) as (double, site):
        upload = work(event, site.policy())

    (document,) = double.files
    assert document["name"] == event.name
    assert document["players"][0]["corpIdentity"] == "Haas-Bioroid: Precision Design"
    assert "abrTournamentId" not in document
    assert "authorization" not in double.heads[0]
    assert (upload.state, upload.code) == (UploadState.CODE, str(CODE))
    assert upload.sent_at is not None
    assert job_of(event).state == JobState.DONE


def test_an_account_of_the_site_is_sent_along(tmp_path: Path, event: Tournament, settings):
    settings.ABR_USER, settings.ABR_PASSWORD = "datafort", "pass:wörd"
    ask(event)

    with abr(tmp_path) as (double, site):
        work(event, site.policy())

    kind, _, pair = double.heads[0]["authorization"].partition(" ")
    assert (kind, base64.b64decode(pair).decode()) == ("Basic", "datafort:pass:wörd")


def test_an_event_that_is_named_is_concluded_at_once(tmp_path: Path, event: Tournament):
    ask(event, abr_event=77)

    with abr(tmp_path) as (double, site):
        upload = work(event, site.policy())

    assert double.files[0]["abrTournamentId"] == 77
    assert upload.state == UploadState.CONCLUDED
    assert upload.page == f"{ADDRESS}/tournaments/77/an-event"
    assert upload.code == ""


def test_a_page_elsewhere_is_not_linked(tmp_path: Path, event: Tournament):
    ask(event, abr_event=77)

    with abr(tmp_path, ("200 OK", b'{"url": "javascript:alert(1)"}')) as (_, site):
        upload = work(event, site.policy())

    assert upload.page == f"{ADDRESS}/tournaments/77"


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        ("200 OK", b'{"error": "It is\\nconcluded"}', "It says: It is conc"),
        ("200 OK", b"<html>Welcome</html>", "It answered without a code."),
        ("200 OK", b'{"code": 99999}', "It answered without a code."),
        ("200 OK", b'["code"]', "It answered without a code."),
        ("200 OK", b'{"code": "' + 5000 * b"1" + b'"}', "It answered without a code."),
        ("200 OK", b'{"error": "no\\u0000thing"}', "It says: nothing"),
        ("422 No", b'{"error": ["players"]}', "It says: ['players']"),
        ("500 Broken", b"<html>Oops</html>", "It answered with status 500."),
        ("302 Found", b"", "It answered with status 302."),
    ],
)
def test_an_answer_without_a_code_is_a_failure_and_can_be_sent_again(
    tmp_path: Path, event: Tournament, status: str, body: bytes, error: str
):
    ask(event)

    with abr(tmp_path, (status, body)) as (double, site):
        upload = work(event, site.policy())
        work(event, site.policy())

    assert upload.state == UploadState.FAILED
    assert upload.error.startswith(error)
    assert len(double.files) == 1
    assert ask(event).pk != upload.pk


def test_whoever_hangs_up_may_have_it_so_nothing_is_sent_again(tmp_path: Path, event: Tournament):
    ask(event)

    with abr(tmp_path, None) as (double, site):
        upload = work(event, site.policy())
        work(event, site.policy())

    assert upload.state == UploadState.UNKNOWN
    assert len(double.files) == 1
    assert job_of(event).state == JobState.DONE
    with pytest.raises(uploads.SentBefore, match="Check AlwaysBeRunning"):
        ask(event)
    assert ask(event, again=True).state == UploadState.WAITING


def test_what_may_have_arrived_is_not_forgotten_for_a_failure_since(
    tmp_path: Path, event: Tournament
):
    ask(event)
    with abr(tmp_path, None) as (_, site):
        assert work(event, site.policy()).state == UploadState.UNKNOWN
    ask(event, again=True)
    with abr(tmp_path, ("500 Broken", b"")) as (_, site):
        assert work(event, site.policy()).state == UploadState.FAILED

    with pytest.raises(uploads.SentBefore):
        ask(event)


def test_a_game_of_the_cut_that_nobody_won_is_not_uploaded_as_lost():
    document = fixtures.document("cobra_cut")
    semifinal = next(one for one in document["rounds"] if one[0]["eliminationGame"])
    for side in ("player1", "player2"):
        semifinal[0][side]["winner"] = None
    event = files_services.import_file(json.dumps(document).encode()).tournament
    assert event is not None
    event.finished_at = timezone.now()
    event.save()

    sent = json.loads(uploads.results_document(event, None))

    cut = [game for round_ in sent["rounds"] for game in round_ if game["eliminationGame"]]
    assert len(cut) == sum(one[0]["eliminationGame"] for one in document["rounds"])
    assert all(game["player1"]["winner"] is not None for game in cut)


def says_nothing(connection: ssl.SSLSocket) -> None:
    connection.recv(1)  # Until the other end hangs up.


@pytest.mark.parametrize(
    "answer",
    [
        says_nothing,
        replies("200 OK", b'{"co', headers="Content-Length: 400\r\n"),
        replies("502 Bad Gateway"),
        replies("504 Gateway Time-out"),
    ],
    ids=["time out", "breaks off", "bad gateway", "gateway time out"],
)
def test_where_no_answer_comes_nobody_knows_whether_it_has_failed(tmp_path, event, answer):
    ask(event)

    with tls_site(tmp_path, answer) as site:
        upload = work(event, site.policy(time_out=0.3))

    assert upload.state == UploadState.UNKNOWN
    assert upload.error


def test_a_worker_that_died_while_sending_leaves_it_unknown(tmp_path: Path, event: Tournament):
    class Killed(BaseException):
        """What a process that is killed does not catch."""

    def kill(*_args: object) -> list[str]:
        assert event.uploads.get().state == UploadState.SENDING
        raise Killed

    ask(event)
    with pytest.raises(Killed):
        work(event, Policy(hosts=frozenset({"decks.example"}), resolve=kill))
    assert event.uploads.get().state == UploadState.SENDING

    with abr(tmp_path) as (double, site):
        assert work(event, site.policy()).state == UploadState.SENDING
        with time_machine.travel(timezone.now() + 2 * jobs.LEASE):
            assert job_of(event) in jobs.waiting_jobs(Job)
            upload = work(event, site.policy())

    assert (upload.state, upload.error[:18]) == (UploadState.UNKNOWN, "The work broke off")
    assert double.files == []


def test_what_never_went_out_is_tried_again_and_fails_in_the_end(event: Tournament):
    ask(event)

    states = []
    for _ in range(jobs.MAX_ATTEMPTS):
        states.append(work(event, REFUSED).state)
        event.jobs.filter(kind=JobKind.UPLOAD).update(leased_until=timezone.now())

    assert states == [UploadState.WAITING] * 4 + [UploadState.FAILED]
    upload = event.uploads.get()
    assert upload.error == "decks.example cannot be reached from here."
    assert ask(event).pk != upload.pk


def test_it_goes_out_once_the_site_is_back(tmp_path: Path, event: Tournament):
    ask(event)
    work(event, REFUSED)
    event.jobs.filter(kind=JobKind.UPLOAD).update(leased_until=timezone.now())

    with abr(tmp_path) as (double, site):
        assert work(event, site.policy()).state == UploadState.CODE
    assert len(double.files) == 1


def test_two_clicks_are_one_upload(event: Tournament):
    ask(event)

    with pytest.raises(uploads.UploadUnderWay):
        ask(event)

    assert event.uploads.count() == 1


def test_a_job_that_broke_before_it_sent_anything_goes_on_with_another_click(event: Tournament):
    upload = ask(event)
    event.jobs.filter(kind=JobKind.UPLOAD).update(state=JobState.FAILED, error="KeyError: 'x'")

    assert ask(event).pk == upload.pk
    assert job_of(event).state == JobState.QUEUED


def test_a_job_that_broke_while_it_sent_does_not_block_for_ever(tmp_path: Path, event: Tournament):
    upload = ask(event)
    event.uploads.update(state=UploadState.SENDING)
    event.jobs.filter(kind=JobKind.UPLOAD).update(state=JobState.FAILED, error="KeyError: 'x'")

    assert ask(event).pk == upload.pk
    with abr(tmp_path) as (double, site):
        assert work(event, site.policy()).state == UploadState.UNKNOWN

    assert double.files == []


def test_an_event_opened_again_meanwhile_is_not_sent(tmp_path: Path, event: Tournament):
    ask(event)
    settings_services.reopen_event(event, owner_of(event), "A result was wrong")

    with abr(tmp_path) as (double, site):
        upload = work(event, site.policy())

    assert double.files == []
    assert (upload.state, upload.error[:16]) == (UploadState.FAILED, "Finish the event")


def test_identities_nobody_may_see_are_not_sent(event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(identities_shown=IdentitiesShown.WITH_DECKS)

    with pytest.raises(uploads.NothingToUpload, match="wants an identity"):
        ask(fresh(event))


def test_only_final_results_of_a_real_event_of_that_game_go_there(event: Tournament):
    onr, early = make_event(players=2), make_event(players=2, game="anr")
    sandbox = practice_services.create_practice(early, owner_of(early))

    assert uploads.why_not_uploadable(event) == ""
    assert (
        uploads.why_not_uploadable(onr) == "AlwaysBeRunning only accepts Android: Netrunner events."
    )
    assert uploads.why_not_uploadable(early).startswith("Finish the event first")
    assert uploads.why_not_uploadable(sandbox) == "A practice copy is not uploaded."


def test_no_other_host_is_asked(settings):
    settings.ABR_URL = "https://alwaysberunning.example"

    policy = abr_policy()

    assert policy.hosts == frozenset({"alwaysberunning.example"})
    with pytest.raises(http.AddressNotAllowed):
        http.check_url("https://elsewhere.example/api/nrtm", policy)
