"""Positions that cases speak of, and moves made in them with given faces.

Four Smiths, `A` to `D`, and a Heroine of each, `a` to `d`. The realm has every kind of place once, on a
ring of Roads, so that everybody can be put where a case wants them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.rules.engine.play import Roll
from services.rules.engine.position import Position
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn.catalog import Form, Function, TableSettings, own_catalog
from services.rules.systems.forgeborn.drop import RealmSettings
from services.rules.systems.forgeborn.geometry import Point
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.effects import granted, swayed
from services.rules.systems.forgeborn.play.evolve import change_actor, change_spot, evolve
from services.rules.systems.forgeborn.play.facts import DiceChanged, Fact, Reason
from services.rules.systems.forgeborn.play.moves import Move
from services.rules.systems.forgeborn.play.scene import ForgebornPlay
from services.rules.systems.forgeborn.play.setup import DROP
from services.rules.systems.forgeborn.play.state import (
    VAULT,
    Artifact,
    Game,
    Ground,
    Heroine,
    Phase,
    Smith,
    Spot,
    Turn,
    Way,
)
from services.rules.systems.forgeborn.pools import SIZE_OF, DiceCount, DieSize
from services.rules.systems.forgeborn.realm import PlaceKind

Given = Mapping[str, Any]
Answer = dict[str, Any]

SMITHS = ("A", "B", "C", "D")
CATALOG = own_catalog()
PLAY = ForgebornPlay(CATALOG)
PLENTY = DiceCount(d4=6, d6=6, d8=6, d10=6, d12=6)
"""Dice for a case that says nothing of them."""

PLACES = {
    "citadel": (PlaceKind.CITADEL, 5),
    "city": (PlaceKind.CITY, 8),
    "village-1": (PlaceKind.VILLAGE, 2),
    "village-2": (PlaceKind.VILLAGE, 1),
    "ruin-1": (PlaceKind.RUIN, 3),
    "lair": (PlaceKind.LAIR, 9),
    "forest": (PlaceKind.FOREST, None),
}
WORDS = {
    "citadel": "citadel",
    "city": "city",
    "village": "village-1",
    "ruin": "ruin-1",
    "lair": "lair",
    "forest": "forest",
}
"""How cases call places, by the word they begin with."""


def place_id(word: str) -> str:
    """The place a case names: `Village`, `Village 2`, `Ruins`, `Citadel`."""
    lower = word.lower().strip()
    if lower.startswith("village") and lower.endswith("2"):
        return "village-2"
    for start, place in WORDS.items():
        if lower.startswith(start):
            return place
    raise KeyError(word)


def dice_of(given: Mapping[str, int]) -> DiceCount:
    """Dice as cases write them: `{"d8": 2}`."""
    return DiceCount(**{size: count for size, count in given.items() if count})


def written(dice: DiceCount) -> dict[str, int]:
    """Dice as cases write them; sizes there is none of are left out."""
    return {size.value: dice.count(size) for size in dice.owned()}


def sizes(given: Iterable[int]) -> tuple[DieSize, ...]:
    """Dice by their sides."""
    return tuple(SIZE_OF[sides] for sides in given)


def rolled(given: Iterable[Sequence[int]]) -> tuple[DieSize, ...]:
    """The dice of faces written with their sides: `[[8, 2], [8, 3]]`."""
    return sizes(sides for sides, _ in given)


def stage(
    *,
    players: int = 4,
    at: str = "citadel",
    dice: DiceCount = PLENTY,
    actor: str = "A",
    settings: TableSettings | None = None,
) -> Game:
    """Everybody at one place, and the first Smith's turn.

    Args:
        players: How many Smiths there are.
        at: Where everybody is.
        dice: Dice of the one who acts; the others have plenty.
        actor: Who acts: `A`, or her Heroine `a`.
        settings: The table's; the game master judges no Artifacts when absent.
    """
    ring = list(PLACES)
    ways = [
        Way(start=start, end=end, kind=LinkKind.TRAIL if "forest" in (start, end) else LinkKind.ROAD)
        for start, end in zip(ring, (*ring[1:], ring[0]), strict=True)
    ]
    spots = tuple(
        Spot(id=place, kind=kind, name=place, at=Point(1_000 * order, 0), power=power)
        for order, (place, (kind, power)) in enumerate(PLACES.items())
    )
    ground = Ground(
        title="",
        width=120_000,
        height=90_000,
        rules=RealmSettings(),
        dice=DROP,
        spots=spots,
        ways=tuple(ways),
    )
    smiths = tuple(
        Smith(
            id=name,
            name=name,
            description="",
            character=True,
            color="#000000",
            dice=dice if name == actor else PLENTY,
            place=at,
        )
        for name in SMITHS[:players]
    )
    heroines = tuple(
        Heroine(
            id=smith.id.lower(),
            name=smith.id.lower(),
            description="",
            smith=smith.id,
            dice=dice if smith.id.lower() == actor else PLENTY,
            place=at,
        )
        for smith in smiths
    )
    return Game(
        title="",
        phase=Phase.PLAY,
        settings=settings or TableSettings(artifact_approval=False),
        ground=ground,
        smiths=smiths,
        heroines=heroines,
        first="A",
        turn=Turn(number=1, round=1, smith="A"),
    )


def with_artifact(game: Game, dice: DiceCount, holder: str = VAULT, name: str = "X") -> Game:
    """The game with one Artifact more, made by the second Smith."""
    made = Artifact(
        id=name,
        name=name,
        form=Form.CLOTHING,
        function=Function.KNOWLEDGE,
        dice=dice,
        power=dice.total(),
        maker="B",
        holder=holder,
    )
    return replace(game, artifacts=(*game.artifacts, made))


def with_power(game: Game, place: str, power: int) -> Game:
    """The game with another Power at a place."""
    return change_spot(game, place, power=power)


def with_smith(game: Game, who: str, **changes: Any) -> Game:
    """The game with a Smith or Heroine who is otherwise, the Prince's favour and his grants included."""
    turn, grants = changes.pop("swayed_on", None), changes.pop("grants", ())
    favour = () if turn is None else (swayed(who, turn),)
    laid = (*favour, *(granted(who, artifact) for artifact in grants))
    effects = {effect.id: effect for effect in (*game.actor(who).effects, *laid)}
    return change_actor(game, who, effects=tuple(effects.values()), **changes)


