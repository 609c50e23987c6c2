"""Named heroes that build: one for each way of making one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.rules.systems.fortunate_blades.catalog import SLUG
from services.rules.systems.fortunate_blades.choices import (
    BackgroundChoice,
    BladeChoice,
    CarriedGear,
    HeroChoices,
    QuestChoice,
    Ranks,
    StoryAddition,
    TradeChoice,
)


def _id(kind: str, slug: str) -> str:
    return f"{SLUG}:{kind}/{slug}"


def _background(slug: str, talent: str, story: str = "") -> BackgroundChoice:
    return BackgroundChoice(background=_id("background", slug), talents=(_id("talent", talent),), story=story)


def _trade(slug: str, *talents: str) -> TradeChoice:
    return TradeChoice(trade=_id("trade", slug), talents=tuple(_id("talent", one) for one in talents))


def _gear(*slugs: str) -> tuple[CarriedGear, ...]:
    return tuple(CarriedGear(gear=_id("gear", slug)) for slug in slugs)


EXAMPLES: Mapping[str, HeroChoices] = MappingProxyType(
    {
        "duellist": HeroChoices(
            name="Hesper Ashfoot",
            look="Barefoot, whatever the weather",
            backgrounds=(
                _background("raised-in-the-ring", "the-crowds-roar", "The ring was a dry well."),
                _background("heir-of-a-fallen-house", "manners-of-a-great-hall"),
            ),
            trades=(_trade("duellist", "first-and-last-lesson", "the-one-cut"),),
            blade=BladeChoice(
                blade=_id("blade", "old-sword"), talents=(_id("talent", "keen"),), name="Second Thought"
            ),
            ranks=Ranks(fight=3, finesse=1, convince=1, lore=1, study=-1),
            quest=QuestChoice(quest=_id("personal_quest", "clear-my-name")),
            additions=(
                StoryAddition(source=_id("background", "heir-of-a-fallen-house"), name="House Marrow"),
            ),
            gear=_gear("clothes", "mail-shirt", "lantern", "rope", "knife"),
        ),
        "witch": HeroChoices(
            name="Orla Thistle",
            look="Feathers in the hair that were not put there",
            backgrounds=(
                _background("hedge-taught", "small-charms"),
                _background("fen-born", "sure-footing"),
            ),
            trades=(_trade("hexer", "a-name-and-a-knot"), _trade("leech", "steady-hands")),
            blade=BladeChoice(
                blade=_id("blade", "witch-needle"), talents=(_id("talent", "mending"),), name="Nettle"
            ),
            ranks=Ranks(attune=3, craft=1, lore=1),
            quest=QuestChoice(words="To unlearn the word that my teacher would not teach me."),
            additions=(StoryAddition(source=_id("background", "fen-born"), name="The Drowned Bell"),),
            gear=(
                *_gear("clothes", "healers-satchel", "prayer-beads", "backpack"),
                CarriedGear(gear=_id("gear", "rations"), within=_id("gear", "backpack")),
            ),
        ),
        "tinker": HeroChoices(
            name="Quill Halfpenny",
            look="Clockwork behind one cheek, ticking when it is quiet",
            backgrounds=(
                _background("made-by-hands", "brass-bones"),
                _background("archive-rat", "read-it-somewhere"),
            ),
            trades=(_trade("tinker", "something-in-my-bag", "many-pockets"),),
            blade=BladeChoice(
                blade=_id("blade", "smiths-hammer"), talents=(_id("talent", "makers-mark"),), name="The Debt"
            ),
            ranks=Ranks(craft=2, study=2, notice=1, endure=1, carouse=-1),
            quest=QuestChoice(
                quest=_id("personal_quest", "my-makers"), words="Who turned the key the first time?"
            ),
            gear=_gear("clothes", "fine-tools", "lockpicks", "supplies", "firepot", "copper-band"),
        ),
    }
)
