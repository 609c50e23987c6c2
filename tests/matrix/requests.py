"""Sound requests with every input filled in, for tests that spoil one input at a time.

``graph_requests`` has one for each field of Query, Mutation and Subscription, ``rest_requests`` one for each
operation of the REST face; tests compare both with the published contracts, so that nothing is forgotten.
"""

import itertools
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from PIL import Image

from tests.e2e.documents import MUTATIONS, PROBLEM, QUERIES, SUBSCRIPTIONS
from tests.e2e.product import Person
from tests.e2e.table import (
    World,
    create_hero,
    define_die,
    epoch_of,
    found_campaign,
    hero,
    keep_pack,
    note,
    save_macro,
    secret_roll,
    seq_of,
    smith,
    start_scene,
    start_simulation,
)
from tests.matrix.map_requests import edit_variables, map_variations

Path = tuple[str | int, ...]

# To be deleted in place of the account that asks, which is needed for further requests.
NOBODY = "acc_00000000000000000000000000"
# The dice of a real drop: 4d4, 6d6, 3d8, 1d10, 1d12.
DICE = [
    {"sides": sides, "face": 1 + place % sides, "x": 12.0 + 7 * place, "y": 20.0 + 11 * (place % 5)}
    for place, sides in enumerate([4] * 4 + [6] * 6 + [8] * 3 + [10, 12])
]
REALM = {
    "width": 120,
    "height": 90,
    "dragonMinimum": 8,
    "tooFarPercent": 40,
    "title": "Emberfall",
    "names": [{"place": "citadel", "name": "High Hearth"}],
}
CHOICES = {
    "kit": False,
    "buys": [{"item": "dungeonteller:weapon/dagger", "count": 1}],
    "worn": None,
    "shield": False,
    "inHand": ["dungeonteller:weapon/dagger"],
    "malicious": False,
    "look": "A grey cloak",
    "rewards": [
        {"session": 1, "kind": "SPECIALITY", "action": "BATTLE", "when": "dagger", "gmLeave": False},
        {"session": 2, "kind": "POWER", "power": "dungeonteller:power/duress", "gmLeave": True},
    ],
}
TRACKS = {"moves": [{"key": "luck", "by": -1, "to": None, "entry": None}], "reason": "A fall"}
REST = {"rest": "rest", "actions": [{"key": "wait", "choice": "mental", "words": "A nap"}]}
REWARD = {
    "session": 1,
    "kind": "SPECIALITY",
    "action": "BATTLE",
    "when": "greatsword",
    "gmLeave": False,
    "approved": False,
}
DRAWN = {"system": "dungeonteller", "name": "Odo", "concept": "dungeonteller:role/rogue", "seed": "7"}
# A pack with a list in a list, figures and references: every kind of value that a pack may hold.
PACK = {
    "forgeEngine": {
        "summary": "Of weight and time",
        "genre": None,
        "rules": {"traitCp": 16, "species": ["forge_engine:trait/human"], "criticalFailures": True},
        "damage": [{"key": "gravitic", "name": "Gravitic", "group": "ELEMENTAL", "traits": True}],
        "traits": [
            {
                "key": "steady-hand",
                "name": "Steady Hand",
                "category": "PHYSICAL",
                "cp": 2,
                "summary": "Nothing shakes it.",
                "against": ["forge_engine:trait/uncoordinated"],
            }
        ],
    }
}
# Conditions of every kind on content, which nothing meets.
CONDITIONS = [
    {"field": "name", "equals": "Muscular", "oneOf": ["Muscular"], "has": "Muscular"},
    {"field": "cp", "atLeast": 100.0, "atMost": 200.0},
]
START = {"players": 3, "places": 4, "forces": 2}
RELOAD = {
    "weapon": "forge_engine:equipment/historical-light-crossbow",
    "pieces": 1,
    "hands": 2,
    "quickLoad": 0,
}
FACES = [{"label": "Boon", "value": 1}, {"label": "Bane", "value": -1}]
VARIABLES = [{"name": "bonus", "value": 3}]
ENTROPY = "00112233445566778899aabbccddeeff"
# What is in `data` is free: it is spoiled as a whole.
BAG = {"namespace": "com.example.tracker", "data": {}, "readers": "TABLE", "version": 1}
EXTERNAL = {"author": "Sela", "messageId": "1131-7", "platform": "chat"}
SETUP = {
    "title": "At the ford",
    "place": {"width": 9, "height": 9, "notes": "Wet feet"},
    "creatures": [{"monster": "dungeonteller:monster/orc", "name": "Gub", "at": [{"x": 8, "y": 4}]}],
    "things": [{"id": "oar", "name": "an oar", "at": {"x": 4, "y": 4}, "gold": 2}],
}
# A question with every member filled in; its pointers lead into itself.
SIMULATION = {
    "system": "dungeonteller",
    "scenes": [{"setupName": "locked-door", "setup": None, "fromScene": None, "mapId": None}],
    "cast": [{"id": "hero", "example": "warrior", "choices": None, "characterId": None}],
    "policies": [{"subject": "*", "bot": "steady@1"}],
    "runs": 16,
    "precision": {"figure": "rounds", "halfWidth": 0.5},
    "variants": [{"name": "blind", "changes": [{"pointer": "/policies/*", "value": "random@1"}]}],
    "sweep": [{"pointer": "/policies/*", "values": ["random@1", "steady@1"]}],
    "worth": ["/cast/0/sheet/luck"],
    "seed": "7",
    "mostMoves": 500,
}
SINCE, UNTIL = "2020-01-01T00:00:00+00:00", "2100-01-01T00:00:00+00:00"


@dataclass(frozen=True)
class GraphRequest:
    """An operation of the graph.

    Attributes:
        name: kind and root field, for instance ``mutation roll``.
        document: the operation.
        variables: all of them.
    """

    name: str
    document: str
    variables: dict[str, Any]

    @property
    def kind(self) -> str:
        """Give ``query``, ``mutation`` or ``subscription``."""
        return self.name.split()[0]


