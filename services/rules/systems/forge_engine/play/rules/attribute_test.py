"""Attribute tests: fixed and opposed, with energy in a fight, without out of one (C1 to C5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from services.rules.engine.buttons import button, number_field
from services.rules.engine.content import content_id
from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import LegalMove
from services.rules.engine.steps import Ask, Step, Steps, refuse
from services.rules.systems.forge_engine import derived
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.conditions import (
    SenseUse,
    barring,
    fails_unseen,
    test_parts,
    test_successes,
)
from services.rules.systems.forge_engine.play.effects import added, conditions_of
from services.rules.systems.forge_engine.play.facts import Contested, Tested
from services.rules.systems.forge_engine.play.ground import apart
from services.rules.systems.forge_engine.play.moves import Oppose, Test
from services.rules.systems.forge_engine.play.rules.checks import actor_of, can_react, check_free, check_turn
from services.rules.systems.forge_engine.play.rules.defense import most_added
from services.rules.systems.forge_engine.play.rules.dice import pool, read_pool, read_target
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, check_energy, cost_of, pay
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Phase
from services.rules.systems.forge_engine.pools.attack_pool import with_externalities
from services.rules.systems.forge_engine.pools.attribute_pool import STEALTH, body_parts
from services.rules.systems.forge_engine.stat_block import body, size_of
from services.rules.systems.forge_engine.traits import Trait

TESTS = "Attribute Tests"
ASSISTING = "Attribute Tests / Assisting Attribute Tests [R-107]"
OPPOSED = "Reactions / Attribute Test (Reaction) [R-47]"


def skill_id(slug: str) -> str:
    """The content id of a general skill."""
    return content_id(SLUG, "skill", slug)


PERCEPTION, ENDURANCE, RESIST, ATHLETICS, ACROBATICS, FIRST_AID, MEDICINE = map(
    skill_id,
    ("perception", "endurance", "resist", "athletics", "acrobatics", "first-aid", "medicine"),
)
SKILL_OF = {Attribute.STRENGTH: ATHLETICS, Attribute.AGILITY: ACROBATICS}
"""The skills that help to hold, to resist holds, and to break free."""


def circumstances(
    fight: Fight, one: Combatant, attribute: Attribute, skill: str, helping: tuple[str, ...] = ()
) -> tuple[Part, ...]:
    """Dice that size, traits and conditions add to a test, or take from it.

    Args:
        fight: The fight.
        one: Who is tested.
        attribute: What is tested.
        skill: Content id of the skill; empty for none.
        helping: Content ids of traits that help under some circumstance which holds.
    """
    traits = body(one.profile.traits, fight.catalog)
    size = size_of(traits, fight.catalog)
    found = [*body_parts(size, "size", traits, attribute, skill, helping)]
    if attribute is Attribute.INTELLIGENCE:
        found += linked_minds(fight, one, traits)
    if skill == PERCEPTION:
        found += added(fight, one.id, "perception")
    senses = SenseUse.PARTLY if skill == PERCEPTION else SenseUse.NONE
    borne = conditions_of(fight, one.id)
    return (*found, *test_parts(borne, stealth=skill == STEALTH, sight=senses, hearing=senses))


def linked_minds(fight: Fight, one: Combatant, traits: Iterable[Trait]) -> Iterator[Part]:
    """Hive-Mind: Intelligence counts 1 higher for each other such mind nearby that is awake (R-14)."""
    for trait in traits:
        if trait.linked_intelligence and trait.range is not None:
            minds = sum(
                other.id != one.id
                and other.up
                and trait.id in other.profile.traits
                and apart(fight, one, other) <= trait.range
                for other in fight.combatants
            )
            if minds:
                yield Part(trait.linked_intelligence * minds, trait.name, "Mental Traits / Hive-Mind [R-14]")


def calm_dice(
    fight: Fight,
    one: Combatant,
    attribute: Attribute,
    skill: str,
    helping: tuple[str, ...] = (),
    assisted: tuple[Part, ...] = (),
) -> Explained:
    """Dice of a test out of a fight, or before one: the attribute, and the skill up to it (C1)."""
    rating = one.profile.attributes.of(attribute)
    base = derived.attribute_test(
        attribute.label, rating, _name(fight.catalog, skill), one.profile.rating(skill)
    )
    return with_externalities(base, (*circumstances(fight, one, attribute, skill, helping), *assisted))


free_dice = calm_dice
"""Dice of a test that takes no energy in a fight: that of the dying, against a fall, against fire."""


def energy_dice(
    fight: Fight,
    one: Combatant,
    attribute: Attribute,
    skill: str,
    added: int,
    helping: tuple[str, ...] = (),
    assisted: tuple[Part, ...] = (),
) -> Explained:
    """Dice of a test in a fight: energy up to the attribute, and the skill up to that energy (C2)."""
    rating = one.profile.attributes.of(attribute)
    base = derived.combat_test(
        attribute.label, rating, _name(fight.catalog, skill), one.profile.rating(skill), added
    )
    return with_externalities(base, (*circumstances(fight, one, attribute, skill, helping), *assisted))


def _name(catalog: Catalog, skill: str) -> str:
    found = catalog.skills.get(skill)
    return "" if found is None else found.name


def worded(catalog: Catalog, attribute: Attribute, skill: str) -> str:
    """A test as the book names it: "Agility (Stealth)"."""
    return f"{attribute.label} ({_name(catalog, skill)})" if skill else attribute.label


def fixed_test(
    turn: FightTurn, one: Combatant, what: str, dice: Explained, difficulty: int, required: int = 1
) -> Step[int]:
    """A test against a difficulty.

    Returns:
        Successes as conditions leave them; none where fewer than required.
    """
    odds = f"forge_engine:fixed({dice.value}, {difficulty}, {required})"
    (faces,) = yield from turn.roll(pool(turn, "test", one.id, what, dice, odds))
    reading = read_target(turn, faces, difficulty)
    found = test_successes(reading.successes, conditions_of(turn.state, one.id))
    passed = found >= required
    turn.happen(
        Tested(who=one.id, what=what, successes=found, passed=passed, critical=reading.critical_failure)
    )
    return found if passed else 0


def test(turn: FightTurn, move: Test) -> Steps:
    """An attribute test as an action; in a fight it takes energy (F2)."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    check_free(fight, one)
    if move.skill and move.skill not in turn.state.catalog.skills:
        refuse("id_unknown", "There is no such skill.", TESTS, ("skill",), move.skill)
    if not 2 <= move.difficulty <= 10 or not 1 <= move.required <= 10:
        refuse(
            "difficulty_out_of_range",
            "A difficulty is from 2 to 10.",
            TESTS,
            ("difficulty",),
            move.difficulty,
        )
    _check_help(fight, one, move)
    assisted = assistance(fight, move)
    dice = paid_dice(turn, one, move.attribute, move.skill, move.added, move.traits, assisted)
    sight = SenseUse.PARTLY if move.skill == PERCEPTION else SenseUse.NONE
    if fails_unseen(conditions_of(turn.state, one.id), sight=sight, hearing=sight):
        dice = Explained(0, ())
    yield from fixed_test(
        turn,
        one,
        worded(turn.state.catalog, move.attribute, move.skill),
        dice,
        move.difficulty,
        move.required,
    )


