"""The full-text search, on the database of the tests."""

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulings.models import Ruling, SearchEntry
from rulings.search import SearchReach, search_rulings


def codes(typed):
    results = search_rulings(typed)
    rulings = Ruling.objects.in_bulk(results.ids)
    return [rulings[pk].code for pk in results.ids]


def test_words_are_found_in_any_order_and_form(small):
    assert codes("subroutine breaking") == ["dropp-1"]
    assert codes("BITS Successful") == ["tracing-1"]


def test_quoted_words_match_as_a_phrase(small):
    assert codes('"number of cards"') == ["public-looks-1"]
    assert search_rulings('"of number cards"').ids == []


def test_star_matches_a_prefix(small):
    assert codes("subrout*") == ["dropp-1"]


def test_prefix_matches_if_no_word_does(small):
    results = search_rulings("subrout")

    assert results.reach is SearchReach.BEGINNINGS
    assert codes("subrout") == ["dropp-1"]


def test_any_word_matches_if_no_ruling_has_all(small):
    results = search_rulings("subroutines zeppelin")

    assert results.reach is SearchReach.ANY
    assert codes("subroutines zeppelin") == ["dropp-1"]


def test_prefix_matches_come_after_full_matches(shipped):
    results = search_rulings("rez ice")
    full, partial = results.ids[: results.full], results.ids[results.full :]

    assert results.reach is SearchReach.EXACT
    assert full
    assert set(full) == set(search_rulings('"rez" "ice"').ids[: results.full])
    assert set(partial) == set(search_rulings("rez* ice*").ids) - set(full)
    assert partial


def test_more_matching_words_rank_higher(shipped):
    results = search_rulings("zeppelin access trash program")
    bodies = SearchEntry.objects.in_bulk(results.ids, field_name="ruling_id")

    def count_words(pk):
        text = f"{bodies[pk].heading} {bodies[pk].body} {bodies[pk].source}".lower()
        return sum(word in text for word in ("access", "trash", "program"))

    assert results.reach is SearchReach.ANY
    assert count_words(results.ids[0]) == 3
    assert count_words(results.ids[-1]) == 1


def test_named_card_ranks_before_more_words(shipped):
    lockjaw = Ruling.objects.filter(subject="Lockjaw")[0].card_id
    assert lockjaw is not None
    results = search_rulings("zeppelin lockjaw access trash program", named={lockjaw})
    rulings_of_card = set(Ruling.objects.filter(card=lockjaw).values_list("pk", flat=True))

    assert results.reach is SearchReach.ANY
    assert set(results.ids[: len(rulings_of_card)]) == rulings_of_card


def test_empty_query_finds_nothing(small):
    assert search_rulings("").ids == []
    assert search_rulings("zeppelin").ids == []
    assert search_rulings("&&& *").ids == []


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("armadillo", "armadillo-armored-road-home-1"),
        ("Dr Dreff", "dr-dreff-1"),
        ("dropp", "dropp-1"),
        ("ball-and-chain-1", "ball-and-chain-1"),
        ("Sparky rolling", "armadillo-armored-road-home-1"),
    ],
)
def test_subjects_codes_and_names_are_found(small, typed, code):
    assert codes(typed)[0] == code


def test_ruling_on_a_card_ranks_before_a_mention(shipped):
    on_lockjaw = codes("lockjaw")

    assert on_lockjaw[0].startswith("lockjaw-")
    assert any(not code.startswith("lockjaw-") for code in on_lockjaw)


def test_accents_and_dots_need_not_be_typed(shipped):
    assert codes("neto")[0] == "n-e-t-o-1"
    assert codes("skalderviken")[0] == codes("Sk\u00e4lderviken")[0]


def test_deleted_ruling_leaves_the_index(small):
    assert codes("subroutines") == ["dropp-1"]

    Ruling.objects.get(code="dropp-1").delete()

    assert search_rulings("subroutines").ids == []


def test_changed_entry_changes_the_index(small):
    entry = SearchEntry.objects.get(ruling__code="dropp-1")
    entry.body = "a zeppelin"
    entry.save()

    assert codes("zeppelin") == ["dropp-1"]
    assert search_rulings("subroutines").ids == []


NASTY = [
    *("'", '"', '""', "';--", "' OR 1=1", "NOT", "AND", "OR NEAR(", "NEAR(a b, 2)", "^a", "a+b"),
    *("heading:lockjaw", "{heading body}: x", "a & | b", "!a", "a:*", "a <-> b", "\\", "%s %(x)s"),
    *("\x00a", "\ufdfa" * 300, "a" * 5000, "a " * 500, "<script>alert(1)</script>"),
    *(
        "1e5 0x1F -3.14 12:30 x@y.z http://a.b/c?d",
        "\u03c0 \u4e2d\u6587 \u0e44\u0e17\u0e22 \U0001f600 \u00bd",
    ),
]


@pytest.mark.parametrize("typed", NASTY)
def test_word_is_found_before_punctuation(small, typed):
    search_rulings(typed)

    assert "dropp-1" in codes(f"subroutines {typed}")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=st.text(max_size=60))
def test_word_is_found_before_any_text(small, typed):
    search_rulings(typed)

    assert "dropp-1" in codes(f"subroutines {typed}")


def test_search_uses_the_database_index(small):
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
            sql = "EXPLAIN SELECT 1 FROM rulings_searchentry WHERE words @@ %s::tsquery"
            index = "rulings_searchentry_words"
        else:
            sql = "EXPLAIN QUERY PLAN SELECT 1 FROM rulings_words WHERE rulings_words MATCH %s"
            index = "VIRTUAL TABLE INDEX"
        cursor.execute(sql, ["bits"])
        plan = str(cursor.fetchall())

    assert index in plan
