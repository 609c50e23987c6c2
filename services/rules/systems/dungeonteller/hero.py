"""Counts a hero's sheet from choices already found legal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from services.rules.engine.content import slug_of
from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import RuleProblem
from services.rules.engine.sheet import CheckOutcome, RollableCheck, Track
from services.rules.systems.dungeonteller.actions import Action, action_roll
from services.rules.systems.dungeonteller.catalog import (
    SLUG,
    Armor,
    Bonus,
    Casting,
    Catalog,
    Role,
    Sight,
    TableSettings,
    Weapon,
)
from services.rules.systems.dungeonteller.checks import (
    BATTLE,
    SHOOT,
    WEAPON_CAP,
    Actor,
    Moment,
    bonuses_of_gear,
    count_dice,
    forbidden,
    power_pool,
    weapon_dice,
)
from services.rules.systems.dungeonteller.companions import (
    Companion,
    burden,
    caller,
    helping_dice,
    lent_spell,
    name_of,
)
from services.rules.systems.dungeonteller.luck import can_pay
from services.rules.systems.dungeonteller.movement import DOUBLE_MOVE, MOVE, run_pool
from services.rules.systems.dungeonteller.powers import Attack, Power
from services.rules.systems.dungeonteller.rewards import Growth, Reward, RewardKind, reward_text
from services.rules.systems.dungeonteller.sheet import (
    ActionLine,
    AttackLine,
    CompanionLine,
    HeroSheet,
    ItemLine,
    MovementLine,
    PowerLine,
    TreasureLine,
    WaitingLine,
    WeaponLine,
)
from services.rules.systems.dungeonteller.things import Treasure
from services.rules.systems.dungeonteller.treasury import bonus_line, treasure_line

USES = {
    Action.BATTLE: "Hit a foe who is close to you.",
    Action.MAGIC: "Cast a spell.",
    Action.MAKE: "Build, fix, open or lock something. Stand still for it.",
    Action.MUSCLE: "Lift, push, pull or break something.",
    Action.NOTICE: "See, hear or find something. The game master rolls it in secret.",
    Action.RESIST: "Hold out against magic, tricks and lies.",
    Action.SHOOT: "Throw or shoot something.",
    Action.SNEAK: "Hide, or creep without a sound.",
    Action.STUNT: "Dodge, balance, tumble or grab hold. All in one roll.",
    Action.TALK: "Make friends, bargain or bluff.",
}

MOVEMENT_NOTES = (
    f"Move up to {MOVE} paces and do one action. To make something, stand still.",
    f"Double-move up to {DOUBLE_MOVE} paces: your action loses 3 dice, and you need more than 3.",
    f"Run: no action. Roll Muscle and Stunt; {DOUBLE_MOVE} paces and 1 more for each success. "
    "With no success you lose 1 Luck.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hero:
    """Choices worked out: what the sheet is counted from.

    Attributes:
        in_use: Content ids of what is worn or in hand.
        purse: Gold at the start.
        gold_found: Gold gained since; negative when more went than came.
        spent: Gold spent on things bought.
        luck: Luck that is left; None for all of it.
    """

    name: str
    look: str
    role: Role
    growth: Growth
    rewards: tuple[Reward, ...]
    owned: Counter[str]
    worn: Armor | None
    shield: Weapon | None
    in_hand: tuple[str, ...]
    in_use: frozenset[str]
    purse: int
    gold_found: int
    spent: int
    malicious: bool
    companions: tuple[Companion, ...] = ()
    luck: int | None = None

    @property
    def gained(self) -> tuple[Reward, ...]:
        """The rewards that count: those approved."""
        return tuple(reward for reward in self.rewards if reward.approved)


def assemble(hero: Hero, catalog: Catalog) -> HeroSheet:
    """The hero's sheet."""
    role, luck = hero.role, _luck(hero, catalog)
    own = _own_bonuses(hero, catalog)
    actor = _actor(hero, catalog, own, luck.value)
    table = _Table(actor, catalog.settings)
    weapons = _weapons(hero, catalog)
    usable = tuple(weapon for weapon, can_use in weapons if can_use)
    weapon_lines = tuple(_weapon_line(hero, weapon, actor, usable=can_use) for weapon, can_use in weapons)
    powers = _powers(hero, catalog)
    casting = _casting(hero, catalog)
    treasures = tuple(
        treasure_line(treasure, hero.owned, hero.in_use, casting, catalog)
        for treasure in _treasures(hero, catalog)
    )
    run = run_pool(actor)
    return HeroSheet(
        system=SLUG,
        name=hero.name,
        tracks=luck_tracks(hero.luck, luck.value),
        checks=(
            *_action_checks(table),
            *_weapon_checks(weapon_lines, table),
            *_power_checks(powers, usable, table),
            *_treasure_checks(treasures, catalog, table),
            table.check("run", "Run", run),
        ),
        role=role.id,
        role_name=role.name,
        look=hero.look,
        luck=luck,
        armor=_armor(hero),
        actions=tuple(_action_line(hero, action, actor.bonuses, catalog) for action in Action),
        weapons=weapon_lines,
        powers=tuple(_power_line(power, usable, table, luck.value) for power in powers),
        items=_items(hero, catalog),
        gold=_gold(hero),
        movement=_movement(run),
        notes=(*role.notes, *_sight_notes(actor.sight)),
        treasures=treasures,
        waiting=_waiting(hero, catalog),
        bonuses=own,
        steady=role.steady,
        casting=casting,
        sight=actor.sight,
        malicious=hero.malicious,
        companions=tuple(_companion_line(companion, catalog) for companion in hero.companions),
    )


