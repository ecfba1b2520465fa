"""One running site for all tests of the hall."""

from collections.abc import Iterator

import pytest

from tests.live_site import Site, running_site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that names the stream of versions to its pages."""
    with running_site(tmp_path_factory.mktemp("hall"), DATAFORT_LIVE_URL="/live") as site:
        yield site
