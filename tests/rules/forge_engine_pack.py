"""A pack of a table's own content for Forge Engine's fights: a damage type, guns, and who carries one."""

from __future__ import annotations

from typing import Any

_RIFLE = {"cost": 2, "hands": 2, "max_range": 200, "modes": ["SA", "BF"]}

PACK: dict[str, Any] = {
    "damage": [{"key": "void", "name": "Void", "group": "magical"}],
    "tables": [
        {
            "key": "void-guns",
            "name": "Void Guns",
            "era": "scifi",
            "kind": "firearm",
            "skills": ["forge_engine:martial/firearms"],
            "range_multiple": 2,
            "fire": [{"name": "Twin beam", "energy": 1, "dice": 2, "mode": "BF"}],
        }
    ],
    "weapons": [
        {
            **_RIFLE,
            "key": "void-rifle",
            "name": "Void Rifle",
            "table": "forge_engine:equipment_table/void-guns",
            "rating": 4,
            "damage": ["forge_engine:damage/void"],
        },
        {
            **_RIFLE,
            "key": "weigher",
            "name": "Weigher",
            "table": "forge_engine:equipment_table/void-guns",
            "rating": 4,
            "damage": ["forge_engine:damage/void"],
            "conditions": ["forge_engine:condition/heavy", "forge_engine:condition/stunned"],
        },
    ],
    "conditions": [
        {
            "key": "heavy",
            "name": "Heavy",
            "group": "action",
            "kinds": ["ongoing"],
            "summary": "Everything costs 2 energy more, and attacks have 1 die less.",
            "action_energy": 2,
            "attack": -1,
        }
    ],
    "adversaries": [
        {
            "key": "warden",
            "name": "Warden",
            "title": "Warden of the void",
            "setting": "modern",
            "role": "grunt",
            "energy": 7,
            "health": 7,
            "pd": 1,
            "md": 1,
            "attributes": {"strength": 3, "agility": 2, "stamina": 2},
            "traits": ["forge_engine:trait/human", "forge_engine:trait/void-resistant"],
            "skills": [{"skill": "forge_engine:martial/firearms", "rating": 2}],
            "attacks": [
                {
                    **_RIFLE,
                    "name": "Void Rifle",
                    "skill": "forge_engine:martial/firearms",
                    "rating": 4,
                    "damage": "forge_engine:damage/void",
                    "max_cost": 4,
                    "max_dice": 8,
                }
            ],
        }
    ],
}
