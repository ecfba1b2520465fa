"""Citations of rulings in the notes of a match, and their counts."""

from dataclasses import replace

import pytest
from django.test import Client

from matches.models import Match
from players.models import User
from rulings import importer, queries, services
from rulings.forms import CiteForm
from rulings.models import JudgeNote, NoteKind, Ruling, RulingVersion
from tests.queries import queries_of
from tests.rulings.builders import digest_of

pytestmark = pytest.mark.usefixtures("small")
PAGE = "/rulings/cited/"


def version(code: str, number: int = 1) -> RulingVersion:
    return RulingVersion.objects.get(ruling__code=code, number=number)


@pytest.fixture
def match(small):
    return Match.objects.create(scoring_rule="onr_runner_only")


@pytest.fixture
def judge(db):
    return User.objects.create_user(username="mia", password="correct horse")


def test_note_stores_text_and_cited_version(match, judge):
    note = services.write_note(match, judge, " Trace allowed. ", [version("tracing-1")])

    assert (note.text, list(map(str, note.cited.all()))) == (
        "Trace allowed.",
        ["tracing-1 v1"],
    )
    assert list(queries.notes_of(match)) == [note]


def test_notes_in_order_take_two_queries(match, judge, django_assert_num_queries):
    for code in ("tracing-1", "dropp-1", "dr-dreff-1"):
        services.write_note(match, judge, cited=[version(code)])
    services.write_note(match, judge, "Slow play, no penalty.")

    with django_assert_num_queries(2):
        notes = [
            (str(note.author), [citation.version.ruling.code for citation in note.citations.all()])
            for note in queries.notes_of(match)
        ]

    assert [codes for _, codes in notes] == [["tracing-1"], ["dropp-1"], ["dr-dreff-1"], []]


def test_empty_note_is_refused(match, judge):
    with pytest.raises(services.EmptyNote):
        services.write_note(match, judge, "  ")
    assert not JudgeNote.objects.exists()


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
def test_code_can_be_typed_or_pasted(match, typed):
    form = CiteForm({"rulings": typed, "text": ""})

    assert form.is_valid(), form.errors
    assert list(map(str, form.cleaned_data["rulings"])) == ["tracing-1 v1"]
    assert queries.find_by_code(typed) == Ruling.objects.get(code="tracing-1")


def test_code_can_name_an_older_version(match):
    importer.load_digest([replace(row, text=f"{row.text} Or not.") for row in digest_of()])

    assert str(queries.version_by_code("tracing-1")) == "tracing-1 v2"
    assert str(queries.version_by_code("tracing-1 v1")) == "tracing-1 v1"
    assert queries.version_by_code("tracing-1 v3") is None


def test_unknown_code_is_refused_with_the_nearest(match):
    form = CiteForm({"rulings": "tracign-1", "text": "Trace."})

    (message,) = form.errors["rulings"]
    assert str(message) == (
        'There is no ruling with the code "tracign-1". Did you mean tracing-1, tracing-2?'
    )


@pytest.mark.parametrize("typed", ["x" * 200, "?!", "tracing-99999999999999999999", "\x01-1"])
def test_text_without_a_code_is_refused(match, typed):
    assert "rulings" in CiteForm({"rulings": typed, "text": ""}).errors
    assert queries.find_by_code(typed) is None


def test_note_needs_text_or_a_ruling(match):
    form = CiteForm({"rulings": "", "text": "Slow play."})

    assert form.is_valid()
    assert form.cleaned_data["rulings"] == []
    assert CiteForm({"rulings": " ", "text": ""}).errors == {
        "__all__": ["Write a note or cite a ruling."]
    }


def cite(match: Match, *codes: str, kind: NoteKind = NoteKind.NOTE) -> None:
    services.write_note(match, None, "", [version(code) for code in codes], kind)


def counts() -> list[tuple[str, int]]:
    return [
        (cited.ruling.code, cited.times)
        for cited in queries.load_cited_rulings(queries.citation_counts())
    ]


@pytest.mark.parametrize("kind", NoteKind)
def test_every_kind_of_note_counts(match: Match, kind: NoteKind):
    cite(match, "tracing-1", kind=kind)

    assert counts() == [("tracing-1", 1)]
    assert queries.times_cited(Ruling.objects.get(code="tracing-1")) == 1


def test_most_cited_ruling_comes_first_over_all_versions(match: Match):
    cite(match, "dropp-1")
    cite(match, "tracing-1", "dropp-1")
    importer.load_digest([replace(row, text=f"{row.text} Or not.") for row in digest_of()])
    services.write_note(match, None, "", [version("dropp-1", 2)])

    assert counts() == [("dropp-1", 3), ("tracing-1", 1)]
    assert queries.times_cited(Ruling.objects.get(code="dropp-1")) == 3


def test_local_rulings_are_left_out(match: Match):
    local = services.create_local_ruling(
        services.get_local_document("onr"), subject="Dice", text="No."
    )
    services.write_note(match, None, "", [local.versions.get()])

    assert counts() == []
    assert queries.times_cited(local) == 1


def test_most_cited_page_names_no_event(client: Client, match: Match):
    services.write_note(match, None, "Mallory cheated.", [version("dropp-1")])
    cite(match, "dropp-1")

    page = client.get(PAGE).text

    assert '<td class="numeric" data-label="Cited">2</td>' in page
    assert "R-0007" in page
    assert "Mallory" not in page


def test_page_without_citations_is_shown(client: Client):
    assert "No rulings cited yet" in client.get(PAGE).text
    assert "No rulings cited yet" in client.get(f"{PAGE}?game=anr").text
    assert client.get(f"{PAGE}?game=chess").status_code == 404
    assert client.get(f"{PAGE}?page=x").status_code == 200


def test_queries_do_not_grow_with_the_citations(client: Client, match: Match):
    cite(match, "dropp-1")
    few_queries = queries_of(client.get, PAGE)

    cite(match, "tracing-1", "tracing-2", "public-looks-1", "dropp-1")

    assert queries_of(client.get, PAGE) == few_queries
