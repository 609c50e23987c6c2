"""Every operation, asked of the services by everyone: who sees, who may, and that no cell of the table leaks.

The columns of ``TABLE`` and ``ENTITIES``, from the least to the most::

    anonymous  outsider  GM of another campaign  spectator  player  GM

and in each cell what is answered::

    U  UNAUTHENTICATED, an error: nobody is signed in
    F  FORBIDDEN, the problem: it is seen, but not theirs to do
    I  INVALID_INPUT, the problem: a rule of play on maps says that it is not theirs to do, a content pack
       that they name is none that they see, what they confirm to be deleted is not their account, or the
       campaign has a GM already
    N  NOT_FOUND, the problem (of a subscription, the error)
    -  null or an empty list: there is no such thing, or not for them
    o  something is shown, but nothing of the campaign
    +  it is shown, or done
    *  it is shown, as a file whose words are not to be read like a text

An answer that is not ``+`` holds nothing of the campaign but what the request itself named; none
holds anything that only a GM may see, or only who owns it: ``World.hidden_from``.
"""

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import jwt
import pytest

from services.shared.auth import TOKEN_HEADER, Signer
from services.shared.ids import new_id
from services.shared.process_keys import new_private_key, read_private_key
from services.shared.settings import ServiceName
from tests.e2e.documents import MUTATIONS, QUERIES, SUBSCRIPTIONS
from tests.e2e.product import House, Person, listening, until
from tests.e2e.table import (
    DIE,
    OFFERED,
    World,
    build_smith,
    build_world,
    create_hero,
    define_die,
    edit,
    found_campaign,
    hero,
    holding,
    invite,
    join,
    keep_pack,
    look_at,
    make_map,
    note,
    queue_batch,
    queue_map,
    roll,
    save_macro,
    seat,
    secret_roll,
    seq_of,
    smith,
    start_scene,
    start_simulation,
    wanted,
)
from tests.matrix.in_process import InProcess
from tests.matrix.requests import CELLAR, EXPORTS, NOBODY, RELOAD, REWARD, START, png

REFUSED = frozenset("UFIN")
ROLES = ("anonymous", "outsider", "other_gm", "spectator", "player", "gm")
Variables = Callable[[World], dict[str, Any]]


@pytest.fixture(scope="module")
def world(house: InProcess) -> World:
    """Set the table once: who sees what does not depend on the database."""
    return build_world(house, lambda what: f"Secret {what} of the seven lanterns")


@dataclass(frozen=True)
class Row:
    """One row of the table.

    Attributes:
        field: of Query, Mutation or Subscription.
        cells: what each role is answered.
        variables: of the request; made anew when it was done.
        about: what is special, where one operation has several rows.
    """

    field: str
    cells: str
    variables: Variables = lambda world: {}
    about: str = ""

    @property
    def name(self) -> str:
        """Name the row."""
        return f"{self.field} {self.about}".strip()


def at(**more: Any) -> Variables:
    """Name the campaign."""
    return lambda world: {"campaignId": world.campaign, **more}


def wish(**more: Any) -> dict[str, Any]:
    """Wish for a map."""
    return {"input": {"map": {"forgebornRealm": {"seed": "5"}}, **more}}


def wishes(**more: Any) -> dict[str, Any]:
    """Wish for two maps."""
    return {"input": {"map": {"dungeon": {"width": 21, "height": 21}}, "count": 2, **more}}


def editing(map_id: str, **wanted: Any) -> dict[str, Any]:
    """Name an edit of a map."""
    return {"input": {"mapId": map_id, "edit": wanted}}


def on_the_dungeon(wanted: Variables) -> Variables:
    """Name an edit of the dungeon."""
    return lambda world: editing(world.dungeon, **wanted(world))


def marked(world: World) -> dict[str, Any]:
    """Let the GM put a marker where it may be taken back."""
    edit(world.gm, world.dungeon, putMarker={"at": HERE, "layer": "GM"})
    return {"input": {"mapId": world.dungeon}}


def bag(world: World, thing: str, **more: Any) -> dict[str, Any]:
    """Name metadata to be written beside a thing."""
    data = {"text": world.words["metadata"]}
    return {"input": {"id": thing, "namespace": "com.example.notes", "data": data, **more}}


def own_marker(world: World, person: Person, **more: Any) -> str:
    """Put somebody's marker on the dungeon."""
    return str(edit(person, world.dungeon, putMarker={"at": HERE, **more})["thing"])


def secret_door(world: World) -> str:
    """Give a door of the dungeon that nobody has found."""
    doors = look_at(world.gm, world.dungeon)["grid"]["doors"]
    return str(next(door["key"] for door in doors if door["kind"] == "SECRET"))


HERE = {"x": 9, "y": 10}
NOT_THEIRS = {
    "MAP_NOT_ALLOWED",
    "MAP_NOT_YOURS",
    "MAP_LAYER",
    "MAP_DOOR_LOCKED",
    "PACK_UNKNOWN",
    "NOT_CONFIRMED",
    "GM_PRESENT",
}
# What each role may do on a map that all of them see: anon, out, other, spec, player, gm.
EDITS_BY_ROLE: dict[str, tuple[str, Variables]] = {
    "that moves the player's token": (
        "U N N I + +",
        lambda w: {"moveToken": {"id": w.token, "to": look_at(w.gm, w.dungeon)["play"]["tokens"][-1]["at"]}},
    ),
    "that puts a token": ("U N N I I +", lambda w: {"putToken": {"name": "Gub", "at": HERE, "layer": "GM"}}),
    "that puts a marker": ("U N N I + +", lambda w: {"putMarker": {"at": HERE}}),
    "that puts a marker for GMs": ("U N N I I +", lambda w: {"putMarker": {"at": HERE, "layer": "GM"}}),
    "that removes the player's marker": (
        "U N N I + +",
        lambda w: {"removeMarker": {"id": own_marker(w, w.player)}},
    ),
    "that removes the GM's marker": (
        "U N N I I +",
        lambda w: {"removeMarker": {"id": own_marker(w, w.gm)}},
    ),
    "that writes a note": ("U N N I I +", lambda w: {"putNote": {"title": "x", "at": HERE}}),
    "that opens the door before the player's token": (
        "U N N I + +",
        lambda w: {"setDoor": {"id": w.door, "state": "OPEN"}},
    ),
    "that locks it": ("U N N I I +", lambda w: {"setDoor": {"id": w.door, "state": "LOCKED"}}),
    "that finds a door": ("U N N I I +", lambda w: {"findDoor": {"id": secret_door(w)}}),
    "that draws": ("U N N I + +", lambda w: {"draw": {"shape": "LINE", "points": [HERE, {"x": 1, "y": 1}]}}),
    "that lifts the fog": ("U N N I I +", lambda w: {"revealAll": {}}),
    "that puts the fog": ("U N N I I +", lambda w: {"setFog": {"mode": "FOGGED"}}),
}


LESS_LUCK = {"moves": [{"key": "luck", "by": -1}]}


def waiting(world: World) -> dict[str, Any]:
    """Bring one more hero of the player to the table, with a reward that waits; name that reward."""
    made = seated(world)
    asked = {"characterId": made, "version": 1, "reward": {"dungeonteller": REWARD}}
    world.player.do(MUTATIONS["proposeReward"], input=asked)
    return {"input": {"characterId": made, "version": 2, "index": 0}}


def checked(world: World, kind: str, actor: str, /, **move: Any) -> dict[str, Any]:
    """Ask what a move in the table's scene would come to."""
    return {"sceneId": world.scene, "move": {"kind": kind, "actor": actor, **move}}


def under(world: World, *packs: str, **more: Any) -> dict[str, Any]:
    """Ask for something of Forge Engine beside packs: the table's own, if none are named."""
    return {"system": "forge_engine", "packs": list(packs or (world.pack,)), **more}


def renamed(world: World) -> dict[str, Any]:
    """Bring one more smith of the player to the table, who was once called otherwise."""
    made = build_smith(world.player, [world.pack], "Wayland", "Völund")
    seat(world.player, world.campaign, made)
    return {"input": {"characterId": made, "version": 2}}


def spare_pack(world: World) -> str:
    """Keep a pack of the table's own that may be changed and deleted."""
    return str(keep_pack(world.gm, campaignId=world.campaign)["id"])


def players_pack(world: World) -> str:
    """Keep a pack of the player's that may be changed and deleted."""
    return str(keep_pack(world.player)["id"])


def spare_map(world: World, sharing: str = "OPEN") -> str:
    """Keep a map of the table's that may be deleted."""
    asked = {"batchId": world.batch, "number": 2, "campaignId": world.campaign, "sharing": sharing}
    return str(world.gm.do(MUTATIONS["keepMap"], input=asked)["map"]["id"])


def players_map(world: World) -> str:
    """Have a map of the player's made that may be deleted."""
    return str(make_map(world.player, world.campaign)["map"]["id"])


def broken_off(world: World) -> str:
    """Begin to have maps made for the table, far too many to be made before that is cancelled."""
    batch = queue_batch(world.gm, 1_000, world.campaign)
    world.gm.do(MUTATIONS["cancelJob"], input={"id": batch})
    return batch


def spare_batch(world: World) -> str:
    """Have maps made for the table that may be deleted."""
    return queue_batch(world.gm, 1, world.campaign)


