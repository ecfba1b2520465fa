"""A ruling by what people type, paste or say."""

import re

from django.db.models import Q
from rapidfuzz import process
from rapidfuzz.distance import Indel

from rulings.models import Ruling, RulingVersion

LAST_SHIPPED = 1000
TYPED_CODE = re.compile(
    r"(?:\S*/)?(?P<code>[a-z0-9]+(?:-[a-z0-9]+)*-[0-9]+)(?:[\s/]+v?(?P<version>[0-9]{1,4}))?/?",
    re.IGNORECASE,
)
"""A code as it is typed or pasted: "lockjaw-1", "R-0231 v2", or the address of its page."""
SPOKEN_CODE = re.compile(
    r"(?P<letter>[rsl])[\s-]*(?P<serial>[0-9]{1,6})(?:[\s/]+v?(?P<version>[0-9]{1,4}))?",
    re.IGNORECASE | re.ASCII,
)
"""A short code as people say it: "r231", "R 231 v2"."""


def find_by_code(code: str) -> Ruling | None:
    """The ruling of a code, as typed or pasted: "Lockjaw-1", "r231", or the address of a page."""
    if found := _taken_apart(code):
        return Ruling.objects.filter(_is(found[0])).first()
    return None


def version_by_code(code: str) -> RulingVersion | None:
    """The version a code means: the one it names ("R-0231 v2"), else the newest."""
    found = _taken_apart(code)
    if found is None:
        return None
    versions = RulingVersion.objects.filter(ruling__in=Ruling.objects.filter(_is(found[0])))
    if found[1]:
        versions = versions.filter(number=int(found[1]))
    return versions.select_related("ruling__document").order_by("-number").first()


def names_a_version(code: str) -> bool:
    """Whether a code says which version is meant."""
    found = _taken_apart(code)
    return bool(found and found[1])


def fresh_short_codes(letter: str, count: int) -> list[str]:
    """The next `count` short codes of a series nobody has had yet, e.g. "L-0007".

    The caller holds the lock of the document they are for. Numbers up to 1000 of the series R
    belong to the lists that come with the project, so that they are the same on every site.
    """
    taken = Ruling.objects.filter(short_code__startswith=f"{letter}-")
    highest = max((int(code[2:]) for code in taken.values_list("short_code", flat=True)), default=0)
    first = max(highest, LAST_SHIPPED if letter == "R" else 0) + 1
    return [f"{letter}-{serial:04d}" for serial in range(first, first + count)]


def nearest_codes(code: str) -> list[str]:
    """At most three codes that look like this one."""
    codes = list(Ruling.objects.order_by("number").values_list("code", flat=True))
    typed = code.strip().lower()[:80]
    found = process.extract(
        typed, codes, scorer=Indel.normalized_similarity, limit=3, score_cutoff=0.5
    )
    return [near for near, _, _ in found]


def _taken_apart(typed: str) -> tuple[str, str] | None:
    """The code in a text, and the number of the version or ""; None without a code."""
    if spoken := SPOKEN_CODE.fullmatch(typed.strip()):
        code = f"{spoken['letter']}-{int(spoken['serial']):04d}"
        return code, spoken["version"] or ""
    if found := TYPED_CODE.fullmatch(typed.strip()):
        return found["code"], found["version"] or ""
    return None


def _is(code: str) -> Q:
    return Q(code=code.lower()) | Q(short_code=code.upper())
