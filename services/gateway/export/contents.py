"""What an export holds: each file, and the operation that it is read from."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from services.gateway.rest.operation import OPERATIONS, Operation, operations

FULLER = OPERATIONS / "export"
"""Operations that say more of a thing than those of the REST face, or of what it has no path for."""


@dataclass(frozen=True, slots=True)
class Lines:
    """A file with one thing in each line, as JSON; one that ends in ``.json`` has a single thing.

    Attributes:
        file: its name.
        operation: that it is read from: one of ``FULLER``, or else of the REST face.
        says: what it holds, in words.
        of: the file whose things the operation is asked of, one after another.
        by: what such a thing is called in a line; its id is the operation's variable ``<by>Id``, or ``id``.
        own: the member of a line that must be one's own account, where others' things are listed beside.
        optional: whether it is usual that such a thing has none.
        page: how many are read at once.
    """

    file: str
    operation: str
    says: str
    of: str | None = None
    by: str = ""
    own: str | None = None
    optional: bool = False
    page: int = 100


@dataclass(frozen=True, slots=True)
class Documents:
    """Files that each are a document of a service, as it gives it out.

    Attributes:
        file: their name, with ``{id}`` in it.
        service: that has them.
        path: within it, with ``{id}`` in it.
        says: what they hold, in words.
        of: the files that name them.
        kind: what to call one.
        optional: whether it is usual that there is none.
    """

    file: str
    service: str
    path: tuple[str, ...]
    says: str
    of: tuple[str, ...]
    kind: str
    optional: bool = False


ACCOUNT, CAMPAIGNS, SCENES = "account.json", "campaigns.ndjson", "scenes.ndjson"
CHARACTERS, MAPS, MAPS_OF_CAMPAIGNS = "characters.ndjson", "maps.ndjson", "campaign-maps.ndjson"
JOBS, BATCHES = "jobs.ndjson", "batches.ndjson"
MANIFEST = "manifest.json"

CONTENTS: tuple[Lines | Documents, ...] = (
    Lines(ACCOUNT, "account.account", "Your account."),
    Lines("keys.ndjson", "account.keys", "Your API keys; never their secrets."),
    Lines(
        CAMPAIGNS,
        "campaign.campaigns",
        "The campaigns that you are a member of: your role, who is at the table.",
    ),
    Lines(
        "campaign-invitations.ndjson",
        "campaign.invitations",
        "Open invitations to campaigns that you run.",
        of=CAMPAIGNS,
        by="campaign",
    ),
    Lines("campaign-log.ndjson", "campaign.log", "The logs of your campaigns.", of=CAMPAIGNS, by="campaign"),
    Lines(
        SCENES,
        "campaign.scenes",
        "The scenes of your campaigns, as you may know them.",
        of=CAMPAIGNS,
        by="campaign",
        page=10,
    ),
    Lines(
        "scene-moves.ndjson",
        "campaign.sceneMoves",
        "What was done in those scenes, as you may know it.",
        of=SCENES,
        by="scene",
    ),
    Lines(
        CHARACTERS,
        "character.characters",
        "Your characters: what was chosen for them, and their rewards.",
        page=25,
    ),
    Documents(
        "sheets/{id}.json",
        "character",
        ("characters", "{id}", "sheet", "published"),
        "The sheet of each character, by its id.",
        of=(CHARACTERS,),
        kind="character",
    ),
    Documents(
        "portraits/{id}.webp",
        "character",
        ("characters", "{id}", "portrait"),
        "The portrait of each character that has one, by its id.",
        of=(CHARACTERS,),
        kind="portrait",
        optional=True,
    ),
    Lines(
        "character-history.ndjson",
        "character.history",
        "What became of your characters, version by version.",
        of=CHARACTERS,
        by="character",
    ),
    Lines("packs.ndjson", "character.contentPacks", "Your content packs, whole.", page=5),
    Lines(
        "rolls.ndjson",
        "dice.rolls",
        "Your rolls, at your campaigns and outside of any, each with its receipt.",
        of=ACCOUNT,
        by="account",
        page=25,
    ),
    Lines("macros.ndjson", "dice.macros", "Your saved rolls."),
    Lines(
        "campaign-macros.ndjson",
        "dice.macros",
        "Rolls that you saved at campaigns.",
        of=CAMPAIGNS,
        by="campaign",
        own="by",
    ),
    Lines("dice.ndjson", "dice.tableDice", "Dice of your own."),
    Lines(
        "campaign-dice.ndjson",
        "dice.tableDice",
        "Dice that you defined at campaigns.",
        of=CAMPAIGNS,
        by="campaign",
        own="by",
    ),
    Lines("dice-settings.json", "dice.diceSettings", "What you have chosen about your dice."),
    Lines(MAPS, "map.maps", "Your maps that belong to no campaign, with the addresses of their files."),
    Lines(
        MAPS_OF_CAMPAIGNS,
        "map.maps",
        "Your maps that belong to campaigns, with the addresses of their files.",
        of=CAMPAIGNS,
        by="campaign",
        own="owner",
    ),
    Documents(
        "maps/{id}.json",
        "map",
        ("maps", "{id}", "outputs", "json"),
        "Each of those maps itself, by its id; it can be imported again.",
        of=(MAPS, MAPS_OF_CAMPAIGNS),
        kind="map",
    ),
    *(
        part
        for start, of in (("map", MAPS), ("campaign-map", MAPS_OF_CAMPAIGNS))
        for part in (
            Lines(
                f"{start}-play.ndjson",
                "map.mapPlay",
                f"What lies on the maps of {of}: tokens, notes, doors, drawings, fog.",
                of=of,
                by="map",
            ),
            Lines(
                f"{start}-edits.ndjson",
                "map.mapEdits",
                f"What was done on the maps of {of}, where you are their game master.",
                of=of,
                by="map",
                optional=True,
            ),
        )
    ),
    Lines("simulations.ndjson", "campaign.simulations", "Your simulations that belong to no campaign."),
    Lines(JOBS, "map.jobs", "The work that you asked for."),
    Lines(
        BATCHES,
        "map.mapBatch",
        "The batches of maps among it, with the addresses of all their files.",
        of=JOBS,
        by="job",
        optional=True,
    ),
    Lines("batch-maps.ndjson", "map.batchMaps", "The maps of those batches.", of=BATCHES, by="batch"),
)


@cache
def operations_of_exports() -> Mapping[str, Operation]:
    """Reads the operations that exports are read from, by name."""
    fuller, known = operations(FULLER), operations()
    return {
        part.operation: fuller.get(part.operation) or known[part.operation]
        for part in CONTENTS
        if isinstance(part, Lines)
    }


def readme() -> str:
    """Writes what the files of an export are, for who opens it."""
    listed = "\n".join(f"{part.file:<28}  {part.says}" for part in CONTENTS)
    return f"""\
All that is yours here, as far as you may read it: one file a kind of thing.

Files that end in .ndjson hold one JSON value in each line (https://github.com/ndjson/ndjson-spec), those that
end in .json a single one. Members are called as in the REST API; `id` names a thing everywhere.

{listed}
{MANIFEST:<28}  How many things each file holds. It is written last: an archive without it is not whole.

Files of maps and batches that only addresses are told of are fetched from there, with an API key.
"""
