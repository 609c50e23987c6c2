"""What a power is, as data (Roles / Powers; More Powers; Powers for Everyone).

A power says what it costs, what is rolled, what stands against it, how long it lasts and the figures it works
with. What it then does in a scene is play, and not here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from services.rules.systems.dungeonteller.actions import Action


class CostKind(Enum):
    """How the Luck cost is counted. It is paid for every try, whether it works or not (ruling P2).

    Attributes:
        FIXED: The same each time.
        PER_FOE: Once for each foe that it is tried on.
        CHOSEN: As much as the user chooses to pay.
    """

    FIXED = "fixed"
    PER_FOE = "per_foe"
    CHOSEN = "chosen"


class Duration(Enum):
    """How long a power's effect lasts; turns are the user's own turns after this one (ruling P30).

    Attributes:
        INSTANT: It is over at once.
        ONE_TURN: One turn of the user.
        UNTIL_NEXT_TURN: Until the user's next turn.
        NEXT_MAGIC_ROLL: Until the user's next Magic roll.
        TURNS_PER_SUCCESS: A turn for each success.
        SCENE: Until the scene is over.
        UNTIL_USED_UP_OR_SCENE: Until it is used up, or the scene is over.
        UNTIL_SEEN_THROUGH: Until it is seen through.
        UNTIL_ESCAPED: Until whoever is held escapes.
        UNTIL_TRIGGERED: Until something sets it off.
        UNTIL_DISMISSED: Until the user ends it.
        WHILE_MINION_EXISTS: As long as the minion is there.
        PERMANENT: For good.
    """

    INSTANT = "instant"
    ONE_TURN = "one_turn"
    UNTIL_NEXT_TURN = "until_next_turn"
    NEXT_MAGIC_ROLL = "next_magic_roll"
    TURNS_PER_SUCCESS = "turns_per_success"
    SCENE = "scene"
    UNTIL_USED_UP_OR_SCENE = "until_used_up_or_scene"
    UNTIL_SEEN_THROUGH = "until_seen_through"
    UNTIL_ESCAPED = "until_escaped"
    UNTIL_TRIGGERED = "until_triggered"
    UNTIL_DISMISSED = "until_dismissed"
    WHILE_MINION_EXISTS = "while_minion_exists"
    PERMANENT = "permanent"


class Opposition(Enum):
    """How the other side's successes work against a power.

    Attributes:
        TAKES_AWAY: Each takes one of the user's successes away; what is left counts.
        USER_NEEDS_MORE: The user needs more successes than the other side.
        MUST_BEAT: Whoever looks on needs more successes than the user had.
        MUST_MATCH: Whoever looks on, or is caught, needs at least as many successes as the user had.
    """

    TAKES_AWAY = "takes_away"
    USER_NEEDS_MORE = "user_needs_more"
    MUST_BEAT = "must_beat"
    MUST_MATCH = "must_match"


class Target(Enum):
    """Who or what a power works on.

    Attributes:
        SELF: The user.
        FRIEND: A friend, or oneself.
        FOE: A foe.
        SMALLER_THAN_GIANT: Creatures smaller than a giant.
        UNDEAD: The undead.
        ANIMAL: An animal.
        TALKER: Creatures that can talk.
        POISONED: The poisoned.
        PETRIFIED: Those turned to stone.
        OBJECT: A thing.
        STONE_SURFACE: A surface of stone.
        PLACE: A place on the grid.
    """

    SELF = "self"
    FRIEND = "friend"
    FOE = "foe"
    SMALLER_THAN_GIANT = "smaller_than_giant"
    UNDEAD = "undead"
    ANIMAL = "animal"
    TALKER = "talker"
    POISONED = "poisoned"
    PETRIFIED = "petrified"
    OBJECT = "object"
    STONE_SURFACE = "stone_surface"
    PLACE = "place"


class Light(Enum):
    """How bright a place is.

    Attributes:
        BRIGHT: As by day.
        DIM: As by moonlight, or at a lamp's edge.
        DARK: Nothing shines.
    """

    BRIGHT = "bright"
    DIM = "dim"
    DARK = "dark"


class ZoneShape(Enum):
    """What a power leaves lying on the grid.

    Attributes:
        PATCH: A patch of ground.
        CLOUD: A cloud.
        CIRCLE: A circle.
        SWARM: A swarm.
        FOG: A fog that hides what is in it.
        RUNE: A rune that waits to be set off.
        LIGHT: A light.
    """

    PATCH = "patch"
    CLOUD = "cloud"
    CIRCLE = "circle"
    SWARM = "swarm"
    FOG = "fog"
    RUNE = "rune"
    LIGHT = "light"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """How a power hits a foe.

    Attributes:
        action: The action whose dice are rolled, and whose weapons help.
        adds: Actions whose dice come on top.
        dice: Further dice.
        armor_counts: Whether the foe's Armor takes dice away.
        dodge_counts: Whether the foe may Dodge.
        steady: Whether it loses no dice in a double-move.
    """

    action: Action
    adds: tuple[Action, ...] = ()
    dice: int = 0
    armor_counts: bool = True
    dodge_counts: bool = True
    steady: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A marked piece of the pace grid.

    Attributes:
        shape: What kind of zone it is.
        must_join: Whether its squares form one shape without gaps.
        luck_lost: Luck it takes from whoever stands in it or crosses it.
        saved_by: The action that keeps it off.
        spares_giants: Whether only those smaller than a giant are touched.
    """

    shape: ZoneShape
    must_join: bool = False
    luck_lost: int = 0
    saved_by: Action | None = None
    spares_giants: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The numbers a power works with; None where it has no such number. Distances are in paces.

    Attributes:
        across: How wide it is, in paces.
        armor: Armor it gives; per success for Firewalk.
        armor_battle: Armor it gives against Battle only.
        armor_shoot: Armor it gives against Shoot only.
        battle_bonus: Battle dice that it adds.
        keep_away_paces: How far others are kept away, in paces.
        light: How bright it makes a place.
        light_radius: How far its light reaches, in paces.
        limit: How many may be in play for one user.
        luck: Luck that it restores or takes.
        luck_per_turn: Luck that it restores or takes each turn.
        max_luck: What each lowers its maker's maximum Luck by, as a negative number.
        people: How many people it carries or holds.
        radius: How far it reaches around its middle, in paces.
        riders: How many can ride.
        sneak: Sneak dice that it adds.
        targets: How many targets it may have.
        tries_per_item: How often it may be tried on one thing.
        trigger_radius: How near a creature must come to set it off, in paces.
        warm_radius: How far its warmth reaches, in paces.
    """

    across: int | None = None
    armor: int | None = None
    armor_battle: int | None = None
    armor_shoot: int | None = None
    battle_bonus: int | None = None
    keep_away_paces: int | None = None
    light: Light | None = None
    light_radius: int | None = None
    limit: int | None = None
    luck: int | None = None
    luck_per_turn: int | None = None
    max_luck: int | None = None
    people: int | None = None
    radius: int | None = None
    riders: int | None = None
    sneak: int | None = None
    targets: int | None = None
    tries_per_item: int | None = None
    trigger_radius: int | None = None
    warm_radius: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """One power.

    Attributes:
        id: Content id.
        name: The word for people.
        summary: What it does, in plain words of our own.
        source: Where the book has it.
        luck_cost: Luck for one try; the least that can be paid when `cost` is `chosen`.
        duration: How long its effect lasts.
        target: Who or what it works on.
        cost: How its Luck cost is counted.
        roll: Actions whose dice are rolled together; empty when nothing is rolled.
        opposed_by: Actions the other side rolls together; empty when nobody does.
        opposition: What the target rolls against it; null where nothing is rolled.
        spell: Whether it is cast, and so needs Magic 1 or more.
        everyone: Whether it is one of the powers for everyone.
        reaction: Whether it is used outside one's own action.
        malicious: Whether only malicious casters have it.
        familiar: Whether nobody learns it: a greater familiar lends it (ruling P14).
        limit_group: Powers of one group share their limit in play: circles.
        attack: How it strikes; null where it does not attack.
        zone: What it leaves lying on the grid; null for nothing.
        figures: The numbers it works with.
    """

    id: str
    name: str
    summary: str
    source: str
    luck_cost: int
    duration: Duration
    target: Target
    cost: CostKind = CostKind.FIXED
    roll: tuple[Action, ...] = ()
    opposed_by: tuple[Action, ...] = ()
    opposition: Opposition | None = None
    spell: bool = False
    everyone: bool = False
    reaction: bool = False
    malicious: bool = False
    familiar: bool = False
    limit_group: str | None = None
    attack: Attack | None = None
    zone: Zone | None = None
    figures: Figures = field(default_factory=Figures)

    def __post_init__(self) -> None:
        bonus = self.figures.battle_bonus
        if self.attack is not None and bonus is not None:
            # The blow has the dice that the figures name, which stand there alone.
            object.__setattr__(self, "attack", replace(self.attack, dice=bonus))

    @property
    def cost_text(self) -> str:
        """The cost as the hero card says it."""
        match self.cost:
            case CostKind.FIXED:
                return f"{self.luck_cost} Luck" if self.luck_cost else "free"
            case CostKind.PER_FOE:
                return f"{self.luck_cost} Luck for each foe"
            case CostKind.CHOSEN:
                return f"{self.luck_cost} Luck or more, you choose"
