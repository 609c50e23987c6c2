"""Spells as offers: against each enemy or for each ally that they reach, with odds where they are attacks."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import (
    button,
    choice_field,
    choices_field,
    flag_field,
    number_field,
    square_field,
    text_field,
)
from services.rules.engine.frozen import replace
from services.rules.engine.ground.squares import Square
from services.rules.engine.play import Chance, LegalMove, MoveField
from services.rules.systems.forge_engine.conditions import barring
from services.rules.systems.forge_engine.play.effects import conditions_of, hands_used, shakeable
from services.rules.systems.forge_engine.play.ground import apart, apart_from, covered
from services.rules.systems.forge_engine.play.legal.attacks import most_energy, odds_of, with_odds
from services.rules.systems.forge_engine.play.moves import Cast
from services.rules.systems.forge_engine.play.rules.areas import (
    MAGIC,
    aims,
    burst,
    caught,
    places,
    range_of,
)
from services.rules.systems.forge_engine.play.rules.bonuses import with_bonuses
from services.rules.systems.forge_engine.play.rules.defense import standing_shields
from services.rules.systems.forge_engine.play.rules.energy import affords, cost_of
from services.rules.systems.forge_engine.play.rules.pushes import steps
from services.rules.systems.forge_engine.play.rules.spells import (
    CLEANSE,
    LONGEST_WORDS,
    MOVE,
    SUMMON,
    castable,
    fits,
    helped,
    is_attack,
    spell_dice,
    summonable,
    summoning_dice,
)
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Life
from services.rules.systems.forge_engine.play.strike import Strike, action_dice, defense_dice, spell_attribute
from services.rules.systems.forge_engine.pools.attack_given import Cover
from services.rules.systems.forge_engine.skills import Spell, Targets

ADDED = "How much energy do you add?"
WORDED = ("forge_engine:spell/word-of-command", "forge_engine:spell/compel-undead")
"""Spells that give a command in words."""


def spell_offers(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """Every spell that a fight has rules for, against each enemy or for each ally that it reaches."""
    if not may_cast(fight, one):
        return
    for spell in castable(fight, one):
        if spell.id == SUMMON:
            continue
        if is_attack(spell):
            yield from _attack_spell(fight, one, spell)
        else:
            yield from helping_spell(fight, one, spell)


def may_cast(fight: Fight, one: Combatant) -> bool:
    """Whether a combatant has a free hand, and no condition that bars actions."""
    return barring(conditions_of(fight, one.id)) is None and hands_used(fight, one) < one.profile.hands


def in_view(fight: Fight, one: Combatant, spell: Spell) -> tuple[Combatant, ...]:
    """Enemies that a spell can be aimed at."""
    return tuple(
        foe
        for foe in fight.foes(one)
        if foe.life is not Life.DEAD
        and apart(fight, one, foe) <= range_of(spell)
        and covered(fight, one, foe) is not Cover.TOTAL
        and fits(fight, spell, foe)
    )


def _attack_spell(fight: Fight, one: Combatant, spell: Spell) -> Iterator[LegalMove]:
    known = {each.id for each in fight.known(one)}
    if spell.area is not None and not aims(spell):
        around = tuple(each for each in caught(fight, one, spell, one) if each in known)
        if around:
            yield from _cast(fight, one, spell, "", around)
        return
    yield from _at_a_place(fight, one, spell)
    foes = in_view(fight, one, spell)
    for foe in foes:
        targets = (foe.id,) if spell.area is None else caught(fight, one, spell, foe)
        further = tuple(each for each in foes if each.id != foe.id)
        more = further if spell.targets is Targets.SEVERAL else ()
        yield from _cast(fight, one, spell, foe.id, tuple(each for each in targets if each in known), more)


def _at_a_place(fight: Fight, one: Combatant, spell: Spell) -> Iterator[LegalMove]:
    """An area spell at a square, with the odds at the first of those that are offered."""
    squares = places(fight, one, spell)
    if not squares:
        return
    at, known = squares[0], {each.id: each for each in fight.known(one)}
    plain = Strike(id="spell", attacker=one.id, spell=spell.id, targets=(), area=True)
    strike = burst(fight, spell, plain, at, apart_from(fight, one, at))
    seen = [each for each in strike.targets if each in known]
    # Enemies first: the odds that stand out are those against the first of them.
    targets = tuple(sorted(seen, key=lambda each: known[each].side == one.side))
    strike = replace(strike, targets=targets)
    found = most_energy(fight, strike, spell_attribute(one, spell)) if targets else None
    if found is None or found[1] < 1:
        return
    cost, most = found
    fields = number_field("added", ADDED, 1, most), square_field("at", "Where?", squares)
    move = Cast(actor=one.id, spell=spell.id, at=at, added=1)
    offer = button(move, f"cast:{spell.id}:place", f"{spell.name}: a place", spell.summary, MAGIC, *fields)
    strike = replace(strike, added=most)
    yield replace(with_odds(fight, strike, offer, cost), chances=_chances_at(fight, strike, at))


def _chances_at(fight: Fight, strike: Strike, at: Square) -> tuple[Chance, ...]:
    """The chance to hit each whom an area around a square takes in, if they do nothing.

    The action pool falls once for all of them, as against the first.
    """
    known = with_bonuses(fight, standing_shields(fight, strike))
    action, found = action_dice(fight, known, strike.targets[0]).value, []
    for target in strike.targets:
        hit = odds_of(action, defense_dice(fight, known, target).value)[0].chance
        label = f"hit {fight.find(target).name} from column {at.x}, row {at.y}, if the target does nothing"
        found.append(Chance(f"hit:{target}", label, hit))
    return tuple(found)


def _cast(
    fight: Fight,
    one: Combatant,
    spell: Spell,
    target: str,
    targets: tuple[str, ...],
    further: tuple[Combatant, ...] = (),
) -> Iterator[LegalMove]:
    plain = Strike(id="spell", attacker=one.id, spell=spell.id, targets=targets, area=spell.area is not None)
    found = most_energy(fight, plain, spell_attribute(one, spell))
    if found is None:
        return
    cost, most = found
    if most < 1:
        return
    move = Cast(actor=one.id, spell=spell.id, target=target, added=1)
    words = f"{spell.name}: {fight.find(target).name}" if target else spell.name
    fields = [number_field("added", ADDED, 1, most)]
    if further:
        names = [(each.id, each.name) for each in further]
        fields.append(choices_field("others", "Whom else?", names, 0, len(names)))
    if spell.id in WORDED:
        fields.append(text_field("words", "What do you command?", LONGEST_WORDS))
    offer = button(move, f"cast:{spell.id}:{target}", words, spell.summary, MAGIC, *fields)
    yield with_odds(fight, replace(plain, added=most), offer, cost)


def calm_spells(fight: Fight, one: Combatant) -> Iterator[LegalMove]:
    """What is cast out of a fight: spells that help, and summonings."""
    for spell in castable(fight, one) if may_cast(fight, one) else ():
        if spell.id == SUMMON:
            yield from _summoning(fight, one, spell)
        elif not is_attack(spell):
            yield from helping_spell(fight, one, spell)


def _summoning(fight: Fight, one: Combatant, spell: Spell) -> Iterator[LegalMove]:
    """A creature of each amount of energy that can be expended."""
    if fight.ground is not None and not any(True for _ in steps(fight, one)):
        return
    for energy in range(1, min(spell_attribute(one, spell), one.energy) + 1):
        known = summonable(fight.catalog, summoning_dice(one, energy))
        if known:
            names = [(each, fight.catalog.adversaries[each].title) for each in known]
            move = Cast(actor=one.id, spell=spell.id, added=energy, creature=known[0])
            field = choice_field("creature", "Which creature?", names)
            label, name = f"{spell.name}: expend {energy}", f"cast:{spell.id}:{energy}"
            yield replace(
                button(move, name, label, spell.summary, MAGIC, field), cost=f"{energy} energy expended"
            )


def helping_spell(fight: Fight, one: Combatant, spell: Spell) -> Iterator[LegalMove]:
    """A spell that does not attack, for each whom it may be cast on."""
    cost = cost_of(fight, one).value
    most = min(spell_attribute(one, spell), one.usable - cost - spell.expend)
    if most < 1 or not affords(one, cost, spell.expend):
        return
    price, dice = f"{cost + spell.expend} energy and what is added", spell_dice(one, spell, most)
    added = number_field("added", ADDED, 1, most)
    known = tuple(helped(fight, one, spell))
    for target in () if spell.targets is Targets.OBJECT and spell.grams else known:
        if spell.id == CLEANSE and not shakeable(fight, target.id):
            continue
        fields: list[MoveField] = [added]
        others = [(each.id, each.name) for each in known if each.id != target.id]
        if spell.targets is Targets.ALLIES and others:
            fields.append(choices_field("others", "Whom else?", others, 0, len(others)))
        if spell.id == MOVE:
            fields.append(flag_field("pull", "Nearer to you?"))
        move = Cast(actor=one.id, spell=spell.id, target=target.id, added=1)
        name, label = f"cast:{spell.id}:{target.id}", f"{spell.name}: {target.name}"
        yield replace(button(move, name, label, spell.summary, MAGIC, *fields), cost=price, dice=dice)
    if spell.grams:
        weight = number_field("grams", "How many grams?", 1, spell.grams[-1])
        move = Cast(actor=one.id, spell=spell.id, added=1, grams=1)
        offer = button(
            move, f"cast:{spell.id}:thing", f"{spell.name}: a thing", spell.summary, MAGIC, added, weight
        )
        yield replace(offer, cost=price, dice=dice)
