"""A campaign with everyone who has to do with it, or who has not: what many tests begin with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.e2e.documents import MUTATIONS, QUERIES
from tests.e2e.product import House, Person, until

ENDED = ("SUCCEEDED", "FAILED", "CANCELLED", "DEAD")
ROLE = "dungeonteller:role/"
# What is written in the secret roll: its label, beside its die, behind it.
UNSEEN = ("secret label", "secret word", "secret comment", "secret metadata")
# What is written where only the GMs of a scene see it.
HIDDEN = ("scene notes", "hidden creature", "hidden thing", "secret note")
# What is written on the game masters' layer of the dungeon, and as the title of maps that nobody was shown.
BEHIND = (
    *("hidden token", "hidden marker", "hidden map note", "hidden text", "hidden drawing", "hidden area"),
    *("hidden place", "hidden details", "prepared map"),
    *("story place", "story note", "story force", "story goal"),
)
# What the player keeps to themselves beside the name: of a pack of their own, under which a character is built.
KEPT = ("own pack description", "own pack summary", "own pack damage", "own metadata")
# What is told of a character's past only to its owner and the GM of its table.
PAST = ("past",)
DIE = "lantern"
DUNGEON_SEED, BATCH_SEED, STORY_SEED = "7404127750319", "5501938827164", "6120944873555"
SMALL = {"width": 21, "height": 21, "rooms": 5, "secrets": 1.0, "traps": 1.0}


@dataclass(frozen=True)
class World:
    """One campaign, and all ids and texts that only its people may know.

    Attributes:
        gm, player, spectator: members of the campaign.
        other_gm: GM of a campaign of their own.
        outsider: somebody with a key and nothing else.
        anonymous: nobody.
        campaign, other_campaign: ids.
        hero: the player's character, at the table; ``other_hero`` the other GM's, at theirs.
        roll: a roll at the table; ``own_roll`` one of the player outside of any campaign.
        secret_roll: a roll of the GM that nobody else may see.
        epoch, secret_epoch: the epochs of verifiable rolls at the table; ``own_epoch`` the player's own.
        macro: a saved roll at the table; ``own_macro`` one of the player.
        die: a die of the table's own, called ``lantern``.
        map, job: a map of the campaign, and the job that made it.
        dungeon: a map of the campaign under fog, with a token of the player's and what only GMs may know.
        token, door: the player's token on it, and the door that it stands before.
        batch: maps that the GM had made; ``prepared`` the first of them, kept for the campaign and hidden.
        story: a story map of the campaign that is open, with what only its GMs know.
        whispers: what only GMs read on the dungeon itself: of its traps, its rooms, its secret doors.
        seeds: of the maps whose secrets one could make again.
        scene: a scene at the table, with the player's hero and what nobody has found yet.
        scene_roll: a roll in it that nobody but the GM may see.
        simulation: what the GM has had played for the campaign.
        pack: content of the table's own; ``own_pack`` the player's, whose name all see who see the smith.
        smith: a character of the player at the table, built under both; it was once called otherwise.
        invitation, code: an open invitation.
        words: texts that are written in what belongs to the campaign; those of ``UNSEEN`` in the secret roll,
            those of ``HIDDEN`` in the scene, those of ``BEHIND`` on maps, those of ``KEPT`` in the player's pack
            and in what their app alone reads, those of ``PAST`` in the smith's history.
    """

    product: House
    gm: Person
    player: Person
    spectator: Person
    other_gm: Person
    outsider: Person
    anonymous: Person
    campaign: str
    other_campaign: str
    hero: str
    other_hero: str
    roll: str
    own_roll: str
    secret_roll: str
    epoch: str
    secret_epoch: str
    own_epoch: str
    macro: str
    own_macro: str
    die: str
    map: str
    job: str
    dungeon: str
    token: str
    door: str
    batch: str
    prepared: str
    story: str
    whispers: tuple[str, ...]
    seeds: tuple[str, ...]
    scene: str
    scene_roll: str
    simulation: str
    pack: str
    own_pack: str
    smith: str
    invitation: str
    code: str
    words: dict[str, str]

    @property
    def secrets(self) -> list[str]:
        """Give everything that nobody outside of the campaign may be shown, unless they named it themselves."""
        ids = [self.campaign, self.hero, self.roll, self.own_roll, self.map, self.job, self.invitation]
        ids += [self.epoch, self.secret_epoch, self.own_epoch, self.macro, self.own_macro, self.die]
        ids += [
            self.scene,
            self.scene_roll,
            self.simulation,
            self.dungeon,
            self.token,
            self.batch,
            self.prepared,
            self.story,
        ]
        ids += [self.pack, self.own_pack, self.smith]
        ids += [*self.whispers, *self.seeds]
        return [*ids, self.secret_roll, self.code, *self.words.values()]

    @property
    def unseen(self) -> list[str]:
        """Give everything that only the campaign's GMs may be shown, unless somebody else named it."""
        words = [self.words[what] for what in (*UNSEEN, *HIDDEN, *BEHIND)]
        ids = [self.secret_roll, self.scene_roll, self.batch, self.prepared]
        return [*ids, *self.whispers, *self.seeds, *words]

    def hidden_from(self, role: str) -> list[str]:
        """Give everything that somebody may not be shown, unless they named it themselves.

        Args:
            role: name of the attribute that holds them.
        """
        kept = [] if role == "player" else [self.words[what] for what in KEPT]
        past = [] if role in ("player", "gm") else [self.words[what] for what in PAST]
        return [*kept, *past, *([] if role == "gm" else self.unseen)]


