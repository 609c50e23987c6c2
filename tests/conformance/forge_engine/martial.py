"""Specialized martial skills, each by the moves of a fight in which it matters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.content import slug_of
from services.rules.engine.driver import Made
from services.rules.engine.steps import Ask
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.choices import Place
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.facts import (
    EnergyLost,
    Hurt,
    KnockedAway,
    Neared,
    Struck,
)
from services.rules.systems.forge_engine.play.moves import (
    Approach,
    Attack,
    BeginFight,
    Minor,
    MinorUse,
    Reload,
    UseSkill,
)
from services.rules.systems.forge_engine.play.rules.bonuses import martial
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Fight, Loaded, Phase
from services.rules.systems.forge_engine.profile import Profile, Shield, Weapon
from services.rules.systems.forge_engine.wares import reload_ways
from tests.conformance.forge_engine.stage import (
    AMPLE,
    CATALOG,
    FAR,
    FOE,
    HERO,
    MASTER,
    Answer,
    Given,
    club,
    facts,
    fight,
    fighter,
    hero,
    made,
    named,
    only,
    profile,
    skilled,
    tried,
    until_turn,
    used,
)
from tests.conformance.forge_engine.wounds import WORDS

ATTRIBUTES = {"STR": "strength", "AGI": "agility", "STA": "stamina", "INF": "influence"} | {
    "INT": "intelligence",
    "ACU": "acuity",
}
SHIELD = Shield(item="shield", name="Shield", cost=1, rating=1)
SIX = ("strength", "agility", "stamina", "influence", "intelligence", "acuity")


def _skill(given: Given) -> str:
    found = next((each for each in CATALOG.martial if each.name == given.get("skill")), None)
    if found is None:
        raise UnsupportedCaseError(f"no skill is called {given.get('skill')!r}")
    return found.id


def _attributes(given: Given, least: int = 1) -> Attributes:
    said = {ATTRIBUTES[key]: value for key, value in given.items() if key in ATTRIBUTES}
    return Attributes(**{**dict.fromkeys(SIX, max(1, least)), **said})


def _figures(given: Given, *, least: int = 1, **more: Any) -> Profile:
    """The hero's figures: the skill with its rating, attributes that stand in nothing's way."""
    figures = {
        "attributes": _attributes(given, least),
        "skills": skilled((_skill(given), given.get("rating", 1))),
        "health": given.get("max_health", max(AMPLE, given.get("health", 1))),
        "pd": given.get("PD", 1),
        "md": given.get("MD", 1),
        **more,
    }
    return profile(**figures)


def _stage(given: Given, *, least: int = 1, others: tuple[Any, ...] = (), **more: Any) -> Fight:
    now = {key: more.pop(key) for key in ("held", "health", "loads") if key in more}
    return fight(hero(_figures(given, least=least, **more), **now), *others)


def _foe(**figures: Any) -> Any:
    """A foe that has passed, and so may act at any time."""
    now = {key: figures.pop(key) for key in ("held", "health", "energy") if key in figures}
    return fighter(FOE, FOES, profile(**figures), passed=True, **now)


class Chooser:
    """Answers for the hero by the first offer whose move fits, its field at a value; notes the offers."""

    def __init__(self, who: str, kind: str, skill: str = "", times: int = 1, **values: Any) -> None:
        self.who, self.kind, self.skill, self.values = who, kind, skill, values
        self.left, self.most, self.costs = times, list[int](), list[str]()

    def __call__(self, _state: Fight, ask: Ask) -> Any:
        for offer in ask.offers:
            move = offer.move
            fits = move["kind"] == self.kind and move.get("skill", "") in ("", self.skill)
            if ask.actor != self.who or not fits:
                continue
            self.costs.append(offer.cost)
            bounds = {field.name: field.most or 0 for field in offer.fields}
            self.most.extend(bounds.values())
            if not self.left:
                continue
            wanted = {key: value for key, value in self.values.items() if key in bounds or key == "ward"}
            if any(value > bounds[key] for key, value in wanted.items() if key in bounds):
                continue
            self.left -= 1
            return PLAY.move_codec.read({**move, **wanted})
        return ask.silence


def _pools(found: Made, name: str) -> list[int]:
    return [roll.dice.value for roll in found.rolls if roll.id.startswith(name)]


def _conditions(state: Fight, who: str) -> str | None:
    found = named(
        [each.kind for each in state.effects if each.bearer == who and each.kind in CATALOG.conditions]
    )
    return found[0] if found else None


def _plain(state: Fight, *, added: int = 0, target: str = FOE, **more: Any) -> Attack:
    return Attack(actor=HERO, weapon="club", target=target, added=added, **more)


# Dice that are added by themselves


def _dice_more(state: Fight, before: Fight, added: int) -> int:
    """Dice that an attack has in one state beyond those in another."""
    now, then = made(state, _plain(state, added=added)), made(before, _plain(before, added=added))
    return _pools(now, "attack")[0] - _pools(then, "attack")[0]


def _unskilled(state: Fight) -> Fight:
    one = state.find(HERO)
    plain = replace(one, profile=replace(one.profile, skills=()))
    return replace(state, combatants=tuple(plain if each.id == HERO else each for each in state.combatants))


def _per_energy(given: Given) -> Answer:
    only(given, "skill", "rating", "added", "added_first", "energy")
    added = given.get("added", given.get("added_first", given.get("energy", AMPLE)))
    state = _stage(given, least=added)
    slug = slug_of(_skill(given))
    if slug == "shadow-lurker":
        one = replace(state.find(HERO), hidden=True)
        state = replace(state, combatants=(one, *state.combatants[1:]))
    if slug == "surprise-attack":
        natural = replace(club(), natural=True)
        state = _stage(given, least=added, weapons=(natural,))
        state = replace(state, phase=Phase.CALM, rounds=replace(state.rounds, order=()))
        state = made(state, BeginFight(actor=MASTER), {"initiative:hero": (10,)}).state
    if slug in ("enraged-attacker", "offensive-stance"):
        state = made(state, Minor(actor=HERO, use=MinorUse.STANCE, item=_skill(given))).state
    bonus = _dice_more(state, replace(_unskilled(state), effects=()), added)
    return {"bonus": bonus, "pool": _pools(made(state, _plain(state, added=added)), "attack")[0]}


def _charging(given: Given) -> Answer:
    only(given, "skill", "rating", "run_ft")
    feet = given["run_ft"]
    state = replace(_stage(given), spread=feet + 5)
    state, _ = until_turn(state)
    state = made(state, Approach(actor=HERO, target=FOE, feet=feet, run=True)).state
    return {"bonus": _dice_more(state, _unskilled(state), 0)}


def _streak(given: Given) -> Answer:
    """Attacks on one target that miss, or hit, or by it, one after the other."""
    counts = (
        "consecutive_misses",
        "consecutive_hits",
        "hits",
        "damage_taken",
        "attacks",
        "attacks_this_round",
    )
    only(given, "skill", "rating", *counts)
    times = next((given[key] for key in counts if key in given), 1)
    slug = slug_of(_skill(given))
    state = fight(hero(_figures(given)), _foe())
    attacker = FOE if slug == "strikeback-attack" else HERO
    target = HERO if attacker == FOE else FOE
    faces = {"attack": [10] if slug in ("weakpoint-strike", "shrouding-strike") else [2], "defense": [9]}
    for _ in range(times):
        move = Attack(actor=attacker, weapon="club", target=target)
        state = made(_passed(state), move, faces).state
    if slug == "shrouding-strike":
        found = made(_passed(state), Attack(actor=FOE, weapon="club", target=HERO))
        bonus = _pools(found, "defense")[0] - 1
    else:
        bonus = _dice_more(state, _unskilled(state), 0)
    return {"bonus": bonus}


def _passed(state: Fight, who: str = FOE) -> Fight:
    return replace(
        state, combatants=tuple(replace(one, passed=one.passed or one.id == who) for one in state.combatants)
    )


def _precision(given: Given) -> Answer:
    only(given, "skill", "rating", "spend", "then")
    state = fight(hero(_figures(given)), _foe())
    aimed = tried(state, UseSkill(actor=HERO, skill=_skill(given), added=given["spend"]))
    if aimed is None:
        return {"allowed": False}
    state = _passed(aimed.state)
    match given.get("then"):
        case "is attacked":
            state = made(state, Attack(actor=FOE, weapon="club", target=HERO)).state
        case None:
            pass
        case _:
            state = made(state, Minor(actor=HERO, use=MinorUse.ITEM, item="a potion")).state
    bonus = _dice_more(state, _unskilled(state), 0)
    return {"allowed": True, "bonus_next_attack": bonus, "bonus": bonus, "energy": given["spend"]}


# Attacks in another manner


def _manner(given: Given) -> Answer:
    only(given, "skill", "rating", "successes", "target_hands", "pool", "added")
    skill, hits = _skill(given), given.get("successes", 1)
    hands = given.get("target_hands", 1)
    dice = given.get("pool", max(hits, 1) + 2)
    foe = _foe(weapons=(replace(club(), hands=hands),), held=("club",))
    state = fight(hero(_figures(given, weapons=(club(dice),))), foe)
    found = tried(state, _plain(state, manner=skill), {"attack": [10] * hits, "defense": [9]})
    if found is None:
        return {"allowed": False}
    thrown = [fact.feet for fact in facts(found, KnockedAway)]
    return {
        "allowed": True,
        "condition": _conditions(found.state, FOE),
        "damage": sum(fact.damage for fact in facts(found, Hurt)),
        "thrown_ft": thrown[0] if thrown else 0,
        "pool": _pools(found, "attack")[0],
        "bonus": _pools(found, "attack")[0] - dice,
    }


def _split(given: Given) -> Answer:
    only(given, "skill", "rating", "pool", "added", "targets")
    count, added = given["targets"], given.get("added", 0)
    bow = slug_of(_skill(given)) == "split-tongue-shot"
    dice = given.get("pool", count + added)
    weapon = club(max(0, dice - added))
    if bow:
        weapon = _bow(max(0, dice - added))
    foes = [fighter(f"{FOE}-{number}", FOES) for number in range(count)]
    state = fight(hero(_figures(given, least=added, weapons=(weapon,))), *foes)
    names = [one.id for one in foes]
    move = _plain(state, added=added, target=names[0], others=tuple(names[1:]))
    found = tried(state, move)
    if found is None:
        return {"allowed": False}
    return {"allowed": True, "pools": _pools(found, "attack"), "energy": used(state, found.state)}


def _bow(rating: int = 1) -> Weapon:
    """What shoots."""
    return Weapon(
        id="club",
        name="Bow",
        kind=EquipmentKind.PROJECTILE,
        attribute=Attribute.AGILITY,
        rating=rating,
        max_range=100,
    )


def _own_attack(given: Given) -> Answer:
    """A taunt, or a blow with the shield."""
    only(given, "skill", "rating", "INF", "spend", "add", "added", "energy", "successes")
    bash = slug_of(_skill(given)) == "shield-bash"
    added = given.get("add", given.get("added", given.get("energy", max(1, given.get("successes", 1)))))
    attributes = {} if "INF" in given else {"INF": added}
    figures = _figures({**given, **attributes}, shields=(SHIELD,))
    state = fight(hero(figures, held=("shield",)), _foe())
    far = next((feet for feet in range(FAR, 0, -5) if _used_on(replace(state, spread=feet), given, added)), 0)
    successes = given.get("successes", 0)
    near = state if bash else replace(state, spread=max(5, far))
    found = tried(near, _use(given, added), {"attack": [10] * successes, "defense": [9]})
    if found is None:
        return {"allowed": False}
    pushed = [fact.feet - 5 for fact in facts(found, Neared)]
    defense = next(roll for roll in found.rolls if roll.id.startswith("defense"))
    return {
        "allowed": True,
        "energy": used(near, found.state),
        "pool": _pools(found, "attack")[0],
        "pushed_ft": pushed[-1] if pushed else 0,
        "condition": _conditions(found.state, FOE),
        "against": defense.dice.parts[0].source,
        "range_ft": far,
        "damage": sum(fact.damage for fact in facts(found, Hurt)),
    }


def _use(given: Given, added: int) -> UseSkill:
    return UseSkill(actor=HERO, skill=_skill(given), target=FOE, added=added)


def _used_on(state: Fight, given: Given, added: int) -> bool:
    return tried(state, _use(given, added)) is not None


def _trip(given: Given) -> Answer:
    only(given, "skill", "rating", "STR", "AGI", "add", "added", "energy", "successes")
    added = given.get("add", given.get("added", given.get("energy", 1)))
    figures = _figures({"STR": added, **given})
    state = fight(hero(figures), _foe())
    found = tried(state, _use(given, added), {"test": [10] * given.get("successes", 0), "resist": [9]})
    if found is None:
        return {"allowed": False}
    plain = min(added, max(figures.attributes.strength, figures.attributes.agility))
    pool = _pools(found, "test")[0]
    return {
        "allowed": True,
        "pool": pool,
        "bonus": pool - plain,
        "condition": _conditions(found.state, FOE),
        "energy": used(state, found.state),
    }


# What follows an attack


def _cleaving(given: Given) -> Answer:
    only(given, "skill", "rating", "added_first", "added")
    added = given.get("added_first", given.get("added", 0))
    foes = [_foe(), replace(_foe(), id="second")]
    state = fight(hero(_figures(given, least=added)), *foes)
    choose = Chooser(HERO, "StrikeBack", _skill(given))
    found = made(state, _plain(state, added=added), {}, choose)
    pools = _pools(found, "attack")
    spent = used(state, found.state) - added
    return {"allowed": len(pools) > 1, "second_pool": pools[1] if len(pools) > 1 else 0, "energy": spent}


def _following(given: Given) -> Answer:
    only(given, "skill", "rating", "weapon_cost", "defense", "attack", "new_dice", "rolled", "energy")
    cost = given.get("weapon_cost", given.get("energy", 0))
    first = given.get("rolled", given.get("attack", [1]))
    second = given.get("new_dice", given.get("attack", [1]))
    defense = given.get("defense", [1])
    state = fight(
        hero(_figures(given, weapons=(club(max(len(first), len(second)), cost),))), _foe(pd=len(defense))
    )
    choose = Chooser(HERO, "StrikeBack", _skill(given))
    faces = {"attack": first, "defense": defense, "attack:hero": second}
    found = made(state, _plain(state), faces, choose)
    struck = [fact.successes for fact in facts(found, Struck)]
    again = len(struck) > 1
    return {
        "allowed": again,
        "cost": used(state, found.state) - cost if again else 0,
        "successes": struck[-1],
        "max_spend": given.get("rating", 1),
    }


def _dual(given: Given) -> Answer:
    only(given, "skill", "rating", "main_cost", "off_cost")
    main, off = given["main_cost"], given["off_cost"]
    second = replace(club(1, off), id="off", place=Place.OFF_HAND)
    state = fight(hero(_figures(given, weapons=(club(1, main), second)), held=("club", "off")), _foe())
    choose = Chooser(HERO, "StrikeBack", _skill(given))
    found = made(state, _plain(state), {}, choose)
    if choose.left:
        return {"allowed": False}
    return {"allowed": True, "off_hand_cost": used(state, found.state) - main}


def _struck_back(given: Given) -> Answer:
    only(given, "skill", "rating", "weapon_cost", "energy")
    cost = given.get("weapon_cost", given.get("energy", 0))
    state = fight(hero(_figures(given, weapons=(club(1, cost),))), _foe())
    choose = Chooser(HERO, "StrikeBack", _skill(given))
    if slug_of(_skill(given)) == "reflex-strike":
        move: Any = Attack(actor=FOE, weapon="club", target="ally")
    else:
        move = Approach(actor=FOE, target=HERO, feet=5, away=True)
    found = made(state, move, {}, choose)
    return {"allowed": not choose.left, "cost": used(state, found.state)}


def _debilitating(given: Given) -> Answer:
    only(given, "skill", "rating", "damage", "energy_spent")
    damage, spent = given["damage"], given.get("energy_spent", 0)
    state = fight(hero(_figures(given, weapons=(club(damage),))), _foe(health=FAR))
    faces = {"attack": [10] * damage, "defense": [9]}
    seen = Chooser(HERO, "Exert", _skill(given), times=0)
    made(state, _plain(state), faces, seen)
    useful = max(seen.most, default=0)
    choose = Chooser(HERO, "Exert", _skill(given), energy=min(spent, useful))
    found = made(state, _plain(state), faces, choose)
    lost = sum(fact.expended for fact in facts(found, EnergyLost))
    return {"target_expends": lost, "useful_energy": useful, "max_spend": useful}


def _resolve(given: Given) -> Answer:
    only(given, "skill", "rating", "STA", "damage", "damage_taken", "health", "max_health", "spend", "energy")
    damage = given.get("damage", given.get("damage_taken", 1))
    health = given.get("health", given.get("max_health", AMPLE))
    attacker = _foe(weapons=(club(damage),))
    least = given.get("STA", given.get("rating", 1))
    state = fight(hero(_figures(given, least=least), health=health), attacker)
    faces = {"attack": [10] * damage, "defense": [9]}
    move = Attack(actor=FOE, weapon="club", target=HERO)
    seen = Chooser(HERO, "Exert", _skill(given), times=0)
    made(state, move, faces, seen)
    most = max(seen.most, default=0)
    wanted = given.get("spend", given.get("energy", most))
    found = made(state, move, faces, Chooser(HERO, "Exert", _skill(given), energy=wanted))
    one = found.state.find(HERO)
    return {
        "max_expend": most,
        "expend": one.expended,
        "health": one.health,
        "state": WORDS[one.life],
        "allowed": bool(seen.most),
    }


def _killing(given: Given) -> Answer:
    only(given, "skill", "rating", "STR", "pool")
    dice = given.get("pool", 1)
    state = fight(hero(_figures(given, weapons=(club(dice),))), _foe())
    choose = Chooser(HERO, "AddDice", _skill(given))
    found = made(state, _plain(state), {}, choose)
    pool = _pools(found, "attack")[0]
    return {"bonus": pool - dice, "pool": pool, "expend": found.state.find(HERO).expended}


def _bonus_energy(given: Given) -> Answer:
    """Retaliation for what one suffers, Reaping Blow for what kills."""
    only(given, "skill", "rating", "damage", "damage_taken")
    damage = given.get("damage", given.get("damage_taken", 0))
    faces = {"attack": [10] * damage, "defense": [9]}
    if slug_of(_skill(given)) == "reaping-blow":
        figures = _figures(given, weapons=(club(damage),))
        state = fight(hero(figures), replace(_foe(), id="victim", health=1 - damage // 2), _foe())
        victim = replace(state.find("victim"), profile=profile(health=max(1, damage - damage // 2 - 1)))
        state = replace(
            state, combatants=tuple(victim if one.id == "victim" else one for one in state.combatants)
        )
        found = made(state, _plain(state, target="victim"), faces)
    else:
        state = fight(hero(_figures(given)), _foe(weapons=(club(damage),)))
        found = made(state, Attack(actor=FOE, weapon="club", target=HERO), faces)
    gained = found.state.find(HERO).bonus_energy
    return {"bonus_energy": gained, "bonus": gained}


def _first_strike(given: Given) -> Answer:
    only(given, "skill", "rating", "damage")
    damage = given["damage"]
    state = fight(hero(_figures(given, weapons=(club(damage),))), _foe(health=FAR))
    found = made(state, _plain(state), {"attack": [10] * damage, "defense": [9]})
    return {"damage": sum(fact.damage for fact in facts(found, Hurt))}


def _hard_to_kill(given: Given) -> Answer:
    only(given, "skill", "rating", "STA", "health", "max_health", "damage", "damage_taken")
    damage = given.get("damage", given.get("damage_taken", 0))
    figures = _figures(given, health=given.get("max_health", AMPLE))
    state = fight(hero(figures, health=given.get("health", AMPLE)), _foe(weapons=(club(damage),)))
    found = made(
        state, Attack(actor=FOE, weapon="club", target=HERO), {"attack": [10] * damage, "defense": [9]}
    )
    one = found.state.find(HERO)
    return {
        "damage": sum(fact.damage for fact in facts(found, Hurt)),
        "health": one.health,
        "state": WORDS[one.life],
    }


# Defenses


def _defended(given: Given) -> Answer:
    """Energy added to PD or MD, by a Dodge or by a skill in its place."""
    only(given, "skill", "rating", "PD", "MD", "energy", "add", "added", "dodge_added", *ATTRIBUTES)
    skill, slug = _skill(given), slug_of(_skill(given))
    added = given.get("dodge_added", given.get("energy", given.get("add", given.get("added", 1))))
    mind = slug in ("coherent-mind", "empty-vessel", "iron-will")
    figures = _figures(given, least=added)
    state = fight(hero(figures, running=slug == "deft-movement"), _mocker() if mind else _foe())
    own = skill if CATALOG.martial[skill].energy_by is not None else ""
    choose = Chooser(HERO, "Dodge", own, added=added)
    if own:
        choose.kind = "Dodge"
    move: Any = Attack(actor=FOE, weapon="club", target=HERO)
    if mind:
        move = UseSkill(actor=FOE, skill=martial("distracting-taunt"), target=HERO, added=1)
    most = Chooser(HERO, "Dodge", own, times=0)
    made(state, move, {}, _only_skill(most, own))
    capped = min(added, max(most.most, default=0))
    found = made(state, move, {}, _only_skill(Chooser(HERO, "Dodge", own, added=capped), own))
    pool = _pools(found, "defense")[0]
    base = given.get("MD" if mind else "PD", 1)
    answer = {
        "allowed": bool(most.most),
        "pool": pool,
        "this_attack_pool": pool,
        "energy": used(state, found.state),
        "bonus": pool - base - (0 if own else capped),
        "max_spend": max(most.most, default=0),
    }
    if not mind:
        again = made(_passed(found.state), move)
        answer["next_attack_bonus"] = _pools(again, "defense")[0] - base
    return answer


def _only_skill(choose: Chooser, skill: str) -> Callable[[Fight, Ask], Any]:
    """Answers by one skill alone, and by no plain Dodge in its place."""

    def answer(state: Fight, ask: Ask) -> Any:
        offers = tuple(each for each in ask.offers if each.move.get("skill", "") == skill)
        return choose(state, replace(ask, offers=offers))

    return answer


def _mocker() -> Any:
    taunts = skilled((martial("distracting-taunt"), 1))
    return fighter(FOE, FOES, profile(attributes=Attributes(influence=5), skills=taunts), passed=True)


def _parry(given: Given) -> Answer:
    only(given, "skill", "rating", "weapon", "PD")
    weapon = club(given["weapon"]["rating"], given["weapon"]["cost"])
    state = fight(hero(_figures(given, weapons=(weapon,)), held=("club",)), _foe())
    choose = Chooser(HERO, "Parry")
    found = made(state, Attack(actor=FOE, weapon="club", target=HERO), {}, choose)
    pool = _pools(found, "defense")[0]
    bonus = pool - given.get("PD", 1)
    return {"energy": used(state, found.state), "pool": pool, "bonus": bonus, "allowed": not choose.left}


def _stance(given: Given) -> Answer:
    """What a stance adds to PD, attack by attack: of its own bearer, or of an ally beside it."""
    only(given, "skill", "rating", "attacks_this_round", "attacks", "event")
    state = fight(hero(_figures(given)), _foe())
    state = made(state, Minor(actor=HERO, use=MinorUse.STANCE, item=_skill(given))).state
    ward = slug_of(_skill(given)) == "bodyguards-stance"
    bonuses = []
    for _ in range(given.get("attacks_this_round", given.get("attacks", 1))):
        move = Attack(actor=FOE, weapon="club", target="ally" if ward else HERO)
        found = made(_passed(state), move)
        bonuses.append(_pools(found, "defense")[0] - 1)
        state = found.state
    return {"bonuses": bonuses, "bonus": sum(bonuses)}


def _rage(given: Given) -> Answer:
    if given.get("event") is None:
        return _per_energy(given)
    only(given, "skill", "rating", "event")
    state = _stage(given)
    raging = made(state, Minor(actor=HERO, use=MinorUse.STANCE, item=_skill(given))).state
    found = made(raging, Minor(actor=HERO, use=MinorUse.STANCE, item=_skill(given)))
    return {"expend": found.state.find(HERO).expended}


def _ward(given: Given) -> Answer:
    only(given, "skill", "rating", "energy", "added", "dodge_added")
    added = given.get("dodge_added", given.get("energy", given.get("added", 1)))
    state = fight(hero(_figures(given, least=added)), _foe())
    choose = Chooser(HERO, "Dodge", "", added=added)
    found = made(state, Attack(actor=FOE, weapon="club", target="ally"), {}, choose)
    bonus = _pools(found, "defense")[0] - 1
    return {"bonus": bonus, "pool": bonus + 1, "allowed": not choose.left}


def _phalanx(given: Given) -> Answer:
    only(given, "skill", "rating", "targets", "allies")
    count = given.get("allies", given.get("targets", 1))
    armed = profile(shields=(SHIELD,))
    allies = [fighter(f"ally-{number}", HEROES, armed, held=("shield",)) for number in range(count)]
    state = fight(hero(_figures(given, shields=(SHIELD,)), held=("shield",)), *allies, _foe())
    found = made(state, Attack(actor=FOE, weapon="club", target=HERO), {}, Chooser(HERO, "RaiseShield"))
    return {"bonus": _pools(found, "defense")[0] - 1 - SHIELD.rating}


def _disengaging(given: Given) -> Answer:
    only(given, "skill", "rating")
    skills = skilled((martial("opportunity-attack"), 1))
    state = fight(hero(_figures(given)), fighter(FOE, FOES, profile(skills=skills)))
    move = Approach(actor=HERO, target=FOE, feet=5, away=True)
    found = made(state, move, {}, Chooser(FOE, "StrikeBack", martial("opportunity-attack")))
    return {"bonus": _pools(found, "defense")[0] - 1}


def _added_later(given: Given) -> Answer:
    """Dice added to a pool that lies on the table, of an attack or of a defense."""
    only(given, "skill", "rating", "rolled", "defense", "attack", "new_dice", "add", "added", "spend")
    own = slug_of(_skill(given)) == "sidestep"
    new = given.get("new_dice", [])
    added = given.get("add", given.get("added", len(new)))
    attack = given.get("attack", [1] if own else given.get("rolled", [1]))
    defense = given.get("defense", given.get("rolled", [1]) if own else [1])
    mine, theirs = (defense, attack) if own else (attack, defense)
    figures = _figures(given, weapons=(club(len(mine)),), pd=len(mine))
    state = fight(hero(figures), _foe(weapons=(club(len(theirs)),), pd=len(theirs)))
    choose = Chooser(HERO, "AddDice", _skill(given), added=added)
    move = Attack(actor=FOE, weapon="club", target=HERO) if own else _plain(state)
    faces = {"attack": attack, "defense": defense, "sidestep": new, "twist": new}
    found = made(state, move, faces, choose)
    return {
        "successes": sum(fact.successes for fact in facts(found, Struck)),
        "energy": used(state, found.state),
        "allowed": not choose.left,
        "damage": sum(fact.damage for fact in facts(found, Hurt)),
    }


# Others


def _pledge(given: Given) -> Answer:
    only(given, "skill", "rating", "INF", "spend")
    state = _stage(given)
    skill, spend = _skill(given), given.get("spend", 1)
    found = tried(state, UseSkill(actor=HERO, skill=skill, target="ally", added=spend))
    offers = [each for each in PLAY.legal(state, HERO) if each.move.get("skill") == skill]
    most = max((field.most or 0 for each in offers for field in each.fields), default=0)
    if found is None:
        return {"allowed": False, "max_spend": most}
    gained = found.state.find("ally").bonus_energy
    return {
        "allowed": True,
        "ally_bonus_energy": gained,
        "max_spend": most,
        "energy": used(state, found.state),
    }


def _gasp(given: Given) -> Answer:
    only(given, "skill", "rating", "STA")
    found = made(_stage(given), UseSkill(actor=HERO, skill=_skill(given)))
    one = found.state.find(HERO)
    return {"bonus_energy": one.bonus_energy, "expend": one.expended}


def _quick_load(given: Given) -> Answer:
    """A weapon of the tables whose reload costs as much as the case says."""
    only(given, "skill", "rating", "reload_cost")
    for item in CATALOG.equipment:
        for way in ("", *_ways(item.id)):
            weapon = Weapon(
                id="club",
                name=item.name,
                item=item.id,
                kind=EquipmentKind.PROJECTILE,
                attribute=Attribute.AGILITY,
                hands=item.hands,
            )
            weapon = replace(weapon, holds=item.holds or 1)
            now = {"held": ("club",), "loads": (Loaded("club", 0),)}
            plain = fight(hero(profile(weapons=(weapon,)), **now))
            quick = fight(hero(_figures(given, weapons=(weapon,)), **now))
            spare = Minor(actor=HERO, use=MinorUse.ITEM, item="a potion")
            plain, quick = made(plain, spare).state, made(quick, spare).state
            move = Reload(actor=HERO, weapon="club", way=way)
            slow, fast = tried(plain, move), tried(quick, move)
            if slow is None or fast is None or used(plain, slow.state) != given["reload_cost"]:
                continue
            return {"cost": used(quick, fast.state)}
    raise UnsupportedCaseError("nothing is reloaded at that cost")


def _ways(item: str) -> tuple[str, ...]:
    return tuple(way.name for way in reload_ways(CATALOG, CATALOG.equipment[item]))


def _repel(given: Given) -> Answer:
    only(given, "skill", "rating", "energy_spent", "spend", "energy")
    spend = given.get("energy_spent", given.get("spend", given.get("energy", 1)))
    state = replace(fight(hero(_figures(given)), _foe(speed=FAR)), spread=30)
    offered: list[int] = []

    def answer(_state: Fight, ask: Ask) -> Any:
        if ask.actor == HERO:
            return Chooser(HERO, "Exert", _skill(given), energy=spend)(_state, ask)
        offered.extend(int(offer.move["energy"]) for offer in ask.offers if "energy" in offer.move)
        return ask.silence

    found = made(state, Approach(actor=FOE, target=HERO, feet=25), {}, answer)
    return {
        "target_must_pay": max(offered, default=0),
        "allowed": bool(offered),
        "energy": used(state, found.state),
    }


def _initiative(given: Given) -> Answer:
    only(given, "skill", "rating", "AGI", "add", "added", "energy")
    added = given.get("add", given.get("added", given.get("energy", 1)))
    state = _stage(given, least=added)
    found = tried(state, UseSkill(actor=HERO, skill=_skill(given), added=added))
    if found is None:
        return {"allowed": False}
    return {"allowed": True, "pool": _pools(found, "initiative")[0], "energy": used(state, found.state)}


SKILLS: Mapping[str, Callable[[Given], Answer]] = {
    **dict.fromkeys(("engaged-attack", "shadow-lurker", "surprise-attack", "offensive-stance"), _per_energy),
    "enraged-attacker": _rage,
    "charging-attack": _charging,
    **dict.fromkeys(
        ("aggravated-strike", "weakpoint-strike", "strikeback-attack", "shrouding-strike"), _streak
    ),
    "precision-attack": _precision,
    **dict.fromkeys(("pinning-attack", "stunning-attack", "weakening-attack", "disarming-attack"), _manner),
    "whirlwind-attack": _split,
    "split-tongue-shot": _split,
    "distracting-taunt": _own_attack,
    "shield-bash": _own_attack,
    "trip": _trip,
    "cleaving-attack": _cleaving,
    "following-attack": _following,
    "dual-wield-attack": _dual,
    "opportunity-attack": _struck_back,
    "reflex-strike": _struck_back,
    "debilitating-blow": _debilitating,
    "last-resolve": _resolve,
    "killing-blow": _killing,
    "retaliation": _bonus_energy,
    "reaping-blow": _bonus_energy,
    "first-strike": _first_strike,
    "hard-to-kill": _hard_to_kill,
    **dict.fromkeys(
        (
            "brace",
            "suck-it-up",
            "deft-movement",
            "nimble-defense",
            "unarmored-defense",
            "coherent-mind",
            "empty-vessel",
            "iron-will",
        ),
        _defended,
    ),
    "parry": _parry,
    "defensive-stance": _stance,
    "bodyguards-stance": _stance,
    "bodyguards-ward": _ward,
    "phalanx": _phalanx,
    "disengaging-step": _disengaging,
    "sidestep": _added_later,
    "twist-the-blade": _added_later,
    "leaders-pledge": _pledge,
    "last-gasp": _gasp,
    "quick-load": _quick_load,
    "repel": _repel,
    "take-the-initiative": _initiative,
}


def _martial(given: Given) -> Answer:
    play = SKILLS.get(slug_of(_skill(given)))
    if play is None:
        raise UnsupportedCaseError(f"nothing is known of {given['skill']!r}")
    return play(given)


AREAS: Mapping[str, Area] = {"martial_skill": _martial}
"""What answers the areas of this file."""
