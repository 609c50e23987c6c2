"""Everything that a combatant may do beside attacks, as offers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.buttons import (
    button,
    choice_field,
    choices_field,
    flag_field,
    number_field,
    square_field,
)
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import LegalMove, MoveField
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.conditions import STOOD_UP, barring
from services.rules.systems.forge_engine.conditions import Walk as Stretch
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.effects import (
    CATALOG,
    HELD,
    PRONE,
    bears,
    conditions_of,
    hands_used,
    rules,
    shakeable,
)
from services.rules.systems.forge_engine.play.ground import (
    apart,
    in_reach,
    occupied,
    reachable,
    threatened,
    walks,
)
from services.rules.systems.forge_engine.play.legal.spells import calm_spells
from services.rules.systems.forge_engine.play.moves import (
    Approach,
    Arm,
    Care,
    Escape,
    Flee,
    Fly,
    Grapple,
    Minor,
    MinorUse,
    Pass,
    Reload,
    ShakeOff,
    Stand,
    Test,
    Treat,
    UseSkill,
    Walk,
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
from services.rules.systems.forge_engine.play.rules.movement import (
    crosses_rough,
    feet_left,
    flight,
    flight_cost,
    leap_cost,
    leaping,
    move_cost,
)
from services.rules.systems.forge_engine.play.rules.skills import ACTIONS, usable_skills
from services.rules.systems.forge_engine.play.rules.treatment import BY, HEALING, care
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight, Life
from services.rules.systems.forge_engine.traits import Movement
from services.rules.systems.forge_engine.wares import arming_energy

TURNS = "Combat Rounds and Turns / Turns"
MOVEMENT = "Movement Actions"
DIFFICULTIES = (7, 10)


def action_offers(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """The offers of one who may act in a fight, attacks apart."""
    rest = flag_field("rest", "For the rest of your turn?")
    yield button(Pass(actor=one.id), "pass", "Pass", "Let others act.", TURNS, rest)
    yield from _freedom(fight, one)
    if barring(conditions_of(fight, one.id)) is not None:
        yield button(Yield(actor=one.id), "yield", "Surrender", "You give up.", "Combat Resolution")
        return
    yield from _movement(fight, one)
    yield from _minors(fight, one)
    yield from _weapons(fight, one)
    yield from _holds(fight, one)
    yield from _care(fight, one)
    yield from _skills_used(fight, one)
    yield from _tests(fight, one)
    yield button(Yield(actor=one.id), "yield", "Surrender", "You give up.", "Combat Resolution")
    held = bears(fight, one.id, *HELD) is not None or _forbidden(fight, one, "move")
    if not held and not threatened(fight, one, fight.foes(one)):
        yield button(Flee(actor=one.id), "flee", "Flee", "You leave the fight.", "Combat Resolution")


def _skills_used(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Skills that are actions of their own, one offer for each target."""
    for skill in usable_skills(fight, one):
        found, action = CATALOG.martial[skill], ACTIONS[skill]
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


def _forbidden(fight: Fight, one: Combatant, verb: str) -> bool:
    return any(effect.bearer == one.id and verb in rules()[effect.kind].forbids for effect in fight.effects)