#   field                         anon out other spec player gm
TABLE = {
    "query": [
        Row("me", "                 U   o   o   o   o   o"),
        # Names are for everyone; that keys are for their owner alone is proven with the account service.
        Row("account", "            U   o   o   o   o   o", lambda w: {"id": w.gm.id}),
        Row("roll", "               U   -   -   +   +   +", lambda w: {"id": w.roll}),
        Row(
            "roll",
            "               U   -   -   -   +   -",
            lambda w: {"id": w.own_roll},
            "outside of any campaign",
        ),
        Row("rolls", "              U   -   -   +   +   +", at()),
        Row("rolls", "              U   -   -   +   +   +", lambda w: {"characterId": w.hero}, "of the hero"),
        Row(
            "rolls",
            "              U   -   -   +   +   +",
            lambda w: {"accountId": w.player.id},
            "of the player",
        ),
        Row("rolls", "              U   -   -   +   +   +", about="of whomever"),
        Row("roll", "               U   -   -   -   -   +", lambda w: {"id": w.secret_roll}, "in secret"),
        # The table's own dice are its members' to reckon with.
        Row("odds", "               U   N   N   o   o   o", at(expression=f"2d{DIE}")),
        Row("odds", "               U   o   o   o   o   o", lambda w: {"expression": "2d6"}, "of anything"),
        Row("compareOdds", "        U   N   N   o   o   o", at(expressions=[f"2d{DIE}", "d6"])),
        Row("mechanics", "          U   o   o   o   o   o"),
        Row("rollEpoch", "          U   -   -   +   +   +", at()),
        Row("rollEpoch", "          U   -   -   +   +   +", at(secret=True), "of the secret chain"),
        Row(
            "rollEpoch",
            "                    U   -   -   -   -   -",
            lambda w: {**at()(w), "id": w.own_epoch},
            "of another place",
        ),
        Row("rollEpoch", "          U   o   o   o   +   o", about="outside of any campaign"),
        Row("rollEpochs", "         U   -   -   +   +   +", at()),
        Row("rollEpochs", "         U   -   -   +   +   +", at(secret=True), "of the secret chain"),
        Row("rollReceipts", "       U   -   -   +   +   +", at()),
        Row("rollReceipts", "       U   -   -   -   -   +", at(secret=True), "of the secret chain"),
        Row(
            "rollReceipts",
            "                    U   -   -   -   -   -",
            lambda w: {**at()(w), "epoch": w.secret_epoch},
            "of the secret chain as if it were open",
        ),
        Row("rollReceipts", "       U   -   -   -   +   -", about="outside of any campaign"),
        Row("diceKeys", "           o   o   o   o   o   o"),
        Row("verifyRoll", "         U   -   -   +   +   +", lambda w: {"id": w.roll}),
        Row(
            "verifyRoll",
            "                    U   -   -   -   +   -",
            lambda w: {"id": w.own_roll},
            "outside of any campaign",
        ),
        Row("verifyRoll", "         U   -   -   -   -   +", lambda w: {"id": w.secret_roll}, "in secret"),
        Row("tableDice", "          U   -   -   +   +   +", at()),
        Row("tableDice", "          U   -   -   -   -   -", about="outside of any campaign"),
        Row("macro", "              U   -   -   +   +   +", lambda w: {"id": w.macro}),
        Row("macro", "              U   -   -   -   +   -", lambda w: {"id": w.own_macro}, "of the player"),
        Row("macros", "             U   -   -   +   +   +", at()),
        Row("macros", "             U   -   -   -   +   -", about="outside of any campaign"),
        Row("diceSettings", "       U   -   -   o   o   o", at()),
        Row("diceSettings", "       U   o   o   o   o   o", about="outside of any campaign"),
        Row("rollStatistics", "     U   -   -   +   +   +", at()),
        Row(
            "rollStatistics",
            "                    U   -   -   +   +   +",
            lambda w: at(accountId=w.player.id)(w),
            "of the player",
        ),
        Row("rollStatistics", "     U   o   o   o   o   o", about="outside of any campaign"),
        Row("character", "          U   -   -   +   +   +", lambda w: {"id": w.hero}),
        Row(
            "character", "          U   -   o   -   -   -", lambda w: {"id": w.other_hero}, "at another table"
        ),
        # Built under the player's own pack too, of which the others see the name and nothing else.
        Row(
            "character",
            "          U   -   -   +   +   +",
            lambda w: {"id": w.smith},
            "with its packs and past",
        ),
        Row("characters", "         U   -   o   -   +   -"),
        Row("party", "              U   -   -   +   +   +", at()),
        Row("characterUpdates", "   U   -   -   +   +   +", at()),
        Row("mapUpdates", "         U   -   -   +   +   +", at()),
        Row("campaignUpdates", "    U   o   o   +   +   +"),
        Row("rollUpdates", "        U   -   -   +   +   +", at()),
        Row("randomCharacter", "    U   o   o   o   o   o", lambda w: {"system": "dungeonteller"}),
        Row("randomCharacter", "    U   I   I   o   o   o", under, "beside the table's pack"),
        Row(
            "randomCharacter",
            "                    U   I   I   I   o   I",
            lambda w: under(w, w.own_pack),
            "beside the player's pack",
        ),
        Row("content", "            U   o   o   o   o   o", lambda w: {"system": "dungeonteller"}),
        Row(
            "content",
            "                    U   I   I   +   +   +",
            lambda w: under(w, kind="damage", first=50),
            "of the table's pack",
        ),
        Row(
            "content",
            "                    U   I   I   I   +   I",
            lambda w: under(w, w.own_pack, kind="damage", first=50),
            "of the player's pack",
        ),
        Row("contentEntry", "       U   o   o   o   o   o", lambda w: {"id": "forge_engine:damage/fire"}),
        Row(
            "contentEntry",
            "                    U   -   -   +   +   +",
            lambda w: {"id": "forge_engine:damage/gravitic", "packs": [w.pack]},
            "of the table's pack",
        ),
        Row(
            "contentEntry",
            "                    U   -   -   -   +   -",
            lambda w: {"id": "forge_engine:damage/temporal", "packs": [w.own_pack]},
            "of the player's pack",
        ),
        Row("contentKinds", "       U   o   o   o   o   o", lambda w: {"system": "forge_engine"}),
        Row(
            "contentKinds",
            "       U   -   -   -   o   -",
            lambda w: under(w, w.own_pack),
            "beside the player's",
        ),
        Row("draftCharacter", "     U   o   o   o   o   o", lambda w: {"build": hero()}),
        Row(
            "draftCharacter",
            "                    U   I   I   +   +   +",
            lambda w: {"build": {"forgeEngine": {"name": "Wayland"}}, "packs": [w.pack]},
            "beside the table's pack",
        ),
        Row(
            "draftCharacter",
            "                    U   I   I   I   +   I",
            lambda w: {"build": {"forgeEngine": {"name": "Wayland"}}, "packs": [w.own_pack]},
            "beside the player's pack",
        ),
        Row("tools", "              U   o   o   o   o   o", lambda w: {"system": "forge_engine"}),
        Row(
            "tool",
            "               U   I   I   I   o   I",
            lambda w: under(w, w.own_pack, name="reload", given=RELOAD),
        ),
        Row("forgeEngine", "        U   o   o   o   o   o", lambda w: {"given": RELOAD}),
        Row(
            "forgeEngine",
            "        U   I   I   I   o   I",
            lambda w: {"given": RELOAD, "packs": [w.own_pack]},
            "beside",
        ),
        Row("fortunateBlades", "    U   o   o   o   o   o", lambda w: {"given": START}),
        Row("contentPack", "        U   -   -   +   +   +", lambda w: {"id": w.pack}),
        Row("contentPack", "        U   -   -   -   +   -", lambda w: {"id": w.own_pack}, "of the player"),
        Row("contentPacks", "       U   -   -   +   +   +", at()),
        Row("contentPacks", "       U   -   -   -   +   +", about="of their own"),
        Row("checkContentPack", "   U   o   o   o   o   o", lambda w: {"pack": holding()}),
        Row("systems", "            o   o   o   o   o   o"),
        Row("system", "             o   o   o   o   o   o", lambda w: {"slug": "dungeonteller"}),
        Row("campaign", "           U   -   -   +   +   +", lambda w: {"id": w.campaign}),
        Row("campaigns", "          U   -   o   +   +   +"),
        Row("scene", "              U   -   -   +   +   +", lambda w: {"id": w.scene}),
        Row("sceneRules", "         U   o   o   o   o   o", lambda w: {"system": "dungeonteller"}),
        Row(
            "checkMove",
            "          U   N   N   F   +   +",
            lambda w: checked(w, "Stance", w.hero, reflex="never"),
            "of the player's hero",
        ),
        Row(
            "checkMove",
            "          U   N   N   F   F   o",
            lambda w: checked(w, "Tell", "gm", text="Hush", secret=True),
            "of the GM",
        ),
        Row("map", "                U   -   -   +   +   +", lambda w: {"id": w.map}),
        Row("map", "                U   -   -   +   +   +", lambda w: {"id": w.dungeon}, "under fog"),
        Row("map", "                U   -   -   -   -   +", lambda w: {"id": w.prepared}, "hidden"),
        Row("map", "                U   -   -   +   +   +", lambda w: {"id": w.story}, "of a story"),
        Row("mapKinds", "           o   o   o   o   o   o"),
        Row("mapBatch", "           U   -   -   -   -   +", lambda w: {"id": w.batch}),
        Row("simulation", "         U   -   -   -   -   +", lambda w: {"id": w.simulation}),
        Row("simulations", "        U   -   -   -   -   +", at()),
        Row("simulations", "        U   -   -   -   -   -", about="outside of any campaign"),
        Row("simulationPlot", "     U   N   N   N   N   o", lambda w: {"id": w.simulation}),
        Row("simulationRun", "      U   N   N   N   N   o", lambda w: {"id": w.simulation}),
        Row("maps", "               U   -   -   +   +   +", at()),
        Row("maps", "               U   -   -   -   -   -", about="outside of any campaign"),
        Row("jobs", "               U   -   -   -   -   +"),
        Row("job", "                U   -   -   +   +   +", lambda w: {"id": w.job}),
        Row("job", "                U   -   -   o   o   o", lambda w: {"id": w.batch}, "of a batch"),
    ],
    "mutation": [
        Row(
            "createApiKey",
            "       U   o   o   o   o   o",
            lambda w: {"input": {"name": "x", "scopes": ["READ"]}},
        ),
        Row("createTicket", "       U   o   o   o   o   o", lambda w: {"input": {"address": "/v1/me"}}),
        Row(
            "revokeApiKey",
            "       U   N   N   N   +   N",
            lambda w: {"input": {"id": spare_key(w.player)}},
            "of the player",
        ),
        Row(
            "renameAccount",
            "      U   o   o   o   o   o",
            lambda w: {"input": {"version": 1, "name": "Renamed"}},
        ),
        Row(
            "deleteAccount",
            "      U   I   I   I   I   I",
            lambda w: {"input": {"confirm": NOBODY}},
            "of nobody",
        ),
        Row(
            "roll",
            "               U   N   N   F   +   +",
            lambda w: {"input": {"expression": "d6", **at()(w)}},
        ),
        Row(
            "roll",
            "                    U   N   N   F   +   +",
            lambda w: {"input": {"expression": "d6", "characterId": w.hero}},
            "for the player's hero",
        ),
        Row(
            "roll",
            "                    U   N   o   N   N   N",
            lambda w: {"input": {"expression": "d6", "characterId": w.other_hero}},
            "for a hero of another table",
        ),
        Row(
            "roll",
            "                    U   N   N   F   F   +",
            lambda w: {"input": {"expression": "d6", "secret": True, **at()(w)}},
            "in secret",
        ),
        Row(
            "roll",
            "                    U   N   N   F   +   +",
            lambda w: {"input": {"macroId": shared_macro(w), **at()(w)}},
            "of a saved roll",
        ),
        Row(
            "roll",
            "                    U   N   N   N   +   N",
            lambda w: {"input": {"macroId": w.own_macro}},
            "of the player's saved roll",
        ),
        Row(
            "rollMany",
            "           U   N   N   F   +   +",
            lambda w: {"input": {"rolls": [{"expression": "d6"}, {"expression": "d6", **at()(w)}]}},
        ),
        Row(
            "rollMany",
            "                    U   N   N   F   F   +",
            lambda w: {"input": {"rolls": [{"expression": "d6", "secret": True, **at()(w)}]}},
            "in secret",
        ),
        # What is open already stays as it is, whoever reveals it.
        Row(
            "revealRoll",
            "         U   N   N   +   +   +",
            lambda w: {"input": {"id": w.roll}},
            "that is open",
        ),
        Row("revealRoll", "         U   N   N   N   N   +", lambda w: {"input": {"id": hidden(w)}}),
        Row("defineDie", "          U   N   N   F   F   +", lambda w: {"input": coin(at()(w))}),
        Row("defineDie", "          U   o   o   o   o   o", lambda w: {"input": coin({})}, "for oneself"),
        Row(
            "changeDie",
            "          U   N   N   F   F   +",
            lambda w: {
                "input": {"id": spare_die(w), "version": 1, "faces": [{"label": "Heads", "value": 2}]}
            },
        ),
        Row(
            "forgetDie",
            "          U   N   N   F   F   +",
            lambda w: {"input": {"id": spare_die(w), "version": 1}},
        ),
        Row(
            "createMacro",
            "        U   N   N   F   +   +",
            lambda w: {"input": {"name": fresh("Blow"), "expression": "d6", **at()(w)}},
        ),
        Row(
            "createMacro",
            "        U   o   o   o   o   o",
            lambda w: {"input": {"name": "Blow", "expression": "d6"}},
            "for oneself",
        ),
        Row(
            "updateMacro",
            "                    U   N   N   F   +   +",
            lambda w: {"input": {"id": shared_macro(w), "version": 1, "expression": "d8"}},
        ),
        Row(
            "updateMacro",
            "                    U   N   N   N   +   N",
            lambda w: {"input": {"id": w.own_macro, "version": 1, "label": w.words["own macro"]}},
            "of the player alone",
        ),
        Row(
            "deleteMacro",
            "        U   N   N   F   +   +",
            lambda w: {"input": {"id": shared_macro(w), "version": 1}},
        ),
        Row(
            "setDiceDialect",
            "     U   N   N   F   F   +",
            lambda w: {"input": {**at()(w), "dialect": "HEARTHFORGE", "version": settings_version(w)}},
        ),
        Row(
            "setDiceDialect",
            "     U   o   o   o   o   o",
            lambda w: {"input": {"dialect": "HEARTHFORGE", "version": 1}},
            "for oneself",
        ),
        Row("rotateRollEpoch", "    U   N   N   F   F   +", lambda w: {"input": at()(w)}),
        Row(
            "rotateRollEpoch",
            "    U   N   N   F   F   +",
            lambda w: {"input": at(secret=True)(w)},
            "of the secret chain",
        ),
        Row(
            "rotateRollEpoch", "    U   o   o   o   o   o", lambda w: {"input": {}}, "outside of any campaign"
        ),
        Row("createCharacter", "    U   o   o   o   o   o", lambda w: {"input": {"build": hero(name="Own")}}),
        Row("createRandomCharacter", "U o   o   o   o   o", lambda w: {"input": {"system": "dungeonteller"}}),
        Row(
            "createRandomCharacter",
            "                    U   I   I   +   +   +",
            lambda w: {"input": under(w)},
            "under the table's pack",
        ),
        Row(
            "createCharacter",
            "                    U   I   I   I   +   I",
            lambda w: {"input": {"build": smith(), "packs": [w.own_pack]}},
            "under the player's pack",
        ),
        Row("undoCharacterEdit", "  U   N   N   F   +   +", renamed),
        Row(
            "moveCharacterTracks",
            "                        U   N   N   F   +   +",
            lambda w: {"input": {"characterId": seated(w), "version": 1, **LESS_LUCK}},
        ),
        Row(
            "restCharacter",
            "                        U   N   N   F   +   +",
            lambda w: {"input": {"characterId": seated(w), "version": 1, "rest": "rest"}},
        ),
        Row(
            "createContentPack",
            "                    U   N   N   F   F   +",
            lambda w: {"input": {"name": "Stars", "pack": holding(), **at()(w)}},
        ),
        Row(
            "createContentPack",
            "                    U   o   o   o   o   o",
            lambda w: {"input": {"name": "Stars", "pack": holding()}},
            "for oneself",
        ),
        Row(
            "updateContentPack",
            "                    U   N   N   F   F   +",
            lambda w: {"input": {"id": spare_pack(w), "version": 1, "pack": holding("Heavy")}},
        ),
        Row(
            "updateContentPack",
            "                    U   N   N   N   +   N",
            lambda w: {"input": {"id": players_pack(w), "version": 1, "name": "Moons"}},
            "of the player",
        ),
        Row(
            "deleteContentPack",
            "  U   N   N   F   F   +",
            lambda w: {"input": {"id": spare_pack(w), "version": 1}},
        ),
        Row(
            "deleteContentPack",
            "                    U   N   N   N   +   N",
            lambda w: {"input": {"id": players_pack(w), "version": 1}},
            "of the player",
        ),
        Row(
            "proposeReward",
            "                    U   N   N   F   +   F",
            lambda w: {
                "input": {"characterId": seated(w), "version": 1, "reward": {"dungeonteller": REWARD}}
            },
        ),
        Row("approveReward", "      U   N   N   F   F   +", waiting),
        Row("refuseReward", "       U   N   N   F   F   +", waiting),
        Row(
            "updateCharacter",
            "                    U   N   N   F   +   F",
            lambda w: {"input": {"id": w.hero, "version": version(w), "build": hero(name=w.words["hero"])}},
        ),
        Row("createCampaign", "     U   o   o   o   o   o", lambda w: {"input": {"name": "Own"}}),
        Row(
            "updateCampaign",
            "                    U   N   N   F   F   +",
            lambda w: {"input": {"id": w.campaign, "version": 1, "name": w.words["campaign"]}},
        ),
        Row(
            "deleteCampaign",
            "     U   N   N   F   F   +",
            lambda w: {"input": {"id": spare_table(w), "version": 1}},
        ),
        Row("createInvitation", "   U   N   N   F   F   +", lambda w: {"input": at()(w)}),
        Row(
            "withdrawInvitation",
            " U   N   N   F   F   +",
            lambda w: {"input": {**at()(w), "invitationId": spare_invitation(w)}},
        ),
        Row(
            "joinCampaign",
            "       U   N   N   N   N   N",
            lambda w: {"input": {"code": "AAAAAAAAAA"}},
            "by a wrong code",
        ),
        Row(
            "changeRole",
            "         U   N   N   F   F   +",
            lambda w: {"input": {**at()(w), "accountId": w.spectator.id, "role": "SPECTATOR"}},
        ),
        Row(
            "acceptGameMaster",
            "   U   N   N   F   +   N",
            lambda w: {"input": {"campaignId": vacant_table(w)}},
        ),
        Row(
            "declineGameMaster",
            "  U   N   N   F   +   N",
            lambda w: {"input": {"campaignId": vacant_table(w)}},
        ),
        Row(
            "acceptGameMaster",
            "   U   N   N   F   I   I",
            lambda w: {"input": at()(w)},
            "where there is a GM",
        ),
        Row(
            "declineGameMaster",
            "  U   N   N   F   I   I",
            lambda w: {"input": at()(w)},
            "where there is a GM",
        ),
        Row(
            "removeMember",
            "       U   N   N   F   F   +",
            lambda w: {"input": {**at()(w), "accountId": guest(w).id}},
        ),
        Row(
            "seatCharacter",
            "      U   N   N   F   +   N",
            lambda w: {"input": {**at()(w), "characterId": spare_hero(w.player)}},
            "of the player",
        ),
        Row(
            "unseatCharacter",
            "    U   N   N   F   +   +",
            lambda w: {"input": {**at()(w), "characterId": seated(w)}},
        ),
        Row(
            "writeNote", "          U   N   N   F   +   +", lambda w: {"input": {**at()(w), "text": "Hello"}}
        ),
        Row(
            "deleteNote",
            "         U   N   N   F   +   +",
            lambda w: {"input": {**at()(w), "seq": note(w.player, w.campaign, "Hello")}},
            "of the player",
        ),
        Row(
            "deleteNote",
            "         U   N   N   F   F   +",
            lambda w: {"input": {**at()(w), "seq": note(w.gm, w.campaign, "Hello")}},
            "of the GM",
        ),
        Row("setCampaignMetadata", "U   N   N   F   +   +", lambda w: bag(w, w.campaign)),
        Row("setSceneMetadata", "   U   N   N   F   +   +", lambda w: bag(w, w.scene)),
        Row("setCharacterMetadata", "U  N   N   F   +   +", lambda w: bag(w, w.hero)),
        Row("setRollMetadata", "    U   N   N   F   +   +", lambda w: bag(w, w.roll)),
        Row("setRollMetadata", "    U   N   N   N   +   N", lambda w: bag(w, w.own_roll), "of one's own"),
        Row(
            "setRollMetadata", "    U   N   N   N   N   +", lambda w: bag(w, w.secret_roll), "of a secret one"
        ),
        Row("setMapMetadata", "     U   N   N   F   +   +", lambda w: bag(w, w.map)),
        Row("setMapMetadata", "     U   N   N   N   N   +", lambda w: bag(w, w.prepared), "of a hidden one"),
        Row(
            "setMapMetadata",
            "                           U   N   N   F   +   +",
            lambda w: bag(w, w.dungeon, tokenKey=w.token),
            "of a token",
        ),
        Row("deleteScene", "        U   N   N   F   F   +", lambda w: {"input": {"id": fight(w)}}),
        Row(
            "startScene",
            "         U   N   N   F   F   +",
            lambda w: {
                "input": {
                    "system": "dungeonteller",
                    "setupName": "locked-door",
                    "characters": [w.hero],
                    **at()(w),
                }
            },
        ),
        Row(
            "performMove",
            "        U   N   N   F   +   +",
            lambda w: {"input": wanted(w.gm, w.scene, "Stance", w.hero, reflex="never")},
            "of the player's hero",
        ),
        Row(
            "performMove",
            "        U   N   N   F   F   +",
            lambda w: {"input": wanted(w.gm, w.scene, "Tell", "gm", text="Hush", secret=True)},
            "of the GM",
        ),
        Row(
            "playBot",
            "            U   N   N   F   +   +",
            lambda w: {"input": {"sceneId": fight(w), "expectedSeq": 0, "actor": w.hero}},
        ),
        Row(
            "undoMove",
            "           U   N   N   F   F   +",
            lambda w: {"input": {"sceneId": w.scene, "expectedSeq": seq_of(w.gm, w.scene)}},
        ),
        Row("generateMap", "        U   N   N   F   +   +", lambda w: wish(campaignId=w.campaign)),
        Row("generateMap", "        U   o   o   o   o   o", lambda w: wish(), "for oneself"),
        Row("generateMaps", "       U   N   N   F   +   +", lambda w: wishes(campaignId=w.campaign)),
        Row("generateMaps", "       U   o   o   o   o   o", lambda w: wishes(), "for oneself"),
        Row(
            "keepMap",
            "                    U   N   N   F   N   +",
            lambda w: {"input": {"batchId": w.batch, "number": 1, "campaignId": w.campaign}},
        ),
        Row(
            "keepMap",
            "            U   N   N   N   N   +",
            lambda w: {"input": {"batchId": w.batch, "number": 2}},
            "alone",
        ),
        *(
            Row("editMap", cells, on_the_dungeon(wanted), name)
            for name, (cells, wanted) in EDITS_BY_ROLE.items()
        ),
        Row(
            "editMap",
            "            U   N   N   F   F   +",
            lambda w: editing(w.map, dropRuin={}),
            "that lets it grow",
        ),
        Row(
            "editMap",
            "                    U   N   N   N   N   +",
            lambda w: editing(w.prepared, putMarker={"at": HERE}),
            "of a hidden map",
        ),
        Row("undoMapEdit", "        U   N   N   F   F   +", marked),
        Row("deleteMap", "          U   N   N   F   F   +", lambda w: {"input": {"id": spare_map(w)}}),
        Row(
            "deleteMap",
            "          U   N   N   F   +   +",
            lambda w: {"input": {"id": players_map(w)}},
            "of the player",
        ),
        Row(
            "deleteMap",
            "          U   N   N   N   N   +",
            lambda w: {"input": {"id": spare_map(w, "HIDDEN")}},
            "that is hidden",
        ),
        Row(
            "continueMapBatch",
            "           U   N   N   N   N   +",
            lambda w: {"input": {"batchId": broken_off(w)}},
        ),
        Row("deleteMapBatch", "     U   N   N   F   F   +", lambda w: {"input": {"id": spare_batch(w)}}),
        Row("startSimulation", "    U   N   N   F   F   +", lambda w: question(campaignId=w.campaign)),
        Row("startSimulation", "    U   o   o   o   o   o", lambda w: question(), "for oneself"),
        Row(
            "cancelSimulation",
            "   U   N   N   N   N   +",
            lambda w: {"input": {"id": w.simulation}},
        ),
        Row(
            "openSimulationRun",
            "  U   N   N   N   N   +",
            lambda w: {"input": {"id": w.simulation, "number": 0}},
        ),
        Row(
            "deleteSimulation",
            "   U   N   N   N   N   +",
            lambda w: {"input": {"id": spare_simulation(w)}},
        ),
        Row("cancelJob", "          U   N   N   F   F   +", lambda w: {"input": {"id": w.job}}),
        Row(
            "cancelJob",
            "          U   N   N   F   +   +",
            lambda w: {"input": {"id": queue_map(w.player, w.campaign)}},
            "of the player",
        ),
        # At the end: it takes the hero away.
        Row(
            "deleteCharacter",
            "    U   N   N   N   +   N",
            lambda w: {"input": {"id": spare_hero(w.player), "version": 1}},
            "at no table",
        ),
        Row(
            "deleteCharacter",
            "    U   N   N   F   +   N",
            lambda w: {"input": {"id": w.hero, "version": version(w)}},
        ),
    ],
    "subscription": [
        Row("rollRecorded", "       U   N   N   +   +   +", at()),
        Row("rollRecorded", "       U   N   N   N   N   +", at(secret=True), "of the secret rolls"),
        Row("campaignLog", "        U   N   N   +   +   +", at()),
        Row("sceneMoves", "         U   N   N   +   +   +", lambda w: {"sceneId": w.scene}),
        Row("simulationProgress", " U   N   N   N   N   +", lambda w: {"id": w.simulation}),
        Row("characterChanges", "   U   N   N   +   +   +", at()),
        Row("mapChanges", "         U   N   N   +   +   +", lambda w: {"id": w.dungeon}),
        Row("mapChanges", "         U   N   N   N   N   +", lambda w: {"id": w.prepared}, "of a hidden map"),
        Row("jobProgress", "        U   N   N   +   +   +", lambda w: {"id": w.job}),
    ],
}


