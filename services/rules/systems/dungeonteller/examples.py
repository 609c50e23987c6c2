"""Named heroes that build: one a role, some who have gained something, and one with a role of her own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.choices import HeroChoices, OwnBonus, OwnRole, Purchase
from services.rules.systems.dungeonteller.rewards import Reward, RewardKind

_ROLE = "dungeonteller:role/"
_WEAPON = "dungeonteller:weapon/"
_TREASURE = "dungeonteller:treasure/"

EXAMPLES: Mapping[str, HeroChoices] = MappingProxyType(
    {
        "dwarf": HeroChoices(
            name="Harley",
            role=f"{_ROLE}dwarf",
            look="A red beard and a leather apron",
            in_hand=(f"{_WEAPON}war-hammer",),
        ),
        "elf": HeroChoices(name="Mallion", role=f"{_ROLE}elf", in_hand=(f"{_WEAPON}longbow",)),
        "paladin": HeroChoices(
            name="Sir Stalwart",
            role=f"{_ROLE}paladin",
            look="Bright silver plate",
            shield=True,
            in_hand=(f"{_WEAPON}longsword",),
        ),
        "rogue": HeroChoices(name="Pim", role=f"{_ROLE}rogue", in_hand=(f"{_WEAPON}shortsword",)),
        "warrior": HeroChoices(name="Brawnley", role=f"{_ROLE}warrior", in_hand=(f"{_WEAPON}greatsword",)),
        "wizard": HeroChoices(name="Feeney", role=f"{_ROLE}wizard", look="A blue robe with burnt sleeves"),
        "elf-enchanter": HeroChoices(name="Sariel", role=f"{_ROLE}elf-enchanter"),
        "shopper": HeroChoices(
            name="Odo",
            role=f"{_ROLE}rogue",
            kit=False,
            buys=(
                Purchase(item=f"{_WEAPON}dagger", count=3),
                Purchase(item="dungeonteller:armor/scale-armor"),
                Purchase(item="dungeonteller:gear/rope"),
            ),
            worn="dungeonteller:armor/scale-armor",
            in_hand=(f"{_WEAPON}dagger", f"{_WEAPON}dagger"),
        ),
        "treasure-hunter": HeroChoices(
            name="Tansy",
            role=f"{_ROLE}rogue",
            look="A green hat and a pocket full of nuts",
            found=(
                Purchase(item=f"{_TREASURE}shadow-leather"),
                Purchase(item=f"{_TREASURE}cat-boots"),
                Purchase(item=f"{_TREASURE}homesick-dagger"),
                Purchase(item=f"{_TREASURE}scroll-of-sleep", count=2),
                Purchase(item=f"{_TREASURE}ruby"),
            ),
            lost=(Purchase(item="dungeonteller:gear/iron-spike"),),
            gold_found=25,
            worn=f"{_TREASURE}shadow-leather",
            wearing=(f"{_TREASURE}cat-boots",),
            in_hand=(f"{_WEAPON}shortsword", f"{_TREASURE}homesick-dagger"),
        ),
        "forest-knight": HeroChoices(
            name="Rowan",
            role="",
            own_role=OwnRole(
                name="Forest Knight",
                ratings=Ratings(
                    battle=4, make=1, muscle=3, notice=3, resist=3, shoot=4, sneak=3, stunt=3, talk=2
                ),
                powers=tuple(
                    f"dungeonteller:power/{slug}" for slug in ("rapid-fire", "tame-animal", "parry", "charge")
                ),
                bonuses=(
                    OwnBonus(action=Action.SNEAK, dice=2, when="woods"),
                    OwnBonus(action=Action.SHOOT, dice=1, when="longbow"),
                ),
                armor="dungeonteller:armor/scale-armor",
            ),
            buys=(Purchase(item=f"{_WEAPON}longbow"), Purchase(item=f"{_WEAPON}shortsword")),
            in_hand=(f"{_WEAPON}longbow",),
        ),
        "seasoned-paladin": HeroChoices(
            name="Dame Verity",
            role=f"{_ROLE}paladin",
            shield=True,
            rewards=(
                Reward(session=1, kind=RewardKind.DIE, action=Action.MUSCLE),
                Reward(session=2, kind=RewardKind.POWER, power="dungeonteller:power/duress"),
                Reward(session=3, kind=RewardKind.SPECIALITY, action=Action.BATTLE, when="longsword"),
                Reward(session=4, kind=RewardKind.LUCK),
            ),
        ),
    }
)
