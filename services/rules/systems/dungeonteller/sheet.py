"""A finished hero: everything a hero card shows, each number with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Bonus, Casting, Sight
from services.rules.systems.dungeonteller.companions import Bond
from services.rules.systems.dungeonteller.powers import CostKind
from services.rules.systems.dungeonteller.things import TreasureKind


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusLine:
    """Bonus dice, in plain words.

    Attributes:
        dice: How many come on top; negative takes away.
        when: When they count.
        once: Whether they are good for one roll only.
        rule: Where they come from.
    """

    dice: int
    when: str
    once: bool
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionLine:
    """One of the ten actions.

    Attributes:
        id: The action's name: `battle`.
        name: The word on the card: "Battle".
        rating: Dice on the card, before situation, weapon and Luck.
        use: What it is for, in plain words.
        bonuses: Dice that come on top when something holds.
    """

    id: Action
    name: str
    rating: Explained
    use: str
    bonuses: tuple[BonusLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackLine:
    """One way of using a weapon.

    Attributes:
        action: Battle or Shoot.
        weapon_dice: What the weapon adds, capped by Muscle or Notice.
        dice: The whole pool against a foe without Armor, at full Luck.
        check: Id of the sheet's check that rolls it; None while a held shield forbids it.
    """

    action: Action
    weapon_dice: Explained
    dice: Explained
    check: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponLine:
    """A weapon the hero has.

    Attributes:
        id: Content id.
        name: What it is called.
        count: How many the hero has.
        hands: How many hands it takes.
        in_hand: Whether it is held now.
        usable: Whether it may be used now: a two-handed weapon may not while a shield is held.
        attacks: The ways to attack with it.
        text: What it does, in plain words.
    """

    id: str
    name: str
    count: int
    hands: int
    in_hand: bool
    usable: bool
    attacks: tuple[AttackLine, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerLine:
    """A power the hero has.

    Attributes:
        id: Content id.
        name: What it is called.
        cost: Luck for a try; see `cost_kind`.
        cost_kind: How its Luck cost is counted.
        cost_text: The cost in plain words.
        roll: Actions rolled together; empty when nothing is rolled.
        dice: The pool at full Luck against a foe without Armor; None when nothing is rolled.
        text: What it does, in plain words.
        everyone: Whether everyone has it.
        affordable: Whether full Luck pays for it (ruling P2).
    """

    id: str
    name: str
    cost: int
    cost_kind: CostKind
    cost_text: str
    roll: tuple[Action, ...]
    dice: Explained | None
    text: str
    everyone: bool
    affordable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemLine:
    """Armour, gear or treasure the hero has and does not hold to work, one line for each kind.

    Attributes:
        id: Content id.
        name: The word for people.
        count: How many the hero has.
        worn: Whether the hero wears it.
        text: What it does, in plain words.
    """

    id: str
    name: str
    count: int
    worn: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TreasureLine:
    """A treasure the hero has. It stands among the items too, or among the weapons when it is held to work.

    Attributes:
        id: Content id.
        name: What it is called.
        kind: Which kind of treasure it is.
        count: How many the hero has.
        in_use: Whether it is worn or in hand now.
        usable: Whether the hero can use it: a scroll or wand asks for Magic 1 or more.
        bonuses: Dice it adds while in use.
        spell: Content id of the power it casts; None when it casts none.
        spell_name: That power's name; empty when it casts none.
        castings: How often: of a scroll in all, of a wand in each scene.
        luck_cost: Luck a casting costs; None when it casts nothing.
        check: Id of the sheet's check that casts from it; None when there is nothing to roll.
        text: What it does, in plain words.
    """

    id: str
    name: str
    kind: TreasureKind
    count: int
    in_use: bool
    usable: bool
    bonuses: tuple[BonusLine, ...]
    spell: str | None
    spell_name: str
    castings: int
    luck_cost: int | None
    check: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanionLine:
    """A pet, a minion or a familiar that goes with the hero.

    Attributes:
        monster: Content id of the creature.
        bond: How it belongs to the hero.
        name: What it is called.
        lowers_luck: What it lowers maximum Luck by while it is there.
        bonuses: Dice it lends.
        spell: Content id of the spell it lends; None when it lends none.
        text: What it is like, in plain words.
    """

    monster: str
    bond: Bond
    name: str
    lowers_luck: int
    bonuses: tuple[BonusLine, ...]
    spell: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingLine:
    """A reward that the game master has not approved yet; it gives nothing so far.

    Attributes:
        session: Which session it is for.
        text: What it will give, in plain words.
    """

    session: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementLine:
    """How far the hero goes in a turn, in paces (Moving).

    Attributes:
        move: Walking; any action but Make is possible.
        double_move: Fast; actions lose dice.
        run_from: A run is any move of more than this many paces, plus one for each success.
        run: Dice of the run roll.
        notes: The rules in plain words.
    """

    move: int
    double_move: int
    run_from: int
    run: Explained
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroSheet:
    """A hero card.

    Attributes:
        system: Always `dungeonteller`.
        name: The hero's name.
        tracks: Luck, full.
        checks: Everything the hero can roll.
        role: Content id of the role; empty for a role of one's own.
        role_name: What the role is called.
        look: How the hero looks, in the player's words.
        luck: Maximum Luck, less what companions lower it by.
        armor: Dice taken from a foe's Battle or Shoot.
        actions: The ten actions with their dice.
        weapons: What the hero holds to fight.
        powers: What the hero can do beyond plain actions.
        items: What the hero has beside that.
        gold: Gold left.
        movement: How far the hero gets in a turn.
        notes: The role's gifts that are not dice.
        treasures: Treasures the hero has.
        waiting: Rewards not yet approved.
        bonuses: Bonus dice of role, rewards and treasures in use, with what each asks for; without
            gear's.
        steady: Actions that lose no dice in a double-move.
        casting: What the hero may do with Magic dice, those gained as rewards included.
        sight: How the hero sees without light; None only on a sheet of an earlier day.
        malicious: Whether the hero is malicious.
        companions: Who goes with the hero.
    """

    system: str
    name: str
    tracks: tuple[Track, ...]
    checks: tuple[RollableCheck, ...]
    role: str
    role_name: str
    look: str
    luck: Explained
    armor: Explained
    actions: tuple[ActionLine, ...]
    weapons: tuple[WeaponLine, ...]
    powers: tuple[PowerLine, ...]
    items: tuple[ItemLine, ...]
    gold: Explained
    movement: MovementLine
    notes: tuple[str, ...]
    treasures: tuple[TreasureLine, ...] = ()
    waiting: tuple[WaitingLine, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    steady: tuple[Action, ...] = ()
    casting: Casting = Casting.NOTHING
    sight: Sight | None = None
    malicious: bool = False
    companions: tuple[CompanionLine, ...] = ()

    def named_numbers(self) -> Mapping[str, int]:
        """What `@muscle` and the like mean in dice notation: ratings as on the card, and the other numbers.

        A rating is neither cut to Luck nor raised by gear; the pools that are have a check of their own.
        """
        ratings = {line.id.value: line.rating.value for line in self.actions}
        return ratings | {
            "armor": self.armor.value,
            "gold": self.gold.value,
            "move": self.movement.move,
            "double_move": self.movement.double_move,
        }