def graph_requests(world: World, person: Person) -> dict[str, GraphRequest]:
    """Give a sound request for each operation, by its name, for a GM of the world's campaign."""
    own = create_hero(person, name="Spare")
    page = {"first": 5, "after": None}
    build = hero("rogue", name="Odo", **CHOICES)
    at = {"campaignId": world.campaign}
    words = _words(world, person)
    cast = {
        "variables": VARIABLES,
        "dialect": "HEARTHFORGE",
        **at,
        "characterId": world.hero,
        "label": "Strength",
        "secret": False,
        "entropy": ENTROPY,
        "epoch": epoch_of(person, world.campaign)["id"],
        "external": EXTERNAL,
    }
    queries: dict[str, dict[str, Any]] = {
        "me": {},
        "account": {"id": world.gm.id},
        "roll": {"id": world.roll},
        "rolls": {
            **at,
            "characterId": world.hero,
            "accountId": world.player.id,
            "sceneId": None,
            "externalMessageId": None,
            "since": SINCE,
            "until": UNTIL,
            **page,
        },
        "odds": {
            "expression": "@bonus d6",
            **at,
            "variables": VARIABLES,
            "dialect": "HEARTHFORGE",
            "sample": 1000,
            "seed": 5,
            "quantiles": [0.5, 0.9],
        },
        "compareOdds": {
            "expressions": ["@bonus d6", "2d8"],
            **at,
            "variables": VARIABLES,
            "dialect": "HEARTHFORGE",
            "sample": 1000,
            "seed": 5,
        },
        "mechanics": {"system": "forge_engine"},
        "rollEpoch": {**at, "secret": False, "id": world.epoch},
        "rollEpochs": {**at, "secret": False, **page},
        "rollReceipts": {**at, "secret": False, "epoch": world.epoch, **page},
        "diceKeys": {},
        "verifyRoll": {"id": world.roll},
        "tableDice": at,
        "macro": {"id": world.macro},
        "macros": {**at, **page},
        "diceSettings": at,
        "rollStatistics": {**at, "accountId": world.player.id, "die": "d6"},
        "character": {"id": world.hero},
        "characters": page,
        "party": {**at, **page},
        "characterUpdates": {**at, "first": 5, "since": None},
        "mapUpdates": {**at, "first": 5, "since": None},
        "campaignUpdates": {"first": 5, "since": None},
        "rollUpdates": {**at, "first": 5, "since": None},
        "randomCharacter": {**DRAWN, "packs": None},
        "systems": {},
        "system": {"slug": "dungeonteller"},
        "content": {
            "system": "forge_engine",
            "kind": "trait",
            "search": "strength",
            "where": CONDITIONS,
            "orderBy": "-name",
            **page,
            "packs": [world.pack],
        },
        "contentEntry": {"id": "forge_engine:damage/gravitic", "packs": [world.pack]},
        "contentKinds": {"system": "forge_engine", "packs": [world.pack]},
        "draftCharacter": {"build": smith(expended=0), "step": "traits", "packs": [world.pack]},
        "tools": {"system": "forge_engine"},
        "tool": {"system": "forge_engine", "name": "reload", "given": RELOAD, "packs": [world.pack]},
        "forgeEngine": {"given": RELOAD, "packs": [world.pack]},
        "fortunateBlades": {"given": START},
        "contentPack": {"id": world.pack},
        "contentPacks": {**at, "system": "forge_engine", **page},
        "checkContentPack": {"pack": PACK},
        "campaign": {"id": world.campaign},
        "campaigns": page,
        "scene": {"id": world.scene, "seq": 0},
        "sceneRules": {"system": "dungeonteller"},
        "checkMove": {"sceneId": world.scene, "move": _saying("Who goes there?")},
        "simulation": {"id": world.simulation},
        "simulations": {**at, **page},
        "simulationPlot": {
            "id": world.simulation,
            "plot": None,
            "figure": None,
            "case": None,
            "width": 360,
        },
        "simulationRun": {"id": world.simulation, "number": 0, "case": None},
        "map": {"id": world.map},
        "mapKinds": {},
        "mapBatch": {"id": world.batch, **page},
        "maps": {**at, **page},
        "job": {"id": world.job},
        "jobs": page,
    }
    key = "same again"
    at_scene = {"sceneId": world.scene, "expectedSeq": seq_of(person, world.scene)}
    mutations: dict[str, dict[str, Any]] = {
        "createApiKey": {
            "input": {
                "name": "Tablet",
                "scopes": ["READ"],
                "expiresInDays": 3,
                "capacity": 500,
                "refillPerSecond": 10,
                "idempotencyKey": key,
            }
        },
        "createTicket": {"input": {"address": "/v1/me", "idempotencyKey": key}},
        "revokeApiKey": {"input": {"id": "key_00000000000000000000000000"}},
        "renameAccount": {"input": {"version": 1, "name": "Mara of the Mill"}},
        "deleteAccount": {"input": {"confirm": NOBODY, "idempotencyKey": key}},
        "roll": {"input": {"expression": "1d6 + @bonus", **cast, "idempotencyKey": key}},
        "rollMany": {"input": {"rolls": [{"expression": "1d6 + @bonus", **cast}], "idempotencyKey": key}},
        "revealRoll": {"input": {"id": words.roll, "idempotencyKey": key}},
        "rotateRollEpoch": {"input": {**at, "secret": False, "idempotencyKey": key}},
        "defineDie": {"input": {"name": "coin", "faces": FACES, **at, "idempotencyKey": key}},
        "changeDie": {
            "input": {"id": words.die, "version": 1, "faces": FACES, "idempotencyKey": key},
        },
        "forgetDie": {"input": {"id": words.die, "version": 1, "idempotencyKey": key}},
        "createMacro": {
            "input": {
                "name": "Longsword",
                "expression": "1d6 + @bonus",
                "variables": VARIABLES,
                "label": "Strike",
                "dialect": "HEARTHFORGE",
                **at,
                "idempotencyKey": key,
            }
        },
        "updateMacro": {
            "input": {
                "id": words.macro,
                "version": 1,
                "name": "Short sword",
                "expression": "1d4 + @bonus",
                "variables": VARIABLES,
                "label": "Thrust",
                "dialect": "HEARTHFORGE",
                "idempotencyKey": key,
            }
        },
        "deleteMacro": {"input": {"id": words.macro, "version": 1, "idempotencyKey": key}},
        "setDiceDialect": {
            "input": {"dialect": "HEARTHFORGE", "version": 1, **at, "idempotencyKey": key},
        },
        "createCharacter": {"input": {"build": build, "packs": [], "idempotencyKey": key}},
        "createRandomCharacter": {"input": {**DRAWN, "packs": [], "idempotencyKey": key}},
        "proposeReward": {"input": {"characterId": own, "version": 1, "reward": {"dungeonteller": REWARD}}},
        "approveReward": {"input": {"characterId": own, "version": 1, "index": 0}},
        "refuseReward": {"input": {"characterId": own, "version": 1, "index": 0}},
        "updateCharacter": {"input": {"id": own, "version": 1, "build": build, "packs": None}},
        "deleteCharacter": {"input": {"id": own, "version": 1}},
        "undoCharacterEdit": {"input": {"characterId": world.smith, "version": 2, "to": 1}},
        "moveCharacterTracks": {"input": {"characterId": own, "version": 1, **TRACKS}},
        "restCharacter": {"input": {"characterId": own, "version": 1, **REST}},
        "createContentPack": {
            "input": {
                "pack": PACK,
                "name": "Stars",
                "description": "Of weight",
                **at,
                "idempotencyKey": key,
            }
        },
        "updateContentPack": {
            "input": {"id": words.pack, "version": 1, "pack": PACK, "name": "Stars", "description": "", **at}
        },
        "deleteContentPack": {"input": {"id": words.pack, "version": 1}},
        **{
            f"set{kind}Metadata": {"input": {**BAG, "id": thing, **more, "idempotencyKey": key}}
            for kind, thing, more in (
                ("Campaign", world.campaign, {}),
                ("Scene", world.scene, {}),
                ("Character", world.hero, {}),
                ("Roll", world.roll, {}),
                ("Map", world.dungeon, {"tokenKey": world.token}),
            )
        },
        "createCampaign": {"input": {"name": "New", "description": "A tale", "idempotencyKey": key}},
        "updateCampaign": {
            "input": {"id": world.campaign, "version": 1, "name": "Newer", "description": "Tale"}
        },
        "deleteCampaign": {"input": {"id": words.campaign, "version": 1, "idempotencyKey": key}},
        "createInvitation": {"input": {**at, "role": "PLAYER", "uses": 2, "days": 3}},
        "withdrawInvitation": {"input": {**at, "invitationId": world.invitation}},
        "joinCampaign": {"input": {"code": "AAAAAAAAAA"}},
        "changeRole": {"input": {**at, "accountId": world.spectator.id, "role": "PLAYER"}},
        "acceptGameMaster": {"input": {**at}},
        "declineGameMaster": {"input": {**at}},
        "removeMember": {"input": {**at, "accountId": world.spectator.id}},
        "seatCharacter": {"input": {**at, "characterId": own}},
        "unseatCharacter": {"input": {**at, "characterId": world.hero}},
        "writeNote": {"input": {**at, "text": "We crossed the river.", "idempotencyKey": key}},
        "deleteNote": {"input": {**at, "seq": words.note, "idempotencyKey": key}},
        "startScene": {
            "input": {
                **at,
                "system": "dungeonteller",
                "setup": SETUP,
                "characters": [world.hero],
                "mapId": world.map,
                "title": "The ford",
                "idempotencyKey": key,
            }
        },
        "deleteScene": {"input": {"id": words.scene, "idempotencyKey": key}},
        "performMove": {
            "input": {
                **at_scene,
                "move": _saying("Who goes there?"),
                "entropy": ENTROPY,
                "idempotencyKey": key,
            }
        },
        "playBot": {"input": {**at_scene, "actor": world.hero, "bot": "steady", "idempotencyKey": key}},
        "undoMove": {"input": {**at_scene, "idempotencyKey": key}},
        "startSimulation": {"input": {**SIMULATION, **at, "idempotencyKey": key}},
        "cancelSimulation": {"input": {"id": world.simulation, "idempotencyKey": key}},
        "deleteSimulation": {"input": {"id": words.simulation, "idempotencyKey": key}},
        "openSimulationRun": {
            "input": {
                "id": world.simulation,
                "number": 0,
                "case": None,
                "scene": 0,
                "moves": 1,
                "title": "What might have been",
                "idempotencyKey": key,
            }
        },
        "generateMap": {
            "input": {
                "map": {"forgebornRealm": {"seed": "20", **REALM}},
                "seed": None,
                **at,
                "sharing": "OPEN",
                "idempotencyKey": key,
            }
        },
        "generateMaps": {
            "input": {
                "map": {"dungeon": {"width": 21, "height": 21}},
                "count": 2,
                "seeds": ["7", "8"],
                "seed": "20",
                "formats": ["SVG"],
                **at,
                "idempotencyKey": key,
            }
        },
        "keepMap": {
            "input": {
                "batchId": world.batch,
                "number": 1,
                **at,
                "sharing": "HIDDEN",
                "idempotencyKey": key,
            }
        },
        "editMap": edit_variables(world.dungeon, "putMarker", revision=None, idempotencyKey=key),
        "undoMapEdit": {"input": {"mapId": world.prepared, "number": 1, "idempotencyKey": key}},
        "deleteMap": {"input": {"id": world.story, "revision": "seen once", "idempotencyKey": key}},
        "continueMapBatch": {"input": {"batchId": world.batch, "idempotencyKey": key}},
        "deleteMapBatch": {"input": {"id": world.batch, "idempotencyKey": key}},
        "cancelJob": {"input": {"id": world.job, "idempotencyKey": key}},
    }
    subscriptions: dict[str, dict[str, Any]] = {
        "rollRecorded": {**at, "after": None, "secret": False},
        "campaignLog": {**at, "after": None},
        "sceneMoves": {"sceneId": world.scene, "after": None},
        "simulationProgress": {"id": world.simulation, "after": None},
        "characterChanges": {**at, "after": None},
        "mapChanges": {"id": world.dungeon, "after": None},
        "jobProgress": {"id": world.job, "after": None},
    }
    found = {}
    for kind, documents, variables in (
        ("query", QUERIES, queries),
        ("mutation", MUTATIONS, mutations),
        ("subscription", SUBSCRIPTIONS, subscriptions),
    ):
        assert documents.keys() == variables.keys()
        for name, document in documents.items():
            found[f"{kind} {name}"] = GraphRequest(f"{kind} {name}", document, variables[name])
    saved = GraphRequest(
        "mutation roll of a macro",
        MUTATIONS["roll"],
        {"input": {"macroId": words.macro, **cast, "idempotencyKey": key}},
    )
    found[saved.name] = saved
    known = {"system": "dungeonteller", "setupName": "no such evening", **at}
    named = GraphRequest("mutation startScene of a setup by name", MUTATIONS["startScene"], {"input": known})
    found[named.name] = named
    dropped = {"input": {"map": {"forgebornRealm": {"dice": DICE, **REALM}}, **at}}
    found["mutation generateMap of dropped dice"] = GraphRequest(
        "mutation generateMap of dropped dice", MUTATIONS["generateMap"], dropped
    )
    return found


