"""Files of maps over REST: what they are called when they are kept."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import pytest

from services.gateway.rest.map_pictures import EXPORTS, PICTURES
from services.gateway.rest.subgraphs import Subgraphs
from services.map.formats import PICTURE_BESIDE, file_name
from services.shared.http_client import Answer
from services.shared.ids import new_id
from services.shared.peers import Peer
from services.shared.settings import Settings
from tests.gateway.rest_face import Guest, guests

pytestmark = pytest.mark.databases("account")

MAP = new_id("map")


class Files:
    """The map service's own path, where every file is there and empty."""

    async def fetch(self, _viewer: object, *_segments: str, **_more: Mapping[str, Any]) -> Answer:
        return Answer(200, {"etag": '"tag"'}, b"{}")


@pytest.fixture
async def guest(settings: Settings) -> AsyncIterator[Guest]:
    """Somebody with a key."""
    async with guests(settings, Subgraphs({"map": cast(Peer, Files())}), "Mara") as (mara,):
        yield mara


async def test_a_file_is_called_as_its_path_ends_and_as_other_files_name_it(guest: Guest) -> None:
    for output in (*PICTURES, *EXPORTS):
        answer = await guest.ask("GET", f"/v1/maps/{MAP}/{output.file}")
        assert answer.headers["content-disposition"] == f'inline; filename="{output.file}"'
        assert output.file == file_name(output.format)
    named = {file_name(picture) for picture in PICTURE_BESIDE.values()}
    assert named <= {output.file for output in PICTURES}
    small = await guest.ask("GET", f"/v1/maps/{MAP}/thumbnail.webp?size=64")
    assert small.headers["content-disposition"] == 'inline; filename="thumbnail.webp"'