def question(**more: Any) -> dict[str, Any]:
    """Return the variables that have a warrior before the locked door played."""
    asked = {
        "system": "dungeonteller",
        "scenes": [{"setupName": "locked-door"}],
        "cast": [{"id": "hero", "example": "warrior"}],
        "runs": 8,
    }
    return {"input": {**asked, **more}}


def version(world: World) -> int:
    """Give the present version of the hero; 1 when it is gone."""
    found = world.player.ask(QUERIES["character"], id=world.hero)["character"]
    return int(found["version"]) if found else 1


def spare_key(person: Person) -> str:
    """Make a key that may be revoked."""
    made = person.do(MUTATIONS["createApiKey"], input={"name": "Spare", "scopes": ["READ"]})
    return str(made["apiKey"]["id"])


def spare_hero(person: Person) -> str:
    """Make a hero at no table."""
    return create_hero(person, name="Spare")


def seated(world: World) -> str:
    """Bring one more hero of the player to the table."""
    made = spare_hero(world.player)
    world.player.do(MUTATIONS["seatCharacter"], input={"campaignId": world.campaign, "characterId": made})
    return made


def pictured(world: World) -> str:
    """Bring a hero of the player to the table whose portrait all there may see."""
    made = seated(world)
    path, headers = f"/v1/characters/{made}/portrait", {"content-type": "image/png"}
    assert world.player.send("PUT", path, content=png(), headers=headers).status_code == 200
    return made


