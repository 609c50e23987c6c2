"""Answers cases of what players may know."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.play import GM, Viewer
from services.rules.systems.fortunate_blades.campaign.state import Force
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play.moves import Call
from services.rules.systems.fortunate_blades.play.scene import FortunateBladesPlay
from services.rules.systems.fortunate_blades.play.state import Encounter
from services.rules.systems.fortunate_blades.story_map.model import StoryForce, StoryMap
from services.rules.systems.fortunate_blades.story_map.secrets import for_players
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryEthic,
    StoryForceSort,
    StoryInvolvement,
    StoryLandform,
    StoryMagnitude,
    StoryOrigin,
    StoryQuest,
    StoryScale,
    StoryStanding,
)
from services.rules.systems.fortunate_blades.terms import Group, HarmLevel
from tests.conformance.fortunate_blades.actions import ACT
from tests.conformance.fortunate_blades.campaigns import PLAY as CAMPAIGNS
from tests.conformance.fortunate_blades.campaigns import campaign as case_campaign
from tests.conformance.fortunate_blades.reading import Answer, Given, only
from tests.conformance.fortunate_blades.stage import (
    CONTENT,
    clock,
    opened,
    played,
    stage,
    with_harms,
)

VIEWERS = {"gm": Viewer(gm=True), "player": Viewer(actors=frozenset({"A"}))}


def hidden(given: Given) -> Answer:
    """Whether a viewer can see something."""
    only(given, "item", "viewer", "gm_hides")
    viewer, hides = VIEWERS[given["viewer"]], bool(given.get("gm_hides"))
    match given["item"]:
        case "close_clear":
            call = Call(actor=GM, close=10, spread=4, shown=not hides)
            made = played(stage(), ACT, replies={"call": call, "commit": opened})
            (roll,) = _view(made.state, viewer).rolls
            return {"visible": roll.close is not None}
        case "enemy_clock":
            state = stage(clocks=(clock(1, kind=ClockKind.ENEMY, hidden=hides), clock(2)))
            return {"visible": _view(state, viewer).clock("clock-1") is not None}
        case "campaign_clock":
            return {"visible": CAMPAIGNS.view(case_campaign(), viewer).doom is not None}
        case "harm_description":
            state = with_harms(stage(), "A", [(HarmLevel.MINOR, Group.PHYSICAL)])
            state = replace(state, effects=(replace(state.effects[0], words="A bite."),))
            return {"visible": [each.words for each in _view(state, viewer).effects] == ["A bite."]}
        case "secret_force":
            secret = Force(id="secret-force-9", name="The Hollow Court", secret=True)
            seen = CAMPAIGNS.view(case_campaign(forces=(secret,)), viewer)
            if bool(seen.forces) is not _force(viewer):
                raise AssertionError("campaign and story map differ")
            return {"visible": bool(seen.forces)}
    raise UnsupportedCaseError(f"nothing is known of {given['item']!r}")


def _view(state: Encounter, viewer: Viewer) -> Encounter:
    return FortunateBladesPlay(CONTENT).view(state, viewer)


def _story(standing: StoryStanding) -> StoryMap:
    """A story map with one force of a standing."""
    force = StoryForce(
        id="force-1",
        name="The Hollow Court",
        sort=next(iter(StoryForceSort)),
        magnitude=next(iter(StoryMagnitude)),
        involvement=next(iter(StoryInvolvement)),
        ethic=next(iter(StoryEthic)),
        facts=(),
        standing=standing,
        brought=StoryBringer.GM,
    )
    return StoryMap(
        seed=1,
        attempt=1,
        title="A case",
        scale=next(iter(StoryScale)),
        landform=next(iter(StoryLandform)),
        origin=next(iter(StoryOrigin)),
        quest=next(iter(StoryQuest)),
        tones=(),
        players=1,
        asked_places=0,
        asked_unknown=0,
        width=1.0,
        height=1.0,
        sea_around=False,
        start="",
        places=(),
        paths=(),
        terrains=(),
        forces=(force,),
    )


def _force(viewer: Viewer) -> bool:
    """Whether a viewer's map of a story shows a secret force."""
    story = _story(StoryStanding.SECRET)
    return bool((story if viewer.gm else for_players(story)).forces)