def map_requests(world: World, person: Person) -> dict[str, GraphRequest]:
    """Give a sound request for each kind of map, each edit, and the questions to a map's ground."""
    variations = map_variations(world, person)
    return {name: GraphRequest(name, *asked) for name, asked in variations.items()}


def _saying(text: str) -> dict[str, Any]:
    """Give the JSON form of a GM's move that is always allowed."""
    return {"kind": "Tell", "actor": "gm", "text": text, "to": [], "secret": False}


def typed_requests(world: World, person: Person) -> dict[str, GraphRequest]:
    """Give a request for all that games declare: each move, setup, build, reward, pack and tool.

    Every member is filled in with something, by what the graph itself says of its inputs and the published
    schemas of moves and setups, so that no new one is forgotten. Hardly any of them is allowed by the rules.
    """
    types = {one["name"]: one for one in person.ask(INPUTS)["__schema"]["types"]}

    def filled(kind: dict[str, Any], name: str, above: tuple[str, ...]) -> Any:
        if kind["kind"] in ("NON_NULL", "LIST"):
            inner = filled(kind["ofType"], name, above)
            return inner if kind["kind"] == "NON_NULL" or inner is None else [inner]
        if kind["kind"] == "ENUM":
            return types[kind["name"]]["enumValues"][0]["name"]
        if kind["kind"] == "INPUT_OBJECT":
            members = types[kind["name"]]["inputFields"]
            return {
                one["name"]: filled(one["type"], one["name"], (*above, kind["name"]))
                for one in members
                if not (one["type"]["kind"] == "INPUT_OBJECT" and one["type"]["name"] in above)
            }
        plain = {"Int": 1, "Float": 0.5, "Boolean": False}
        return world.hero if name == "actor" else plain.get(kind["name"], name)

    def games(choice: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for one in types[choice]["inputFields"]:
            if one["name"] != "json":
                yield one["name"], types[one["type"]["name"]]

    def whole(slug: str, game: dict[str, Any]) -> dict[str, Any]:
        return {slug: filled({"kind": "INPUT_OBJECT", "name": game["name"]}, slug, ())}

    found = {}

    def add(name: str, document: str, **variables: Any) -> None:
        found[name] = GraphRequest(name, document, variables)

    seq = seq_of(person, world.scene)
    for slug in (one["slug"] for one in person.ask(QUERIES["systems"])["systems"]):
        rules = person.ask(QUERIES["sceneRules"], system=slug)["sceneRules"]
        if rules is None:
            continue
        for kind in rules["moveSchema"]["anyOf"]:
            move = spelled_out(kind, rules["moveSchema"]["$defs"], "move") | {"actor": world.hero}
            asked = {"sceneId": world.scene, "expectedSeq": seq, "move": move}
            add(f"mutation performMove of {slug}.{move['kind']}", MUTATIONS["performMove"], input=asked)
        setup = spelled_out(rules["setupSchema"], rules["setupSchema"].get("$defs", {}), "setup")
        asked = {"campaignId": world.campaign, "system": slug, "setup": setup}
        add(f"mutation startScene of {slug}", MUTATIONS["startScene"], input=asked)
    for slug, game in games("CharacterBuild"):
        asked = {"build": whole(slug, game)}
        add(f"mutation createCharacter of {slug}", MUTATIONS["createCharacter"], input=asked)
    for slug, game in games("RewardProposal"):
        asked = {"characterId": world.smith, "version": 2, "reward": whole(slug, game)}
        add(f"mutation proposeReward of {slug}", MUTATIONS["proposeReward"], input=asked)
    for slug, game in games("ContentPackInput"):
        pack = whole(slug, game)
        add(f"query checkContentPack of {slug}", QUERIES["checkContentPack"], pack=pack)
    for root in types["Query"]["fields"]:
        kind = root["type"]["ofType"]
        for tool in types[kind["name"]]["fields"] if kind and f"{kind['name']}".endswith("Tools") else ():
            given = types[tool["args"][0]["type"]["ofType"]["name"]]
            asking = f"{root['name']} {{ {tool['name']}(given: $given) {{ __typename {PROBLEM} }} }}"
            document = f"query ($given: {given['name']}!) {{ {asking} }}"
            add(f"query {root['name']} of {tool['name']}", document, given=whole("given", given)["given"])
    return found


def spelled_out(schema: dict[str, Any], named: dict[str, Any], name: str, *above: str) -> Any:
    """Give a value that a JSON Schema allows, with every member filled in.

    Args:
        schema: of the value.
        named: the document's definitions.
        name: of the member that holds it.
        above: names of the definitions it stands in: what holds its own kind ends there.
    """
    if "$ref" in schema:
        own = schema["$ref"].removeprefix("#/$defs/")
        return None if own in above else spelled_out(named[own], named, name, *above, own)
    if "anyOf" in schema:
        return spelled_out(schema["anyOf"][0], named, name, *above)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    match schema["type"]:
        case "object" if "properties" in schema:
            return {
                member: spelled_out(each, named, member, *above)
                for member, each in schema["properties"].items()
            }
        case "object":
            return {name: spelled_out(schema["additionalProperties"], named, name, *above)}
        case "array":
            places = schema.get("prefixItems") or [schema["items"]]
            return [spelled_out(each, named, name, *above) for each in places]
        case kind:
            return {"integer": 1, "number": 0.5, "boolean": False, "null": None}.get(kind, name)


INPUTS = """
{ __schema { types {
    name enumValues { name }
    fields { name type { kind name ofType { kind name } } args { name type { kind name ofType { kind name } } } }
    inputFields { name type { kind name ofType { kind name ofType { kind name ofType { kind name
        ofType { kind name ofType { kind name } } } } } } }
} } }
"""


@dataclass(frozen=True)
class Words:
    """What somebody has: ids of a saved roll, a die, a pack and a campaign of their own; at the table the ids of a
    secret roll, a scene and a simulation, and the number of a note.
    """

    macro: str
    die: str
    pack: str
    campaign: str
    roll: str
    scene: str
    simulation: str
    note: int


def _words(world: World, person: Person) -> Words:
    """Make what a GM's requests may change, under names that were never chosen before."""
    number = next(_made)
    letters = "".join(chr(ord("a") + int(digit)) for digit in str(number))
    return Words(
        macro=save_macro(person, f"Sword {number}", "1d6 + @bonus")["id"],
        die=define_die(person, f"coin_{letters}", "Boon", "Bane")["id"],
        pack=keep_pack(person, f"Stars {number}")["id"],
        campaign=found_campaign(person, f"Spare {number}"),
        roll=secret_roll(person, world.campaign)["id"],
        scene=start_scene(person, world.campaign, "orc-ambush", world.hero)["id"],
        simulation=start_simulation(person, campaignId=world.campaign),
        note=note(person, world.campaign, "We crossed the river."),
    )


_made = itertools.count(1)


@dataclass(frozen=True)
class RestRequest:
    """An operation of the REST face.

    Attributes:
        name: its operation id.
        method: of HTTP.
        path: with its parameters in braces.
        parameters: of the path.
        query: parameters behind the question mark.
        body: JSON; bytes for a whole file, None when there is none.
        headers: by which one can do harm.
    """

    name: str
    method: str
    path: str
    parameters: dict[str, str] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] | bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)