_numbers = itertools.count(1)


def fresh(name: str) -> str:
    """Give a name that was not given before."""
    return name + "".join(chr(ord("a") + int(digit)) for digit in str(next(_numbers)))


def coin(place: dict[str, Any]) -> dict[str, Any]:
    """Ask for a die of a place's own."""
    return {"name": fresh("coin_"), "faces": [{"label": "Heads", "value": 1}], **place}


def spare_die(world: World) -> str:
    """Define a die that may be changed and forgotten."""
    return str(define_die(world.gm, fresh("coin_"), "Heads", campaign=world.campaign)["id"])


def shared_macro(world: World) -> str:
    """Save a roll of the player at the table, which may be changed and deleted."""
    return str(save_macro(world.player, fresh("Stab"), campaignId=world.campaign)["id"])


def settings_version(world: World) -> int:
    """Give the present version of the table's settings of dice."""
    found = world.gm.ask(QUERIES["diceSettings"], campaignId=world.campaign)["diceSettings"]
    return int(found["version"])


def hidden(world: World) -> str:
    """Make a secret roll that may be revealed."""
    return str(secret_roll(world.gm, world.campaign)["id"])


def fight(world: World) -> str:
    """Start a scene in which the hero has something to do."""
    return str(start_scene(world.gm, world.campaign, "orc-ambush", world.hero)["id"])


def spare_simulation(world: World) -> str:
    """Start a simulation that may be deleted."""
    return start_simulation(world.gm, campaignId=world.campaign)


def spare_table(world: World) -> str:
    """Found a campaign that may be deleted, with the same people at its table."""
    made = found_campaign(world.gm, "Spare")
    join(world.player, world.gm, made)
    join(world.spectator, world.gm, made, "SPECTATOR")
    return made


def vacant_table(world: World) -> str:
    """Found a campaign whose GM has deleted their account; the player and the spectator are at its table."""
    founder = world.product.sign_up("Founder")
    made = found_campaign(founder, "Vacant")
    join(world.player, founder, made)
    join(world.spectator, founder, made, "SPECTATOR")
    assert founder.send("DELETE", f"/v1/account?confirm={founder.id}").status_code == 200
    until(
        lambda: world.player.ask(OFFERED, id=made)["campaign"]["gameMasterOffer"], "the offer to run the game"
    )
    return made


def spare_invitation(world: World) -> str:
    """Write an invitation that may be taken back."""
    return str(invite(world.gm, world.campaign)["id"])


def guest(world: World) -> Person:
    """Bring somebody to the table who may be sent away."""
    return join(world.product.sign_up("Guest"), world.gm, world.campaign, "SPECTATOR")


def texts(value: Any) -> set[str]:
    """Give all texts in a JSON value."""
    match value:
        case str():
            return {value}
        case dict():
            return set().union(*map(texts, value.values()))
        case list():
            return set().union(*map(texts, value))
    return set()


def leaked(world: World, shown: str, named: set[str]) -> list[str]:
    """Give what an answer shows of the campaign that its request did not name."""
    return [secret for secret in world.secrets if secret in shown and not any(secret in one for one in named)]


def bare(value: Any) -> bool:
    """Tell whether a JSON value holds nothing but ids, kinds and emptiness."""
    match value:
        case dict():
            return all(name in ("id", "__typename", "pageInfo") or bare(item) for name, item in value.items())
        case list():
            return all(map(bare, value))
    return value is None


def told(world: World, role: str, shown: str, named: set[str]) -> list[str]:
    """Give what an answer shows to somebody who may not see it."""
    hidden = world.hidden_from(role)
    return [secret for secret in hidden if secret in shown and not any(secret in one for one in named)]


def letter(world: World, role: str, answer: dict[str, Any], variables: dict[str, Any]) -> str:
    """Read what an answer of the graph says into one letter; ``!`` for a leak beside a refusal."""
    shown, named = json.dumps(answer, ensure_ascii=False), texts(variables)
    leaks = leaked(world, shown, named)
    if secrets := told(world, role, shown, named):
        return f"!{secrets}"
    codes = [error["extensions"]["code"] for error in answer.get("errors") or ()]
    values = list((answer.get("data") or {}).values())
    match values:
        case [{"reload": dict(inner)}]:
            values = [inner]
    match codes, values:
        case ["UNAUTHENTICATED", *_], _:
            found = "U"
        case ["NOT_FOUND"], _:
            found = "N"
        case [_, *_], _:
            return f"?{codes}"
        case _, [{"code": "NOT_FOUND"}]:
            found = "N"
        case _, [{"code": "FORBIDDEN"}]:
            found = "F"
        case _, [{"code": "INVALID_INPUT", "issues": [{"code": code}]}] if code in NOT_THEIRS:
            found = "I"
        case _, [{"code": code}]:
            return f"?{code}"
        case _, [value] if bare(value) and not leaks:
            return "-"
        case _:
            return "+" if leaks else "o"
    return f"!{leaks}" if leaks else found


def cells(row: Row, ask: Callable[[Person, dict[str, Any]], dict[str, Any]], world: World) -> str:
    """Fill a row of the table: ask as each role in turn, and write down the letters."""
    found = []
    variables: dict[str, Any] | None = None
    for role, expected in zip(ROLES, row.cells.split(), strict=True):
        if variables is None:
            variables = row.variables(world)
        seen = letter(world, role, ask(getattr(world, role), variables), variables)
        # What was done need not show anything, as long as it was done.
        found.append("+" if expected == "+" and seen in "o-" and row.field in MUTATIONS else seen)
        if row.field in MUTATIONS and seen not in REFUSED:
            variables = None  # what was refused has left all as it was
    return " ".join(found)


