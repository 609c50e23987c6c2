"""Sites: documents of a map that a scene is set on, those of before too."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.engine.codec import CodecError
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.kinds import WINDOW, Ambient, Door, DoorState, Lamp
from services.rules.engine.ground.measure import FEET
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.sight import sees
from services.rules.engine.ground.squares import Square, edge
from services.rules.engine.ground.steps import steps
from services.rules.engine.site import SITE_CODEC, Site, SiteDoor, SiteToken, plain_ground

FIRST: dict[str, Any] = {
    "title": "The cellar",
    "width": 3,
    "height": 2,
    "solid": [{"x": 1, "y": 1}, {"x": 7, "y": 7}],
    "difficult": [{"x": 2, "y": 1}],
    "doors": [
        {
            "id": "door-1",
            "name": "an iron door",
            "squares": [{"x": 1, "y": 0}],
            "open": False,
            "locked": True,
            "secret": True,
        }
    ],
    "light": "dim",
    "heroes": [{"x": 0, "y": 0}],
    "foes": [{"x": 2, "y": 0}],
}


def stored(**changes: Any) -> dict[str, Any]:
    return {"type": "engine/site", "version": 1, "data": {**FIRST, **changes}}


def test_a_site_of_the_first_version_is_read() -> None:
    site = SITE_CODEC.load(stored())
    assert (site.ground.width, site.ground.height, site.ground.cells) == (3, 2, "....#,")
    assert site.ground.ambient is Ambient.DIM
    assert site.ground.measure == FEET
    assert site.ground.doors == (Door("door-1", (Square(1, 0),), state=DoorState.LOCKED),)
    assert site.doors == (SiteDoor(id="door-1", name="an iron door", secret=True),)
    assert (site.heroes, site.foes) == ((Square(0, 0),), (Square(2, 0),))
    assert site.solid == (Square(1, 1),)
    assert not sees(site.ground, Square(0, 0), Square(2, 0))
    assert SITE_CODEC.load(SITE_CODEC.dump(site)) == site


@pytest.mark.parametrize("changes", [{"width": 0}, {"light": "murky"}, {"doors": 3}, {"width": 1}])
def test_a_site_of_the_first_version_that_makes_no_sense_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(CodecError):
        SITE_CODEC.load(stored(**changes))


def test_a_site_carries_edges_doors_cover_heights_light_and_footprints() -> None:
    side = edge(Square(0, 0), Square(1, 0))
    ground = Ground.drawn(
        "..",
        "b.",
        walls=[(side, WINDOW)],
        doors=(Door("door-1", edges=(edge(Square(0, 1), Square(1, 1)),)),),
        heights=(0, 1, 0, 0),
        lamps=(Lamp("lamp-1", Square(0, 0), 2, 4),),
        measure=FEET,
    )
    site = Site(
        title="The gate",
        ground=ground,
        doors=(SiteDoor(id="door-1", name="an oak door"),),
        tokens=(SiteToken(id="token-1", name="Troll", at=Footprint(Square(0, 0), 2), hidden=True),),
    )
    back = SITE_CODEC.load(SITE_CODEC.dump(site))
    assert back == site
    assert list(steps(back.ground, Square(0, 0))) == [Square(0, 1)]


def test_something_is_told_of_every_door_that_stops_something() -> None:
    shut = plain_ground(2, 1, doors=(Door("door-1", (Square(0, 0),)),))
    with pytest.raises(ValueError, match="nothing is told of the door 'door-1'"):
        Site(title="", ground=shut)
    assert Site(title="", ground=shut, doors=(SiteDoor(id="door-1", name="a door"),)).solid == ()
