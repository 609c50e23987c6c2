"""Spells at work (Magic Skills / Common form; P0), by shape.

    attacks     one target, all around, an area away from the caster, an arc, dice divided among several
    outcomes    attacks whose successes do something of their own (`outcomes.OUTCOMES`)
    lasting     dice that become an effect of the spell's name: its tags and what it adds say the rest
    healing     1 health for each die, of one or divided
    functions   what is left, a function each (`FUNCTIONS`)
    summoning   a creature that joins (`summon`)

`working` tells which spells a fight has rules for; none other is offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from services.rules.engine.content import slug_of
from services.rules.engine.explain import Explained
from services.rules.engine.explain import Part as Dice
from services.rules.engine.frozen import replace
from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.play.effects import (
    counts_as,
    effect_id,
    hands_used,
    new_effect,
    shakeable,
)
from services.rules.systems.forge_engine.play.facts import (
    EffectBegan,
    EffectEnded,
    Healed,
    SpellCast,
    Summoned,
)
from services.rules.systems.forge_engine.play.ground import apart, covered
from services.rules.systems.forge_engine.play.moves import Cast
from services.rules.systems.forge_engine.play.rules.areas import (
    MAGIC,
    aims,
    at_place,
    caught,
    range_of,
    reach_of_spell,
)
from services.rules.systems.forge_engine.play.rules.attack import check_strike, strike_through
from services.rules.systems.forge_engine.play.rules.attribute_test import fixed_test, opposed_test
from services.rules.systems.forge_engine.play.rules.checks import (
    actor_of,
    check_calm,
    check_fight,
    check_free,
    check_turn,
    known_target,
)
from services.rules.systems.forge_engine.play.rules.damage import SUMMONED
from services.rules.systems.forge_engine.play.rules.enchantments import ENFLAME, begin, burn_on
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, check_energy, cost_of, pay
from services.rules.systems.forge_engine.play.rules.outcomes import OUTCOMES, STEP, spell_id
from services.rules.systems.forge_engine.play.rules.pushes import AWAY, TOWARDS, push, steps
from services.rules.systems.forge_engine.play.rules.zones import MAELSTROM, rage_on
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.play.strike import (
    Strike,
    spell_attribute,
)
from services.rules.systems.forge_engine.pools.attack_given import Cover, PoolSkill
from services.rules.systems.forge_engine.pools.attack_pool import ADJACENT, action_pool
from services.rules.systems.forge_engine.skills import Against, Spell, SpellDamage, Targets, Use

HEALING_TOUCH, STRENGTHENED_HIDE, SUMMON = map(
    spell_id, ("healing-touch", "strengthened-hide", "summon-creature")
)
LIGHTEST = 7
"""The difficulty of moving the lightest things; each heavier class is one higher."""
LONGEST_WORDS = 200
AFTERMATH = {ENFLAME: burn_on, MAELSTROM: rage_on}
"""Attack spells that go on by themselves, with what begins once they have struck."""


def is_attack(spell: Spell) -> bool:
    """Whether a spell is an attack as an action: by its content, or with an outcome of its own."""
    hurts = spell.damage in (SpellDamage.HALF, SpellDamage.PER_SUCCESS) or len(spell.conditions) > 1
    rolled = spell.against in (Against.PD, Against.MD) and spell.targets is not Targets.SELF
    return spell.use is Use.ACTION and rolled and (hurts or spell.id in OUTCOMES)


def is_lasting(catalog: Catalog, spell: Spell) -> bool:
    """Whether the dice of a spell become an effect of its name."""
    if spell.use is not Use.ACTION or spell.id == SUMMON or is_attack(spell):
        return False
    return effect_id(slug_of(spell.id)) in catalog.effects


def is_healing(spell: Spell) -> bool:
    """Whether the dice of a spell are health, and nothing else."""
    return spell.healing is not None and spell.against is Against.NOTHING


def for_creatures(spell: Spell) -> bool:
    """Whether a spell works on summoned creatures alone."""
    return spell.school is not None and slug_of(spell.school) == "summoner" and spell.id != SUMMON


def for_undead(spell: Spell) -> bool:
    """Whether a spell works on the undead alone."""
    return slug_of(spell.id) in ("compel-undead", "dominate-undead", "revitalizing-touch")


def for_living(spell: Spell) -> bool:
    """Whether a spell works on the living alone."""
    return slug_of(spell.id) in ("necrotic-touch", "devouring-touch")


def working(catalog: Catalog, spell: Spell) -> bool:
    """Whether a fight has rules for casting a spell as an action."""
    return (
        spell.id == SUMMON
        or is_attack(spell)
        or is_lasting(catalog, spell)
        or is_healing(spell)
        or spell.id in FUNCTIONS
    )


def castable(fight: Fight, one: Combatant) -> Iterator[Spell]:
    """The spells that a combatant knows and that a fight has rules for."""
    for skill in one.profile.skills:
        spell = fight.catalog.spells.get(skill.skill)
        if spell is not None and working(fight.catalog, spell):
            yield spell


def cast(turn: FightTurn, move: Cast) -> Steps:
    """Casts a spell: expends, adds energy up to the attribute, gains the skill's dice."""
    fight = turn.state
    one = actor_of(fight, move.actor)
    check_turn(fight, one)
    check_free(fight, one)
    known = {spell.id: spell for spell in castable(turn.state, one)}
    spell = known.get(move.spell)
    if spell is None:
        refuse(
            "spell_unknown", "That spell is not theirs to cast.", MAGIC, ("spell",), move.spell, tuple(known)
        )
    if hands_used(fight, one) >= one.profile.hands:
        refuse("hands_full", "Magic takes a free hand.", "Magic Traits", ("actor",), one.hands_full())
    most = spell_attribute(one, spell)
    if not 1 <= move.added <= most:
        text = "Some energy is added, and no more than the attribute's rating."
        refuse("added_above_attribute", text, MAGIC, ("added",), move.added, (1, most))
    if spell.id == SUMMON:
        summon(turn, one, move)
        return
    if is_attack(spell):
        check_fight(fight)
        strike = _aimed(fight, one, spell, move)
        check_strike(fight, strike)
        struck = yield from strike_through(turn, strike)
        after = AFTERMATH.get(spell.id)
        if struck and after is not None:
            after(turn, strike, spell_dice(one, spell, strike.added).value, move.at)
        return
    dice = spell_dice(one, spell, move.added)
    shares = _shared(fight, one, spell, move, dice.value)
    cost = cost_of(fight, one, Dice(move.added, spell.name, MAGIC))
    check_energy(one, cost.value, spell.expend)
    pay(turn, one.id, spell.name, cost, added=move.added, expended=spell.expend, power=spell.id)
    targets = tuple(each.id for each, _ in shares)
    turn.happen(SpellCast(who=one.id, targets=targets, spell=spell.id, name=spell.name))
    if spell.id in FUNCTIONS:
        yield from FUNCTIONS[spell.id](turn, one, spell, shares[0][0], dice, move)
    for target, count in () if spell.id in FUNCTIONS else shares:
        if is_healing(spell):
            turn.happen(Healed(who=target.id, amount=count, source=one.id, cause=spell.id))
        else:
            begin(turn, one, spell, target, count)