def _freedom(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Breaking free, and shaking conditions off."""
    if bears(fight, one.id, *HELD) is not None:
        for attribute, skill in SKILL_OF.items():
            most = min(one.profile.attributes.of(attribute), one.usable - cost_of(fight, one).value)
            if most > 0:
                field = number_field("added", "How much energy?", 1, most)
                move = Escape(actor=one.id, attribute=attribute, added=1)
                name = f"Escape by {worded(attribute, skill)}"
                yield button(
                    move, f"escape:{attribute.value}", name, "Any success frees you.", GRAPPLE, field
                )
    spare = one.usable - one.profile.action_energy
    if SHAKE in one.uses or spare < 1 or barring(conditions_of(fight, one.id)) is not None:
        return
    for effect in shakeable(fight, one.id):
        field = number_field("energy", "How much energy?", 1, spare)
        shaking = ShakeOff(actor=one.id, effect=effect.id, energy=1)
        name = f"Shake It Off: {rules()[effect.kind].name}"
        text = f"A die for each energy; any {effect.strength} or more ends it."
        yield button(shaking, f"shake-off:{effect.id}", name, text, SHAKE, field)


def _movement(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    if bears(fight, one.id, PRONE) is not None and feet_left(fight, one) >= STOOD_UP:
        cost = move_cost(fight, one, Stretch(distance=0, stand=True))
        if affords(one, cost.value):
            offer = button(Stand(actor=one.id), "stand", "Get up", "You get up.", MOVEMENT)
            yield replace(offer, cost=f"{cost.value} energy")
    wings = flight(fight, one)
    if wings is not None and not _forbidden(fight, one, "move"):
        yield from _flight(fight, one, wings)
    yield from _leaping(fight, one)
    if fight.ground is not None:
        yield from _walk(fight, one)
        return
    for run in (False, True):
        if not _forbidden(fight, one, "run" if run else "move"):
            yield from _approach(fight, one, run=run)


def _leaping(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Jumping and vanishing, where a trait allows it, to every square that it leads to."""
    if fight.ground is None or one.at is None or _forbidden(fight, one, "move"):
        return
    for by in one.profile.traits:
        movement = leaping(one, by)
        if movement is None:
            continue
        far = min(one.usable, max(fight.ground.width, fight.ground.height))
        across = range(max(0, one.at.x - far), min(fight.ground.width, one.at.x + far + 1))
        down = range(max(0, one.at.y - far), min(fight.ground.height, one.at.y + far + 1))
        found = (Square(x, y) for y in down for x in across)
        squares = [to for to in found if leap_cost(fight, one, movement, to) is not None]
        if squares:
            trait = CATALOG.traits[by]
            move = Walk(actor=one.id, to=squares[0], by=by)
            field = square_field("to", "Where to?", squares)
            yield button(move, f"leap:{by}", trait.name, trait.summary, MOVEMENT, field)


def _flight(fight: Fight, one: Combatant, wings: Movement) -> Iterator[LegalMove]:
    """Rising by a step, by as much as there is energy for, and hovering."""
    steps = [
        feet
        for feet in range(0 if one.altitude else CELL, feet_left(fight, one) + 1, CELL)
        if affords(one, flight_cost(fight, one, wings, feet).value)
    ]
    for feet in dict.fromkeys((*steps[:2], *steps[-1:])):
        cost = flight_cost(fight, one, wings, feet).value
        label = f"Rise {feet} feet" if feet else "Hover"
        text = f"You keep up, {feet} feet higher." if feet else "You keep up."
        offer = button(Fly(actor=one.id, feet=feet), f"fly:{feet}", label, text, MOVEMENT)
        yield replace(offer, cost=f"{cost} energy")


def goals(fight: Fight, one: Combatant, *, run: bool) -> Iterator[tuple[Square, int]]:
    """The squares that a combatant can move or run to now, and what each costs."""
    return _affordable(fight, one, _ways(fight, one, _farthest(fight, one, run=run)), run=run)


def _farthest(fight: Fight, one: Combatant, *, run: bool) -> int:
    """Feet that the search for squares goes, in which a step over rough ground counts twice.

    No way costs less than 1 energy for each 5 feet of a move, or for each 10 of a run. To who crosses rough
    ground like any other, the search shows it as farther than it is.
    """
    most, paid = feet_left(fight, one), CELL * one.usable
    if crosses_rough(one):
        return 2 * (min(most + paid, 2 * paid) if run else min(most, paid))
    return min(most + paid, 2 * paid) if run else min(2 * most, paid)


def _ways(fight: Fight, one: Combatant, feet: int) -> tuple[tuple[Square, int, int], ...]:
    """Free squares within some feet, with the steps that lead there, and how many are rough."""
    found = reachable(fight, one, feet)
    if found is None:
        return ()
    taken, wide = occupied(fight, one), one.size > 1
    return tuple(
        each
        for each in walks(found)
        if (taken.isdisjoint(one.footprint(each[0]).squares()) if wide else each[0] not in taken)
    )


def _affordable(
    fight: Fight, one: Combatant, ways: tuple[tuple[Square, int, int], ...], *, run: bool
) -> Iterator[tuple[Square, int]]:
    """The squares of some ways that the movement and the energy left allow, with what each costs."""
    surefooted, prices = crosses_rough(one), dict[tuple[int, int], int | None]()
    for square, steps, rough in ways:
        key = (steps, 0 if surefooted else rough)
        if key not in prices:
            prices[key] = _price(fight, one, *key, run=run)
        price = prices[key]
        if price is not None:
            yield square, price


def _price(fight: Fight, one: Combatant, steps: int, rough: int, *, run: bool) -> int | None:
    """What some steps cost; None where they are too far, too dear, or rough at a run."""
    stretch = Stretch(distance=CELL * steps, running=run, rough_feet=CELL * rough)
    if (run and rough) or stretch.distance > feet_left(fight, one, run=run, segments=stretch.segments):
        return None
    cost = move_cost(fight, one, stretch).value
    return cost if affords(one, cost) else None


def _walk(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Moving and running on a grid, both of one search."""
    gaits = [run for run in (False, True) if not _forbidden(fight, one, "run" if run else "move")]
    if not gaits:
        return
    ways = _ways(fight, one, max(_farthest(fight, one, run=run) for run in gaits))
    for run in gaits:
        squares = [square for square, _ in _affordable(fight, one, ways, run=run)]
        if not squares:
            continue
        field = square_field("to", "Where to?", squares)
        move = Walk(actor=one.id, to=squares[0], run=run)
        if run:
            text = "1 energy for each 10 feet; no reactions until your next action."
            yield button(move, "run", "Run", text, MOVEMENT, field)
        else:
            yield button(move, "move", "Move", "1 energy for each 5 feet.", MOVEMENT, field)


def _approach(fight: Fight, one: Combatant, *, run: bool) -> Iterator[LegalMove]:
    for other in fight.foes(one):
        feet = apart(fight, one, other)
        for away in (False, True):
            steps = [
                CELL * step
                for step in range(1, 41)
                if (away or CELL * step <= feet - CELL) and _price(fight, one, step, 0, run=run) is not None
            ]
            if not steps:
                continue
            gait, way = ("Run" if run else "Move"), ("away from" if away else "towards")
            field = choice_of_feet(steps)
            move = Approach(actor=one.id, target=other.id, feet=steps[0], away=away, run=run)
            name = f"{gait.lower()}:{'away' if away else 'near'}:{other.id}"
            for feet_moved in field:
                yield button(
                    replace(move, feet=feet_moved),
                    f"{name}:{feet_moved}",
                    f"{gait} {feet_moved} feet {way} {other.name}",
                    f"{_price(fight, one, feet_moved // CELL, 0, run=run)} energy.",
                    MOVEMENT,
                )


def choice_of_feet(steps: list[int]) -> tuple[int, ...]:
    """A few of the distances that can be moved: the nearest, the middle, the farthest."""
    return tuple(dict.fromkeys((steps[0], steps[len(steps) // 2], steps[-1])))


def _minors(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    cost = minor_cost(fight, one)
    if not affords(one, cost.value):
        return

    def offer(use: MinorUse, label: str, text: str, item: str = "") -> LegalMove:
        move = Minor(actor=one.id, use=use, item=item)
        name = f"minor:{use.value}:{item}" if item else f"minor:{use.value}"
        return replace(
            button(move, name, label, text, MINOR), cost=f"{cost.value} energy" if cost.value else ""
        )

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
    for skill in STANCES:
        if one.profile.rating(skill):
            found = CATALOG.martial[skill]
            yield offer(MinorUse.STANCE, found.name, found.summary, skill)


def _weapons(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Reloading, and setting explosives off."""
    for weapon in one.profile.weapons:
        if not one.ready(weapon):
            continue
        shots = one.shots(weapon.id)
        if shots is not None and shots < (weapon.holds or 1):
            for way in ways_of(weapon):
                cost = reload_cost(fight, one, weapon, way)
                if cost is not None and affords(one, cost.value):
                    move = Reload(actor=one.id, weapon=weapon.id, way=way)
                    text = f"{weapon.name} holds {shots} of {weapon.holds or 1}."
                    offer = button(move, f"reload:{weapon.id}:{way}", f"{way}: {weapon.name}", text, RELOADS)
                    yield replace(offer, cost=f"{cost.value} energy")
        if weapon.kind is EquipmentKind.EXPLOSIVE and weapon.id not in one.armed:
            energy = arming_energy(CATALOG, CATALOG.equipment[weapon.item]) if weapon.item else None
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
        if foe.life is not Life.DEAD and in_reach(fight, one, foe):
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
                    name = f"Stabilize {patient.name} by {worded(attribute, skill)}"
                    text = f"Any {care(one, patient, Care.STABILIZE)[0]} or more stabilizes."
                    yield button(move, f"stabilize:{patient.id}:{skill}", name, text, HEALING, field)


def _tests(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Tests of an attribute, by any skill, at a difficulty that the game master names."""
    for attribute in Attribute:
        most = min(one.profile.attributes.of(attribute), one.usable - cost_of(fight, one).value)
        if most > 0:
            fields = (
                choice_field("skill", "By which skill?", _skills(one), required=False),
                number_field("added", "How much energy?", 1, most),
                number_field("difficulty", "At which difficulty?", *DIFFICULTIES),
                *_help_fields(fight, one, attribute),
            )
            move = Test(actor=one.id, attribute=attribute, added=1)
            text = "A die for each energy, and the skill up to that."
            yield button(move, f"test:{attribute.value}", f"Test {attribute.label}", text, TESTS, *fields)


def _help_fields(fight: Fight, one: Combatant, attribute: Attribute) -> Iterator[MoveField]:
    """Who assists, and which own traits help here."""
    allies = [(ally.id, ally.name) for ally in helpers(fight, one)]
    if allies:
        yield choices_field("helpers", "Who assists?", allies, 0, len(allies))
    known = [CATALOG.traits[each] for each in one.profile.traits if each in CATALOG.traits]
    helping = [
        (trait.id, f"{trait.name}, {bonus.when}")
        for trait in known
        for bonus in trait.tests
        if bonus.when and bonus.attribute is attribute
    ]
    if helping:
        yield choices_field("traits", "Which traits help?", helping, 0, len(helping))


def _skills(one: Combatant) -> list[tuple[str, str]]:
    known = dict.fromkeys(each.skill for each in one.profile.skills if each.skill in CATALOG.skills)
    return [(skill, CATALOG.skills[skill].name) for skill in known]


# Out of a fight


def calm_offers(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """The offers of one who does not fight: tests and care without energy, and spells that help."""
    if barring(conditions_of(fight, one.id)) is not None:
        return
    for attribute in Attribute:
        fields = (
            choice_field("skill", "By which skill?", _skills(one), required=False),
            number_field("difficulty", "At which difficulty?", *DIFFICULTIES),
        )
        move = Test(actor=one.id, attribute=attribute)
        text = "The attribute, and the skill up to it."
        yield button(move, f"test:{attribute.value}", f"Test {attribute.label}", text, TESTS, *fields)
    for patient in fight.known(one):
        for goal in Care:
            if patient.side == one.side and _cared_for(patient, goal):
                yield from _treatment(one, patient, goal)
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


def _treatment(one: Combatant, patient: Combatant, goal: Care) -> Iterator[LegalMove]:
    difficulty, required = care(one, patient, goal)
    for skill, attribute in BY.items():
        move = Treat(actor=one.id, patient=patient.id, goal=goal, skill=skill)
        name = f"{goal.value.capitalize()} {patient.name} by {worded(attribute, skill)}"
        text = f"Difficulty {difficulty}, {required} needed."
        yield button(move, f"{goal.value}:{patient.id}:{skill}", name, text, HEALING)