def png() -> bytes:
    """Return a picture that is fit for a portrait."""
    out = BytesIO()
    Image.new("RGB", (64, 64), "teal").save(out, "PNG")
    return out.getvalue()


def rest_requests(world: World, person: Person) -> dict[str, RestRequest]:
    """Give a sound request for each operation, by its id, for a GM of the world's campaign."""
    page = {"first": 5, "after": None}
    at, key = {"campaign": world.campaign}, {"idempotency-key": "the same once more, 32 characters or more"}
    own = create_hero(person, name="Spare")
    choices = {name: value for name, value in CHOICES.items() if value is not None}
    words = _words(world, person)
    cast = {
        "variables": {"bonus": 3},
        "dialect": "HEARTHFORGE",
        "campaignId": world.campaign,
        "characterId": world.hero,
        "label": "Strength",
        "secret": False,
        "entropy": ENTROPY,
        "epoch": epoch_of(person, world.campaign)["id"],
        "external": EXTERNAL,
    }
    chances = {
        "expression": "@bonus d6",
        "variable": "bonus:3",
        **at,
        "dialect": "HEARTHFORGE",
        "sample": 1000,
        "seed": 5,
    }
    at_scene, seq = {"scene": world.scene}, seq_of(person, world.scene)
    macro = {
        "name": "Longsword",
        "expression": "1d6 + @bonus",
        "variables": VARIABLES,
        "label": "Strike",
        "dialect": "HEARTHFORGE",
    }
    told = {"system": "duel", "text": "mill", "about": "rival-1"}
    requests = [
        RestRequest(
            "signUp",
            "POST",
            "/v1/accounts",
            body={"name": "Mara"},
            headers={"idempotency-key": str(uuid.uuid4())},
        ),
        RestRequest("getMe", "GET", "/v1/me"),
        RestRequest("exportAccount", "GET", "/v1/account/export"),
        RestRequest("renameMe", "PATCH", "/v1/me", body={"name": "Mara of the Mill", "version": 1}),
        RestRequest("listKeys", "GET", "/v1/keys", query=page),
        RestRequest(
            "createKey",
            "POST",
            "/v1/keys",
            body={
                "name": "x",
                "scopes": ["READ"],
                "expiresInDays": 3,
                "capacity": 500,
                "refillPerSecond": 10,
            },
            headers=key,
        ),
        RestRequest("createTicket", "POST", "/v1/tickets", body={"address": "/v1/me"}, headers=key),
        RestRequest("deleteAccount", "DELETE", "/v1/account", query={"confirm": NOBODY}, headers=key),
        RestRequest("revokeKey", "DELETE", "/v1/keys/{key}", {"key": "key_00000000000000000000000000"}),
        RestRequest(
            "createRoll",
            "POST",
            "/v1/rolls",
            body={"expression": "1d6 + @bonus", **cast},
            headers=key,
        ),
        RestRequest(
            "createRolls",
            "POST",
            "/v1/rolls/batch",
            body={"rolls": [{"expression": "1d6 + @bonus", **cast}, {"macroId": words.macro, **cast}]},
            headers=key,
        ),
        RestRequest(
            "listRolls",
            "GET",
            "/v1/rolls",
            query={
                **at,
                "character": world.hero,
                "account": world.player.id,
                "scene": None,
                "externalMessage": None,
                "since": SINCE,
                "until": UNTIL,
                **page,
            },
        ),
        RestRequest("getRoll", "GET", "/v1/rolls/{roll}", {"roll": world.roll}),
        RestRequest("revealRoll", "POST", "/v1/rolls/{roll}/reveal", {"roll": words.roll}),
        RestRequest("verifyRoll", "GET", "/v1/rolls/{roll}/verification", {"roll": world.roll}),
        RestRequest(
            "rotateRollEpoch", "POST", "/v1/dice/epochs", body={"campaignId": world.campaign, "secret": False}
        ),
        RestRequest("exportReceipts", "GET", "/v1/rolls/receipts", query={"secret": False, "epoch": None}),
        RestRequest("getOwnStatistics", "GET", "/v1/rolls/statistics"),
        RestRequest("drawOwnStatistics", "GET", "/v1/rolls/statistics.svg", query={"die": "d6"}),
        RestRequest(
            "exportCampaignReceipts",
            "GET",
            "/v1/campaigns/{campaign}/receipts",
            at,
            query={"secret": False, "epoch": world.epoch},
        ),
        RestRequest(
            "getDiceStatistics",
            "GET",
            "/v1/campaigns/{campaign}/dice-statistics",
            at,
            query={"account": world.player.id},
        ),
        RestRequest(
            "drawDiceStatistics",
            "GET",
            "/v1/campaigns/{campaign}/dice-statistics.svg",
            at,
            query={"die": "d6", "account": world.player.id},
        ),
        RestRequest("getOdds", "GET", "/v1/odds", query={**chances, "quantile": 0.5}),
        RestRequest("drawOdds", "GET", "/v1/odds.svg", query={**chances, "width": 720}),
        RestRequest("listMechanics", "GET", "/v1/mechanics", query={"system": "forge_engine"}),
        RestRequest("listDiceKeys", "GET", "/v1/dice/keys"),
        RestRequest("getDiceSettings", "GET", "/v1/dice/settings", query=at),
        RestRequest(
            "setDiceSettings",
            "PUT",
            "/v1/dice/settings",
            body={"dialect": "HEARTHFORGE", "version": 1, "campaignId": world.campaign},
        ),
        RestRequest("listDice", "GET", "/v1/dice", query=at),
        RestRequest(
            "defineDie",
            "POST",
            "/v1/dice",
            body={"name": "coin", "faces": FACES, "campaignId": world.campaign},
            headers=key,
        ),
        RestRequest(
            "changeDie", "PUT", "/v1/dice/{die}", {"die": words.die}, body={"version": 1, "faces": FACES}
        ),
        RestRequest("forgetDie", "DELETE", "/v1/dice/{die}", {"die": words.die}, query={"version": 1}),
        RestRequest("listMacros", "GET", "/v1/macros", query={**at, **page}),
        RestRequest("getMacro", "GET", "/v1/macros/{macro}", {"macro": world.macro}),
        RestRequest(
            "createMacro", "POST", "/v1/macros", body={**macro, "campaignId": world.campaign}, headers=key
        ),
        RestRequest(
            "updateMacro", "PATCH", "/v1/macros/{macro}", {"macro": words.macro}, body={**macro, "version": 1}
        ),
        RestRequest(
            "deleteMacro", "DELETE", "/v1/macros/{macro}", {"macro": words.macro}, query={"version": 1}
        ),
        RestRequest("listSystems", "GET", "/v1/systems"),
        RestRequest(
            "createCharacter",
            "POST",
            "/v1/characters",
            body={"build": hero("rogue", name="Odo", **choices), "packs": []},
            headers=key,
        ),
        RestRequest("listCharacters", "GET", "/v1/characters", query=page),
        RestRequest("getCharacter", "GET", "/v1/characters/{character}", {"character": world.hero}),
        RestRequest(
            "getPortrait",
            "GET",
            "/v1/characters/{character}/portrait",
            {"character": world.hero},
            query={"size": 64},
        ),
        RestRequest(
            "putPortrait",
            "PUT",
            "/v1/characters/{character}/portrait",
            {"character": own},
            body=png(),
            headers={"content-type": "image/png"},
        ),
        RestRequest("deletePortrait", "DELETE", "/v1/characters/{character}/portrait", {"character": own}),
        RestRequest("getSheet", "GET", "/v1/characters/{character}/sheet", {"character": world.hero}),
        RestRequest(
            "listCharacterUpdates",
            "GET",
            "/v1/characters/updates",
            query={"campaign": world.campaign, "first": 5, "since": None},
        ),
        RestRequest(
            "listMapUpdates",
            "GET",
            "/v1/maps/updates",
            query={"campaign": world.campaign, "first": 5, "since": None},
        ),
        RestRequest(
            "listRollUpdates",
            "GET",
            "/v1/rolls/updates",
            query={"campaign": world.campaign, "first": 5, "since": None},
        ),
        RestRequest("listCampaignUpdates", "GET", "/v1/campaigns/updates", query={"first": 5, "since": None}),
        RestRequest("getParty", "GET", "/v1/campaigns/{campaign}/party", at, query=page),
        *_character_requests(world, own, key),
        *_pack_requests(world, words.pack, key),
        *_content_requests(world),
        RestRequest(
            "createCampaign",
            "POST",
            "/v1/campaigns",
            body={"name": "New", "description": "Tale"},
            headers=key,
        ),
        RestRequest("listCampaigns", "GET", "/v1/campaigns", query=page),
        RestRequest("getCampaign", "GET", "/v1/campaigns/{campaign}", at),
        RestRequest(
            "getCampaignState", "GET", "/v1/campaigns/{campaign}/state", at, query={"system": "duel"}
        ),
        *(
            RestRequest(name, "GET", f"/v1/campaigns/{{campaign}}/{end}", at, query=told)
            for name, end in (
                ("getCampaignChronicle", "chronicle"),
                ("getCampaignChronicleMarkdown", "chronicle.md"),
            )
        ),
        *_table_requests(world, words),
        RestRequest("joinCampaign", "POST", "/v1/campaigns/join", body={"code": "AAAAAAAAAA"}),
        RestRequest(
            "createInvitation",
            "POST",
            "/v1/campaigns/{campaign}/invitations",
            at,
            body={"role": "PLAYER", "uses": 2, "days": 3},
        ),
        RestRequest(
            "seatCharacter", "POST", "/v1/campaigns/{campaign}/characters", at, body={"characterId": own}
        ),
        RestRequest(
            "readLog",
            "GET",
            "/v1/campaigns/{campaign}/log",
            at,
            query={"first": 5, "after": 0, "newestFirst": False},
        ),
        RestRequest(
            "writeNote", "POST", "/v1/campaigns/{campaign}/notes", at, body={"text": "Dusk."}, headers=key
        ),
        RestRequest(
            "generateMap",
            "POST",
            "/v1/maps",
            body={
                "campaignId": world.campaign,
                "sharing": "OPEN",
                "forgebornRealm": {"dice": DICE, **REALM},
            },
            headers=key,
        ),
        *_map_requests(world, key),
        *_metadata_requests(world, key),
        RestRequest("listMaps", "GET", "/v1/maps", query={**at, **page}),
        RestRequest("getMap", "GET", "/v1/maps/{map_id}", {"map_id": world.map}),
        RestRequest(
            "startScene",
            "POST",
            "/v1/campaigns/{campaign}/scenes",
            at,
            body={
                "system": "dungeonteller",
                "setup": SETUP,
                "characters": [world.hero],
                "mapId": world.dungeon,
                "title": "The ford",
            },
            headers=key,
        ),
        RestRequest("listScenes", "GET", "/v1/campaigns/{campaign}/scenes", at, query=page),
        RestRequest("getScene", "GET", "/v1/scenes/{scene}", at_scene, query={"actor": None}),
        RestRequest("getSceneBoard", "GET", "/v1/scenes/{scene}/board.svg", at_scene),
        RestRequest("listSceneMoves", "GET", "/v1/scenes/{scene}/moves", at_scene, query=page),
        RestRequest(
            "performMove",
            "POST",
            "/v1/scenes/{scene}/moves",
            at_scene,
            body={"expectedSeq": seq, "move": _saying("Who goes there?"), "entropy": ENTROPY},
            headers=key,
        ),
        RestRequest(
            "checkMove",
            "POST",
            "/v1/scenes/{scene}/moves/check",
            at_scene,
            body={"move": _saying("Who goes there?")},
        ),
        RestRequest(
            "playBot",
            "POST",
            "/v1/scenes/{scene}/bot",
            at_scene,
            body={"expectedSeq": seq, "actor": world.hero, "bot": "steady"},
            headers=key,
        ),
        RestRequest(
            "undoMove", "POST", "/v1/scenes/{scene}/undo", at_scene, body={"expectedSeq": seq}, headers=key
        ),
        *_simulation_requests(world, words, key),
        RestRequest("listJobs", "GET", "/v1/jobs", query=page),
        RestRequest("getJob", "GET", "/v1/jobs/{job}", {"job": world.job}),
        RestRequest("cancelJob", "DELETE", "/v1/jobs/{job}", {"job": world.job}),
    ]
    return {request.name: request for request in requests}


