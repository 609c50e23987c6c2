"""Sound requests about maps, one for each kind and each edit, for tests that spoil one input at a time.

``EDITS`` has one edit for each field of the graph's ``MapEditInput``, with every member filled in: a new edit
is one more entry. What maps are made of is read from what the product itself publishes about its kinds.
"""

from typing import Any

from services.shared.wording import camel
from tests.e2e.documents import GROUND, JOURNEY, MUTATIONS, QUERIES
from tests.e2e.product import Person
from tests.e2e.table import World, look_at

NOWHERE = "thg_00000000000000000000000000"
HERE = {"x": 3.0, "y": 4.0}
SIGHT = {"range": 12, "dark": 3}
TORCH = {"bright": 4.0, "dim": 8.0, "color": "#ffb35c"}
CELLS = {
    "rectangle": {"x": 1, "y": 1, "width": 3, "height": 2},
    "polygon": [HERE, {"x": 6.5, "y": 4.0}, {"x": 6.5, "y": 9.25}],
    "spans": [{"row": 2, "first": 1, "after": 4}],
}
PLACED = {"layer": "PLAYERS", "color": "#335577"}

# On a map with cells.
EDITS: dict[str, dict[str, Any]] = {
    "putToken": {
        "id": "",
        "name": "Gub",
        "at": HERE,
        "size": 1,
        **PLACED,
        "label": "G",
        "character": None,
        "owners": ["acc_00000000000000000000000000"],
        "sight": SIGHT,
        "light": TORCH,
        "conditions": ["prone"],
    },
    "moveToken": {"id": NOWHERE, "to": HERE, "way": [{"x": 3, "y": 4}]},
    "removeToken": {"id": NOWHERE},
    "putMarker": {"id": "", "at": HERE, "sort": "pin", "label": "Here", **PLACED},
    "removeMarker": {"id": NOWHERE},
    "putNote": {"id": "", "at": HERE, "title": "A smell", "text": "Of old bread.", "layer": "GM"},
    "removeNote": {"id": NOWHERE},
    "setDoor": {"id": "door-1", "state": "OPEN"},
    "findDoor": {"id": "door-12", "found": True},
    "draw": {
        "id": "",
        "shape": "POLYGON",
        "points": CELLS["polygon"],
        **PLACED,
        "width": 0.25,
        "fill": "#aabbcc",
        "text": "",
    },
    "erase": {"id": NOWHERE},
    "putPlace": {"id": "", "name": "Well", "at": HERE, "sort": "well", "details": "Dry.", "known": True},
    "removePlace": {"id": NOWHERE},
    "putLight": {"id": "", "at": HERE, **TORCH, "layer": "PLAYERS"},
    "removeLight": {"id": NOWHERE},
    "putArea": {
        "id": "",
        "shape": "CONE",
        "at": HERE,
        "toward": {"x": 6.5, "y": 4.0},
        "length": 4.0,
        "degrees": 90,
        "width": 1.0,
        "label": "Breath",
        **PLACED,
    },
    "removeArea": {"id": NOWHERE},
    "setFog": {"mode": "FOGGED", "shared": True},
    "reveal": {"area": CELLS, "viewer": "party"},
    "conceal": {"area": CELLS, "viewer": "party"},
    "revealAll": {"viewer": "party"},
}
# On a Forgeborn realm.
GROWTH: dict[str, dict[str, Any]] = {
    "dropRuin": {"die": {"face": 5, "x": 40.0, "y": 40.0}},
    "spendRuin": {"place": "ruin-1"},
}
# On a story map, by the words that `story_words` finds ids for.
STORY_GROWTH: dict[str, dict[str, Any]] = {
    "storyAddPlace": {
        "name": "The Blue Well",
        "sort": "VILLAGE",
        "detail": "LUSH",
        "at": None,
        "near": "START",
        "known": True,
        "rumored": False,
        "brought": "PLAY",
        "player": 1,
        "note": "Cold water.",
    },
    "storyDiscoverPlace": {"place": "UNKNOWN", "name": "Reed", "sort": None, "detail": "HUB"},
    "storyNotePlace": {"place": "START", "text": "It rains.", "secret": False},
    "storyChangePlace": {"place": "START", "detail": "WASTELAND", "note": "It burned."},
    "storyAddForce": {
        "name": "The Weavers",
        "sort": "GUILD",
        "magnitude": "MINOR",
        "involvement": "ACTIVE",
        "ethic": "WEALTH",
        "facts": ["They meet at night."],
        "known": True,
        "goal": "The loom",
        "agents": ["Old Nan"],
        "peril": False,
        "seat": "START",
    },
    "storyRevealForce": {"force": "SECRET"},
    "storyRemoveForce": {"force": "FORCE", "ending": "They went south."},
    "storyLinkPlaces": {"start": "UNKNOWN", "end": "FARTHER", "sort": "TRAIL"},
    "storyScribble": {
        "sort": "LAKE",
        "points": [{"x": 10.0, "y": 10.0}, {"x": 14.0, "y": 10.0}, {"x": 12.0, "y": 14.0}],
        "name": "Mirror",
    },
}
SPOT = {"x": 20.5, "y": 30.25}
# What needs a thing that is there.
OF_THINGS = {name for name in EDITS if name.startswith(("remove", "move", "erase"))}


