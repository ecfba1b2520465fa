import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from core.languages import in_words
from core.text import clean, comparison_key
from players.names import name_problems, pronoun_problems, without_email_addresses
from tests.players.name_corpus import NAMES

pytestmark = pytest.mark.check(13)


def texts_of(problems):
    return [str(problem) for problem in problems]


@pytest.mark.parametrize(
    "name",
    [
        *NAMES,
        *("Gus @ home", "Team@Home", "@gus", "Gus (@gus@social.example)", "Gus v. Mo", "a@b@c.d"),
    ],
)
def test_names_of_any_script_or_with_an_at_sign_are_valid(name):
    assert list(name_problems(name)) == []


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u200f", "\u3164", "\u2800 \u2800"])
def test_invisible_name_is_refused(name):
    assert texts_of(name_problems(name)) == ["Enter a name with at least one letter."]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("a" * 101, "The name has 101 characters. The limit is 100: shorten it."),
        # U+FDFA stands for 18 letters.
        ("\ufdfa" * 12, "The name is too long once its ligatures are written out. Shorten it."),
        (
            "Ada\x00 \u202eBo",
            "Remove characters that cannot be shown: U+0000, RIGHT-TO-LEFT OVERRIDE.",
        ),
    ],
)
def test_long_names_and_forbidden_characters_are_refused(name, problem):
    assert texts_of(name_problems(name)) == [problem]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Ada\U000e0061", "Remove invisible characters"),
        ("\U0001f3f4\U000e0067\U000e007f\U000e0061", "Remove invisible characters"),
        ("Z" + "\u0351" * 5, "A letter has more than 4 accents."),
        ("Z" + "\u0351" * 3 + "\u200d" + "\u0351" * 3, "A letter has more than 4 accents."),
    ],
)
def test_invisible_letters_and_piled_accents_are_refused(name, problem):
    (message,) = name_problems(name)

    assert str(message).startswith(problem)


@pytest.mark.parametrize(
    "name",
    [
        "gus@x.org",
        "  Gus.Mo+nrdb@mail.example.org ",
        "<gus@x.org>",
        "(gus@x.org)",
        "mailto:gus@x.org",
        "gus\uff20x.org",
        "gus@x.org.",
        "gus@b\u00fccher.example",
    ],
)
def test_email_address_alone_is_no_name(name):
    assert texts_of(name_problems(name)) == [
        "Enter a name, not an email address: everyone can see it."
    ]
    assert without_email_addresses(name) == ""


@pytest.mark.parametrize(
    ("name", "addition"),
    [
        ("Gus <gus@x.org>", "Gus"),
        ("gus@x.org, Gus Mo", "Gus Mo"),
        ("Gus Mo (gus@x.org)", "Gus Mo"),
        ("Gus | gus@x.org | NBN", "Gus | | NBN"),
    ],
)
def test_email_address_beside_a_name_is_refused(name, addition):
    assert texts_of(name_problems(name)) == ["Remove the email address: everyone can see the name."]
    assert without_email_addresses(name) == addition


def test_problems_are_in_the_language_of_the_reader():
    (problem,) = name_problems("a" * 101)

    with translation.override("de"):
        assert in_words(problem) == (
            "Der Name hat 101 Zeichen. Höchstens 100 sind möglich: Kürze ihn."
        )


def test_email_address_among_the_pronouns_is_refused():
    assert texts_of(pronoun_problems("gus@x.org")) == [
        "Remove the email address: everyone can see the pronouns."
    ]


@given(st.text(st.sampled_from("a@.<> ,\uff20"), max_size=30))
def test_no_email_address_is_left_after_removal(text):
    problems = name_problems(without_email_addresses(text))

    assert not any("email" in str(problem) for problem in problems)


def test_all_problems_of_a_name_are_listed_together():
    assert len(list(name_problems("\x00" * 100))) == 2


@given(st.text())
def test_valid_name_fits_its_columns(name):
    if list(name_problems(name)):
        return
    assert 1 <= len(clean(name)) <= 100
    assert 1 <= len(comparison_key(name)) <= 200
    assert clean(name).encode("utf-8").decode("utf-8") == clean(name)


def test_pronouns_may_be_left_out_and_are_short_and_printable():
    assert list(pronoun_problems("")) == []
    assert list(pronoun_problems("they/them")) == []
    assert texts_of(pronoun_problems("x" * 31)) == [
        "Pronouns have at most 30 characters, not 31. Shorten them."
    ]
    assert texts_of(pronoun_problems("she\u202e")) == [
        "Remove characters that cannot be shown: RIGHT-TO-LEFT OVERRIDE."
    ]