def _simulation_requests(world: World, words: Words, key: dict[str, str]) -> list[RestRequest]:
    path, seen = "/v1/simulations/{simulation}", {"simulation": world.simulation}
    places = {"campaign": world.campaign, "limit": 5, "after": None}
    return [
        RestRequest(
            "startSimulation",
            "POST",
            "/v1/simulations",
            body={**SIMULATION, "campaignId": world.campaign},
            headers=key,
        ),
        RestRequest("listSimulations", "GET", "/v1/simulations", query=places),
        RestRequest("getSimulation", "GET", path, seen),
        RestRequest("getSimulationTable", "GET", f"{path}/report.csv", seen),
        RestRequest(
            "drawSimulation",
            "GET",
            f"{path}/report.svg",
            seen,
            query={"plot": None, "figure": None, "case": None, "width": 360},
        ),
        RestRequest(
            "getSimulationRun",
            "GET",
            f"{path}/runs/{{number}}",
            {**seen, "number": "0"},
            query={"case": None},
        ),
        RestRequest(
            "openSimulationRun",
            "POST",
            f"{path}/runs/{{number}}/scene",
            {**seen, "number": "0"},
            body={"moves": 1, "title": "What might have been"},
            headers=key,
        ),
        RestRequest("cancelSimulation", "POST", f"{path}/cancel", seen),
        RestRequest("deleteSimulation", "DELETE", path, {"simulation": words.simulation}),
    ]