# Whom a spell reaches


def _aimed(fight: Fight, one: Combatant, spell: Spell, move: Cast) -> Strike:
    """The attack that a spell is, with all whom it takes in."""
    plain = Strike(
        id=f"spell-{one.id}",
        attacker=one.id,
        spell=spell.id,
        targets=(),
        added=move.added,
        area=spell.area is not None,
        words=move.words.strip()[:LONGEST_WORDS],
    )
    if spell.area is None:
        targets = tuple(
            _in_sight(fight, one, spell, name).id for name in (move.target, *_further(spell, move))
        )
        shares = divided(spell_dice(one, spell, move.added).value, targets, move.shares)
        return replace(plain, targets=targets, shares=shares if len(targets) > 1 else ())
    if spell.area.at_point and move.at is not None:
        return at_place(fight, one, spell, plain, move.at)
    middle = _in_sight(fight, one, spell, move.target) if aims(spell) else one
    return replace(plain, targets=caught(fight, one, spell, middle))


def _in_sight(fight: Fight, one: Combatant, spell: Spell, name: str) -> Combatant:
    """A target in range and sight, of the kind that the spell works on."""
    target = known_target(fight, one, name)
    feet, far = apart(fight, one, target), range_of(spell)
    if feet > far:
        refuse("out_of_range", f"{spell.name} does not reach so far.", MAGIC, ("target",), feet, far)
    if covered(fight, one, target) is Cover.TOTAL:
        refuse("covered", "Total cover keeps it out.", "Externalities / Cover", ("target",), name)
    if not fits(fight, spell, target):
        refuse("target_unfit", f"{spell.name} does not work on that.", MAGIC, ("target",), name)
    return target


