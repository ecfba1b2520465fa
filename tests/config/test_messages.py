"""The catalogues in locale/ are those of the sources, and compiled."""

import gettext
from pathlib import Path

import pytest

from tools import messages

requires_gettext = pytest.mark.skipif(
    bool(messages.missing_commands()), reason="GNU gettext is not installed"
)
TRANSLATIONS = [language for language in messages.languages() if language != "en"]


@requires_gettext
def test_makemessages_changes_no_catalogue(tmp_path: Path):
    messages.update_in(tmp_path)

    for language in messages.languages():
        committed = messages.messages_of(messages.catalogue(messages.ROOT, language))
        updated = messages.messages_of(messages.catalogue(tmp_path, language))
        assert committed == updated, f"locale/{language} is outdated: run make messages"


@requires_gettext
@pytest.mark.parametrize("language", TRANSLATIONS)
def test_catalogue_is_compiled(language: str, tmp_path: Path):
    path = messages.catalogue(messages.ROOT, language)
    compiled = tmp_path / "django.mo"
    messages.compile_catalogue(path, compiled)

    assert catalogue_of(path.with_suffix(".mo")) == catalogue_of(compiled)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_catalogue_has_no_doubtful_translation(language: str):
    assert "#, fuzzy" not in messages.catalogue(messages.ROOT, language).read_text()


def catalogue_of(path: Path) -> dict[object, str]:
    with path.open("rb") as file:
        translations = gettext.GNUTranslations(file)
    return {key: text for key, text in vars(translations)["_catalog"].items() if key}