def _table_requests(world: World, words: Words) -> list[RestRequest]:
    path, at = "/v1/campaigns/{campaign}", {"campaign": world.campaign}
    member = {**at, "account": world.spectator.id}
    return [
        RestRequest(
            "updateCampaign", "PATCH", path, at, body={"version": 1, "name": "Newer", "description": "Tale"}
        ),
        RestRequest("deleteCampaign", "DELETE", path, {"campaign": words.campaign}, query={"version": 1}),
        RestRequest("deleteNote", "DELETE", f"{path}/log/{{seq}}", {**at, "seq": str(words.note)}),
        RestRequest("deleteScene", "DELETE", "/v1/scenes/{scene}", {"scene": words.scene}),
        RestRequest("listInvitations", "GET", f"{path}/invitations", at),
        RestRequest(
            "withdrawInvitation",
            "DELETE",
            f"{path}/invitations/{{invitation}}",
            {**at, "invitation": world.invitation},
        ),
        RestRequest("changeRole", "PATCH", f"{path}/members/{{account}}", member, body={"role": "PLAYER"}),
        RestRequest("acceptGameMaster", "POST", f"{path}/game-master", at),
        RestRequest("declineGameMaster", "DELETE", f"{path}/game-master", at),
        RestRequest("removeMember", "DELETE", f"{path}/members/{{account}}", member),
        RestRequest(
            "unseatCharacter",
            "DELETE",
            f"{path}/characters/{{character}}",
            {**at, "character": world.hero},
        ),
    ]