def luck_tracks(left: int | None, most: int) -> tuple[Track, ...]:
    """The track of Luck: what is left of it, all of it where None is kept."""
    return (Track("luck", "Luck", most if left is None else min(left, most), most),)


def _actor(hero: Hero, catalog: Catalog, own: tuple[Bonus, ...], luck: int) -> Actor:
    """The hero as pools count it, with its own bonus dice and those that are lent."""
    return Actor(
        ratings=hero.growth.ratings,
        sight=hero.role.sight or catalog.settings.sight,
        bonuses=(*own, *_lent_dice(hero, catalog)),
        steady=hero.role.steady,
        luck=luck,
    )


def _treasures(hero: Hero, catalog: Catalog) -> tuple[Treasure, ...]:
    """The treasures a hero has."""
    return tuple(treasure for treasure in catalog.treasures if hero.owned[treasure.id])


def _own_bonuses(hero: Hero, catalog: Catalog) -> tuple[Bonus, ...]:
    """The bonus dice of the role, of what was learnt, and of the treasures in use."""
    magic = (
        bonus
        for treasure in _treasures(hero, catalog)
        for bonus in treasure.bonuses_in_use(worn_or_held=treasure.id in hero.in_use)
    )
    return (*hero.role.bonuses, *hero.growth.bonuses, *magic)


def _movement(run: Explained) -> MovementLine:
    return MovementLine(
        move=MOVE, double_move=DOUBLE_MOVE, run_from=DOUBLE_MOVE, run=run, notes=MOVEMENT_NOTES
    )


