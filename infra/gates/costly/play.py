"""The dearest requests of characters, campaigns and scenes, with the largest of each that may be kept.

What they ask of is made first, by the people of a table: eight packs of hundreds of entries, scenes of ninety
who take part, one whose turn is a flyer's, one of many moves.
"""

from typing import Any

from tests.e2e.documents import MUTATIONS
from tests.e2e.product import House, Person
from tests.e2e.table import World, keep_pack, seat, seq_of, smith, start_scene

PACKS = 8
ENTRIES = {"traits": 100, "damage": 200, "skills": 200}
CREATURES = ("griffin", "orc-captain", "goblin", "bandit", "town-guard", "skeleton", "ogre", "wild-boar")
ROOM = {"title": "The Hall", "place": {"width": 60, "height": 60}}
MOVES = 60

DRAFT = """
query ($build: CharacterBuild!, $packs: [ID!]) {
  draftCharacter(build: $build, packs: $packs) {
    ... on CharacterDraft { builds steps { key offers { key } } }
  }
}
"""
OFFERS = "query ($id: ID!) { character(id: $id) { rewardOffers { text } } }"
SEARCH = """
query ($packs: [ID!], $where: [ContentFilter!]) {
  content(system: "forge_engine", packs: $packs, search: "t 1", where: $where, first: 20) {
    ... on ContentConnection { total }
  }
}
"""
KINDS = (
    'query ($packs: [ID!]) { contentKinds(system: "forge_engine", packs: $packs) { kinds { kind count } } }'
)
CHECK = "query ($pack: ContentPackInput!) { checkContentPack(pack: $pack) { ... on PackReport { adds } } }"
LEGAL = "query ($id: ID!) { scene(id: $id) { legalMoves { key label } } }"
STATE = "query ($id: ID!) { scene(id: $id) { seq state { json } } }"
CARD = "query ($id: ID!) { scene(id: $id) { card { turn actors { key name } } } }"
SCENES = "query ($id: ID!) { campaign(id: $id) { scenes(first: 20) { nodes { id card { turn } } } } }"
AT = "query ($id: ID!, $seq: Int!) { scene(id: $id) { at(seq: $seq) { faithful } } }"
MOVED = "query ($id: ID!) { scene(id: $id) { moves(first: 100) { nodes { text seq } } } }"
ATTACK = """
query ($given: JSON!) {
  tool(system: "forge_engine", name: "attack_odds", given: $given) { ... on ToolAnswer { answer } }
}
"""
BOT = """
mutation ($id: ID!, $seq: Int!, $actor: String!) {
  playBot(input: {sceneId: $id, expectedSeq: $seq, actor: $actor}) { ... on MovePerformed { move { seq } } }
}
"""
RANDOM = '{ randomCharacter(system: "forge_engine") { ... on RandomCharacter { name } } }'


def requests(world: World) -> list[dict[str, Any]]:
    """Make what is asked of, and the requests."""
    player = world.player
    packs = [_keep(world.product, player, number) for number in range(PACKS)]
    grown = _create(player, packs)
    crowd = _scene(world, *(f"dungeonteller:monster/{one}" for one in CREATURES for _ in range(5)))
    flyer = _scene(world, "dungeonteller:monster/griffin")
    _end_turn(player, flyer, world.hero)
    long = _scene(world, "dungeonteller:monster/goblin")
    made = _play_on(world, long)
    where = [{"field": "summary", "has": "a b c d e f g h i j k l m n o p q r s t"}] * 20
    build = smith()
    return [
        _asked("draft with 8 packs", "player", DRAFT, build=build, packs=packs),
        _asked("draft by the book", "player", DRAFT, build=build, packs=[]),
        _asked("what could be bought, with 8 packs", "player", OFFERS, id=grown),
        _asked("what could be bought, by the book", "player", OFFERS, id="{smith}"),
        _asked("content with 8 packs, 20 conditions", "player", SEARCH, packs=packs, where=where),
        _asked("content by the book, 20 conditions", "player", SEARCH, packs=[], where=where),
        _asked("kinds of content with 8 packs", "player", KINDS, packs=packs),
        _asked("check of a large pack", "player", CHECK, pack=_holding(PACKS)),
        _asked("a character by chance", "player", RANDOM),
        _asked("odds of an attack", "player", ATTACK, given=_attack()),
        _asked("legal moves of a flyer", "gm", LEGAL, id=flyer),
        _asked("legal moves among forty", "gm", LEGAL, id=crowd),
        _asked("state of a scene of forty", "gm", STATE, id=crowd),
        _asked("card of a scene of forty", "gm", CARD, id=crowd),
        _asked("a page of scenes", "gm", SCENES, id=world.campaign),
        _asked("a moment of a long scene", "gm", AT, id=long, seq=made),
        _asked("moves of a long scene", "gm", MOVED, id=long),
        {"name": "a scene of forty by REST", "as": "gm", "path": f"/v1/scenes/{crowd}"},
        {"name": "a board", "as": "gm", "path": f"/v1/scenes/{_feud(world)}/board.svg"},
    ]