OFFERED = "query ($id: ID!) { campaign(id: $id) { gameMasterOffer { candidates { id } mine } } }"


def found_campaign(gm: Person, name: str = "The Ember Road", description: str = "") -> str:
    """Found a campaign and give its id."""
    made = gm.do(MUTATIONS["createCampaign"], input={"name": name, "description": description})
    return str(made["campaign"]["id"])


def invite(gm: Person, campaign: str, role: str = "PLAYER", uses: int = 1) -> dict[str, Any]:
    """Write an invitation."""
    asked = {"campaignId": campaign, "role": role, "uses": uses}
    found: dict[str, Any] = gm.do(MUTATIONS["createInvitation"], input=asked)["invitation"]
    return found


def join(person: Person, gm: Person, campaign: str, role: str = "PLAYER") -> Person:
    """Bring somebody to the table."""
    person.do(MUTATIONS["joinCampaign"], input={"code": invite(gm, campaign, role)["code"]})
    return person


def hero(role: str = "warrior", name: str = "Brawnley", **more: Any) -> dict[str, Any]:
    """Give the build of a hero."""
    return {"dungeonteller": {"name": name, "role": f"{ROLE}{role}", **more}}


def create_hero(person: Person, **choices: Any) -> str:
    """Create a hero and give its id."""
    made = person.do(MUTATIONS["createCharacter"], input={"build": hero(**choices)})
    return str(made["character"]["id"])


SKILLS = {"athletics": 3, "endurance": 2, "stealth": 3, "intimidation": 3, "drive": 2, "resist": 2}


def smith(name: str = "Wayland", **more: Any) -> dict[str, Any]:
    """Give the build of a Forge Engine character that breaks no rule."""
    skills = [{"skill": f"forge_engine:skill/{skill}", "rating": rating} for skill, rating in SKILLS.items()]
    attributes = {"strength": 3, "agility": 3, "stamina": 2, "intelligence": 2}
    chosen = {"name": name, "speciesChoices": ["forge_engine:trait/muscular"], "attributes": attributes}
    return {"forgeEngine": {**chosen, "skills": skills, **more}}


def holding(summary: str = "", damage: str = "Gravitic", key: str = "gravitic") -> dict[str, Any]:
    """Give what a pack holds that adds a damage type."""
    added = [{"key": key, "name": damage, "group": "ELEMENTAL"}]
    return {"forgeEngine": {"summary": summary, "damage": added}}


def keep_pack(person: Person, name: str = "Stars", **more: Any) -> dict[str, Any]:
    """Keep a pack: one that adds a damage type, if nothing else is named."""
    asked = {"name": name, "pack": holding(), **more}
    found: dict[str, Any] = person.do(MUTATIONS["createContentPack"], input=asked)["pack"]
    return found


def build_smith(person: Person, packs: list[str], past: str, name: str) -> str:
    """Create a character under packs and rename it; give its id."""
    asked = {"build": smith(past), "packs": packs}
    made = str(person.do(MUTATIONS["createCharacter"], input=asked)["character"]["id"])
    person.do(MUTATIONS["updateCharacter"], input={"id": made, "version": 1, "build": smith(name)})
    return made


def seat(person: Person, campaign: str, character: str) -> None:
    """Bring a hero to the table."""
    person.do(MUTATIONS["seatCharacter"], input={"campaignId": campaign, "characterId": character})


