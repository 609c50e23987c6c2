"""What a fight leaves a character with: health, expended energy, explosives that it used (Energy; Damage).

Thrown weapons are picked up again; what burst is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from services.rules.engine.codec import Json
from services.rules.engine.play import Change
from services.rules.systems.forge_engine.choices import CharacterChoices
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.state import Combatant, Fight


def changes(fight: Fight) -> tuple[Change, ...]:
    """Health and expended energy as they are now, and explosives that burst, of each character."""
    return tuple(_change(one) for one in fight.combatants if one.character)


def _change(one: Combatant) -> Change:
    thrown: dict[str, Json] = {}
    for weapon in one.profile.weapons:
        count = one.thrown.count(weapon.id)
        if count and weapon.item and weapon.kind is EquipmentKind.EXPLOSIVE:
            thrown[weapon.item] = count
    data: dict[str, Json] = {"health": one.health, "expended": one.expended, "thrown": thrown}
    return Change(
        character=one.id,
        data=data,
        text=f"{one.name}: health {one.health} of {one.profile.health}, {one.expended} energy expended.",
    )


def absorb(choices: CharacterChoices, data: Mapping[str, Json]) -> CharacterChoices:
    """The choices with health, expended energy and what burst taken in."""
    thrown = dict(cast("Mapping[str, int]", data.get("thrown", {})))
    equipment = []
    for each in choices.equipment:
        gone = min(each.count, thrown.get(each.item, 0))
        thrown[each.item] = thrown.get(each.item, 0) - gone
        if each.count > gone:
            equipment.append(replace(each, count=each.count - gone))
    return replace(
        choices,
        health=cast(int, data["health"]),
        expended=cast(int, data["expended"]),
        equipment=tuple(equipment),
    )
