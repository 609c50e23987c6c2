"""A campaign with everyone who has to do with it, or who has not: what many tests begin with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.e2e.documents import MUTATIONS, QUERIES
from tests.e2e.product import Person, Product, until

ENDED = ("SUCCEEDED", "FAILED", "CANCELLED", "DEAD")
ROLE = "dungeonteller:role/"
# What is written in the secret roll: its label, beside its die, behind it.
UNSEEN = ("secret label", "secret word", "secret comment")
# What is written where only the GMs of a scene see it.
HIDDEN = ("scene notes", "hidden creature", "hidden thing", "secret note")
DIE = "lantern"


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
        scene: a scene at the table, with the player's hero and what nobody has found yet.
        scene_roll: a roll in it that nobody but the GM may see.
        invitation, code: an open invitation.
        words: texts that are written in what belongs to the campaign; those of ``UNSEEN`` in the secret roll,
            those of ``HIDDEN`` in the scene.
    """

    product: Product
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
    scene: str
    scene_roll: str
    invitation: str
    code: str
    words: dict[str, str]

    @property
    def secrets(self) -> list[str]:
        """Give everything that nobody outside of the campaign may be shown, unless they named it themselves."""
        ids = [self.campaign, self.hero, self.roll, self.own_roll, self.map, self.job, self.invitation]
        ids += [self.epoch, self.secret_epoch, self.own_epoch, self.macro, self.own_macro, self.die]
        ids += [self.scene, self.scene_roll]
        return [*ids, self.secret_roll, self.code, *self.words.values()]

    @property
    def unseen(self) -> list[str]:
        """Give everything that only the campaign's GMs may be shown, unless somebody else named it."""
        return [self.secret_roll, self.scene_roll, *(self.words[what] for what in (*UNSEEN, *HIDDEN))]


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
    person.do(MUTATIONS["joinCampaign"], code=invite(gm, campaign, role)["code"])
    return person


def hero(role: str = "warrior", name: str = "Brawnley", **more: Any) -> dict[str, Any]:
    """Give the build of a hero."""
    return {"dungeonteller": {"name": name, "role": f"{ROLE}{role}", **more}}


def create_hero(person: Person, **choices: Any) -> str:
    """Create a hero and give its id."""
    made = person.do(MUTATIONS["createCharacter"], input={"build": hero(**choices)})
    return str(made["character"]["id"])


def seat(person: Person, campaign: str, character: str) -> None:
    """Bring a hero to the table."""
    person.do(MUTATIONS["seatCharacter"], campaignId=campaign, characterId=character)


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
    return int(person.do(MUTATIONS["writeNote"], campaignId=campaign, text=text)["entry"]["seq"])


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


def start_scene(
    gm: Person, campaign: str, setup: str | dict[str, Any], *characters: str, title: str | None = None
) -> dict[str, Any]:
    """Start a scene by the name of one of the game's own setups, or by one in its JSON form."""
    asked = {
        "campaignId": campaign,
        "system": "dungeonteller",
        "setup": {"named" if isinstance(setup, str) else "json": setup},
        "characters": characters,
        "title": title,
    }
    found: dict[str, Any] = gm.do(MUTATIONS["startScene"], input=asked)["scene"]
    return found


def seq_of(person: Person, scene: str) -> int:
    """Read how many moves of a scene everybody may know of."""
    found = person.ask("query ($id: ID!) { scene(id: $id) { seq } }", id=scene)["scene"]
    return int(found["seq"])


def wanted(person: Person, scene: str, kind: str, actor: str, /, **move: Any) -> dict[str, Any]:
    """Give the request for a move at the scene's present number."""
    form = {"kind": kind, "actor": actor, **move}
    return {"sceneId": scene, "expectedSeq": seq_of(person, scene), "move": {"json": form}}


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
    log(first: 100, after: $after) { nodes { seq kind text subject } pageInfo { hasNextPage endCursor } }
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


def build_world(
    product: Product, mark: Callable[[str], str] = lambda what: f"The {what} of the Ember Road"
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
            *("macro", "macro label", "macro word", "own macro", "scene", *UNSEEN, *HIDDEN),
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
    scene = start_scene(gm, campaign, lonely(words), own_hero)["id"]
    move(player, scene, "Go", own_hero, to={"x": 2, "y": 4})
    look_out = move(gm, scene, "LookOut", "gm", being=own_hero)
    move(gm, scene, "Tell", "gm", text=words["secret note"], secret=True)
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
        scene=scene,
        scene_roll=look_out["rolls"][0]["roll"]["id"],
        invitation=invitation["id"],
        code=invitation["code"],
        words=words,
    )