def roll(person: Person, expression: str = "1d6", **more: Any) -> dict[str, Any]:
    """Roll dice."""
    found: dict[str, Any] = person.do(MUTATIONS["roll"], input={"expression": expression, **more})["roll"]
    return found


def secret_roll(person: Person, campaign: str, expression: str = "1d20", **more: Any) -> dict[str, Any]:
    """Roll dice that only the GMs see."""
    return roll(person, expression, campaignId=campaign, secret=True, **more)


def define_die(person: Person, name: str, *labels: str, campaign: str | None = None) -> dict[str, Any]:
    """Define a die; its faces count 1, 2, 3, ..."""
    faces = [{"label": label, "value": value} for value, label in enumerate(labels, 1)]
    asked = {"name": name, "faces": faces, "campaignId": campaign}
    found: dict[str, Any] = person.do(MUTATIONS["defineDie"], input=asked)["die"]
    return found


def save_macro(person: Person, name: str, expression: str = "1d6", **more: Any) -> dict[str, Any]:
    """Save a roll."""
    asked = {"name": name, "expression": expression, **more}
    found: dict[str, Any] = person.do(MUTATIONS["createMacro"], input=asked)["macro"]
    return found


def epoch_of(person: Person, campaign: str | None = None, *, secret: bool = False) -> dict[str, Any]:
    """Read the live commitment of a place."""
    found: dict[str, Any] = person.ask(QUERIES["rollEpoch"], campaignId=campaign, secret=secret)["rollEpoch"]
    return found


def note(person: Person, campaign: str, text: str) -> int:
    """Write a note and give its number."""
    asked = {"campaignId": campaign, "text": text}
    return int(person.do(MUTATIONS["writeNote"], input=asked)["entry"]["seq"])


def queue_map(person: Person, campaign: str | None = None, *, seed: int = 20, **more: Any) -> str:
    """Have a map made and give the job's id."""
    wish = {"map": {"forgebornRealm": {"seed": str(seed), **more}}, "campaignId": campaign}
    return str(person.do(MUTATIONS["generateMap"], input=wish)["job"]["id"])


def ended(person: Person, job: str, *, seconds: float = 60) -> dict[str, Any]:
    """Wait for the end of a job and give it."""

    def look() -> dict[str, Any] | None:
        found: dict[str, Any] = person.ask(QUERIES["job"], id=job)["job"]
        return found if found["state"] in ENDED else None

    return until(look, f"the end of {job}", seconds=seconds)


def make_map(person: Person, campaign: str | None = None, *, seed: int = 20, **more: Any) -> dict[str, Any]:
    """Have a map made, wait for it and give its job."""
    job = ended(person, queue_map(person, campaign, seed=seed, **more))
    assert job["state"] == "SUCCEEDED", job
    return job


def make_dungeon(
    person: Person, campaign: str | None = None, *, seed: str, sharing: str | None = None, **parameters: Any
) -> str:
    """Have a small dungeon full of secrets made, and give its id."""
    asked = {
        "map": {"dungeon": {**SMALL, **parameters}},
        "seed": seed,
        "campaignId": campaign,
        "sharing": sharing,
    }
    job = ended(person, str(person.do(MUTATIONS["generateMap"], input=asked)["job"]["id"]))
    assert job["state"] == "SUCCEEDED", job
    return str(job["map"]["id"])


def look_at(person: Person, map_id: str) -> dict[str, Any]:
    """Look at a map."""
    found: dict[str, Any] = person.ask(QUERIES["map"], id=map_id)["map"]
    return found


def edit(person: Person, map_id: str, **wanted: Any) -> dict[str, Any]:
    """Make an edit that must be allowed: ``putToken={...}``."""
    found: dict[str, Any] = person.do(MUTATIONS["editMap"], input={"mapId": map_id, "edit": wanted})
    return found


def queue_batch(person: Person, count: int, campaign: str | None = None, **more: Any) -> str:
    """Have many small dungeons made and give the batch's id."""
    asked = {"map": {"dungeon": SMALL}, "count": count, "campaignId": campaign, **more}
    return str(person.do(MUTATIONS["generateMaps"], input=asked)["job"]["id"])


