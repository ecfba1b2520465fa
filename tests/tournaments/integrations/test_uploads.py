"""Uploads to AlwaysBeRunning: results are sent once and never repeated automatically."""

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

# The name does not resolve.
UNREACHABLE = Policy(hosts=frozenset({"decks.example"}), resolve=lambda *_: [])


@pytest.fixture(autouse=True)
def _address(settings) -> None:
    settings.ABR_URL = ADDRESS


def make_scene() -> Tournament:
    """A finished event with an identity for each player."""
    event = make_event(players=2, game="anr", scoring_rule="anr_double")
    submit_for_all(event)
    play_round(event)
    settings_services.finish_event(event, owner_of(event))
    return event


def request_upload(
    event: Tournament, abr_event: int | None = None, *, again: bool = False
) -> Upload:
    return uploads.request_upload(event, owner_of(event), abr_event=abr_event, again=again)


def run_job(event: Tournament, policy: Policy) -> Upload:
    """Run the job of the newest upload and return the upload."""
    job = event.jobs.filter(kind=JobKind.UPLOAD).latest("pk")
    jobs.run_aside(Job, job.pk, lambda job: uploads.upload_results(job, policy))
    return event.uploads.latest("pk")


def job_of(event: Tournament) -> Job:
    return event.jobs.filter(kind=JobKind.UPLOAD).latest("pk")


def test_results_arrive_as_one_file_and_a_code_is_stored(tmp_path: Path, event: Tournament):
    request_upload(event)

    with abr(tmp_path) as (double, site):
        upload = run_job(event, site.policy())

    (document,) = double.files
    assert document["name"] == event.name
    assert document["players"][0]["corpIdentity"] == "Haas-Bioroid: Precision Design"
    assert "abrTournamentId" not in document
    assert "authorization" not in double.heads[0]
    assert (upload.state, upload.code) == (UploadState.CODE, str(CODE))
    assert upload.sent_at is not None
    assert job_of(event).state == JobState.DONE


def test_account_of_the_site_is_sent(tmp_path: Path, event: Tournament, settings):
    settings.ABR_USER, settings.ABR_PASSWORD = "datafort", "pass:wörd"
    request_upload(event)

    with abr(tmp_path) as (double, site):
        run_job(event, site.policy())

    kind, _, pair = double.heads[0]["authorization"].partition(" ")
    assert (kind, base64.b64decode(pair).decode()) == ("Basic", "datafort:pass:wörd")


def test_named_event_is_concluded(tmp_path: Path, event: Tournament):
    request_upload(event, abr_event=77)

    with abr(tmp_path) as (double, site):
        upload = run_job(event, site.policy())

    assert double.files[0]["abrTournamentId"] == 77
    assert upload.state == UploadState.CONCLUDED
    assert upload.page == f"{ADDRESS}/tournaments/77/an-event"
    assert upload.code == ""


def test_page_on_a_different_site_is_not_linked(tmp_path: Path, event: Tournament):
    request_upload(event, abr_event=77)

    with abr(tmp_path, ("200 OK", b'{"url": "javascript:alert(1)"}')) as (_, site):
        upload = run_job(event, site.policy())

    assert upload.page == f"{ADDRESS}/tournaments/77"


@pytest.mark.parametrize(
    ("status", "body", "ending"),
    [
        ("200 OK", b'{"error": "It is\\nconcluded"}', "with an error: It is conc"),
        ("200 OK", b"<html>Welcome</html>", "without a code."),
        ("200 OK", b'{"code": 99999}', "without a code."),
        ("200 OK", b'["code"]', "without a code."),
        ("200 OK", b'{"code": "' + 5000 * b"1" + b'"}', "without a code."),
        ("200 OK", b'{"error": "no\\u0000thing"}', "with an error: nothing"),
        ("422 No", b'{"error": ["players"]}', "with an error: ['players']"),
        ("500 Broken", b"<html>Oops</html>", "with status 500."),
        ("302 Found", b"", "with status 302."),
    ],
)
def test_answer_without_a_code_fails_and_can_be_repeated(
    tmp_path: Path, event: Tournament, status: str, body: bytes, ending: str
):
    request_upload(event)

    with abr(tmp_path, (status, body)) as (double, site):
        upload = run_job(event, site.policy())
        run_job(event, site.policy())

    assert upload.state == UploadState.FAILED
    assert upload.error.startswith(f"AlwaysBeRunning answered {ending}")
    assert len(double.files) == 1
    assert request_upload(event).pk != upload.pk


def test_closed_connection_is_unknown_and_requires_confirmation(tmp_path: Path, event: Tournament):
    request_upload(event)

    with abr(tmp_path, None) as (double, site):
        upload = run_job(event, site.policy())
        run_job(event, site.policy())

    assert upload.state == UploadState.UNKNOWN
    assert len(double.files) == 1
    assert job_of(event).state == JobState.DONE
    with pytest.raises(uploads.SentBefore, match="Check AlwaysBeRunning"):
        request_upload(event)
    assert request_upload(event, again=True).state == UploadState.WAITING


def test_unknown_upload_requires_confirmation_even_after_a_later_failure(
    tmp_path: Path, event: Tournament
):
    request_upload(event)
    with abr(tmp_path, None) as (_, site):
        assert run_job(event, site.policy()).state == UploadState.UNKNOWN
    request_upload(event, again=True)
    with abr(tmp_path, ("500 Broken", b"")) as (_, site):
        assert run_job(event, site.policy()).state == UploadState.FAILED

    with pytest.raises(uploads.SentBefore):
        request_upload(event)


