"""Staff cite rulings in the notes of a match."""

from dataclasses import replace

import pytest
from django.db.models import ProtectedError

from matches.models import Match
from players.models import User
from rulings import importer, queries, services
from rulings.forms import CiteForm
from rulings.models import JudgeNote, Ruling
from tests.rulings.builders import digest_of


@pytest.fixture
def match(small):
    return Match.objects.create(scoring_rule="onr_runner_only")


@pytest.fixture
def judge(db):
    return User.objects.create_user(username="mia", password="correct horse")


def current(code):
    version = Ruling.objects.get(code=code).current
    assert version is not None
    return version


def test_a_note_holds_words_and_the_version_of_a_ruling(match, judge):
    note = services.write_note(match, judge, " Trace allowed. ", [current("tracing-1")])

    assert (note.text, [str(one) for one in note.cited.all()]) == (
        "Trace allowed.",
        ["tracing-1 v1"],
    )
    assert list(queries.notes_of(match)) == [note]


def test_notes_are_read_in_their_order_with_few_queries(match, judge, django_assert_num_queries):
    for code in ("tracing-1", "dropp-1", "dr-dreff-1"):
        services.write_note(match, judge, cited=[current(code)])
    services.write_note(match, judge, "Slow play, no penalty.")

    with django_assert_num_queries(2):
        notes = [
            (str(note.author), [one.version.ruling.code for one in note.citations.all()])
            for note in queries.notes_of(match)
        ]

    assert [codes for _, codes in notes] == [["tracing-1"], ["dropp-1"], ["dr-dreff-1"], []]


def test_an_empty_note_is_refused(match, judge):
    with pytest.raises(services.EmptyNote):
        services.write_note(match, judge, "  ")
    assert not JudgeNote.objects.exists()


def test_a_later_edit_never_changes_what_was_cited(match, judge):
    version = current("tracing-1")
    note = services.write_note(match, judge, cited=[version])
    read = version.text

    importer.load_digest([replace(one, text=f"{one.text} Or not.") for one in digest_of()])

    note.refresh_from_db()
    assert note.cited.get() == version
    version.refresh_from_db()
    assert version.text == read
    assert current("tracing-1").text == f"{read} Or not."
    assert queries.times_cited(Ruling.objects.get(code="tracing-1")) == 1


def test_a_cited_ruling_cannot_be_deleted(match, judge):
    services.write_note(match, judge, cited=[current("tracing-1")])

    with pytest.raises(ProtectedError):
        Ruling.objects.get(code="tracing-1").delete()


@pytest.mark.parametrize(
    "typed",
    [
        "tracing-1",
        " Tracing-1 ",
        "tracing-1 v1",
        "/rulings/tracing-1/",
        "http://127.0.0.1:8000/rulings/tracing-1/v1/",
    ],
)
def test_a_code_may_be_typed_or_pasted(match, typed):
    form = CiteForm({"rulings": typed, "text": ""})

    assert form.is_valid(), form.errors
    assert [str(one) for one in form.cleaned_data["rulings"]] == ["tracing-1 v1"]
    assert queries.find_by_code(typed) == Ruling.objects.get(code="tracing-1")


def test_a_code_may_name_an_older_version(match):
    importer.load_digest([replace(one, text=f"{one.text} Or not.") for one in digest_of()])

    assert str(queries.version_by_code("tracing-1")) == "tracing-1 v2"
    assert str(queries.version_by_code("tracing-1 v1")) == "tracing-1 v1"
    assert queries.version_by_code("tracing-1 v3") is None


def test_an_unknown_code_is_refused_with_the_nearest(match):
    form = CiteForm({"rulings": "tracign-1", "text": "Trace."})

    (message,) = form.errors["rulings"]
    assert str(message) == (
        'There is no ruling with the code "tracign-1". Did you mean tracing-1, tracing-2?'
    )


@pytest.mark.parametrize("typed", ["x" * 200, "?!", "tracing-99999999999999999999", "\x01-1"])
def test_no_code_is_an_error(match, typed):
    assert "rulings" in CiteForm({"rulings": typed, "text": ""}).errors
    assert queries.find_by_code(typed) is None


def test_an_empty_form_says_what_to_do(match):
    form = CiteForm({"rulings": " ", "text": ""})

    assert form.errors == {"__all__": ["Write a note, or name the ruling it rests on."]}


def test_words_alone_are_a_note(match):
    form = CiteForm({"rulings": "", "text": "Slow play."})

    assert form.is_valid()
    assert form.cleaned_data["rulings"] == []