def start_scene(
    gm: Person,
    campaign: str,
    setup: str | dict[str, Any],
    *characters: str,
    title: str | None = None,
    map_id: str | None = None,
) -> dict[str, Any]:
    """Start a scene by the name of one of the game's own setups, or by one in its JSON form."""
    asked = {
        "campaignId": campaign,
        "system": "dungeonteller",
        "setupName" if isinstance(setup, str) else "setup": setup,
        "characters": characters,
        "title": title,
        "mapId": map_id,
    }
    found: dict[str, Any] = gm.do(MUTATIONS["startScene"], input=asked)["scene"]
    return found


def start_simulation(person: Person, **more: Any) -> str:
    """Have a warrior before the locked door played a few times, and return the simulation's id."""
    asked = {
        "system": "dungeonteller",
        "scenes": [{"setupName": "locked-door"}],
        "cast": [{"id": "hero", "example": "warrior"}],
        "runs": 50,
    }
    found = person.do(MUTATIONS["startSimulation"], input={**asked, **more})["simulation"]
    return str(found["id"])


def played_simulation(person: Person, **more: Any) -> str:
    """Start a simulation, wait until it is answered, and return its id."""
    started = start_simulation(person, **more)

    def look() -> bool:
        state = person.ask("query ($id: ID!) { simulation(id: $id) { state } }", id=started)
        return state["simulation"]["state"] in ENDED

    until(look, f"the answer of {started}")
    return started


def seq_of(person: Person, scene: str) -> int:
    """Read how many moves of a scene everybody may know of."""
    found = person.ask("query ($id: ID!) { scene(id: $id) { seq } }", id=scene)["scene"]
    return int(found["seq"])


def wanted(person: Person, scene: str, kind: str, actor: str, /, **move: Any) -> dict[str, Any]:
    """Give the request for a move at the scene's present number."""
    form = {"kind": kind, "actor": actor, **move}
    return {"sceneId": scene, "expectedSeq": seq_of(person, scene), "move": form}


def move(person: Person, scene: str, kind: str, actor: str, /, **more: Any) -> dict[str, Any]:
    """Make a move that must be allowed; give what was written into the scene's log."""
    asked = wanted(person, scene, kind, actor, **more)
    found: dict[str, Any] = person.do(MUTATIONS["performMove"], input=asked)["move"]
    return found


def log(person: Person, campaign: str) -> list[dict[str, Any]]:
    """Read the whole log."""
    entries: list[dict[str, Any]] = []
    after: str | None = None
    while True:
        page = person.ask(LOG, id=campaign, after=after)["campaign"]["log"]
        entries += page["nodes"]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            return entries


LOG = """
query ($id: ID!, $after: String) {
  campaign(id: $id) {
    log(first: 100, after: $after) {
      nodes { cursor seq kind text subject } pageInfo { hasNextPage endCursor }
    }
  }
}
"""


def lonely(words: dict[str, str]) -> dict[str, Any]:
    """Give the setup of a scene in which a hero is alone but for what they have not found."""
    return {
        "title": words["scene"],
        "place": {"width": 8, "height": 8, "notes": words["scene notes"]},
        "creatures": [
            {"monster": "dungeonteller:monster/wolf", "name": words["hidden creature"], "hidden": 40}
        ],
        "things": [
            {"id": "cache", "name": words["hidden thing"], "gold": 9, "at": {"x": 6, "y": 6}, "hidden": 40}
        ],
    }


@dataclass(frozen=True)
class Prepared:
    """The GM's maps: see ``World``."""

    dungeon: str
    token: str
    door: str
    batch: str
    prepared: str
    story: str
    whispers: tuple[str, ...]
    seeds: tuple[str, ...]


def prepare_maps(gm: Person, player: Person, campaign: str, words: dict[str, str]) -> Prepared:
    """Have maps made; show one of them as far as it is explored, and keep one back."""
    wish = {"dungeon": {**SMALL, "title": words["prepared map"]}}
    batch = queue_batch(gm, 3, campaign, map=wish, seed=BATCH_SEED)
    dungeon = make_dungeon(gm, campaign, seed=DUNGEON_SEED, sharing="FOGGED", title=words["dungeon"])
    grid = look_at(gm, dungeon)["grid"]
    here, door = before_a_door(grid)
    token = put_on(gm, player, dungeon, here, words)
    assert ended(gm, batch)["state"] == "SUCCEEDED"
    made = gm.ask(QUERIES["mapBatch"], id=batch)["mapBatch"]["maps"]["nodes"]
    kept = gm.do(MUTATIONS["keepMap"], input={"batchId": batch, "number": 0, "campaignId": campaign})["map"]
    assert (kept["sharing"], kept["seed"]) == ("HIDDEN", made[0]["seed"])
    whispers = [trap["note"] for trap in grid["traps"]]
    whispers += [note for room in grid["rooms"] for note in room["notes"]]
    whispers += [one["note"] for one in grid["doors"] if one["kind"] == "SECRET"]
    assert len(whispers) > 10
    seeds = (DUNGEON_SEED, BATCH_SEED, STORY_SEED, *(one["seed"] for one in made))
    story = make_story(gm, campaign, words)
    return Prepared(dungeon, token, door, batch, kept["id"], story, tuple(whispers), seeds)