def test_undecided_game_of_the_cut_is_not_uploaded():
    document = fixtures.document("cobra_cut")
    semifinal = next(games for games in document["rounds"] if games[0]["eliminationGame"])
    for side in ("player1", "player2"):
        semifinal[0][side]["winner"] = None
    event = files_services.import_file(json.dumps(document).encode()).tournament
    assert event is not None
    event.finished_at = timezone.now()
    event.save()

    sent = json.loads(uploads.results_document(event, None))

    cut = [game for round_ in sent["rounds"] for game in round_ if game["eliminationGame"]]
    assert len(cut) == sum(games[0]["eliminationGame"] for games in document["rounds"])
    assert all(game["player1"]["winner"] is not None for game in cut)


def stay_silent(connection: ssl.SSLSocket) -> None:
    connection.recv(1)  # until the client hangs up


@pytest.mark.parametrize(
    "answer",
    [
        stay_silent,
        replies("200 OK", b'{"co', headers="Content-Length: 400\r\n"),
        replies("502 Bad Gateway"),
        replies("504 Gateway Time-out"),
    ],
    ids=["time out", "breaks off", "bad gateway", "gateway time out"],
)
def test_missing_answer_is_unknown(tmp_path, event, answer):
    request_upload(event)

    with tls_site(tmp_path, answer) as site:
        upload = run_job(event, site.policy(time_out=0.3))

    assert upload.state == UploadState.UNKNOWN
    assert upload.error


def test_worker_killed_while_sending_leaves_the_upload_unknown(tmp_path: Path, event: Tournament):
    class Killed(BaseException):
        pass

    def kill(*_args: object) -> list[str]:
        assert event.uploads.get().state == UploadState.SENDING
        raise Killed

    request_upload(event)
    with pytest.raises(Killed):
        run_job(event, Policy(hosts=frozenset({"decks.example"}), resolve=kill))
    assert event.uploads.get().state == UploadState.SENDING

    with abr(tmp_path) as (double, site):
        assert run_job(event, site.policy()).state == UploadState.SENDING
        with time_machine.travel(timezone.now() + 2 * jobs.LEASE):
            assert job_of(event) in jobs.waiting_jobs(Job)
            upload = run_job(event, site.policy())

    assert upload.state == UploadState.UNKNOWN
    assert upload.error.startswith("The upload was interrupted")
    assert double.files == []


def test_unsent_upload_is_retried_and_finally_fails(event: Tournament):
    request_upload(event)

    states = []
    for _ in range(jobs.MAX_ATTEMPTS):
        states.append(run_job(event, UNREACHABLE).state)
        event.jobs.filter(kind=JobKind.UPLOAD).update(leased_until=timezone.now())

    assert states == [UploadState.WAITING] * 4 + [UploadState.FAILED]
    upload = event.uploads.get()
    assert upload.error == "decks.example cannot be reached from here."
    assert request_upload(event).pk != upload.pk


def test_upload_is_sent_when_the_site_is_reachable_again(tmp_path: Path, event: Tournament):
    request_upload(event)
    run_job(event, UNREACHABLE)
    event.jobs.filter(kind=JobKind.UPLOAD).update(leased_until=timezone.now())

    with abr(tmp_path) as (double, site):
        assert run_job(event, site.policy()).state == UploadState.CODE
    assert len(double.files) == 1


def test_second_request_is_refused_while_the_first_is_open(event: Tournament):
    request_upload(event)

    with pytest.raises(uploads.UploadUnderWay):
        request_upload(event)

    assert event.uploads.count() == 1


def test_job_that_failed_before_sending_is_resumed_by_a_new_request(event: Tournament):
    upload = request_upload(event)
    event.jobs.filter(kind=JobKind.UPLOAD).update(state=JobState.FAILED, error="KeyError: 'x'")

    assert request_upload(event).pk == upload.pk
    assert job_of(event).state == JobState.QUEUED


def test_job_that_failed_while_sending_ends_as_unknown(tmp_path: Path, event: Tournament):
    upload = request_upload(event)
    event.uploads.update(state=UploadState.SENDING)
    event.jobs.filter(kind=JobKind.UPLOAD).update(state=JobState.FAILED, error="KeyError: 'x'")

    assert request_upload(event).pk == upload.pk
    with abr(tmp_path) as (double, site):
        assert run_job(event, site.policy()).state == UploadState.UNKNOWN

    assert double.files == []


def test_reopened_event_is_not_sent(tmp_path: Path, event: Tournament):
    request_upload(event)
    settings_services.reopen_event(event, owner_of(event), "A result was wrong")

    with abr(tmp_path) as (double, site):
        upload = run_job(event, site.policy())

    assert double.files == []
    assert (upload.state, upload.error[:16]) == (UploadState.FAILED, "Finish the event")


def test_hidden_identities_are_not_sent(event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(identities_shown=IdentitiesShown.WITH_DECKS)

    with pytest.raises(uploads.NothingToUpload, match="requires at least the winner"):
        request_upload(fresh(event))


def test_only_finished_real_events_of_the_game_can_be_uploaded(event: Tournament):
    onr, early = make_event(players=2), make_event(players=2, game="anr")
    practice = practice_services.create_practice(early, owner_of(early))

    assert uploads.why_not_uploadable(event) == ""
    assert (
        uploads.why_not_uploadable(onr) == "AlwaysBeRunning only accepts Android: Netrunner events."
    )
    assert uploads.why_not_uploadable(early).startswith("Finish the event first")
    assert uploads.why_not_uploadable(practice) == "A practice event cannot be uploaded."


def test_only_the_configured_host_is_contacted(settings):
    settings.ABR_URL = "https://alwaysberunning.example"

    policy = abr_policy()

    assert policy.hosts == frozenset({"alwaysberunning.example"})
    with pytest.raises(http.AddressNotAllowed):
        http.check_url("https://elsewhere.example/api/nrtm", policy)