def fits(fight: Fight, spell: Spell, target: Combatant) -> bool:
    """Whether a spell works on a target: some work on the undead alone, some on the living alone."""
    undead = counts_as(fight, target.id, "undead")
    return undead if for_undead(spell) else not (undead and for_living(spell))


def _further(spell: Spell, move: Cast) -> tuple[str, ...]:
    """Further targets, of a spell whose dice are divided."""
    if move.others and spell.targets not in (Targets.SEVERAL, Targets.ALLIES):
        refuse("not_divided", f"{spell.name} has one target.", MAGIC, ("others",), move.others)
    if len({move.target, *move.others}) < 1 + len(move.others):
        refuse("named_twice", "Name each target once.", MAGIC, ("others",), move.others)
    return move.others


def divided(dice: int, targets: tuple[str, ...], shares: tuple[int, ...]) -> tuple[int, ...]:
    """The dice of each target: as the caster assigns them, or evenly with the first having what is over."""
    if not shares:
        each, over = divmod(dice, len(targets))
        return tuple(each + (place < over) for place in range(len(targets)))
    if len(shares) != len(targets) or min(shares) < 1 or sum(shares) != dice:
        refuse("dice_not_divided", "All of the dice are assigned.", MAGIC, ("shares",), sum(shares), dice)
    return shares


def helped(fight: Fight, one: Combatant, spell: Spell) -> Iterator[Combatant]:
    """Whom a spell that does not attack may be cast on; the caster for what has no target."""
    if spell.targets in (Targets.PLACE, Targets.OBJECT, Targets.SELF):
        yield one
        return
    if for_creatures(spell):
        yield from (each for each in creatures(fight, one) if apart(fight, one, each) <= ADJACENT)
        return
    if spell.against is not Against.TEST and not for_undead(spell):
        yield one
    any_side = spell.against is Against.TEST or for_undead(spell)
    for other in fight.known(one):
        lives = other.id != one.id and other.gone is None and other.life is not Life.DEAD
        if not lives or not (any_side or other.side == one.side):
            continue
        if apart(fight, one, other) <= reach_of_spell(spell) and fits(fight, spell, other):
            yield other


def _shared(
    fight: Fight, one: Combatant, spell: Spell, move: Cast, dice: int
) -> tuple[tuple[Combatant, int], ...]:
    """Whom a spell that does not attack is cast on, with the dice of each."""
    if spell.grams and not move.target:
        _difficulty(spell, move.grams)
        return ((one, dice),)
    known = {each.id: each for each in helped(fight, one, spell)}
    names = (move.target or one.id, *_further(spell, move))
    for name in names:
        if name not in known:
            refuse("unknown_target", "There is no such target.", MAGIC, ("target",), name, tuple(known))
    if spell.id == CLEANSE and not shakeable(fight, names[0]):
        refuse("nothing_to_shake_off", "There is nothing to end.", MAGIC, ("target",), names[0])
    return tuple(
        (known[name], count) for name, count in zip(names, divided(dice, names, move.shares), strict=True)
    )


def spell_dice(one: Combatant, spell: Spell, added: int) -> Explained:
    """Dice of a spell that is not rolled, or of its test: energy, and the skill up to that."""
    skill = PoolSkill(name=spell.name, rating=one.profile.rating(spell.id))
    return action_pool(Explained(0, ()), spell_attribute(one, spell), added, (skill,))


# Creatures


def creatures(fight: Fight, one: Combatant) -> Iterator[Combatant]:
    """The creatures that a combatant summoned, and that are still there."""
    for effect in fight.effects:
        if effect.kind == SUMMONED and effect.source == one.id:
            creature = fight.find(effect.bearer)
            if creature.gone is None and creature.life is not Life.DEAD:
                yield creature