def make_story(gm: Person, campaign: str | None, words: dict[str, str]) -> str:
    """Have an open story map made, and draw on it what only the GM knows."""
    asked = {"map": {"story": {"title": words["story"]}}, "seed": STORY_SEED, "campaignId": campaign}
    job = ended(gm, str(gm.do(MUTATIONS["generateMap"], input={**asked, "sharing": "OPEN"})["job"]["id"]))
    made = str(job["map"]["id"])
    start = look_at(gm, made)["story"]["start"]
    edit(gm, made, storyAddPlace={"name": words["story place"], "known": False})
    edit(gm, made, storyNotePlace={"place": start, "text": words["story note"], "secret": True})
    force = {"name": words["story force"], "goal": words["story goal"], "known": False}
    edit(gm, made, storyAddForce=force)
    return made


def before_a_door(grid: dict[str, Any]) -> tuple[dict[str, int], str]:
    """Give a cell of a dungeon that lies before a door which is shut but not locked, and that door."""
    paces = {one["letter"]: one["pace"] for one in grid["terrains"]}
    for door in grid["doors"]:
        east = door["axis"] == "EAST_WEST"
        if door["state"] != "CLOSED" or door["kind"] == "SECRET":
            continue
        for step in (-1, 1):
            x, y = door["at"]["x"] + step * east, door["at"]["y"] + step * (not east)
            if paces[grid["cells"][y][x]] == 1:
                return {"x": x, "y": y}, str(door["key"])
    raise AssertionError("no door is shut in this dungeon")


def put_on(gm: Person, player: Person, dungeon: str, at: dict[str, int], words: dict[str, str]) -> str:
    """Put the player's token on a map, and beside it all that only game masters see; give the token."""
    layer = {"layer": "GM"}
    corners = [at, {"x": at["x"] + 1, "y": at["y"] + 1}]
    for wanted in (
        {"putToken": {"name": words["hidden token"], "at": at, **layer}},
        {"putMarker": {"label": words["hidden marker"], "at": at, **layer}},
        {"putNote": {"title": words["hidden map note"], "text": words["hidden text"], "at": at, **layer}},
        {"draw": {"shape": "TEXT", "points": [at], "text": words["hidden drawing"], **layer}},
        {"draw": {"shape": "RECTANGLE", "points": corners, **layer}},
        {"putArea": {"shape": "CIRCLE", "at": at, "length": 2, "label": words["hidden area"], **layer}},
        {"putPlace": {"name": words["hidden place"], "details": words["hidden details"], "at": at}},
        {"putLight": {"at": at, "bright": 1, "dim": 2, **layer}},
    ):
        edit(gm, dungeon, **wanted)
    sight = {"range": 20, "dark": 3}
    own = {"name": words["token"], "at": at, "owners": [player.id], "sight": sight}
    return str(edit(gm, dungeon, putToken=own)["thing"])


def keep_metadata(person: Person, kind: str, thing: str, text: str, **more: Any) -> None:
    """Write metadata beside a thing of a kind: ``Campaign``."""
    asked = {"id": thing, "namespace": "com.example.tracker", "data": {"text": text}, **more}
    person.do(MUTATIONS[f"set{kind}Metadata"], input=asked)