def story_words(person: Person, map_id: str) -> dict[str, str]:
    """Give the ids that the words of ``STORY_GROWTH`` stand for on a story map, for its GM."""
    story = look_at(person, map_id)["story"]
    unknown = [place["key"] for place in story["places"] if not place["known"]]
    forces = {force["standing"]: force["key"] for force in story["forces"]}
    return {
        "START": story["start"],
        "UNKNOWN": unknown[0],
        "FARTHER": unknown[1],
        "FORCE": forces["KNOWN"],
        "SECRET": forces["SECRET"],
    }


def story_variables(map_id: str, name: str, words: dict[str, str]) -> dict[str, Any]:
    """Give the variables of a sound edit of a story map, by its field."""
    wanted = STORY_GROWTH[name]
    named = {
        member: words.get(value, value) if isinstance(value, str) else value
        for member, value in wanted.items()
    }
    return {"input": {"mapId": map_id, "edit": {name: named}}}


def edit_variables(map_id: str, name: str, **more: Any) -> dict[str, Any]:
    """Give the variables of a sound edit of a map, by its field."""
    wanted = {**EDITS, **GROWTH}[name]
    return {"input": {"mapId": map_id, "edit": {name: wanted}, **more}}


def ground_variables(map_id: str) -> dict[str, Any]:
    """Give the variables of every question to a map's ground."""
    start, end = {"x": 9, "y": 10}, {"x": 9, "y": 12}
    area = {
        "shape": "ARC",
        "at": start,
        "paces": 3,
        "toward": end,
        "degrees": 90,
        "width": 1,
        "corner": False,
        "stops": True,
    }
    return {
        "id": map_id,
        "start": start,
        "end": end,
        "taken": [end],
        "throughDoors": True,
        "paces": 3,
        "darkvision": 2,
        "area": area,
        "size": 2,
        "other": 1,
        "measure": {"diagonal": "ALTERNATING", "rough": "MULTIPLIES"},
    }


def wishes(person: Person) -> dict[str, dict[str, Any]]:
    """Give the whole of each kind's parameters, as the product publishes them, by the field of a wish."""
    return {
        camel(kind["kind"].lower()): {
            name: schema.get("default") for name, schema in kind["parameters"]["properties"].items()
        }
        for kind in person.ask(QUERIES["mapKinds"])["mapKinds"]
    }


def map_variations(world: World, person: Person) -> dict[str, tuple[str, dict[str, Any]]]:
    """Give document and variables of a request for each kind, each edit, and the ground of a map, by name."""
    travel = {"id": world.map, "start": "a", "end": "b", "mode": "FOOT", "milesAnHour": 3.0}
    found: dict[str, tuple[str, dict[str, Any]]] = {
        "query map of its ground": (GROUND, ground_variables(world.dungeon)),
        "query map of a journey": (JOURNEY, travel),
    }
    for slug, parameters in wishes(person).items():
        asked = {"map": {slug: parameters}, "campaignId": world.campaign}
        found[f"mutation generateMap of {slug}"] = (MUTATIONS["generateMap"], {"input": asked})
    for name in (*EDITS, *GROWTH):
        on = world.map if name in GROWTH else world.dungeon
        found[f"mutation editMap by {name}"] = (MUTATIONS["editMap"], edit_variables(on, name))
    words = story_words(person, world.story)
    for name in STORY_GROWTH:
        variables = story_variables(world.story, name, words)
        found[f"mutation editMap by {name}"] = (MUTATIONS["editMap"], variables)
    placed = {"mapId": world.story, "edit": {"storyAddPlace": {"at": SPOT}}}
    found["mutation editMap by storyAddPlace at a spot"] = (MUTATIONS["editMap"], {"input": placed})
    return found