def _check_help(fight: Fight, one: Combatant, move: Test) -> None:
    """Refuses traits that the actor has not, and helpers who cannot assist."""
    if not set(move.traits) <= set(one.profile.traits):
        text = "That is none of its traits."
        refuse("trait_unknown", text, TESTS, ("traits",), move.traits, one.profile.traits)
    able = tuple(each.id for each in helpers(fight, one))
    if not set(move.helpers) <= set(able) or len(set(move.helpers)) < len(move.helpers):
        text = "Only allies who can act assist, each once."
        refuse("helper_unfit", text, ASSISTING, ("helpers",), move.helpers, able)


def helpers(fight: Fight, one: Combatant) -> Iterator[Combatant]:
    """Allies who can assist a test: awake, and free to do something."""
    for ally in fight.allies(one):
        if ally.up and barring(conditions_of(fight, ally.id)) is None:
            yield ally


def assistance(fight: Fight, move: Test) -> tuple[Part, ...]:
    """Dice of those who assist: the rating of each in the skill (R-107)."""
    return tuple(
        Part(fight.find(who).profile.rating(move.skill), fight.find(who).name, ASSISTING)
        for who in move.helpers
    )


def paid_dice(
    turn: FightTurn,
    one: Combatant,
    attribute: Attribute,
    skill: str,
    added: int,
    helping: tuple[str, ...] = (),
    assisted: tuple[Part, ...] = (),
) -> Explained:
    """The dice of a test as an action, its energy paid; refused where that cannot be."""
    fight = turn.state
    if fight.phase is Phase.CALM:
        if added:
            refuse(
                "energy_out_of_combat", "Out of a fight a test takes no energy.", TESTS, ("added",), added, 0
            )
        return calm_dice(fight, one, attribute, skill, helping, assisted)
    rating = one.profile.attributes.of(attribute)
    if not 0 <= added <= rating:
        text = "No more energy is added than the attribute's rating."
        refuse("added_above_attribute", text, TESTS, ("added",), added, (0, rating))
    what = worded(turn.state.catalog, attribute, skill)
    cost = cost_of(fight, one, Part(added, what, TESTS))
    check_energy(one, cost.value)
    dice = energy_dice(fight, one, attribute, skill, added, helping, assisted)
    pay(turn, one.id, what, cost, added=added)
    return dice