def _character_requests(world: World, own: str, key: dict[str, str]) -> list[RestRequest]:
    seen, mine, smithy = ({"character": one} for one in (world.hero, own, world.smith))
    choices = {name: value for name, value in CHOICES.items() if value is not None}
    build = hero("rogue", name="Odo", **choices)
    verdict = {"version": 1}
    path = "/v1/characters/{character}"
    return [
        RestRequest(
            "draftCharacter",
            "POST",
            "/v1/characters/draft",
            body={"build": smith(expended=0), "step": "traits", "packs": [world.pack]},
        ),
        RestRequest(
            "createRandomCharacter", "POST", "/v1/characters/random", body={**DRAWN, "packs": []}, headers=key
        ),
        RestRequest("updateCharacter", "PUT", path, mine, body={"version": 1, "build": build, "packs": []}),
        RestRequest("deleteCharacter", "DELETE", path, mine, query={"version": 1}),
        RestRequest("getCard", "GET", f"{path}/card", seen),
        RestRequest("getSheetSections", "GET", f"{path}/sheet/sections", seen),
        RestRequest("getSheetSummary", "GET", f"{path}/summary", seen),
        RestRequest("getChoices", "GET", f"{path}/choices", seen),
        RestRequest(
            "getCharacterHistory", "GET", f"{path}/history", smithy, query={"first": 5, "after": None}
        ),
        RestRequest("undoCharacterEdit", "POST", f"{path}/undo", smithy, body={"version": 2, "to": 1}),
        RestRequest("getCharacterTracks", "GET", f"{path}/tracks", seen),
        RestRequest("moveCharacterTracks", "POST", f"{path}/tracks", mine, body={"version": 1, **TRACKS}),
        RestRequest("restCharacter", "POST", f"{path}/rests", mine, body={"version": 1, **REST}),
        RestRequest("listRewards", "GET", f"{path}/rewards", seen),
        RestRequest(
            "proposeReward",
            "POST",
            f"{path}/rewards",
            mine,
            body={"version": 1, "reward": {"dungeonteller": REWARD}},
        ),
        *(
            RestRequest(
                f"{verb}Reward",
                "POST",
                f"{path}/rewards/{{index}}/{verb}",
                {**mine, "index": "0"},
                body=verdict,
            )
            for verb in ("approve", "refuse")
        ),
    ]


def _pack_requests(world: World, own: str, key: dict[str, str]) -> list[RestRequest]:
    path, mine = "/v1/content-packs/{pack}", {"pack": own}
    kept = {"pack": PACK, "name": "Stars", "description": "Of weight", "campaignId": world.campaign}
    page = {"campaign": world.campaign, "system": "forge_engine", "first": 5, "after": None}
    return [
        RestRequest("listContentPacks", "GET", "/v1/content-packs", query=page),
        RestRequest("createContentPack", "POST", "/v1/content-packs", body=kept, headers=key),
        RestRequest("checkContentPack", "POST", "/v1/content-packs/check", body={"pack": PACK}),
        RestRequest("getContentPack", "GET", path, {"pack": world.pack}),
        RestRequest("updateContentPack", "PATCH", path, mine, body={"version": 1, **kept}),
        RestRequest("deleteContentPack", "DELETE", path, mine, query={"version": 1}),
    ]


def _content_requests(world: World) -> list[RestRequest]:
    path, game = "/v1/systems/{system}", {"system": "forge_engine"}
    asked = {
        "search": "strength",
        "where": "cp:at_least:100",
        "order": "-name",
        "first": 5,
        "after": None,
        "pack": world.pack,
    }
    return [
        RestRequest("getSystem", "GET", path, game),
        RestRequest("listContentKinds", "GET", f"{path}/content", game),
        RestRequest("getSceneRules", "GET", f"{path}/scenes", game),
        RestRequest("findContent", "GET", f"{path}/content/{{kind}}", {**game, "kind": "trait"}, asked),
        RestRequest(
            "getContent",
            "GET",
            f"{path}/content/{{kind}}/{{slug}}",
            {**game, "kind": "trait", "slug": "muscular"},
        ),
        RestRequest("listTools", "GET", f"{path}/tools", game),
        RestRequest("askTool", "POST", f"{path}/tools/{{tool}}", {**game, "tool": "reload"}, body=RELOAD),
    ]