def summon(turn: FightTurn, one: Combatant, move: Cast) -> None:
    """Expends energy for a creature that joins: 2 dice each, which cap its energy (R-33)."""
    check_calm(turn.state)
    dice = summoning_dice(one, move.added)
    known = summonable(turn.state.catalog, dice)
    if move.creature not in known:
        text = "No creature of so much energy comes."
        refuse("creature_too_strong", text, MAGIC, ("creature",), move.creature, known)
    check_energy(one, 0, move.added)
    room = next(steps(turn.state, one), None)
    if turn.state.ground is not None and room is None:
        refuse("square_taken", "There is no room beside.", MAGIC, ("actor",))
    spell, block = turn.state.catalog.spells[SUMMON], turn.state.catalog.adversaries[move.creature]
    pay(turn, one.id, spell.name, Explained(0, ()), expended=move.added, power=spell.id)
    turn.happen(SpellCast(who=one.id, targets=(), spell=spell.id, name=spell.name))
    number = sum(each.id.startswith(f"summoned-{one.id}-") for each in turn.state.combatants) + 1
    name = f"summoned-{one.id}-{number}"
    turn.happen(Summoned(who=one.id, creature=name, name=block.title, adversary=block.id, at=room))
    effect = new_effect(turn.state, SUMMONED, name, source=one.id, amount=move.added)
    turn.happen(EffectBegan(effect=effect))


def summoning_dice(one: Combatant, expended: int) -> int:
    """Dice of a summoning: 2 for each energy expended, at most twice the rating."""
    return 2 * min(expended, one.profile.rating(SUMMON))


def summonable(catalog: Catalog, dice: int) -> tuple[str, ...]:
    """The adversaries whose energy some dice allow."""
    return tuple(each.id for each in catalog.adversaries if each.energy <= dice)


# Spells with a function


def _cleanse(
    turn: FightTurn, one: Combatant, spell: Spell, target: Combatant, dice: Explained, move: Cast
) -> Steps:
    """The dice are rolled to shake off what the target bears longest."""
    effect = next(iter(shakeable(turn.state, target.id)))
    done = yield from fixed_test(turn, one, spell.name, dice, effect.strength)
    if done:
        turn.happen(EffectEnded(effect=effect.id, bearer=target.id, what=effect.kind))


def _detect(
    turn: FightTurn, one: Combatant, spell: Spell, target: Combatant, dice: Explained, move: Cast
) -> Steps:
    """A test: 1 or 2 successes tell where magic is, 3 or more what it is."""
    yield from fixed_test(turn, one, spell.name, dice, spell.difficulty or 0)


def _shove(
    turn: FightTurn, one: Combatant, spell: Spell, target: Combatant, dice: Explained, move: Cast
) -> Steps:
    """5 feet for each success: of a thing by its weight, of a being by an opposed test."""
    if target.id == one.id:
        yield from fixed_test(turn, one, spell.name, dice, _difficulty(spell, move.grams))
        return
    found = yield from opposed_test(turn, one, target, spell.name, dice)
    if found:
        push(turn, one.id, target.id, STEP * found, TOWARDS if _pulls(spell, move) else AWAY)


def _pulls(spell: Spell, move: Cast) -> bool:
    return move.pull and spell.id == MOVE


def _difficulty(spell: Spell, grams: int) -> int:
    """The difficulty of moving a thing of a weight; refused where it is too heavy."""
    if not 1 <= grams <= spell.grams[-1]:
        text = "A thing has a weight, and this one is too heavy or has none."
        refuse("weight_out_of_range", text, MAGIC, ("grams",), grams, (1, spell.grams[-1]))
    return LIGHTEST + next(place for place, most in enumerate(spell.grams) if grams <= most)


CLEANSE, MOVE = spell_id("cleanse"), spell_id("move")
Function = Callable[[FightTurn, Combatant, Spell, Combatant, Explained, Cast], Steps]
FUNCTIONS: Mapping[str, Function] = {
    CLEANSE: _cleanse,
    spell_id("detect-magic"): _detect,
    spell_id("finesse"): _shove,
    spell_id("force"): _shove,
    MOVE: _shove,
}
"""Spells that are neither attacks nor last nor heal, with what they do."""