def named(kind: str) -> Any:
    """Make a parametrisation by the rows of one kind."""
    return pytest.mark.parametrize("row", TABLE[kind], ids=lambda row: row.name)


def graph(documents: dict[str, str], row: Row) -> Callable[[Person, dict[str, Any]], dict[str, Any]]:
    """Make the function that runs a row's operation as somebody."""

    def ask(person: Person, variables: dict[str, Any]) -> dict[str, Any]:
        return person.answer(documents[row.field], **variables)

    return ask


@named("query")
def test_query_shows_each_role_its_own(world: World, row: Row) -> None:
    assert cells(row, graph(QUERIES, row), world) == " ".join(row.cells.split())


@named("subscription")
def test_subscription_tells_members_only(world: World, row: Row) -> None:
    def first(person: Person, variables: dict[str, Any]) -> dict[str, Any]:
        with listening(person, "sse", SUBSCRIPTIONS[row.field], **variables) as listener:
            return listener.answer() or {}

    assert cells(row, first, world) == " ".join(row.cells.split())


def test_invitation_codes_are_for_gms_alone(world: World) -> None:
    seen = {
        role: world.code in getattr(world, role).graph(QUERIES["campaign"], {"id": world.campaign}).text
        for role in ROLES
    }
    assert seen == {role: role == "gm" for role in ROLES}


# A secret roll, from when it is made to when everybody sees it


def unsigned(found: dict[str, Any]) -> dict[str, Any]:
    """Leave out of an epoch what is signed anew each time that it is shown."""
    head = json.loads(found["head"]["body"])
    return {**found, "head": {name: value for name, value in head.items() if name != "at"}}


def counted(person: Person, campaign: str) -> dict[str, Any]:
    """Read everything at a table in which a roll more would show, by list, count, number or sum."""
    found: dict[str, Any] = {"log": person.ask(LOG, id=campaign)["campaign"]}
    found["rolls"] = person.ask(QUERIES["rolls"], campaignId=campaign)["rolls"]
    found["statistics"] = person.ask(QUERIES["rollStatistics"], campaignId=campaign)["rollStatistics"]
    for secret in (False, True):
        place = {"campaignId": campaign, "secret": secret}
        found[f"receipts, {secret}"] = person.ask(QUERIES["rollReceipts"], **place)["rollReceipts"]
        epochs = person.ask(QUERIES["rollEpochs"], **place)["rollEpochs"]
        found[f"epochs, {secret}"] = [unsigned(epoch) for epoch in epochs["nodes"]]
        found[f"epoch, {secret}"] = unsigned(person.ask(QUERIES["rollEpoch"], **place)["rollEpoch"])
        path = f"/v1/campaigns/{campaign}/receipts?secret={str(secret).lower()}"
        *lines, _head = person.get(path).text.splitlines()
        found[f"export, {secret}"] = lines
    path = f"/v1/campaigns/{campaign}/dice-statistics"
    found["statistics over REST"] = person.get(path).json()
    found["rolls over REST"] = person.get(f"/v1/rolls?campaign={campaign}").json()
    return found


def logged(person: Person, campaign: str, roll_id: str) -> list[dict[str, Any]]:
    """Wait until the log has heard of a roll; give the newest entries."""

    def look() -> list[dict[str, Any]] | None:
        entries: list[dict[str, Any]] = person.ask(LOG, id=campaign)["campaign"]["log"]["nodes"]
        return entries if roll_id in {entry["subject"] for entry in entries} else None

    return until(look, f"the log to tell of {roll_id}")


def test_secret_roll_shows_in_no_count_until_it_is_revealed(world: World) -> None:
    gm = world.gm
    player = join(world.product.sign_up("Pia"), gm, world.campaign)
    spectator = join(world.product.sign_up("Sven"), gm, world.campaign, "SPECTATOR")
    before = [counted(person, world.campaign) for person in (player, spectator)]
    first = roll(gm, "d4", campaignId=world.campaign)
    logged(gm, world.campaign, first["id"])
    opened = [counted(person, world.campaign) for person in (player, spectator)]
    assert opened != before
    many = [{"expression": "3d6", "secret": True, "campaignId": world.campaign}] * 2
    made = gm.do(MUTATIONS["rollMany"], input={"rolls": many})["rolls"]
    made.append(secret_roll(gm, world.campaign, "3d6"))
    assert all(one["secret"] for one in made)
    assert [counted(person, world.campaign) for person in (player, spectator)] == opened
    after = roll(player, "d4", campaignId=world.campaign)
    assert after["seq"] == first["seq"] + 1
    # What is told of rolls arrives in order: had the log heard of the secret ones, it would be by now.
    log = logged(player, world.campaign, after["id"])
    ids = [one["id"] for one in made]
    assert [one for one in ids if one in json.dumps(log)] == []
    assert log[0]["seq"] == opened[0]["log"]["log"]["nodes"][0]["seq"] + 1
    for person in (player, spectator, world.outsider, world.other_gm):
        for one in ids:
            assert person.ask(QUERIES["roll"], id=one) == {"roll": None}
            assert person.ask(QUERIES["verifyRoll"], id=one) == {"verifyRoll": None}
            assert person.get(f"/v1/rolls/{one}").status_code == 404
    mine = gm.ask(QUERIES["rolls"], campaignId=world.campaign, first=50)["rolls"]["nodes"]
    assert set(ids) <= {one["id"] for one in mine}
    assert gm.ask(QUERIES["verifyRoll"], id=ids[0])["verifyRoll"]["ok"]


def test_members_hear_of_a_secret_roll_when_it_is_revealed(world: World) -> None:
    gm, document, at_table = world.gm, SUBSCRIPTIONS["rollRecorded"], {"campaignId": world.campaign}
    before = roll(gm, "d4", **at_table)
    with (
        listening(world.player, "sse", document, after=before["cursor"], **at_table) as table,
        listening(gm, "sse", document, secret=True, **at_table) as behind_the_screen,
    ):
        made = secret_roll(gm, world.campaign, "2d8", label="Behind the screen")
        after = roll(gm, "d4", **at_table)
        assert table.next()["id"] == after["id"]
        while behind_the_screen.next()["id"] != made["id"]:
            pass
        shown = gm.do(MUTATIONS["revealRoll"], input={"id": made["id"]})["roll"]
        assert table.next() == shown
    assert (shown["secret"], shown["seq"], shown["total"]) == (False, before["seq"] + 2, made["total"])
    assert shown["revealedAt"]
    for person in (world.player, world.spectator):
        assert person.ask(QUERIES["roll"], id=made["id"])["roll"]["verification"]["ok"]
        assert person.get(f"/v1/rolls/{made['id']}").json()["label"] == "Behind the screen"
        receipts = person.ask(QUERIES["rollReceipts"], secret=True, first=50, **at_table)["rollReceipts"]
        assert [one["hidden"] for one in receipts["nodes"]].count(False) >= 1
        assert made["id"] in receipts["nodes"][-1]["body"]
        assert not told(world, "player", json.dumps(receipts), set())
    assert world.outsider.ask(QUERIES["roll"], id=made["id"]) == {"roll": None}
    # Again is the same as once.
    assert gm.do(MUTATIONS["revealRoll"], input={"id": made["id"]})["roll"] == shown


LOG = "query ($id: ID!) { campaign(id: $id) { log(first: 30, newestFirst: true) { nodes { seq kind text subject } } } }"


# Straight at the services


@dataclass(frozen=True)
class Entity:
    """One row of ``ENTITIES``.

    Attributes:
        service: which is asked.
        kind: of the entity.
        cells: what each role is answered.
        id: of the entity.
        fields: that are asked for.
    """

    service: ServiceName
    kind: str
    cells: str
    id: Callable[[World], str]
    fields: str


ENTITIES = [
    #                                anon out other spec player gm
    Entity(
        "account",
        "Account",
        "   -   o   o   o   o   o",
        lambda w: w.player.id,
        "id name version keys { nodes { id } }",
    ),
    Entity(
        "campaign",
        "Campaign",
        "                             -   -   -   +   +   +",
        lambda w: w.campaign,
        "id name description myRole members { account { id } } invitations { code } log { nodes { text } } "
        "metadata { data }",
    ),
    Entity(
        "campaign",
        "Simulation",
        "                             -   -   -   -   -   +",
        lambda w: w.simulation,
        "id state campaign { id } report { runs }",
    ),
    Entity(
        "campaign",
        "Scene",
        "                             -   -   -   +   +   +",
        lambda w: w.scene,
        "id title card { title } state { json } moves { nodes { text events { json } } } metadata { data }",
    ),
    Entity(
        "dice",
        "Roll",
        "         -   -   -   +   +   +",
        lambda w: w.roll,
        "id text label total metadata { data }",
    ),
    Entity("dice", "Roll", "         -   -   -   -   +   -", lambda w: w.own_roll, "id text label total"),
    Entity("dice", "Roll", "         -   -   -   -   -   +", lambda w: w.secret_roll, "id text label total"),
    Entity(
        "dice",
        "Campaign",
        "     U   -   -   +   +   +",
        lambda w: w.campaign,
        "id rolls { nodes { id label } }",
    ),
    Entity(
        "dice", "Character", "    U   -   -   +   +   +", lambda w: w.hero, "id rolls { nodes { id label } }"
    ),
    Entity(
        "character",
        "Character",
        "                             -   -   -   +   +   +",
        lambda w: w.hero,
        "id name version owner { id } sheet { name json sections { key } summary { name } } "
        "choices { __typename }",
    ),
    Entity(
        "character",
        "Character",
        "                             -   -   -   +   +   +",
        lambda w: w.smith,
        "id packs { packId name version } history { nodes { name changes { before after } } } choices { json }",
    ),
    Entity(
        "map",
        "Map",
        "           -   -   -   +   +   +",
        lambda w: w.map,
        "id name seed files { url } realm { title }",
    ),
    Entity(
        "map",
        "Map",
        "           -   -   -   +   +   +",
        lambda w: w.dungeon,
        "id name seed whole grid { rooms { name notes } traps { note } } play { tokens { name } notes { text } }",
    ),
    Entity(
        "map",
        "Map",
        "           -   -   -   -   -   +",
        lambda w: w.prepared,
        "id name seed play { extent { cells } }",
    ),
    Entity(
        "map",
        "Campaign",
        "      -   -   -   +   +   +",
        lambda w: w.campaign,
        "id maps { nodes { id name } }",
    ),
]
REPRESENTATIONS = "query ($r: [_Any!]!) { _entities(representations: $r) { ... on %s { %s } } }"


def inside(
    house: House, service: ServiceName, headers: dict[str, str], query: str, variables: Any
) -> httpx.Response:
    """Ask a service itself."""
    return house.http.post(
        f"{house.inside(service)}/graphql", json={"query": query, "variables": variables}, headers=headers
    )


