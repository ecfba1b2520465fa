from pathlib import Path

from django.core.management import call_command

from tests.live_site import ROOT


def test_the_description_in_the_docs_is_that_of_the_api(tmp_path: Path):
    made = tmp_path / "openapi.yaml"

    call_command("spectacular", file=str(made))

    assert made.read_text() == (ROOT / "docs" / "openapi.yaml").read_text(), "run `make openapi`"
