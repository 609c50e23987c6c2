"""How many dice: pools for actions, attacks and powers, each number explained.

A pool is counted in one order (ruling P3): add, take away, cut to Luck, and at last one die stays. Nothing
here rolls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from services.rules.engine.explain import Explained, Part
from services.rules.engine.frozen import replace
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.catalog import Bonus, Catalog, Role, Sight, TableSettings, Weapon
from services.rules.systems.dungeonteller.powers import Attack

DIM = "dungeonteller:situation/dim"
DARK = "dungeonteller:situation/dark"

DOUBLE_MOVE_LOSS = 3
"""Dice an action loses in a double-move (Moving / Double-move)."""

WEAPON_CAP = {Action.BATTLE: Action.MUSCLE, Action.SHOOT: Action.NOTICE}
"""The action whose rating caps the weapon dice of another (Battle Weapons; Shoot Weapons)."""

BATTLE = Attack(action=Action.BATTLE)
SHOOT = Attack(action=Action.SHOOT)

DODGE_COST = 1
"""Luck for each foe dodged (Powers for Everyone / Dodge)."""


class Pace(Enum):
    """How a being moves in a turn (Moving)."""

    STILL = "still"
    MOVE = "move"
    DOUBLE_MOVE = "double_move"
    RUN = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Whoever rolls: a hero, or a monster by its ratings alone.

    Attributes:
        bonuses: Bonus dice of the role, of what is worn and carried, and of rewards.
        sight: What light does to Notice.
        steady: Actions that lose no dice in a double-move.
        luck: Current Luck; None for a thing without Luck, whose dice are not capped (ruling P23).
        one_die: Actions of which a swarm of locusts leaves one die, whatever weapons and bonus dice add
            (More Wizard Powers / Call Vermin).
    """

    ratings: Ratings
    sight: Sight
    bonuses: tuple[Bonus, ...] = ()
    steady: tuple[Action, ...] = ()
    luck: int | None = None
    one_die: tuple[Action, ...] = ()

    @classmethod
    def of_role(cls, role: Role, settings: TableSettings, luck: int | None = None) -> Actor:
        """A fresh hero of a role; with the role's full Luck when none is given."""
        return cls(
            ratings=role.ratings,
            sight=role.sight or settings.sight,
            bonuses=role.bonuses,
            steady=role.steady,
            luck=role.luck if luck is None else luck,
        )

    def with_bonuses(self, bonuses: Iterable[Bonus]) -> Actor:
        """This actor with more bonus dice."""
        return replace(self, bonuses=(*self.bonuses, *bonuses))


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What holds while a being rolls.

    Attributes:
        situations: Content ids of what holds: climbing, in dim light; also of a weapon that is at hand
            without adding its dice, and a speciality's own words.
        weapon: The weapon used, if any.
        pace: How the actor moves this turn.
    """

    situations: frozenset[str] = frozenset()
    weapon: Weapon | None = None
    pace: Pace = Pace.STILL


@dataclass(frozen=True, slots=True, kw_only=True)
class Defence:
    """What stands between an attack and its target.

    Attributes:
        armor: Worn armour with a held shield, and whatever else counts as Armor against this attack.
        dodge: The target's Stunt when it dodges, not cut to Luck (ruling P4); 0 when it does not.
    """

    armor: int = 0
    dodge: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackPool:
    """Dice of an attack, and what defending against it costs the target."""

    dice: Explained
    target_luck_cost: int


def weapon_dice(dice: int, action: Action, cap_rating: int, name: str = "weapon") -> Explained:
    """Dice a weapon adds: its own, but no more than Muscle (Battle) or Notice (Shoot).

    Args:
        dice: The weapon's dice.
        action: Battle or Shoot.
        cap_rating: The user's rating in the action that caps it.
        name: What the explanation calls the weapon.
    """
    section = "Stuff / Battle Weapons" if action is Action.BATTLE else "Stuff / Shoot Weapons"
    return Explained.of(Part(dice, name, section)).at_most(
        cap_rating, f"only as many as {WEAPON_CAP[action].label} {cap_rating}", section
    )


def power_pool(
    actor: Actor, actions: tuple[Action, ...], moment: Moment, settings: TableSettings
) -> Explained | RuleProblem:
    """Dice for a power that rolls several actions together, such as Pin's Muscle and Stunt."""
    roll = Attack(action=actions[0], adds=actions[1:])
    return forbidden(actor, roll, moment, settings) or count_dice(actor, roll, moment)


def attack_pool(
    actor: Actor,
    attack: Attack,
    moment: Moment,
    defence: Defence,
    settings: TableSettings,
    further: tuple[Part, ...] = (),
) -> AttackPool | RuleProblem:
    """Dice of an attack after the target's Armor or Dodge, or why it cannot be tried.

    What else adds dice or takes them (`further`) comes before Armor or Dodge. These two do not add up, the
    better counts (ruling P4, a table setting). A Dodge that is declared is paid for even when Armor was the
    better (Powers for Everyone / Dodge; ruling P27 for Zap).
    """
    problem = forbidden(actor, attack, moment, settings)
    if problem is not None:
        return problem
    armor = defence.armor if attack.armor_counts else 0
    dodge = defence.dodge if attack.dodge_counts else 0
    armor_part = Part(-armor, "the target's Armor", "Stuff / Armor")
    dodge_part = Part(-dodge, "the target dodges", "Powers for Everyone / Dodge [P4]")
    if settings.armor_and_dodge_add:
        taken_away: tuple[Part, ...] = (armor_part, dodge_part)
    else:
        taken_away = (dodge_part,) if dodge > armor else (armor_part,)
    counted = (*further, *(part for part in taken_away if part.value))
    dice = count_dice(actor, attack, moment, counted)
    return AttackPool(dice=dice, target_luck_cost=DODGE_COST if dodge else 0)