@pytest.mark.parametrize(
    "entity", ENTITIES, ids=lambda entity: f"{entity.kind} of {entity.service}, {entity.fields[:20]}"
)
def test_entities_are_checked_again_where_they_are_resolved(world: World, entity: Entity) -> None:
    found = []
    for role in ROLES:
        variables = {"r": [{"__typename": entity.kind, "id": entity.id(world)}]}
        token = world.product.token(entity.service, getattr(world, role).viewer)
        query = REPRESENTATIONS % (entity.kind, entity.fields)
        answer = inside(world.product, entity.service, token, query, variables)
        assert answer.status_code == 200, answer.text
        found.append(letter(world, role, answer.json(), variables))
    assert " ".join(found) == " ".join(entity.cells.split())


def test_table_holds_every_entity(world: World) -> None:
    services: tuple[ServiceName, ...] = ("account", "campaign", "dice", "character", "map")
    resolvable = set()
    for service in services:
        token = world.product.token(service, world.gm.viewer)
        for kind in ("Account", "Campaign", "Scene", "Simulation", "Roll", "Character", "Map", "ContentPack"):
            query = REPRESENTATIONS % (kind, "id")
            answer = inside(
                world.product, service, token, query, {"r": [{"__typename": kind, "id": "x"}]}
            ).json()
            if "errors" not in answer:
                resolvable.add((service, kind))
    assert resolvable == {(entity.service, entity.kind) for entity in ENTITIES}


def forged(world: World, service: ServiceName) -> dict[str, str]:
    """Give tokens that must open nothing, by what is wrong with them."""
    keys = world.product.private_keys
    viewer = world.gm.viewer
    other: ServiceName = "dice" if service != "dice" else "map"
    gateway = world.product.signer("gateway")
    good = jwt.decode(gateway.sign(service, viewer), options={"verify_signature": False})
    claims = {
        "expired": {**good, "iat": good["iat"] - 120, "exp": good["exp"] - 120},
        "lives too long": {**good, "exp": good["exp"] + 3600},
        "has no audience": {name: value for name, value in good.items() if name != "aud"},
        "never ends": {name: value for name, value in good.items() if name != "exp"},
    }
    return {
        "is empty": "",
        "is nonsense": "nonsense",
        "is for another service": gateway.sign(other, viewer),
        "is signed with a key that nobody has": Signer("gateway", new_private_key(), {}).sign(
            service, viewer
        ),
        "is another service's, in its own name": world.product.signer(other).sign(service, viewer),
        "is another service's, in the gateway's name": Signer("gateway", keys[other], {}).sign(
            service, viewer
        ),
        "is meant for a call between services": gateway.sign(service, viewer, service=True),
        "is not signed": jwt.encode(good, None, algorithm="none"),
        **{
            name: jwt.encode(content, read_private_key(keys["gateway"]), algorithm="EdDSA")
            for name, content in claims.items()
        },
    }


@pytest.mark.parametrize("service", ["account", "campaign", "dice", "character", "map"])
def test_service_refuses_calls_that_the_gateway_did_not_sign(world: World, service: ServiceName) -> None:
    query = "{ __typename }"
    assert (
        inside(world.product, service, world.product.token(service, world.gm.viewer), query, {}).status_code
        == 200
    )
    refused: dict[str, tuple[int, str]] = {}
    for name, token in {"is missing": None, **forged(world, service)}.items():
        headers = {} if token is None else {TOKEN_HEADER: token}
        # A client's own key is no token either.
        answer = inside(world.product, service, {**headers, **world.gm.headers}, query, {})
        refused[name] = (answer.status_code, answer.json()["errors"][0]["extensions"]["code"])
    assert refused == dict.fromkeys(refused, (401, "UNSIGNED"))


CALLERS = {
    "account": ("gateway", "dice"),
    "campaign": ("dice", "gateway"),
    "character": ("campaign", "gateway"),
    "map": ("campaign", "character"),
    "dice": ("campaign", "map"),
}
"""Who may call each service's internal paths, and who may not."""


@pytest.mark.parametrize(
    ("service", "method", "path"),
    [
        ("account", "GET", "/internal/principal"),
        ("campaign", "GET", "/internal/access/{gm}"),
        ("character", "GET", "/internal/characters/{hero}"),
        ("character", "GET", "/internal/characters/{hero}/sheet"),
        ("character", "GET", "/internal/characters/{hero}/variables"),
        ("character", "GET", "/internal/portraits?characters={hero}"),
        ("map", "GET", "/internal/maps/{map}/files/map.svg"),
        ("map", "GET", "/internal/maps/{dungeon}/site"),
        ("map", "GET", "/internal/maps/{dungeon}/outputs/uvtt-lines"),
        ("map", "GET", "/internal/batches/{batch}/maps.ndjson"),
        ("dice", "POST", "/internal/scenes/{scene}/draws"),
    ],
)
def test_internal_paths_are_for_services_alone(
    world: World, service: ServiceName, method: str, path: str
) -> None:
    address = world.product.inside(service) + path.format(
        gm=world.gm.id,
        hero=world.hero,
        map=world.map,
        dungeon=world.dungeon,
        batch=world.batch,
        scene=new_id("scn"),
    )
    # Dice for a scene that nobody has: whoever asks in a service's name is believed.
    dice = [{"expression": "2d6", "label": "Battle", "character": None, "secret": False}]
    asked = {"campaign": world.campaign, "key": "1", "entropy": None, "rolls": dice}
    content: dict[str, Any] = {"json": asked} if method == "POST" else {}
    friend, stranger = CALLERS[service]
    ours, theirs = world.product.signer(friend), world.product.signer(stranger)
    of_service = {TOKEN_HEADER: ours.sign(service, world.gm.viewer, service=True)}
    other: ServiceName = "dice" if service != "dice" else "map"

    def sent(headers: dict[str, str]) -> httpx.Response:
        return world.product.http.request(method, address, headers={**world.gm.headers, **headers}, **content)

    assert sent(of_service).status_code == 200
    for token in (
        "",
        ours.sign(service, world.gm.viewer),
        ours.sign(other, world.gm.viewer, service=True),
        theirs.sign(service, world.gm.viewer, service=True),
        Signer(friend, world.product.private_keys[stranger], {}).sign(service, world.gm.viewer, service=True),
    ):
        answer = sent({TOKEN_HEADER: token})
        assert (answer.status_code, answer.json()["code"]) == (401, "UNSIGNED")


# The REST face


@dataclass(frozen=True)
class Rest:
    """One row of ``REST``.

    Attributes:
        method: of HTTP.
        path: with names of the world's attributes in braces, and of ``MADE``.
        cells: what each role is answered.
        body: JSON, or the bytes of a picture, where there is one.
    """

    method: str
    path: str
    cells: str
    body: Callable[[World], dict[str, Any] | bytes] | None = None


