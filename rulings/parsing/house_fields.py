"""Fields of house rulings files in any format: cleaned, validated, with all faults reported."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date

from core.text import LONGEST_COMPARED, clean, forbidden_characters, is_visible
from decks.games import DEFAULT, GAMES
from rulings.parsing.faults import Fault
from rulings.parsing.filed import FiledDocument, FiledRuling, Sort

KINDS = ("ruling", "errata", "unofficial-errata")
CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*-[0-9]+")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
ANY_CODE = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*-[0-9]+")
HEAD_LENGTHS = {"title": 120, "id": 40, "edition": 20, "authority": 80, "date": 10, "game": 20}
LENGTHS = {"authority": 80, "via": 80, "venue": 80, "date": 10, "kind": 20, "id": 80}
LISTS = ("supersedes", "cards", "topics")
FIELDS = (*LENGTHS, *LISTS)
LONGEST_SUBJECT = 120
LONGEST_TEXT = 5000  # characters
MOST_NAMED = 20  # in one list
# Prefix of the ids of documents with local rulings by head judges.
OF_EVENTS = "local-rulings"
Fields = Mapping[str, str | tuple[str, ...]]


def head_of(fields: Mapping[str, str], line: int) -> tuple[FiledDocument | None, list[Fault]]:
    """Parse the header fields; return (document or None, faults)."""
    reasons = [_unknown(key, HEAD_LENGTHS) for key in fields if key not in HEAD_LENGTHS]
    known = {key: clean(text) for key, text in fields.items() if key in HEAD_LENGTHS}
    for key, text in known.items():
        reasons += _bad_text(key, text, HEAD_LENGTHS[key])
    title = known.get("title", "")
    slug = known.get("id") or _slug_of(title)
    published_on = _day(known.get("date", ""))
    game = known.get("game", DEFAULT.id)
    if not title:
        reasons.append('the title is missing. Write a line "title: ..."')
    elif not SLUG.fullmatch(slug):
        reasons.append('no address can be made of the title. Write a line "id: tuesday-league"')
    elif slug.startswith(OF_EVENTS):
        reasons.append(f'the id "{slug}" is kept for rulings of events. Write a line with another')
    if published_on is None:
        reasons.append('the day is missing. Write a line such as "date: 2026-05-31"')
    if game not in GAMES:
        reasons.append(f'there is no game "{game}". Write one of {", ".join(GAMES)}')
    faults = [Fault(line, reason) for reason in reasons]
    if faults or published_on is None:
        return None, faults
    edition, authority = known.get("edition", ""), known.get("authority", "")
    return FiledDocument(title, slug, published_on, game, edition, authority), []


def ruling_of(
    subject: str, text: str, fields: Fields, line: int
) -> tuple[FiledRuling, list[Fault]]:
    """Parse a ruling and return it without its invalid fields, with all faults."""
    sort, name = subject_of(subject)
    plain = {key: clean(one) for key, one in fields.items() if isinstance(one, str)}
    named = {key: _names(one) for key, one in fields.items() if isinstance(one, tuple)}
    day = _day(plain.get("date", ""))
    ruling = FiledRuling(
        subject=name,
        text=paragraphs(text),
        sort=sort,
        kind=plain.get("kind") or KINDS[0],
        authority=plain.get("authority", ""),
        via=plain.get("via", ""),
        venue=plain.get("venue", ""),
        date=day,
        id=plain.get("id", ""),
        supersedes=named.get("supersedes", ()),
        cards=named.get("cards", ()),
        topics=named.get("topics", ()),
        line=line,
    )
    reasons = [_unknown(key, FIELDS) for key in fields if key not in FIELDS]
    reasons += _bad_subject(name) + _bad_words(ruling) + _bad_fields(ruling)
    if plain.get("date") and day is None:
        reasons.append(f'"{plain["date"]}" is not a day. Write year-month-day, such as 2026-05-31')
    return ruling, [Fault(line, reason) for reason in reasons]


def subject_of(heading: str) -> tuple[Sort, str]:
    """Split "Card: name" or "Topic: name" into (sort, name)."""
    word, colon, name = clean(heading).partition(":")
    if colon and word.casefold() == "card":
        return "card", name.strip()
    if colon and word.casefold() == "topic":
        return "topic", name.strip()
    return "", clean(heading)


def paragraphs(text: str) -> str:
    """Normalise to single spaces, with an empty line between paragraphs."""
    lines = [clean(line) for line in text.split("\n")]
    parts: list[list[str]] = [[]]
    for one in lines:
        if one:
            parts[-1].append(one)
        elif parts[-1]:
            parts.append([])
    return "\n\n".join(" ".join(part) for part in parts if part)


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for one in names if (name := clean(one))))


def _slug_of(title: str) -> str:
    head = title[:LONGEST_COMPARED]
    plain = unicodedata.normalize("NFKD", head).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[: HEAD_LENGTHS["id"]].strip("-")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == len("2026-05-31") else None
    except ValueError:
        return None


def _unknown(key: str, known: Iterable[str]) -> str:
    return f'there is no field "{key[:40]}". Write one of {", ".join(known)}'


def _bad_text(key: str, text: str, longest: int) -> list[str]:
    if len(text) > longest:
        return [f"{key} has {len(text)} characters. Write {longest} at most"]
    if found := forbidden_characters(text):
        return [f"{key} holds what nobody can read ({', '.join(found)}). Take it out"]
    return []


def _bad_subject(name: str) -> list[str]:
    if not is_visible(name):
        return ["the subject is empty. Write the title of a card, or a topic"]
    if ";" in name:
        return ['a subject has no ";", which stands between names elsewhere. Write another mark']
    return _bad_text("the subject", name, LONGEST_SUBJECT)


def _bad_words(ruling: FiledRuling) -> list[str]:
    if not is_visible(ruling.text):
        return ["the ruling has no words. Write them, or take it out"]
    return _bad_text("the text", ruling.text.replace("\n", " "), LONGEST_TEXT)


def _bad_fields(ruling: FiledRuling) -> list[str]:
    reasons = []
    for key in ("authority", "via", "venue"):
        reasons += _bad_text(key, getattr(ruling, key), LENGTHS[key])
    if ruling.kind not in KINDS:
        reasons.append(f'there is no kind "{ruling.kind[:40]}". Write one of {", ".join(KINDS)}')
    if ruling.id and (len(ruling.id) > LENGTHS["id"] or not CODE.fullmatch(ruling.id)):
        reasons.append(
            f'"{ruling.id[:40]}" is not an id. Write small letters, digits and "-", with a number '
            'at its end, such as "table-talk-1"'
        )
    for code in ruling.supersedes:
        if not ANY_CODE.fullmatch(code):
            reasons.append(f'"{code[:40]}" is not the code of a ruling. Write one such as R-0231')
    for key in LISTS:
        names = getattr(ruling, key)
        if len(names) > MOST_NAMED:
            reasons.append(f"{key} names {len(names)}. Name {MOST_NAMED} at most")
        for name in names:
            reasons += _bad_text(key, name, LONGEST_SUBJECT)
    return reasons
