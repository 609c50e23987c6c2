"""Cases of Combat: choices, dice, damage, and the powers of a combat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from services.rules.engine.conformance import Area
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect, own_catalog
from services.rules.systems.dwarf_dice.combat import (
    Engaged,
    blow,
    choice_problems,
    combat_dice,
    guards,
    hits,
)
from services.rules.systems.dwarf_dice.powers import (
    Step,
    assault_problem,
    fury_problem,
    rebuke_problem,
    rebukes,
)
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.seating import reckon
from tests.conformance.dwarf_dice.reasons import Answer, Given, champion, no, ruled

STEPS = {
    "before the reveal": Step.BEGUN,
    "after the reveal": Step.REVEALED,
    "before the roll": Step.REVEALED,
    "after the roll": Step.ROLLED,
    "before blocks": Step.ROLLED,
    "after blocks": Step.RESOLVED,
    "after the combat": Step.RESOLVED,
}


def _has(side: Given, effect: PowerEffect, catalog: Catalog) -> bool:
    found = champion(str(side.get("champion", "")))
    return found is not None and catalog.has(found.id, effect)


def _cards(side: Given) -> tuple[tuple[str, int], ...]:
    return tuple((str(name), int(value)) for name, value in side.get("cards", ()))


def _combat(given: Given) -> Answer:
    """A whole combat whose cards, dice and blocks are known."""
    catalog, used = own_catalog(), given.get("powers", ())
    attacker, defender = given["attacker"], given["defender"]
    attack, defence = combat_dice(
        Engaged(
            attack=_cards(attacker),
            defence=_cards(defender),
            assault="Furious Assault" in used,
            attacker_shrinks=_has(attacker, PowerEffect.SHRINK_RAY, catalog),
            defender_shrinks=_has(defender, PowerEffect.SHRINK_RAY, catalog),
            shrink=catalog.rules.shrink_ray,
        )
    )
    fury = "Forge's Fury" in used
    crits = not (fury and _has(defender, PowerEffect.FORGES_FURY, catalog))
    counters = not (fury and _has(attacker, PowerEffect.FORGES_FURY, catalog))
    struck_with = [Resource(sign) for sign in given.get("attack_roll", ())]
    held_with = [Resource(sign) for sign in given.get("defence_roll", ())]
    blocks: Sequence[tuple[int, int]] = [(die, against) for die, against in given.get("blocks", ())]
    wrong = _wrong_block(blocks, hits(struck_with, alchemy=crits), guards(held_with, alchemy=counters))
    if wrong:
        return no(wrong)
    struck = blow(struck_with, held_with, [die for die, _ in blocks], crits=crits, counters=counters)
    back = struck.counters + _rebuked(given, struck.to_defender)
    left = {
        "attacker": attacker.get("endurance", catalog.rules.endurance) - back,
        "defender": defender.get("endurance", catalog.rules.endurance) - struck.to_defender,
    }
    return {
        "legal": True,
        "attack_dice": attack.value,
        "defence_dice": defence.value,
        "crit_damage": struck.crits,
        "unblocked": struck.unblocked,
        "counter_damage": struck.counters,
        "defender_endurance": left["defender"],
        "attacker_endurance": left["attacker"],
        "defeated": list(reckon(left, "attacker").out),
        "to_armory": [name for name, _ in (*_cards(attacker), *_cards(defender))],
    }


def _wrong_block(blocks: Sequence[tuple[int, int]], laid_out: Sequence[int], able: Sequence[int]) -> str:
    if any(die not in able for die, _ in blocks):
        return "only Wood or Alchemy blocks"
    if any(against not in laid_out for _, against in blocks):
        return "nothing to block"
    if len({die for die, _ in blocks}) < len(blocks) or len({it for _, it in blocks}) < len(blocks):
        return "one die per attacking die"
    return ""


def _rebuked(given: Given, taken: int) -> int:
    """What Fiery Rebuke deals, when its die is given."""
    defender, die = given["defender"], given.get("rebuke_die")
    able = _has(defender, PowerEffect.FIERY_REBUKE, own_catalog())
    if die is None or not able or rebuke_problem(attacked=True, damage=taken) is not None:
        return 0
    return int(rebukes(Resource(die)))


def _reveal(given: Given) -> Answer:
    attacking, rules = given.get("side", "attack") == "attack", own_catalog().rules
    kind = str(given.get("kind", ""))
    if kind.startswith("defen") and attacking:
        return no("Defensive card")
    if kind.startswith(("attack", "offen")) and not attacking:
        return no("Offensive card")
    wanted: Counter[str] = Counter(given.get("names", ()))
    held = wanted <= Counter(given["hand"]) if "hand" in given else True
    if not (held and given.get("in_hand", True)):
        return no("not in hand")
    values = given.get("values", ())
    wrong = choice_problems(
        values, attacking=attacking, most=rules.most_value, needs_card=rules.attack_needs_card
    )
    return ruled(next(wrong, None)) | {"total": sum(values)}


def _furious_assault(given: Given) -> Answer:
    step = STEPS.get(str(given.get("stage", "after the reveal")), Step.REVEALED)
    attacking = given.get("gor", "attacker") == "attacker"
    power_left = bool(given.get("power_left", True))
    answer = ruled(assault_problem(step, attacking=attacking, power_left=power_left))
    if "attack_cards" in given and "defence_dice" in given:
        cards, dice = given["attack_cards"], given["defence_dice"]
        count = cards if isinstance(cards, int) else len(cards)
        engaged = Engaged(attack=(("card", 1),) * count, defence=(("cards", dice),), assault=answer["legal"])
        answer["defence_dice"] = combat_dice(engaged)[1].value
    return answer


def _forges_fury(given: Given) -> Answer:
    step = STEPS.get(str(given.get("stage", "after the roll")), Step.ROLLED)
    fighting = given.get("bron", "attacker") in ("attacker", "defender")
    return ruled(fury_problem(step, fighting=fighting, power_left=bool(given.get("power_left", True))))


def _fiery_rebuke(given: Given) -> Answer:
    attacked = given.get("grim", "defender") == "defender"
    damage, dice = given.get("damage_taken", 1), given.get("dice", 1)
    answer = ruled(rebuke_problem(attacked=attacked, damage=damage, dice=dice))
    die = given.get("die", given.get("rebuke_die"))
    if die is not None:
        hit = rebukes(Resource(die))
        answer["damage"] = int(hit and bool(answer["legal"]) and not given.get("declines"))
    return answer


def _shrink_ray(given: Given) -> Answer:
    """Passive: however often it was used, equal totals shrink the opponent's dice."""
    mine, theirs = given["revealed"]
    engaged = Engaged(attack=(("own", mine),), defence=(("theirs", theirs),), attacker_shrinks=True)
    left = combat_dice(engaged)[1].value
    answer: Answer = {"legal": True} if mine == theirs else no("totals differ")
    return answer | {"opponent_dice": left, "minus": theirs - left}


AREAS: Mapping[str, Area] = {
    "combat": _combat,
    "fiery_rebuke": _fiery_rebuke,
    "forges_fury": _forges_fury,
    "furious_assault": _furious_assault,
    "reveal": _reveal,
    "shrink_ray": _shrink_ray,
}