def build_world(
    product: House, mark: Callable[[str], str] = lambda what: f"The {what} of the Ember Road"
) -> World:
    """Set the table.

    Args:
        product: where.
        mark: gives the text to be written as name, note, label and so on.
    """
    words = {
        what: mark(what)
        for what in (
            *("campaign", "description", "note", "hero", "look", "label", "own label", "realm"),
            *("macro", "macro label", "macro word", "own macro", "scene", "token", "dungeon", "story"),
            "metadata",
            *("pack", "pack description", "pack summary", "pack damage", "own pack", "smith"),
            *(*UNSEEN, *HIDDEN, *BEHIND, *KEPT, *PAST),
        )
    }
    words["face"] = mark("face")[:20]
    names = ("Gemma", "Pelle", "Sela", "Orrin", "Otto")
    gm, player, spectator, other_gm, outsider = (product.sign_up(name) for name in names)
    campaign = found_campaign(gm, words["campaign"], words["description"])
    join(player, gm, campaign)
    join(spectator, gm, campaign, "SPECTATOR")
    invitation = invite(gm, campaign, uses=50)
    own_hero = create_hero(player, name=words["hero"], look=words["look"])
    seat(player, campaign, own_hero)
    note(player, campaign, words["note"])
    die = define_die(gm, DIE, words["face"], "Dark", campaign=campaign)
    table_macro = {"campaignId": campaign, "label": words["macro label"]}
    macro = save_macro(player, words["macro"], f"1d6[{words['macro word']}] + @bonus", **table_macro)
    own_macro = save_macro(player, words["own macro"])
    roll(player, f"2d{DIE}", campaignId=campaign)
    table_roll = roll(player, "4d6kh3", campaignId=campaign, characterId=own_hero, label=words["label"])
    own_roll = roll(player, "2d6", label=words["own label"])
    unseen = secret_roll(
        gm,
        campaign,
        f"1d20[{words['secret word']}] # {words['secret comment']}",
        label=words["secret label"],
    )
    job = make_map(gm, campaign, title=words["realm"])
    maps = prepare_maps(gm, player, campaign, words)
    scene = start_scene(gm, campaign, lonely(words), own_hero)["id"]
    move(player, scene, "Go", own_hero, to={"x": 2, "y": 4})
    look_out = move(gm, scene, "LookOut", "gm", being=own_hero)
    move(gm, scene, "Tell", "gm", text=words["secret note"], secret=True)
    pack = keep_pack(
        gm,
        words["pack"],
        description=words["pack description"],
        pack=holding(words["pack summary"], words["pack damage"], "gravitic"),
        campaignId=campaign,
    )
    own_pack = keep_pack(
        player,
        words["own pack"],
        description=words["own pack description"],
        pack=holding(words["own pack summary"], words["own pack damage"], "temporal"),
    )
    built = build_smith(player, [pack["id"], own_pack["id"]], words["past"], words["smith"])
    seat(player, campaign, built)
    beside = [("Campaign", campaign), ("Scene", scene), ("Character", own_hero), ("Roll", table_roll["id"])]
    for kind, thing in (*beside, ("Map", job["map"]["id"]), ("Map", maps.dungeon)):
        keep_metadata(player, kind, thing, words["metadata"])
    keep_metadata(player, "Map", maps.dungeon, words["metadata"], tokenKey=maps.token)
    keep_metadata(player, "Campaign", campaign, words["own metadata"], readers="APP")
    keep_metadata(gm, "Roll", unseen["id"], words["secret metadata"])
    other_campaign = found_campaign(other_gm, "Another table")
    other_hero = create_hero(other_gm, name="Orrin's own")
    seat(other_gm, other_campaign, other_hero)
    return World(
        product=product,
        gm=gm,
        player=player,
        spectator=spectator,
        other_gm=other_gm,
        outsider=outsider,
        anonymous=product.anonymous(),
        campaign=campaign,
        other_campaign=other_campaign,
        hero=own_hero,
        other_hero=other_hero,
        roll=table_roll["id"],
        own_roll=own_roll["id"],
        secret_roll=unseen["id"],
        epoch=epoch_of(gm, campaign)["id"],
        secret_epoch=epoch_of(gm, campaign, secret=True)["id"],
        own_epoch=epoch_of(player)["id"],
        macro=macro["id"],
        own_macro=own_macro["id"],
        die=die["id"],
        map=job["map"]["id"],
        job=job["id"],
        dungeon=maps.dungeon,
        token=maps.token,
        door=maps.door,
        batch=maps.batch,
        prepared=maps.prepared,
        story=maps.story,
        whispers=maps.whispers,
        seeds=maps.seeds,
        scene=scene,
        scene_roll=look_out["rolls"][0]["roll"]["id"],
        simulation=played_simulation(gm, campaignId=campaign),
        pack=pack["id"],
        own_pack=own_pack["id"],
        smith=built,
        invitation=invitation["id"],
        code=invitation["code"],
        words=words,
    )