def pace_problem(pace: Pace, action: Action) -> RuleProblem | None:
    """Why an action never goes with a way of moving; whether its dice suffice is the pool's business."""
    if pace is Pace.RUN:
        return RuleProblem(
            "running_no_action",
            "You cannot do anything else while you run.",
            "Moving / Run",
            ("pace",),
            pace.value,
            (Pace.STILL.value, Pace.MOVE.value, Pace.DOUBLE_MOVE.value),
        )
    if action is Action.MAKE and pace is not Pace.STILL:
        return RuleProblem(
            "make_needs_standing_still",
            "You can only make things while you stand still.",
            "Moving / Move",
            ("pace",),
            pace.value,
            Pace.STILL.value,
        )
    return None


def forbidden(actor: Actor, attack: Attack, moment: Moment, settings: TableSettings) -> RuleProblem | None:
    """The rule that forbids a roll, if any: no Magic, too fast, too dark (rulings P5, P6, P16)."""
    action = attack.action
    rating = actor.ratings.of(action)
    if action is Action.MAGIC and rating < 1:
        return RuleProblem(
            "cannot_cast", "Casting needs Magic 1 or more.", "Actions / Magic [P5]", ("action",), rating, 1
        )
    too_fast = pace_problem(moment.pace, action)
    if too_fast is not None:
        return too_fast
    if action is Action.NOTICE and DARK in moment.situations and actor.sight.dark is None:
        return RuleProblem(
            "too_dark_to_see", "It is too dark to see anything.", "Roles / Bonus Dice [P16]", ("situations",)
        )
    if not _haste(actor, attack, moment):
        return None
    weapon = _weapon_of(action, moment)
    if settings.weapon_dice_help_double_move and weapon is not None:
        rating += weapon_dice(weapon.dice, action, actor.ratings.of(WEAPON_CAP[action])).value
    if rating > DOUBLE_MOVE_LOSS:
        return None
    return RuleProblem(
        "action_impossible_double_move",
        f"Moving that fast takes {DOUBLE_MOVE_LOSS} dice, and {action.label} has only {rating}.",
        "Moving / Double-move [P6]",
        ("action",),
        rating,
        DOUBLE_MOVE_LOSS + 1,
    )


def count_dice(actor: Actor, attack: Attack, moment: Moment, taken_away: tuple[Part, ...] = ()) -> Explained:
    """The whole count of a pool in the order of ruling P3, whether or not the roll is allowed.

    Args:
        actor: Who rolls.
        attack: The action, and what a power adds to it.
        moment: What holds while rolling.
        taken_away: Armor or Dodge, as negative parts.
    """
    action = attack.action
    parts = [Part(actor.ratings.of(action), action.label, f"Actions / {action.label}")]
    parts += [Part(actor.ratings.of(extra), extra.label, "Roles / Powers") for extra in attack.adds]
    if attack.dice:
        parts.append(Part(attack.dice, "the power", "Roles / Powers"))
    weapon = _weapon_of(action, moment)
    if weapon is not None and weapon.dice:
        parts += weapon_dice(weapon.dice, action, actor.ratings.of(WEAPON_CAP[action]), weapon.name).parts
    parts += [
        Part(bonus.dice, bonus.when, bonus.rule) for bonus in actor.bonuses if fits(bonus, action, moment)
    ]
    parts += (*_light(actor, action, moment), *_haste(actor, attack, moment), *taken_away)
    dice = Explained.of(*parts)
    if actor.luck is not None:
        dice = dice.at_most(max(actor.luck, 1), f"only as many as Luck {actor.luck}", "Basics / Luck")
    if action in actor.one_die:
        dice = dice.at_most(1, "locusts leave one die", "More Wizard Powers / Call Vermin")
    return dice.at_least(1, "one die always stays", "Actions / Battle [P5]")


def fits(bonus: Bonus, action: Action, moment: Moment) -> bool:
    """Whether bonus dice apply: the action, the situation and the weapon they ask for are there."""
    if bonus.action is not action:
        return False
    weapon = moment.weapon
    own = () if weapon is None else (weapon.id, *weapon.counts_as)
    holds = {*moment.situations, *own}
    return all(not asked or not holds.isdisjoint(asked) for asked in (bonus.situations, bonus.weapons))


def _weapon_of(action: Action, moment: Moment) -> Weapon | None:
    weapon = moment.weapon
    return weapon if weapon is not None and action in weapon.use else None


def _light(actor: Actor, action: Action, moment: Moment) -> tuple[Part, ...]:
    if action is not Action.NOTICE:
        return ()
    if DARK in moment.situations:
        return (Part(actor.sight.dark or 0, "darkness", "Roles / Bonus Dice [P16]"),)
    if DIM in moment.situations and actor.sight.dim:
        return (Part(actor.sight.dim, "dim light", "Roles / Bonus Dice [P16]"),)
    return ()


def _haste(actor: Actor, attack: Attack, moment: Moment) -> tuple[Part, ...]:
    if moment.pace is not Pace.DOUBLE_MOVE or attack.steady or attack.action in actor.steady:
        return ()
    return (Part(-DOUBLE_MOVE_LOSS, "double-moving", "Moving / Double-move"),)


def bonuses_of_gear(catalog: Catalog, gear_ids: Iterable[str]) -> tuple[Bonus, ...]:
    """Bonus dice of gear in use; each kind counts once, however many are carried (Stuff / Gear)."""
    found = (catalog.gear.get(gear_id) for gear_id in dict.fromkeys(gear_ids))
    return tuple(
        replace(bonus, rule=f"Stuff / Gear ({gear.name})")
        for gear in found
        if gear is not None
        for bonus in gear.bonuses
    )