PAINTED = (
    "map.png?style=flat&px=8",
    "map.webp?style=flat&px=8",
    "thumbnail.webp?size=64",
    "tiles/0/0/0.png?px=8",
)
JOURNAL = EXPORTS["exportMapFoundryJournal"]
FILES = ("map.svg?px=8", "map.uvtt?px=8", *sorted(set(EXPORTS.values()) - {JOURNAL}), *PAINTED)
REST = [
    #                                                  anon out other spec player gm
    Rest("GET", "/v1/me", "                            U   o   o   o   o   o"),
    Rest("GET", "/v1/keys", "                          U   o   o   o   o   o"),
    Rest("GET", "/v1/account/export", "                U   *   *   *   *   *"),
    Rest("GET", "/v1/simulations/{simulation}", "      U   N   N   N   N   +"),
    Rest("GET", "/v1/simulations/{simulation}/report.csv", "U   N   N   N   N   *"),
    Rest("GET", "/v1/simulations/{simulation}/report.svg", "U   N   N   N   N   *"),
    Rest("GET", "/v1/simulations?campaign={campaign}", "U   N   N   N   N   +"),
    Rest("POST", "/v1/simulations/{simulation}/runs/0/scene", "U N N N N +", lambda w: {"moves": 1}),
    Rest("POST", "/v1/simulations/{simulation}/cancel", "U   N   N   N   N   +"),
    Rest("DELETE", "/v1/simulations/{spare_simulation}", "U   N   N   N   N   +"),
    Rest("GET", "/v1/systems", "                       U   o   o   o   o   o"),
    Rest("GET", "/v1/campaigns", "                     U   -   o   +   +   +"),
    Rest("GET", "/v1/campaigns/{campaign}", "          U   N   N   +   +   +"),
    Rest("GET", "/v1/campaigns/{campaign}/log", "      U   N   N   +   +   +"),
    Rest("GET", "/v1/campaigns/{campaign}/party", "    U   N   N   +   +   +"),
    Rest("GET", "/v1/characters/updates?campaign={campaign}", "U N   N   +   +   +"),
    Rest("GET", "/v1/maps/updates?campaign={campaign}", "U   N   N   +   +   +"),
    Rest("GET", "/v1/campaigns/updates", "             U   o   o   +   +   +"),
    Rest("GET", "/v1/rolls/updates?campaign={campaign}", "U  N   N   +   +   +"),
    # No game keeps anything of it.
    Rest("GET", "/v1/campaigns/{campaign}/chronicle?system=fortunate_blades", "U N N N N N"),
    Rest("GET", "/v1/campaigns/{campaign}/chronicle.md?system=fortunate_blades", "U N N N N N"),
    Rest("GET", "/v1/characters", "                    U   -   o   -   +   -"),
    Rest("GET", "/v1/characters/{hero}", "             U   N   N   +   +   +"),
    Rest("GET", "/v1/characters/{hero}/sheet", "       U   N   N   +   +   +"),
    Rest("GET", "/v1/characters/{pictured}/portrait?size=64", "U N N   o   o   o"),
    Rest("GET", "/v1/characters/{hero}/sheet/sections", "U  N   N   +   +   +"),
    Rest("GET", "/v1/characters/{hero}/summary", "     U   N   N   +   +   +"),
    Rest("GET", "/v1/characters/{smith}", "            U   N   N   +   +   +"),
    Rest("GET", "/v1/characters/{smith}/sheet", "      U   N   N   +   +   +"),
    Rest("GET", "/v1/characters/{smith}/card", "       U   N   N   +   +   +"),
    Rest("GET", "/v1/characters/{smith}/choices", "    U   N   N   +   +   +"),
    Rest("GET", "/v1/characters/{smith}/rewards", "    U   N   N   o   o   o"),
    Rest("GET", "/v1/characters/{smith}/history", "    U   N   N   N   +   +"),
    Rest("GET", "/v1/characters/{smith}/tracks", "     U   N   N   o   o   o"),
    Rest("GET", "/v1/systems/forge_engine", "          U   o   o   o   o   o"),
    Rest("GET", "/v1/systems/forge_engine/content", "  U   o   o   o   o   o"),
    Rest("GET", "/v1/systems/forge_engine/content/damage", "U o o   o   o   o"),
    Rest("GET", "/v1/systems/forge_engine/content/damage?first=50&pack={pack}", "U I I + + +"),
    Rest("GET", "/v1/systems/forge_engine/content/damage?first=50&pack={own_pack}", "U I I I + I"),
    Rest("GET", "/v1/systems/forge_engine/content/damage/fire", "U o o o o o"),
    # Packs are named to the list, not to an entry.
    Rest("GET", "/v1/systems/forge_engine/content/damage/gravitic", "U N N N N N"),
    Rest("GET", "/v1/systems/forge_engine/tools", "    U   o   o   o   o   o"),
    Rest("GET", "/v1/content-packs", "                 U   -   -   -   +   +"),
    Rest("GET", "/v1/content-packs?campaign={campaign}", "U N N   +   +   +"),
    Rest("GET", "/v1/content-packs/{pack}", "          U   N   N   +   +   +"),
    Rest("GET", "/v1/content-packs/{own_pack}", "      U   N   N   N   +   N"),
    Rest("GET", "/v1/rolls", "                         U   -   -   +   +   +"),
    Rest("GET", "/v1/rolls?campaign={campaign}", "     U   -   -   +   +   +"),
    Rest("GET", "/v1/rolls?character={hero}", "        U   -   -   +   +   +"),
    Rest("GET", "/v1/rolls/{roll}", "                  U   N   N   +   +   +"),
    Rest("GET", "/v1/rolls/{own_roll}", "              U   N   N   N   +   N"),
    Rest("GET", "/v1/rolls/{secret_roll}", "           U   N   N   N   N   +"),
    Rest("GET", "/v1/rolls?account={player.id}", "     U   -   -   +   +   +"),
    Rest("GET", "/v1/rolls?since=2020-01-01T00:00:00Z", "U -  -   +   +   +"),
    Rest("GET", "/v1/campaigns/{campaign}/receipts", " U   N   N   +   +   +"),
    Rest("GET", "/v1/campaigns/{campaign}/receipts?secret=true", "U N N + + +"),
    Rest("GET", "/v1/campaigns/{campaign}/receipts?epoch={secret_epoch}", "U N N N N N"),
    Rest("GET", "/v1/rolls/receipts", "                U   o   o   o   +   o"),
    Rest("GET", "/v1/rolls/receipts?epoch={epoch}", "  U   N   N   N   N   N"),
    Rest("GET", f"/v1/odds?expression=2d{DIE}&campaign={{campaign}}", "U N N o o o"),
    Rest("GET", f"/v1/odds.svg?expression=2d{DIE}&campaign={{campaign}}", "U N N o o o"),
    Rest("GET", f"/v1/odds.svg?expression=2d{DIE}&expression=d6&campaign={{campaign}}", "U N N o o o"),
    Rest("GET", "/v1/campaigns/{campaign}/metadata", " U   N   N   +   +   +"),
    Rest("GET", "/v1/campaigns/{campaign}/metadata?namespace=com.example.none", "U N N - - -"),
    Rest("GET", "/v1/scenes/{scene}/metadata", "       U   N   N   +   +   +"),
    Rest("GET", "/v1/characters/{hero}/metadata", "    U   N   N   +   +   +"),
    Rest("GET", "/v1/rolls/{roll}/metadata", "         U   N   N   +   +   +"),
    Rest("GET", "/v1/rolls/{secret_roll}/metadata", "  U   N   N   N   N   +"),
    Rest("GET", "/v1/maps/{map}/metadata", "           U   N   N   +   +   +"),
    Rest("GET", "/v1/maps/{prepared}/metadata", "      U   N   N   N   N   -"),
    Rest("GET", "/v1/maps/{dungeon}/token-metadata", " U   N   N   +   +   +"),
    *(
        Rest("PUT", f"/v1/{path}/metadata/com.example.notes", cells, lambda w: {"data": {"round": 3}})
        for path, cells in (
            ("campaigns/{campaign}", "U N N F + +"),
            ("scenes/{scene}", "U N N F + +"),
            ("characters/{hero}", "U N N F + +"),
            ("rolls/{roll}", "U N N F + +"),
            ("rolls/{secret_roll}", "U N N N N +"),
            ("maps/{map}", "U N N F + +"),
            ("maps/{prepared}", "U N N N N +"),
        )
    ),
    Rest("GET", "/v1/mechanics", "                     U   o   o   o   o   o"),
    Rest("GET", "/v1/dice/keys", "                     o   o   o   o   o   o"),
    Rest("GET", "/v1/dice?campaign={campaign}", "      U   N   N   +   +   +"),
    Rest("GET", "/v1/dice", "                          U   -   -   -   -   -"),
    Rest("GET", "/v1/dice/settings", "                 U   o   o   o   o   o"),
    Rest("GET", "/v1/dice/settings?campaign={campaign}", "U N N   o   o   o"),
    Rest("GET", "/v1/macros", "                        U   -   -   -   +   -"),
    Rest("GET", "/v1/macros?campaign={campaign}", "    U   N   N   +   +   +"),
    Rest("GET", "/v1/macros/{macro}", "                U   N   N   +   +   +"),
    Rest("GET", "/v1/macros/{own_macro}", "            U   N   N   N   +   N"),
    Rest("GET", "/v1/rolls/statistics", "              U   o   o   o   o   o"),
    Rest("GET", "/v1/rolls/statistics.svg", "          U   o   o   o   o   o"),
    Rest("GET", "/v1/campaigns/{campaign}/dice-statistics", "U N N + + +"),
    Rest("GET", f"/v1/campaigns/{{campaign}}/dice-statistics.svg?die=d{DIE}", "U N N + + +"),
    Rest("GET", "/v1/campaigns/{campaign}/scenes", "   U   N   N   +   +   +"),
    Rest("GET", "/v1/scenes/{scene}", "                U   N   N   +   +   +"),
    Rest("GET", "/v1/scenes/{scene}?actor={hero}", "   U   N   N   +   +   +"),
    Rest("GET", "/v1/scenes/{scene}/board.svg", "      U   N   N   +   +   +"),
    Rest("GET", "/v1/scenes/{scene}/moves", "          U   N   N   +   +   +"),
    Rest("GET", "/v1/rolls/{scene_roll}", "            U   N   N   N   N   +"),
    Rest("GET", "/v1/maps", "                          U   -   -   -   -   -"),
    Rest("GET", "/v1/maps?campaign={campaign}", "      U   N   N   +   +   +"),
    Rest("GET", "/v1/maps/{map}", "                    U   N   N   +   +   +"),
    Rest("GET", "/v1/maps/{dungeon}", "                U   N   N   +   +   +"),
    Rest("GET", "/v1/maps/{prepared}", "               U   N   N   N   N   +"),
    Rest("GET", "/v1/maps/{map}/map.svg", "            U   N   N   +   +   +"),
    Rest("GET", "/v1/maps/{map}/map.json", "           U   N   N   +   +   +"),
    Rest("GET", "/v1/maps/{dungeon}/play", "           U   N   N   +   +   +"),
    Rest("GET", "/v1/maps/{prepared}/play", "          U   N   N   N   N   o"),
    Rest("GET", "/v1/maps/kinds", "                    U   o   o   o   o   o"),
    # Every file that a map is given out as; pictures hold no words to be found in them.
    *(
        Rest("GET", f"/v1/maps/{{{which}}}/{file}", cells)
        for file in FILES
        for which, cells in (("dungeon", "U N N * * *"), ("prepared", "U N N N N *"))
    ),
    # Made of the GM's notes: for players there are none.
    Rest("GET", f"/v1/maps/{{dungeon}}/{JOURNAL}", "    U   N   N ?422 ?422 +"),
    Rest("GET", f"/v1/maps/{{prepared}}/{JOURNAL}", "   U   N   N   N   N   +"),
    Rest("GET", "/v1/batches/{batch}", "               U   N   N   N   N   +"),
    Rest("GET", "/v1/batches/{batch}/maps.zip", "      U   N   N   N   N   *"),
    Rest("GET", "/v1/batches/{batch}/maps.ndjson", "   U   N   N   N   N   +"),
    Rest("GET", "/v1/batches/{batch}/maps", "          U   N   N   N   N   +"),
    Rest("GET", "/v1/batches/{batch}/maps/1/map.json", "U  N   N   N   N   +"),
    Rest("GET", "/v1/jobs", "                          U   -   -   -   -   +"),
    Rest("GET", "/v1/jobs/{job}", "                    U   N   N   +   +   +"),
    Rest(
        "POST",
        "/v1/rolls",
        "                        U   N   N   F   +   +",
        lambda w: {"expression": "d6", "campaignId": w.campaign},
    ),
    Rest(
        "POST",
        "/v1/rolls",
        "                        U   N   N   F   F   +",
        lambda w: {"expression": "d6", "campaignId": w.campaign, "secret": True},
    ),
    Rest(
        "POST",
        "/v1/rolls/batch",
        "                        U   N   N   F   +   +",
        lambda w: {"rolls": [{"expression": "d6"}, {"expression": "d6", "campaignId": w.campaign}]},
    ),
    Rest("POST", "/v1/rolls/{hidden}/reveal", "        U   N   N   N   N   +"),
    Rest(
        "POST",
        "/v1/macros",
        "                        U   N   N   F   +   +",
        lambda w: {"name": fresh("Blow"), "expression": "d6", "campaignId": w.campaign},
    ),
    Rest(
        "PATCH",
        "/v1/macros/{shared_macro}",
        "                        U   N   N   F   +   +",
        lambda w: {"version": 1, "expression": "d8"},
    ),
    Rest("DELETE", "/v1/macros/{shared_macro}?version=1", "U N N  F   +   +"),
    Rest(
        "POST",
        "/v1/dice",
        "                        U   N   N   F   F   +",
        lambda w: coin({"campaignId": w.campaign}),
    ),
    Rest(
        "PUT",
        "/v1/dice/{spare_die}",
        "                        U   N   N   F   F   +",
        lambda w: {"version": 1, "faces": [{"label": "Heads", "value": 2}]},
    ),
    Rest("DELETE", "/v1/dice/{spare_die}?version=1", " U   N   N   F   F   +"),
    Rest(
        "PUT",
        "/v1/dice/settings",
        "                        U   N   N   F   F   +",
        lambda w: {"dialect": "HEARTHFORGE", "version": settings_version(w), "campaignId": w.campaign},
    ),
    Rest("POST", "/v1/systems/forge_engine/tools/reload", "    U   o   o   o   o   o", lambda w: RELOAD),
    Rest(
        "POST",
        "/v1/characters/draft",
        "                        U   I   I   I   +   I",
        lambda w: {"build": {"forgeEngine": {"name": "Wayland"}}, "packs": [w.own_pack]},
    ),
    Rest(
        "POST",
        "/v1/characters/random",
        "                        U   I   I   I   +   I",
        lambda w: {"system": "forge_engine", "packs": [w.own_pack]},
    ),
    Rest(
        "POST",
        "/v1/characters",
        "                        U   I   I   +   +   +",
        lambda w: {"build": smith(), "packs": [w.pack]},
    ),
    Rest(
        "PUT",
        "/v1/characters/{seated}",
        "                        U   N   N   F   +   F",
        lambda w: {"version": 1, "build": hero()},
    ),
    Rest("DELETE", "/v1/characters/{seated}?version=1", "U  N   N   F   +   F"),
    Rest("PUT", "/v1/characters/{seated}/portrait", "      U   N   N   F   +   F", lambda w: png()),
    Rest("DELETE", "/v1/characters/{pictured}/portrait", " U   N   N   F   +   F"),
    Rest("POST", "/v1/characters/{renamed}/undo", "    U   N   N   F   +   +", lambda w: {"version": 2}),
    Rest(
        "POST",
        "/v1/characters/{seated}/tracks",
        "                        U   N   N   F   +   +",
        lambda w: {"version": 1, **LESS_LUCK},
    ),
    Rest(
        "POST",
        "/v1/characters/{seated}/rests",
        "                        U   N   N   F   +   +",
        lambda w: {"version": 1, "rest": "rest"},
    ),
    Rest(
        "POST",
        "/v1/characters/{seated}/rewards",
        "                        U   N   N   F   +   F",
        lambda w: {"version": 1, "reward": {"dungeonteller": REWARD}},
    ),
    *(
        Rest("POST", f"/v1/characters/{{waiting}}/rewards/0/{verb}", "U N N F F +", lambda w: {"version": 2})
        for verb in ("approve", "refuse")
    ),
    Rest("POST", "/v1/content-packs/check", "          U   o   o   o   o   o", lambda w: {"pack": holding()}),
    Rest(
        "POST",
        "/v1/content-packs",
        "                        U   N   N   F   F   +",
        lambda w: {"name": "Stars", "pack": holding(), "campaignId": w.campaign},
    ),
    Rest(
        "PATCH",
        "/v1/content-packs/{spare_pack}",
        "                        U   N   N   F   F   +",
        lambda w: {"version": 1, "name": "Moons"},
    ),
    Rest("DELETE", "/v1/content-packs/{spare_pack}?version=1", "U N N F F +"),
    Rest("DELETE", "/v1/content-packs/{players_pack}?version=1", "U N N N + N"),
    Rest(
        "POST",
        "/v1/campaigns/{campaign}/notes",
        "   U   N   N   F   +   +",
        lambda w: {"text": w.words["note"]},
    ),
    Rest("DELETE", "/v1/campaigns/{campaign}/log/{players_note}", "U N N F + +"),
    Rest("DELETE", "/v1/campaigns/{spare_table}?version=1", "U N N F F +"),
    Rest("POST", "/v1/campaigns/{vacant_table}/game-master", "U N N F + N"),
    Rest("DELETE", "/v1/campaigns/{vacant_table}/game-master", "U N N F + N"),
    Rest("DELETE", "/v1/scenes/{fight}", "             U   N   N   F   F   +"),
    Rest(
        "POST",
        "/v1/campaigns/{campaign}/characters",
        "U N   N   F   +   N",
        lambda w: {"characterId": w.hero},
    ),
    Rest("POST", "/v1/campaigns/{campaign}/invitations", "U N  N   F   F   +", lambda w: {"role": "PLAYER"}),
    Rest(
        "POST",
        "/v1/campaigns/{campaign}/scenes",
        "                        U   N   N   F   F   +",
        lambda w: {"system": "dungeonteller", "setup": "locked-door", "characters": [w.hero]},
    ),
    Rest(
        "POST",
        "/v1/scenes/{scene}/moves",
        "                        U   N   N   F   +   +",
        lambda w: moving(w, "Stance", w.hero, reflex="never"),
    ),
    Rest(
        "POST",
        "/v1/scenes/{scene}/moves",
        "                        U   N   N   F   F   +",
        lambda w: moving(w, "Tell", "gm", text="Hush", secret=True),
    ),
    Rest(
        "POST",
        "/v1/scenes/{fight}/bot",
        "                        U   N   N   F   +   +",
        lambda w: {"expectedSeq": 0, "actor": w.hero, "bot": "steady"},
    ),
    Rest(
        "POST",
        "/v1/scenes/{scene}/undo",
        "                        U   N   N   F   F   +",
        lambda w: {"expectedSeq": seq_of(w.gm, w.scene)},
    ),
    Rest(
        "POST",
        "/v1/maps",
        "                         U   N   N   F   +   +",
        lambda w: {"campaignId": w.campaign, "forgebornRealm": {}},
    ),
    Rest(
        "POST",
        "/v1/maps/{dungeon}/edits",
        "                         U   N   N   I   +   +",
        lambda w: {"edit": {"putMarker": {"at": HERE}}},
    ),
    Rest(
        "POST",
        "/v1/maps/{prepared}/edits",
        "                         U   N   N   N   N   +",
        lambda w: {"edit": {"putMarker": {"at": HERE}}},
    ),
    Rest("POST", "/v1/maps/{marked}/undo", "           U   N   N   F   F   +", lambda w: {}),
    Rest("POST", "/v1/maps/import?campaign={campaign}", "U N   N   F   +   +", lambda w: json.loads(CELLAR)),
    Rest("POST", "/v1/maps/import", "                  U   o   o   o   o   o", lambda w: json.loads(CELLAR)),
    Rest(
        "POST",
        "/v1/batches",
        "                         U   N   N   F   +   +",
        lambda w: {"campaignId": w.campaign, "forgebornRealm": {}, "count": 2},
    ),
    Rest(
        "POST",
        "/v1/batches/{batch}/maps/1",
        "                         U   N   N   F   N   +",
        lambda w: {"campaignId": w.campaign},
    ),
    Rest("POST", "/v1/batches/{batch}/maps/1", "       U   N   N   N   N   +", lambda w: {}),
    Rest(
        "POST",
        "/v1/campaigns/{campaign}/scenes",
        "                         U   N   N   F   F   +",
        lambda w: {
            "system": "dungeonteller",
            "setup": "orc-ambush",
            "characters": [w.hero],
        },
    ),
    Rest("DELETE", "/v1/maps/{spare_map}", "           U   N   N   F   F   +"),
    Rest("DELETE", "/v1/maps/{players_map}", "         U   N   N   F   +   +"),
    Rest("POST", "/v1/batches/{broken_off}/rest", "    U   N   N   N   N   o", lambda w: {}),
    Rest("DELETE", "/v1/batches/{spare_batch}", "      U   N   N   F   F   +"),
    Rest("DELETE", f"/v1/account?confirm={NOBODY}", "  U   I   I   I   I   I"),
    Rest("DELETE", "/v1/jobs/{job}", "                 U   N   N   F   F   +"),
    Rest("DELETE", "/v1/keys/{key}", "                 U   N   N   N   +   N"),
]