def _asked(name: str, who: str, operation: str, **variables: Any) -> dict[str, Any]:
    return {"name": name, "as": who, "graphql": operation, "variables": variables}


def _holding(number: int) -> dict[str, Any]:
    """Give a pack of as many entries as are worth their bytes."""
    traits = [
        {"key": f"t{number}-{n}", "name": f"T {number} {n}", "category": "MENTAL", "cp": 3, "summary": "x"}
        for n in range(ENTRIES["traits"])
    ]
    damage = [
        {"key": f"d{number}-{n}", "name": f"D {number} {n}", "group": "PHYSICAL"}
        for n in range(ENTRIES["damage"])
    ]
    skills = [
        {"key": f"s{number}-{n}", "name": f"S {number} {n}", "attributes": ["STRENGTH"], "summary": "x"}
        for n in range(ENTRIES["skills"])
    ]
    return {"forgeEngine": {"traits": traits, "damage": damage, "skills": skills}}


def _keep(product: House, person: Person, number: int) -> str:
    product.fill_buckets()
    return str(keep_pack(person, f"Shelf {number}", pack=_holding(number))["id"])


def _create(person: Person, packs: list[str]) -> str:
    asked = {"build": smith("Collector"), "packs": packs}
    return str(person.do(MUTATIONS["createCharacter"], input=asked)["character"]["id"])


def _scene(world: World, *monsters: str) -> str:
    creatures = [
        {"monster": monster, "count": monsters.count(monster)} for monster in dict.fromkeys(monsters)
    ]
    world.product.fill_buckets()
    setup = {**ROOM, "creatures": creatures}
    return str(start_scene(world.gm, world.campaign, setup, world.hero, title="The Hall")["id"])


def _feud(world: World) -> str:
    """Start a game that has a board."""
    build = {"dwarfDice": {"name": "Bron", "champion": "dwarf_dice:champion/bron"}}
    made = world.player.do(MUTATIONS["createCharacter"], input={"build": build})["character"]["id"]
    seat(world.player, world.campaign, made)
    asked = {"system": "dwarf_dice", "setup": "feud", "characters": [made]}
    return str(world.gm.post(f"/v1/campaigns/{world.campaign}/scenes", asked).json()["id"])


def _play_on(world: World, scene: str) -> int:
    """Have bots make as many moves as there shall be, or as there are; gives the number that is reached."""
    for _ in range(MOVES):
        world.product.fill_buckets()
        found = world.gm.ask("query ($id: ID!) { scene(id: $id) { seq card { waitingFor } } }", id=scene)[
            "scene"
        ]
        waiting = found["card"]["waitingFor"]
        asked = {"id": scene, "seq": found["seq"], "actor": waiting[0] if waiting else "gm"}
        answer = world.gm.ask(BOT, **asked)["playBot"]
        if "move" not in answer:
            break
    return seq_of(world.gm, scene)


def _end_turn(person: Person, scene: str, actor: str) -> None:
    move = {"kind": "EndTurn", "actor": actor}
    asked = {"sceneId": scene, "expectedSeq": seq_of(person, scene), "move": move}
    person.do(MUTATIONS["performMove"], input=asked)


def _attack() -> dict[str, Any]:
    skill = {"name": "Melee Weapons", "rating": 30}
    return {"attack": {"attribute": 20, "added": 10, "skills": [skill]}, "defense": {"dice": 30}}
