"""Everything that a combatant may do beside attacks, as offers."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import (
    button,
    choice_field,
    choices_field,
    flag_field,
    number_field,
)
from services.rules.engine.frozen import replace
from services.rules.engine.play import LegalMove, MoveField
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.conditions import barring
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.doors import doors_beside, is_open, name_of
from services.rules.systems.forge_engine.play.effects import (
    HELD,
    PRONE,
    bears,
    conditions_of,
    hands_used,
    rules,
    shakeable,
    traits_of,
)
from services.rules.systems.forge_engine.play.ground import (
    in_reach,
    threatened,
)
from services.rules.systems.forge_engine.play.legal.movement import (
    mount_offers,
    movement_offers,
    verb_forbidden,
)
from services.rules.systems.forge_engine.play.legal.spells import calm_spells
from services.rules.systems.forge_engine.play.mounts import mover_of
from services.rules.systems.forge_engine.play.moves import (
    Arm,
    Care,
    Escape,
    Flee,
    Grapple,
    Minor,
    MinorUse,
    Pass,
    Reload,
    ShakeOff,
    Test,
    Treat,
    UseSkill,
    Yield,
)
from services.rules.systems.forge_engine.play.rules.attribute_test import SKILL_OF, TESTS, helpers, worded
from services.rules.systems.forge_engine.play.rules.bonuses import SKILLS
from services.rules.systems.forge_engine.play.rules.energy import affords, cost_of
from services.rules.systems.forge_engine.play.rules.grapple import GRAPPLE, SHAKE, hold_on
from services.rules.systems.forge_engine.play.rules.minor import (
    MINOR,
    RELOADS,
    STANCES,
    item_name,
    minor_cost,
    reload_cost,
    ways_of,
)
from services.rules.systems.forge_engine.play.rules.skills import ACTIONS, usable_skills
from services.rules.systems.forge_engine.play.rules.treatment import BY, HEALING, care
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.wares import arming_energy

TURNS = "Combat Rounds and Turns / Turns"
DIFFICULTIES = (7, 10)


def action_offers(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """The offers of one who may act in a fight, attacks apart."""
    rest = flag_field("rest", "For the rest of your turn?")
    yield button(Pass(actor=one.id), "pass", "Pass", "Let others act.", TURNS, rest)
    yield from _freedom(fight, one)
    if barring(conditions_of(fight, one.id)) is not None:
        yield button(Yield(actor=one.id), "yield", "Surrender", "You give up.", "Combat Resolution")
        return
    yield from movement_offers(fight, one)
    yield from _minors(fight, one)
    yield from _weapons(fight, one)
    yield from _holds(fight, one)
    yield from _care(fight, one)
    yield from _skills_used(fight, one)
    yield from _tests(fight, one)
    yield button(Yield(actor=one.id), "yield", "Surrender", "You give up.", "Combat Resolution")
    mover = mover_of(fight, one)
    if mover is None or (mover.id != one.id and barring(conditions_of(fight, mover.id)) is not None):
        return
    held = any(verb_forbidden(fight, each, "move") for each in (one, mover))
    if not held and not threatened(fight, mover, fight.foes(mover)):
        yield button(Flee(actor=one.id), "flee", "Flee", "You leave the fight.", "Combat Resolution")


def _skills_used(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Skills that are actions of their own, one offer for each target."""
    for skill in usable_skills(fight, one):
        found, action = fight.catalog.martial[skill], ACTIONS[skill]
        most = action.most(fight, one)
        for target in action.targets(fight, one):
            own = target.id == one.id
            move = UseSkill(
                actor=one.id, skill=skill, target="" if own else target.id, added=min(1, max(0, most))
            )
            fields = (number_field("added", "How much energy?", 1, most),) if most > 0 else ()
            name = skill if own else f"{skill}:{target.id}"
            label = found.name if own else f"{found.name}: {target.name}"
            yield button(move, name, label, found.summary, SKILLS, *fields)