def moving(world: World, kind: str, actor: str, **move: Any) -> dict[str, Any]:
    """Give the content of a request for a move in the world's scene."""
    asked = wanted(world.gm, world.scene, kind, actor, **move)
    return {"expectedSeq": asked["expectedSeq"], "move": asked["move"]}


# What is made for requests whose path names it, and anew when one of them was done.
MADE: dict[str, Callable[[World], str]] = {
    "key": lambda world: spare_key(world.player),
    "hidden": hidden,
    "fight": fight,
    "marked": lambda world: str(marked(world)["input"]["mapId"]),
    "shared_macro": shared_macro,
    "spare_die": spare_die,
    "seated": seated,
    "pictured": pictured,
    "waiting": lambda world: str(waiting(world)["input"]["characterId"]),
    "renamed": lambda world: str(renamed(world)["input"]["characterId"]),
    "spare_pack": spare_pack,
    "players_pack": players_pack,
    "players_note": lambda world: str(note(world.player, world.campaign, "Hello")),
    "spare_table": spare_table,
    "vacant_table": vacant_table,
    "spare_map": spare_map,
    "players_map": players_map,
    "broken_off": broken_off,
    "spare_batch": spare_batch,
    "spare_simulation": spare_simulation,
}


def sendable(body: dict[str, Any] | bytes) -> dict[str, Any]:
    """Say how a body is sent."""
    if isinstance(body, bytes):
        return {"content": body, "headers": {"content-type": "image/png"}}
    return {"json": body}


def rest_cells(row: Rest, world: World) -> str:
    """Fill a row of the table: ask as each role in turn, and write down the letters."""
    found: list[str] = []
    for role, expected in zip(ROLES, row.cells.split(), strict=True):
        if not found or (row.method != "GET" and found[-1] not in REFUSED):
            made = {name: make(world) for name, make in MADE.items() if f"{{{name}}}" in row.path}
            path = row.path.format(**vars(world), **made)
            content = sendable(row.body(world)) if row.body else {}
        answer = getattr(world, role).send(row.method, path, **content)
        asked = {path, *texts(content)}
        leaks = leaked(world, answer.text, asked)
        refused = {401: "U", 403: "F", 404: "N"}.get(answer.status_code)
        if answer.status_code == 422 and answer.json()["issues"][0]["code"] in NOT_THEIRS:
            refused = "I"
        if secrets := told(world, role, answer.text, asked):
            found.append(f"!{secrets}")
        elif refused:
            found.append(f"!{leaks}" if leaks else refused)
        elif answer.status_code not in (200, 201, 202):
            found.append(f"?{answer.status_code}")
        elif row.method == "GET" and "items" in answer.text[:9] and answer.json()["items"] == []:
            found.append(f"!{leaks}" if leaks else "-")
        else:
            shown = "*" if expected == "*" else "o"
            found.append(
                "+" if (leaks and shown == "o") or (row.method != "GET" and expected == "+") else shown
            )
    return " ".join(found)


@pytest.mark.parametrize("row", REST, ids=lambda row: f"{row.method} {row.path}")
def test_rest_face_shows_each_role_its_own(world: World, row: Rest) -> None:
    assert rest_cells(row, world) == " ".join(row.cells.split())


def test_etag_of_what_one_may_not_see_is_no_answer(world: World) -> None:
    """Who knows the tag of a sheet or a map must not learn from a 304 that it still holds."""
    for path in (
        f"/v1/characters/{world.hero}/sheet",
        f"/v1/maps/{world.map}/map.svg",
        f"/v1/campaigns/{world.campaign}",
    ):
        tag = world.player.get(path).headers["etag"]
        assert world.player.get(path, if_none_match=tag).status_code == 304
        assert world.outsider.get(path, if_none_match=tag).status_code == 404
        assert world.other_gm.get(path, if_none_match="*").status_code == 404


# Last, since it changes things, and in the end deletes them


@named("mutation")
def test_mutation_obeys_each_role(world: World, row: Row) -> None:
    assert cells(row, graph(MUTATIONS, row), world) == " ".join(row.cells.split())
