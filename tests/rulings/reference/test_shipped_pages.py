"""The shipped pages: complete, citable, and in our own words."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from decks.games import GAMES
from matches.scoring.results import FACTIONS
from matches.scoring.rules import scoring_rule
from rulings.importer import shipped_digest
from rulings.reference import DISAGREEMENT, ReferencePage, ReferenceSection, codes_in
from rulings.reference_importer import PAGES_FOLDER, shipped_pages
from tools.left_out import SEEDS, requires_documents

WORD = re.compile(r"[a-z0-9&']+")
MAX_WORDS = 130
LONGEST_SOURCE = 80
# The number of consecutive words that counts as copied.
COPIED = 8
LIST_RULINGS = 498


def sections() -> Iterator[tuple[ReferencePage, ReferenceSection]]:
    for page in shipped_pages():
        for section in page.sections:
            yield page, section


def section_of(code: str) -> ReferenceSection:
    return next(section for _, section in sections() if section.short_code == code)


def words_of(text: str) -> list[str]:
    return WORD.findall(re.sub(r"[*_]", "", text).lower().replace("\u2019", "'"))


@cache
def runs_of_the_sources() -> frozenset[tuple[str, ...]]:
    """Return every run of N words in the documents; skip the test without them."""
    files = sorted(SEEDS.glob("*.txt"))
    if not files:
        assert not requires_documents(), f"the documents are not in {SEEDS}"
        pytest.skip("the documents do not lie beside the project")
    return frozenset(run for file in files for run in runs_of(file.read_text("utf-8")))


def runs_of(text: str) -> Iterator[tuple[str, ...]]:
    words_in_text = words_of(text)
    return zip(*(words_in_text[start:] for start in range(COPIED)), strict=False)


def test_every_game_has_its_pages() -> None:
    assert {page.game for page in shipped_pages()} == set(GAMES)


def test_every_faction_has_its_page() -> None:
    slugs = {page.slug for page in shipped_pages()}

    assert {f"free-radicals-{faction}" for faction in FACTIONS} <= slugs


def test_page_heads_are_valid() -> None:
    files = {file.stem for file in PAGES_FOLDER.glob("*.md")}
    pages = shipped_pages()

    assert {page.slug for page in pages} == files
    assert len({(page.game, page.title) for page in pages}) == len(pages)
    for page in pages:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", page.slug)
        assert len(page.slug) <= 70
        assert len(page.title) <= 120
        assert len(page.edition) <= 20
        assert len(page.about) <= 300
    ranges = [(page.first, page.last) for page in pages]
    assert all(first < last for first, last in ranges)
    assert all(last < first for (_, last), (first, _) in pairwise(ranges))


def test_sections_are_valid() -> None:
    codes = {section.short_code for _, section in sections()}

    assert len(codes) == len(list(sections()))
    for page, section in sections():
        assert page.first < int(section.short_code[2:]) <= page.last, section.short_code
        assert section.text, section.short_code
        assert section.sources, section.short_code
        assert len(section.heading) <= 160
        assert all(len(source.authority) <= LONGEST_SOURCE for source in section.sources)
        assert all(len(source.venue) <= LONGEST_SOURCE for source in section.sources)
        assert {code for code in codes_in(section.text) if code[0] == "S"} <= codes
    for page in shipped_pages():
        numbers = [tuple(map(int, section.place.split("."))) for section in page.sections]
        assert numbers == sorted(set(numbers)), page.slug


def test_sources_end_their_section() -> None:
    for file in PAGES_FOLDER.glob("*.md"):
        for section in file.read_text("utf-8").split("\n## ")[1:]:
            _, _, end = section.partition("\nSource: ")
            lines = filter(None, f"Source: {end}".split("\n"))
            assert all(line.startswith(("Source: ", "Cards: ")) for line in lines), section


@pytest.mark.parametrize(
    ("code", "section_number"),
    [
        ("S-0104", "scoring-agendas 1.4"),
        ("S-0210", "two-round-match 2.1"),
        ("S-0340", "turns-and-timing 6.1"),
        ("S-0429", "android-netrunner-in-short 5.1"),
        ("S-0507", "free-radicals 2.3"),
        ("S-1311", "free-radicals-merchants 2.6"),
    ],
)
def test_code_belongs_to_the_same_section_forever(code: str, section_number: str) -> None:
    # Cited codes are never given to another section.
    assert section_number in {
        f"{page.slug} {section.place}" for page, section in sections() if section.short_code == code
    }


def test_sections_are_short_enough_to_cite() -> None:
    long = [
        section.short_code for _, section in sections() if len(section.text.split()) > MAX_WORDS
    ]
    assert long == []


def test_named_rulings_are_in_the_list() -> None:
    codes_named = {
        code for _, section in sections() for code in codes_in(section.text) if code[0] == "R"
    }

    assert codes_named
    assert all(1 <= int(code[2:]) <= LIST_RULINGS for code in codes_named)


def test_disagreements_name_the_rule_of_the_site() -> None:
    disagreements = [
        section for _, section in sections() if section.heading.startswith(DISAGREEMENT)
    ]

    assert len(disagreements) >= 15
    for section in disagreements:
        assert re.search(r"this site|is meant|go first", section.text, re.IGNORECASE), section.place


@pytest.mark.parametrize(
    ("code", "text_"),
    [
        ("S-0210", "This site follows the manual by default"),
        ("S-0216", "R-0001"),
        ("S-0340", "This site follows the four"),
    ],
)
def test_known_disagreements_are_reported(code: str, text_: str) -> None:
    assert section_of(code).heading.startswith(DISAGREEMENT)
    assert text_ in section_of(code).text


def test_points_match_the_program() -> None:
    assert f"{scoring_rule('onr_runner_only').bye_points} points" in section_of("S-0209").text
    assert "5 points, the second 3, then 2, 1 and 0" in section_of("S-0513").text
    colours = section_of("S-0503").text
    for line in colours.split("\n"):
        if line.startswith("- *"):
            colour = line.split("*")[1].lower()
            names = {faction.name for faction in FACTIONS.values() if faction.colour == colour}
            assert all(name in line for name in names)


def test_no_sentence_is_copied_from_the_documents() -> None:
    copied = [
        (page.slug, section.place, " ".join(run))
        for page, section in sections()
        for run in runs_of(f"{section.heading} {section.text}")
        if run in runs_of_the_sources()
    ]
    assert copied == []


@pytest.mark.parametrize(
    ("code", "text_"),
    [
        ("S-0501", "The guide to the factions says nothing"),
        ("S-0210", "This site also offers another way"),
        ("S-0706", "This site reads it as yellow"),
    ],
)
def test_text_without_a_source_is_marked(code: str, text_: str) -> None:
    assert text_ in section_of(code).text.replace("\n", " ")
    assert any(source.authority.startswith("Datafort") for source in section_of(code).sources)


def test_proposed_wording_is_marked() -> None:
    proposed = [row for row in shipped_digest() if row.kind == "unofficial-errata"]

    assert [row.number for row in proposed] == [461]
    assert all(row.text.startswith("Proposed:") for row in proposed)