def _waiting(hero: Hero, catalog: Catalog) -> tuple[WaitingLine, ...]:
    """The rewards that are not approved yet."""
    return tuple(
        WaitingLine(session=reward.session, text=reward_text(reward, catalog))
        for reward in hero.rewards
        if not reward.approved
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """What the lines of a sheet are counted with."""

    actor: Actor
    settings: TableSettings

    def pool(self, roll: tuple[Action, ...]) -> Explained | None:
        """Dice of actions rolled together, standing still; None when they may not be rolled."""
        dice = power_pool(self.actor, roll, Moment(), self.settings)
        return None if isinstance(dice, RuleProblem) else dice

    def check(self, check_id: str, name: str, dice: Explained) -> RollableCheck:
        """The check of a pool already counted."""
        faces = " or ".join(map(str, self.settings.lucky_faces))
        reading = f"Each {faces} is a success. Roll no more dice than you have Luck."
        return RollableCheck(
            id=check_id,
            name=name,
            notation=action_roll(dice.value, self.settings.lucky_faces),
            reading=reading,
            dice=dice,
            outcome=CheckOutcome.SUCCESSES,
        )


def _action_checks(table: _Table) -> tuple[RollableCheck, ...]:
    pools = ((action, table.pool((action,))) for action in Action)
    return tuple(
        table.check(f"action-{action.value}", action.label, dice)
        for action, dice in pools
        if dice is not None
    )


def _weapon_checks(lines: tuple[WeaponLine, ...], table: _Table) -> tuple[RollableCheck, ...]:
    return tuple(
        table.check(attack.check, f"{attack.action.label} with {line.name}", attack.dice)
        for line in lines
        for attack in line.attacks
        if attack.check is not None
    )


def _power_checks(
    powers: tuple[Power, ...], weapons: tuple[Weapon, ...], table: _Table
) -> tuple[RollableCheck, ...]:
    found: list[RollableCheck] = []
    for power in powers:
        check_id = f"power-{slug_of(power.id)}"
        dice = _power_dice(power, weapons, table)
        if dice is not None:
            found.append(table.check(check_id, power.name, dice))
        if power.attack is not None and power.attack.action not in power.roll:
            # An ambush is sneaked first; the attack that follows has dice of its own.
            strike = _best_strike(power.attack, weapons, table)
            if strike is not None:
                found.append(table.check(f"{check_id}-attack", f"{power.name}: the attack", strike))
    return tuple(found)


def _treasure_checks(
    lines: tuple[TreasureLine, ...], catalog: Catalog, table: _Table
) -> tuple[RollableCheck, ...]:
    pools = (
        (line, table.pool(catalog.powers[line.spell].roll))
        for line in lines
        if line.spell is not None and line.check is not None
    )
    return tuple(
        table.check(line.check, f"{line.spell_name} from the {line.name}", dice)
        for line, dice in pools
        if line.check is not None and dice is not None
    )


def _action_line(hero: Hero, action: Action, own: tuple[Bonus, ...], catalog: Catalog) -> ActionLine:
    rating = Explained.of(Part(hero.role.ratings.of(action), hero.role.name, f"Roles / {hero.role.name}"))
    for reward in hero.gained:
        if reward.kind is RewardKind.DIE and reward.action is action:
            rating = rating.plus(1, f"reward of session {reward.session}", "Rewards")
    gear = tuple(item for item in hero.owned if item in catalog.gear)
    lines = tuple(
        bonus_line(bonus) for bonus in (*own, *bonuses_of_gear(catalog, gear)) if bonus.action is action
    )
    return ActionLine(id=action, name=action.label, rating=rating, use=USES[action], bonuses=lines)


def _weapons(hero: Hero, catalog: Catalog) -> tuple[tuple[Weapon, bool], ...]:
    """Weapons the hero has, bare fists first, each with whether a held shield leaves hands for it."""
    plain = (weapon for weapon in catalog.weapons if weapon.free or hero.owned[weapon.id])
    magic = (catalog.weapon_of(treasure.id) for treasure in catalog.treasures if hero.owned[treasure.id])
    return tuple(
        (weapon, hero.shield is None or weapon.hands == 1)
        for weapon in (*plain, *magic)
        if weapon is not None
    )


def _weapon_line(hero: Hero, weapon: Weapon, actor: Actor, *, usable: bool) -> WeaponLine:
    held = weapon.id in hero.in_hand or (hero.shield is not None and weapon.id == hero.shield.id)
    return WeaponLine(
        id=weapon.id,
        name=weapon.name,
        count=max(hero.owned[weapon.id], 1),
        hands=weapon.hands,
        in_hand=held,
        usable=usable,
        attacks=tuple(
            AttackLine(
                action=attack.action,
                weapon_dice=weapon_dice(
                    weapon.dice, attack.action, actor.ratings.of(WEAPON_CAP[attack.action]), weapon.name
                ),
                dice=count_dice(actor, attack, _using(weapon)),
                check=f"{attack.action.value}-{slug_of(weapon.id)}" if usable else None,
            )
            for attack in (BATTLE, SHOOT)
            if attack.action in weapon.use
        ),
        text=weapon.summary,
    )


def _powers(hero: Hero, catalog: Catalog) -> tuple[Power, ...]:
    lent = (lent_spell(companion) for companion in hero.companions)
    known = dict.fromkeys((*hero.role.powers, *hero.growth.powers, *filter(None, lent)))
    return (*(catalog.powers[power_id] for power_id in known), *catalog.everyones_powers())


def _casting(hero: Hero, catalog: Catalog) -> Casting:
    """What Magic dice are good for: with a first one gained, scrolls; with a first spell gained, spells."""
    if hero.growth.ratings.magic < 1:
        return Casting.NOTHING
    gained_spell = any(catalog.powers[power].spell for power in hero.growth.powers)
    if hero.role.casting is Casting.SPELLS or gained_spell:
        return Casting.SPELLS
    return Casting.SCROLLS


def _power_line(power: Power, weapons: tuple[Weapon, ...], table: _Table, luck: int) -> PowerLine:
    return PowerLine(
        id=power.id,
        name=power.name,
        cost=power.luck_cost,
        cost_kind=power.cost,
        cost_text=power.cost_text,
        roll=power.roll,
        dice=_power_dice(power, weapons, table),
        text=power.summary,
        everyone=power.everyone,
        affordable=can_pay(luck, power.luck_cost),
    )


def _power_dice(power: Power, weapons: tuple[Weapon, ...], table: _Table) -> Explained | None:
    """The dice rolled for a power; None when nothing is, or it may not be."""
    if not power.roll:
        return None
    if power.attack is not None and power.attack.action in power.roll:
        return _best_strike(power.attack, weapons, table)
    return table.pool(power.roll)


def _best_strike(attack: Attack, weapons: tuple[Weapon, ...], table: _Table) -> Explained | None:
    """The dice of an attack with the best weapon the hero can use now; bare hands when there is none."""
    if forbidden(table.actor, attack, Moment(), table.settings) is not None:
        return None
    # Heaviest first: where Luck cuts several weapons to the same pool, the card names the heaviest.
    heaviest_first = sorted(weapons, key=lambda weapon: -weapon.dice)
    pools = (count_dice(table.actor, attack, _using(weapon)) for weapon in (*heaviest_first, None))
    return max(pools, key=lambda pool: pool.value)


def _using(weapon: Weapon | None) -> Moment:
    """A moment in which a weapon is used; a magic one counts as the plain one too."""
    return Moment(weapon=weapon, situations=frozenset() if weapon is None else frozenset(weapon.counts_as))


def _sight_notes(sight: Sight) -> tuple[str, ...]:
    """What light does, in plain words (Roles / Bonus Dice; ruling P16)."""
    if sight.dim:
        dim = f"In dim light you look around with {-sight.dim} dice less."
    else:
        dim = "You see well in dim light."
    if sight.dark is None:
        return (dim, "In the dark you cannot see anything.")
    return (dim, f"In the dark you look around with {-sight.dark} dice less.")


def _luck(hero: Hero, catalog: Catalog) -> Explained:
    """Maximum Luck, less what companions lower it by for as long as they are there."""
    luck = Explained.of(Part(hero.role.luck, hero.role.name, "Basics / Luck"))
    for reward in hero.gained:
        if reward.kind is RewardKind.LUCK:
            luck = luck.plus(1, f"reward of session {reward.session}", "Rewards / Add Luck")
    for companion in hero.companions:
        power = caller(catalog, companion)
        if power is not None:
            luck = luck.plus(-burden(catalog, companion), name_of(catalog, companion), power.source)
    return luck.at_least(0, "never less than none", "Basics / Luck")


def _lent_dice(hero: Hero, catalog: Catalog) -> tuple[Bonus, ...]:
    """Dice that a familiar lends the hero."""
    return tuple(
        bonus
        for companion in hero.companions
        for bonus in helping_dice(catalog, companion, f"Familiar ({name_of(catalog, companion)})")
    )


def _companion_line(companion: Companion, catalog: Catalog) -> CompanionLine:
    lent = helping_dice(catalog, companion, f"Familiar ({name_of(catalog, companion)})")
    return CompanionLine(
        monster=companion.monster,
        bond=companion.bond,
        name=name_of(catalog, companion),
        lowers_luck=burden(catalog, companion),
        bonuses=tuple(bonus_line(bonus) for bonus in lent),
        spell=lent_spell(companion) or None,
        text=catalog.monsters[companion.monster].summary,
    )


def _armor(hero: Hero) -> Explained:
    armor = Explained.of()
    if hero.worn is not None:
        armor = armor.plus(hero.worn.value, hero.worn.name, "Stuff / Armor")
    if hero.shield is not None:
        armor = armor.plus(hero.shield.armor, hero.shield.name, "Stuff / Armor (shield)")
    return armor


def _gold(hero: Hero) -> Explained:
    gold = Explained.of(Part(hero.purse, "starting gold", "P17"), Part(-hero.spent, "spent", "Stuff"))
    if hero.gold_found:
        gold = gold.plus(hero.gold_found, "come and gone since", "Stuff")
    return gold


def _items(hero: Hero, catalog: Catalog) -> tuple[ItemLine, ...]:
    """Everything with a card that is not held to work: armour, gear and treasures, in that order."""
    others = (treasure for treasure in catalog.treasures if catalog.weapon_of(treasure.id) is None)
    return tuple(
        ItemLine(
            id=item.id,
            name=item.name,
            count=hero.owned[item.id],
            worn=item.id in hero.in_use,
            text=item.summary,
        )
        for item in (*catalog.armor, *catalog.gear, *others)
        if hero.owned[item.id]
    )