def _metadata_requests(world: World, key: dict[str, str]) -> Iterator[RestRequest]:
    """Yield the requests about what apps keep beside things."""
    only = {"namespace": BAG["namespace"]}
    body = {name: value for name, value in BAG.items() if name != "namespace"}
    for kind, name, thing, more in (
        ("campaign", "campaign", world.campaign, {}),
        ("scene", "scene", world.scene, {}),
        ("character", "character", world.hero, {}),
        ("roll", "roll", world.roll, {}),
        ("map", "map_id", world.dungeon, {"tokenKey": world.token}),
    ):
        path = f"/v1/{kind}s/{{{name}}}/metadata"
        yield RestRequest(f"get{kind.capitalize()}Metadata", "GET", path, {name: thing}, query=only)
        yield RestRequest(
            f"set{kind.capitalize()}Metadata",
            "PUT",
            f"{path}/{{namespace}}",
            {name: thing, **only},
            body={**body, **more},
            headers=key,
        )
    at = {"map_id": world.dungeon}
    yield RestRequest("getTokenMetadata", "GET", "/v1/maps/{map_id}/token-metadata", at, query=only)


def _map_requests(world: World, key: dict[str, str]) -> list[RestRequest]:
    dungeon, batch = {"map_id": world.dungeon}, {"batch": world.batch}
    picture = {"px": 8, "style": "flat", "grid": True, "legend": True, "view": "players"}
    marker = edit_variables("", "putMarker")["input"]["edit"]
    order = {
        "kind": "DUNGEON",
        "parameters": {"width": 21, "height": 21},
        "seed": "20",
        "count": 2,
        "seeds": ["7", "8"],
        "formats": ["SVG"],
        "campaignId": world.campaign,
    }
    found = [
        RestRequest("listMapKinds", "GET", "/v1/maps/kinds"),
        RestRequest("getMapPlay", "GET", "/v1/maps/{map_id}/play", dungeon),
        RestRequest(
            "editMap",
            "POST",
            "/v1/maps/{map_id}/edits",
            dungeon,
            body={"edit": marker, "revision": None},
            headers=key,
        ),
        RestRequest(
            "deleteMap",
            "DELETE",
            "/v1/maps/{map_id}",
            {"map_id": world.story},
            {"revision": "seen once"},
            headers=key,
        ),
        RestRequest(
            "undoMapEdit",
            "POST",
            "/v1/maps/{map_id}/undo",
            {"map_id": world.prepared},
            body={"number": 1},
            headers=key,
        ),
        RestRequest(
            "importMap",
            "POST",
            "/v1/maps/import",
            query={"title": "Cellar", "campaign": world.campaign, "sharing": "OPEN"},
            body=CELLAR,
            headers=key,
        ),
        RestRequest(
            "getMapThumbnail",
            "GET",
            "/v1/maps/{map_id}/thumbnail.webp",
            dungeon,
            {"size": 64, "view": "players"},
        ),
        RestRequest(
            "getMapTile",
            "GET",
            "/v1/maps/{map_id}/tiles/{z}/{x}/{y}.png",
            {**dungeon, "z": "0", "x": "0", "y": "0"},
            {"px": 8, "style": "ink", "view": "players"},
        ),
        RestRequest("generateMaps", "POST", "/v1/batches", body=order, headers=key),
        RestRequest("getBatch", "GET", "/v1/batches/{batch}", batch),
        RestRequest("listBatchMaps", "GET", "/v1/batches/{batch}/maps", batch, {"first": 2, "after": 0}),
        RestRequest(
            "getBatchFile",
            "GET",
            "/v1/batches/{batch}/maps/{number}/{file}",
            {**batch, "number": "1", "file": "map.json"},
        ),
        RestRequest("continueMapBatch", "POST", "/v1/batches/{batch}/rest", batch, headers=key),
        RestRequest("deleteBatch", "DELETE", "/v1/batches/{batch}", batch, headers=key),
        RestRequest(
            "keepMap",
            "POST",
            "/v1/batches/{batch}/maps/{number}",
            {**batch, "number": "1"},
            body={"campaignId": world.campaign, "sharing": "HIDDEN"},
            headers=key,
        ),
        # A range that cannot be read counts as none (RFC 9110, 14.2): nothing of it is refused.
        RestRequest("downloadBatch", "GET", "/v1/batches/{batch}/maps.zip", batch),
        RestRequest("streamBatch", "GET", "/v1/batches/{batch}/maps.ndjson", batch, {"after": 0}),
    ]
    for name, file in PICTURES.items():
        found.append(RestRequest(name, "GET", f"/v1/maps/{{map_id}}/{file}", dungeon, picture))
    for name, file in EXPORTS.items():
        plain = {"px": 20, "view": "gm"}
        found.append(RestRequest(name, "GET", f"/v1/maps/{{map_id}}/{file}", dungeon, plain))
    return found


# The smallest sound Universal VTT file: a room of four by four cells without a picture.
CELLAR = json.dumps(
    {
        "format": 0.3,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": 6, "y": 6},
            "pixels_per_grid": 70,
        },
        "line_of_sight": [[{"x": x, "y": y} for x, y in ((1, 1), (5, 1), (5, 5), (1, 5), (1, 1))]],
        "objects_line_of_sight": [],
        "portals": [],
        "lights": [],
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
    }
).encode()
# Operations by the file that they give out.
PICTURES = {
    "getMapSvg": "map.svg",
    "getMapPng": "map.png",
    "getMapWebp": "map.webp",
    "exportMapUvtt": "map.uvtt",
}
EXPORTS = {
    "getMapJson": "map.json",
    "exportMapUvttLines": "map.lines.uvtt",
    "exportMapFoundry13": "map.foundry-v13.json",
    "exportMapFoundry14": "map.foundry-v14.json",
    "exportMapFoundryJournal": "map.foundry-journal.json",
    "exportMapTiled": "map.tmj",
    "exportMapTiledTerrain": "map.terrain.png",
    "exportMapOwlbear": "map.owlbear.json",
    "exportMapGeojson": "map.geojson",
}


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Give every place in a JSON value that holds no further value, and what is there."""
    match value:
        case dict():
            for name, item in value.items():
                yield from leaves(item, (*path, name))
        case list():
            # The first two stand for all of them: they may be of different shape, more would be the same again.
            for place, item in enumerate(value[:2]):
                yield from leaves(item, (*path, place))
        case _:
            yield path, value


def branches(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Give every place in a JSON value that holds an object or a list, except the whole."""
    if isinstance(value, dict | list):
        if path:
            yield path, value
        items = value.items() if isinstance(value, dict) else enumerate(value[:1])
        for step, item in items:
            yield from branches(item, (*path, step))


def spoiled(value: Any, path: Path, poison: Any) -> Any:
    """Give a copy of a JSON value with something else at one place."""
    if not path:
        return poison
    step, rest = path[0], path[1:]
    if isinstance(value, dict):
        return {**value, step: spoiled(value[step], rest, poison)}
    return [spoiled(item, rest, poison) if place == step else item for place, item in enumerate(value)]