@dataclass(frozen=True, slots=True)
class Happened:
    """A move or an answer that was made.

    Attributes:
        game: Afterwards, and before the reward of a loss.
        at: Where the game stands, an open question included.
        rolls: The dice that fell.
        events: What happened.
    """

    game: Game
    at: Position
    rolls: tuple[Roll, ...]
    events: tuple[Fact, ...]

    @property
    def whole(self) -> Game:
        """Afterwards in every way."""
        state: Game = self.at.state
        return state

    def asks(self, question: str) -> bool:
        """Whether a question of this id is open now."""
        return any(ask.id == question for ask in self.at.asks)

    def event(self, kind: type) -> Any:
        """The event of a kind, None when there is none."""
        return next((event for event in self.events if isinstance(event, kind)), None)

    def dice(self, roll: str) -> int:
        """How many dice a roll takes; 0 when it is not made."""
        return next((each.dice.value for each in self.rolls if each.id == roll), 0)


def make(
    at: Game | Position, move: Move, faces: Mapping[str, Sequence[int]] | None = None
) -> Happened | Problems:
    """Makes a move, or answers a question. Rolls that no faces are given for show ones.

    Args:
        at: Where it is made; a position where a question is open.
        move: The move or the answer.
        faces: Faces by the name of the roll, or by `*` for the highest everywhere else.
    """
    position = at if isinstance(at, Position) else Position(PLAY, at)
    taken = position.take(move, 1, lambda roll: _faces(roll, faces or {}))
    if isinstance(taken, Problems):
        return taken
    before_reward: Game = position.state
    for event in taken.events:
        if not (isinstance(event, DiceChanged) and event.why is Reason.REWARD):
            before_reward = evolve(before_reward, event)
    return Happened(before_reward, taken.position, taken.rolls, taken.events)


def made(at: Game | Position, move: Move, faces: Mapping[str, Sequence[int]] | None = None) -> Happened:
    """Makes a move that is legal.

    Raises:
        ValueError: It is not.
    """
    found = make(at, move, faces)
    if isinstance(found, Problems):
        raise ValueError(str(found))
    return found


def _faces(roll: Roll, faces: Mapping[str, Sequence[int]]) -> tuple[int, ...]:
    given = tuple(faces.get(roll.id, ()))
    if len(given) == roll.dice.value:
        return given
    return (roll.sides if "*" in faces and roll.id != "opposition" else 1,) * roll.dice.value


def by_roll(who: str, fell: Iterable[Sequence[int]]) -> dict[str, list[int]]:
    """Faces written with their sides, by the rolls of their owner."""
    found: dict[str, list[int]] = {}
    for sides, face in fell:
        found.setdefault(f"{who}:{SIZE_OF[sides].value}", []).append(face)
    return found


def spread(total: int) -> tuple[DiceCount, tuple[DieSize, ...], DiceCount, dict[str, list[int]]]:
    """Dice that come to a total: her own, those rolled, an Artifact's, and their faces."""
    count = max(1, -(-total // 12))
    faces = [total // count + (place < total % count) for place in range(count)]
    own = min(3, count)
    fell = {"A:d12": faces[:own], "a:d12": faces[:own], "X:d12": faces[own:]}
    return DiceCount(d12=own), (DieSize.D12,) * own, DiceCount(d12=count - own), fell


def illegal(reason: str, **more: Any) -> Answer:
    """Something that is refused."""
    return {"legal": False, "reason": reason, **more}


def refused(problems: Problems, words: Mapping[str, str]) -> Answer:
    """A refusal in the words of the cases; in our own where they have none."""
    first: RuleProblem = problems.items[0]
    return illegal(words.get(first.code) or ALL_WORDS.get(first.code) or first.message.rstrip("."))


ALL_WORDS: Mapping[str, str] = {
    "smith_only": "Master Smith only",
    "heroine_only": "Heroine only",
    "own_die_missing": "no own dice",
    "too_many_dice": "at most 3 normal dice",
    "sacrifice_needs_more_dice": "no more than 3 dice available",
    "sacrifice_too_soon": "Sacrifice only beyond three normal dice",
    "dice_not_owned": "die not owned",
    "die_not_owned": "die not owned",
    "artifact_not_held": "not possessed",
    "use_not_described": "no described use",
    "artifact_not_in_vault": "not in the Vault",
    "not_your_turn": "not your turn",
    "another_acts": "one character per turn",
    "no_way_there": "no direct link",
    "trail_after_road": "a Trail move takes the whole turn",
    "wrong_place": "not there",
    "ruin_spent": "explored already",
    "dragon_dead": "the Dragon is dead",
    "prince_swayed": "swayed already",
    "scene_over": "game over",
}


def who_acts(given: Given) -> str:
    """Id of who acts: a Smith unless the case says that it is a Heroine."""
    word = str(given.get("actor", "smith")).lower()
    owner = word.rpartition(" of ")[2].upper() if " of " in word else "A"
    return owner.lower() if word.startswith("heroine") else owner
