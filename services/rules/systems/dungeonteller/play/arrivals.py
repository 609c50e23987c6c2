"""How heroes, creatures and companions come into a scene: what their cards and the bestiary make of them."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.frozen import replace
from services.rules.engine.grid import Square
from services.rules.systems.dungeonteller.actions import Ratings
from services.rules.systems.dungeonteller.belongings import SHIELD
from services.rules.systems.dungeonteller.bestiary import Monster, MonsterAttack
from services.rules.systems.dungeonteller.bonuses import Bonus
from services.rules.systems.dungeonteller.catalog import Casting, Catalog
from services.rules.systems.dungeonteller.companions import (
    Bond,
    Companion,
    burden,
    caller,
    helping_dice,
    lent_spell,
    name_of,
)
from services.rules.systems.dungeonteller.play.equipment import lasting_bonuses
from services.rules.systems.dungeonteller.play.state import Arm, Being, Creature, Reflex, Side
from services.rules.systems.dungeonteller.sheet import HeroSheet


def hero_being(
    being_id: str, sheet: HeroSheet, catalog: Catalog, at: Square, reflex: Reflex = Reflex.ASK
) -> Being:
    """A hero as they come into a scene, at full Luck."""
    arms = tuple(_arms(sheet, catalog))
    everyones = {power.id for power in catalog.everyones_powers()}
    # What a familiar lends comes with the familiar (`helped_by`).
    lent = {line.spell for line in sheet.companions}
    return Being(
        id=being_id,
        name=sheet.name,
        side=Side.HEROES,
        at=at,
        kind=sheet.role,
        hero=True,
        ratings=Ratings(**{line.id.value: line.rating.value for line in sheet.actions}),
        luck=sheet.luck.value,
        max_luck=sheet.luck.value,
        armor=sheet.armor.value,
        tags=("living", "talker", *(("malicious",) if sheet.malicious else ())),
        sight=sheet.sight or catalog.settings.sight,
        bonuses=lasting_bonuses(sheet, catalog),
        steady=sheet.steady,
        powers=tuple(line.id for line in sheet.powers if line.id not in (*everyones, *lent)),
        casting=sheet.casting,
        arms=arms,
        shield=any(arm.held and arm.id == SHIELD for arm in arms),
        reflex=reflex,
        gold=sheet.gold.value,
        worn=next((line.id for line in sheet.items if line.worn and catalog.armor_of(line.id)), ""),
        gold_before=sheet.gold.value,
    )


def _arms(sheet: HeroSheet, catalog: Catalog) -> Iterator[Arm]:
    """Every weapon a hero has, as often as they have it; what they hold, held once."""
    for line in sheet.weapons:
        weapon = catalog.weapon_of(line.id)
        if weapon is None or weapon.free:
            continue
        treasure = catalog.treasures.get(line.id)
        for index in range(line.count):
            yield Arm(
                id=line.id if index == 0 else f"{line.id}#{index + 1}",
                name=line.name,
                dice=weapon.dice,
                hands=weapon.hands,
                use=weapon.use,
                held=line.in_hand and index == 0,
                magical=treasure is not None and treasure.magic,
                counts_as=weapon.counts_as,
            )


def monster_being(
    being_id: str,
    monster: Monster,
    catalog: Catalog,
    at: Square,
    *,
    name: str = "",
    side: Side = Side.FOES,
    reflex: Reflex = Reflex.BETTER,
) -> Being:
    """A creature of the bestiary as it comes into a scene, in plain view."""
    return Being(
        id=being_id,
        name=name or monster.name,
        side=side,
        at=at,
        kind=monster.id,
        ratings=monster.ratings,
        luck=monster.luck,
        max_luck=monster.luck or 0,
        armor=monster.armor,
        size=monster.size,
        tags=tuple(tag.value for tag in monster.traits),
        sight=monster.sight or catalog.settings.sight,
        powers=monster.powers,
        casting=Casting.SPELLS if monster.casting else Casting.NOTHING,
        arms=tuple(_attack_arm(attack) for attack in monster.attacks),
        move=monster.move,
        fly=monster.fly,
        climb=monster.climb,
        can_double_move="no_double_move" not in monster.traits,
        can_run="no_run" not in monster.traits,
        reflex=reflex,
        gold=monster.gold,
        worn=monster.wears or "",
    )


def _attack_arm(attack: MonsterAttack) -> Arm:
    """A creature's own way to attack: claws, teeth, or a weapon of its own."""
    return Arm(
        id=attack.name.lower().replace(" ", "-"),
        name=attack.name,
        dice=attack.dice,
        hands=0,
        use=(attack.action,),
        natural=True,
        held=attack.weapon,
    )


def companion_being(being_id: str, companion: Companion, owner: Being, catalog: Catalog, at: Square) -> Being:
    """A pet, minion or familiar of a being; an owner without Luck has none to be lowered."""
    kind = catalog.monsters[companion.monster]
    being = replace(
        monster_being(being_id, kind, catalog, at, name=name_of(catalog, companion), side=owner.side),
        leader=owner.id,
        creature=Creature(companion.bond.value),
        burden=0 if owner.luck is None else burden(catalog, companion),
    )
    power = caller(catalog, companion)
    if companion.bond is not Bond.FAMILIAR or power is None:
        return being
    spell = lent_spell(companion)
    return replace(
        being,
        luck=power.figures.luck,
        max_luck=power.figures.luck or 0,
        height=owner.height,
        hidden=owner.hidden,
        found_by=owner.found_by,
        lends=(spell,) if spell and spell not in owner.powers else (),
    )


def familiar_dice(familiar: Being, catalog: Catalog) -> tuple[Bonus, ...]:
    """The dice that a familiar lends its owner, for as long as it is there; their rule is its id."""
    companion = Companion(monster=familiar.kind, bond=Bond.FAMILIAR, name=familiar.name)
    return tuple(helping_dice(catalog, companion, familiar.id))


def companions_of(owner_id: str, beings: tuple[Being, ...]) -> tuple[Companion, ...]:
    """Who serves a being and goes with them from scene to scene.

    A pet that is knocked out comes round again. A minion that falls serves no longer, and a familiar that
    falls is gone.
    """
    bonds = {Creature(bond.value): bond for bond in Bond}
    return tuple(
        Companion(monster=being.kind, bond=bonds[being.creature], name=being.name)
        for being in beings
        if being.leader == owner_id
        and being.creature in bonds
        and (not being.out or being.creature is Creature.PET)
    )