def opposed_test(turn: FightTurn, one: Combatant, other: Combatant, what: str, dice: Explained) -> Step[int]:
    """A test that its target resists by Strength or Agility, for nothing or with energy (C3, R-47).

    Returns:
        Successes of who began it, as conditions leave them.
    """
    answer = yield from _opposed_by(turn, other)
    against = opposing_dice(turn.state, other, answer.attribute, answer.added)
    if answer.added:
        part = Part(
            answer.added, worded(turn.state.catalog, answer.attribute, SKILL_OF[answer.attribute]), OPPOSED
        )
        pay(turn, other.id, "resisting", cost_of(turn.state, other, part), added=answer.added)
    odds = f"forge_engine:opposed({dice.value}, {against.value})"
    mine = pool(turn, "test", one.id, what, dice, odds)
    theirs = pool(turn, "resist", other.id, worded(turn.state.catalog, answer.attribute, ""), against)
    action, defense = yield from turn.roll(mine, theirs)
    reading = read_pool(turn, action, defense)
    found = test_successes(reading.successes, conditions_of(turn.state, one.id))
    turn.happen(Contested(who=one.id, against=other.id, what=what, successes=found))
    return found


def opposing_dice(fight: Fight, one: Combatant, attribute: Attribute, added: int) -> Explained:
    """Dice of who resists: the attribute for nothing, or energy with the skill in its place (R-47)."""
    if added:
        return energy_dice(fight, one, attribute, SKILL_OF[attribute], added)
    rating = one.profile.attributes.of(attribute)
    base = Explained.of(Part(rating, attribute.label, OPPOSED))
    return with_externalities(base, circumstances(fight, one, attribute, SKILL_OF[attribute]))


def _opposed_by(turn: FightTurn, other: Combatant) -> Step[Oppose]:
    """How a target resists; who can do nothing resists by its better attribute for nothing."""
    fight = turn.state
    better = max(SKILL_OF, key=other.profile.attributes.of)
    silence = Oppose(actor=other.id, attribute=better)
    if not can_react(fight, other):
        return silence
    offers = tuple(_oppose_offers(fight, other))
    ask = Ask(
        id=f"oppose:{other.id}",
        actor=other.id,
        question="How do you resist?",
        offers=offers,
        silence=silence,
        seconds=fight.patience,
    )
    (answer,) = yield from turn.ask(ask)
    assert isinstance(answer, Oppose)
    return answer


def _oppose_offers(fight: Fight, one: Combatant) -> list[LegalMove]:
    found: list[LegalMove] = []
    for attribute, skill in SKILL_OF.items():
        move = Oppose(actor=one.id, attribute=attribute)
        words = f"{opposing_dice(fight, one, attribute, 0).value} dice for nothing."
        found.append(button(move, f"oppose:{attribute.value}", attribute.label, words, OPPOSED))
        most = most_added(fight, one, one.profile.attributes.of(attribute))
        if most > 0:
            name, text = worded(fight.catalog, attribute, skill), f"Add up to {most} energy; the skill helps."
            field = number_field("added", "How much energy?", 1, most)
            found.append(button(move, f"oppose:{attribute.value}:energy", name, text, OPPOSED, field))
    return found