def _freedom(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Breaking free, and shaking conditions off."""
    if bears(fight, one.id, *HELD) is not None:
        for attribute, skill in SKILL_OF.items():
            most = min(one.profile.attributes.of(attribute), one.usable - cost_of(fight, one).value)
            if most > 0:
                field = number_field("added", "How much energy?", 1, most)
                move = Escape(actor=one.id, attribute=attribute, added=1)
                name = f"Escape by {worded(fight.catalog, attribute, skill)}"
                yield button(
                    move, f"escape:{attribute.value}", name, "Any success frees you.", GRAPPLE, field
                )
    spare = one.usable - one.profile.action_energy
    if SHAKE in one.uses or spare < 1 or barring(conditions_of(fight, one.id)) is not None:
        return
    for effect in shakeable(fight, one.id):
        field = number_field("energy", "How much energy?", 1, spare)
        shaking = ShakeOff(actor=one.id, effect=effect.id, energy=1)
        name = f"Shake It Off: {rules(fight.catalog)[effect.kind].name}"
        text = f"A die for each energy; any {effect.strength} or more ends it."
        yield button(shaking, f"shake-off:{effect.id}", name, text, SHAKE, field)


def _minors(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    if not affords(one, minor_cost(fight, one).value):
        return

    def offer(use: MinorUse, label: str, text: str, item: str = "") -> LegalMove:
        return _minor(fight, one, use, label, text, item)

    if bears(fight, one.id, PRONE) is None:
        yield offer(MinorUse.PRONE, "Drop Prone", "You lie down.")
    if hold_on(fight, one.id) is not None:
        yield offer(MinorUse.RELEASE, "Let go", "You let go of whom you hold.")
    spare = one.profile.hands - hands_used(fight, one)
    for item in one.held:
        yield offer(MinorUse.SHEATHE, f"Put away {item_name(one, item)}", "It is out of your hands.", item)
    for weapon in one.profile.weapons:
        carried = not weapon.natural and weapon.id not in one.held and one.left(weapon) > 0
        if carried and weapon.hands <= spare:
            yield offer(MinorUse.DRAW, f"Draw {weapon.name}", "It is in your hands.", weapon.id)
    for shield in one.profile.shields:
        if shield.item not in one.held and spare >= 1:
            yield offer(MinorUse.DRAW, f"Take up {shield.name}", "It is in your hand.", shield.item)
    yield from _doors(fight, one)
    for skill in STANCES:
        if one.profile.rating(skill):
            found = fight.catalog.martial[skill]
            yield offer(MinorUse.STANCE, found.name, found.summary, skill)


def _minor(fight: Fight, one: Combatant, use: MinorUse, label: str, text: str, item: str) -> LegalMove:
    move = Minor(actor=one.id, use=use, item=item)
    name = f"minor:{use.value}:{item}" if item else f"minor:{use.value}"
    cost = minor_cost(fight, one).value
    return replace(button(move, name, label, text, MINOR), cost=f"{cost} energy" if cost else "")


def _doors(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Opening and shutting the doors beside one."""
    for door in doors_beside(fight, one):
        name = name_of(fight, door.id)
        label, text = ("Shut", "It is in the way then.") if is_open(door) else ("Open", "It may be locked.")
        yield _minor(fight, one, MinorUse.DOOR, f"{label} {name}", text, door.id)


def _weapons(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Reloading, and setting explosives off."""
    for weapon in one.profile.weapons:
        if not one.ready(weapon):
            continue
        shots = one.shots(weapon.id)
        spare = one.spare(weapon.id)
        if shots is not None and shots < (weapon.holds or 1) and spare != 0:
            for way in ways_of(fight.catalog, weapon):
                cost = reload_cost(fight, one, weapon, way)
                if cost is not None and affords(one, cost.value):
                    move = Reload(actor=one.id, weapon=weapon.id, way=way)
                    text = f"{weapon.name} holds {shots} of {weapon.holds or 1}."
                    text += "" if spare is None else f" Spare pieces: {spare}."
                    offer = button(move, f"reload:{weapon.id}:{way}", f"{way}: {weapon.name}", text, RELOADS)
                    yield replace(offer, cost=f"{cost.value} energy")
        if weapon.kind is EquipmentKind.EXPLOSIVE and weapon.id not in one.armed:
            energy = (
                arming_energy(fight.catalog, fight.catalog.equipment[weapon.item]) if weapon.item else None
            )
            price = cost_of(fight, one).value + (energy or 0)
            if energy is not None and affords(one, price):
                armed = Arm(actor=one.id, weapon=weapon.id)
                offer = button(armed, f"arm:{weapon.id}", f"Set off {weapon.name}", "Then throw it.", "R-86")
                yield replace(offer, cost=f"{price} energy")


def _holds(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    most = min(one.profile.attributes.strength, one.usable - cost_of(fight, one).value)
    if most < 1 or hands_used(fight, one) >= one.profile.hands or hold_on(fight, one.id) is not None:
        return
    for foe in fight.foes(one):
        if foe.life is not Life.DEAD and not foe.vehicle and in_reach(fight, one, foe):
            field = number_field("added", "How much energy?", 1, most)
            move = Grapple(actor=one.id, target=foe.id, added=1)
            text = "1 or 2 successes hold, 3 or more restrain."
            yield button(move, f"grapple:{foe.id}", f"Grapple {foe.name}", text, GRAPPLE, field)


def _care(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Stabilizing the dying, in a fight."""
    for patient in fight.known(one):
        if patient.life is Life.DYING and patient.gone is None and patient.id != one.id:
            for skill, attribute in BY.items():
                most = min(one.profile.attributes.of(attribute), one.usable - cost_of(fight, one).value)
                if most > 0 and in_reach(fight, one, patient):
                    field = number_field("added", "How much energy?", 1, most)
                    move = Treat(actor=one.id, patient=patient.id, goal=Care.STABILIZE, skill=skill, added=1)
                    name = f"Stabilize {patient.name} by {worded(fight.catalog, attribute, skill)}"
                    text = f"Any {care(one, patient, Care.STABILIZE)[0]} or more stabilizes."
                    yield button(move, f"stabilize:{patient.id}:{skill}", name, text, HEALING, field)


def _tests(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Tests of an attribute, by any skill, at a difficulty that the game master names."""
    skill = choice_field("skill", "By which skill?", _skills(fight, one), required=False)
    difficulty = number_field("difficulty", "At which difficulty?", *DIFFICULTIES)
    spare, allies = one.usable - cost_of(fight, one).value, tuple(helpers(fight, one))
    for attribute in Attribute:
        most = min(one.profile.attributes.of(attribute), spare)
        if most > 0:
            added = number_field("added", "How much energy?", 1, most)
            fields = (skill, added, difficulty, *_help_fields(fight, one, attribute, allies))
            move = Test(actor=one.id, attribute=attribute, added=1)
            text = "A die for each energy, and the skill up to that."
            yield button(move, f"test:{attribute.value}", f"Test {attribute.label}", text, TESTS, *fields)


def _help_fields(
    fight: Fight, one: Combatant, attribute: Attribute, allies: tuple[Combatant, ...]
) -> Iterator[MoveField]:
    """Who of some allies assists, and which own traits help here."""
    if allies:
        names = [(ally.id, ally.name) for ally in allies]
        yield choices_field("helpers", "Who assists?", names, 0, len(names))
    helping = [
        (trait.id, f"{trait.name}, {bonus.when}")
        for trait in traits_of(fight, one)
        for bonus in trait.tests
        if bonus.when and bonus.attribute is attribute
    ]
    if helping:
        yield choices_field("traits", "Which traits help?", helping, 0, len(helping))


def _skills(fight: Fight, one: Combatant) -> list[tuple[str, str]]:
    known = dict.fromkeys(each.skill for each in one.profile.skills if each.skill in fight.catalog.skills)
    return [(skill, fight.catalog.skills[skill].name) for skill in known]


# Out of a fight


def calm_offers(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """The offers of one who does not fight: tests and care without energy, and spells that help."""
    if barring(conditions_of(fight, one.id)) is not None:
        return
    yield from mount_offers(fight, one)
    if affords(one, minor_cost(fight, one).value):
        yield from _doors(fight, one)
    for attribute in Attribute:
        fields = (
            choice_field("skill", "By which skill?", _skills(fight, one), required=False),
            number_field("difficulty", "At which difficulty?", *DIFFICULTIES),
        )
        move = Test(actor=one.id, attribute=attribute)
        text = "The attribute, and the skill up to it."
        yield button(move, f"test:{attribute.value}", f"Test {attribute.label}", text, TESTS, *fields)
    for patient in fight.known(one):
        for goal in Care:
            if patient.side == one.side and not patient.vehicle and _cared_for(patient, goal):
                yield from _treatment(fight, one, patient, goal)
    yield from calm_spells(fight, one)


def _cared_for(patient: Combatant, goal: Care) -> bool:
    match goal:
        case Care.HEAL:
            hurt = patient.health < patient.profile.health
            return hurt and patient.life is not Life.DEAD and not patient.treated
        case Care.STABILIZE:
            return patient.life is Life.DYING
        case Care.REVIVE:
            return patient.life is Life.DEAD


def _treatment(fight: Fight, one: Combatant, patient: Combatant, goal: Care) -> Iterator[LegalMove]:
    difficulty, required = care(one, patient, goal)
    for skill, attribute in BY.items():
        move = Treat(actor=one.id, patient=patient.id, goal=goal, skill=skill)
        name = f"{goal.value.capitalize()} {patient.name} by {worded(fight.catalog, attribute, skill)}"
        text = f"Difficulty {difficulty}, {required} needed."
        yield button(move, f"{goal.value}:{patient.id}:{skill}", name, text, HEALING)
