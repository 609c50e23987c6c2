"""What lasts in Dwarf Dice: the powers of the box, and powers of content that one function at most adds."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from services.rules.engine.bots import random_bot
from services.rules.engine.driver import Made, make, thrower
from services.rules.engine.effects import Duration, Effect, Until
from services.rules.engine.matches import named_stream
from services.rules.engine.position import position
from services.rules.engine.steps import Step
from services.rules.engine.windows import Windows
from services.rules.systems.dwarf_dice import catalog as own
from services.rules.systems.dwarf_dice.catalog import PowerEffect, load_catalog
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.play.facts import EffectBegan, Hurt, PowerUsed, Wound
from services.rules.systems.dwarf_dice.play.moves import UsePower
from services.rules.systems.dwarf_dice.play.rules.powers import answering, both, own_windows
from services.rules.systems.dwarf_dice.play.rules.windows import DiceLie, GameTurn, Struck, Wounded
from services.rules.systems.dwarf_dice.play.scene import DwarfDicePlay
from tests.rules.dwarf_dice_games import Game

Adding = Callable[..., DwarfDicePlay]

NEW = "dwarf_dice:power/new"
RATTLED = "dwarf_dice:power/rattled"


@pytest.fixture
def added(tmp_path: Path) -> Adding:
    """Play whose Belinda has another power: an entry of content, and what a function does in a window."""

    def build(
        entry: str, *, others: str = "", kind: str = "passive", windows: Windows | None = None
    ) -> DwarfDicePlay:
        folder = tmp_path / "content"
        shutil.copytree(Path(own.__file__).parent / "content", folder)
        powers = folder / "powers.toml"
        entry = f'[new]\nname = "New Power"\nkind = "{kind}"\ntext = "Something new."\n{entry}\n'
        powers.write_text(f"{powers.read_text()}\n{entry}\n{others}\n")
        champions, old = folder / "champions.toml", {"passive": "shrink-ray", "active": "upgrade"}[kind]
        champions.write_text(champions.read_text().replace(f"dwarf_dice:power/{old}", NEW))
        return DwarfDicePlay(load_catalog(folder), windows)

    return build


def conditions(game: Game, who: str) -> tuple[str, ...]:
    """What the card of the scene says of a fighter."""
    (found,) = (one for one in game.play.card(game.state).actors if one.id == who)
    return found.conditions


def test_powers_last_on_their_fighters_the_active_one_until_it_is_used() -> None:
    game = Game("grim", "bron")
    grim = game.state.fighter("grim")
    assert [(it.kind, it.lasts.until) for it in grim.effects] == [
        (PowerEffect.FIERY_REBUKE, Until.SCENE),
        (PowerEffect.DARK_PACT, Until.USED),
    ]
    game.move("Craft", "grim", dice={"hoard": "MMMWWWANN"})
    game.move("DarkPact", "grim", resource="M")
    assert [it.kind for it in game.state.fighter("grim").effects] == [PowerEffect.FIERY_REBUKE]
    assert conditions(game, "grim") == ("power spent",)


# A power that is data alone


def test_a_power_adds_dice_by_its_content_alone(added: Adding) -> None:
    game = Game(
        "belinda", "bron", play=added("adds = { hoard_dice = 2, attack_dice = 1, defence_dice = -3 }")
    )
    (craft,) = game.offers("belinda")
    assert craft.dice is not None
    assert craft.dice.text() == "11 = 9 (every Hoarding) + 2 (New power)"
    game.armed(belinda="dagger buckler", bron="dagger buckler")
    (challenge,) = (offer for offer in game.offers("belinda") if offer.id == "challenge:bron")
    assert challenge.chances
    game.fight("belinda", "bron", "dagger", "buckler", dice={"attack": "WW", "defence": "M"})
    game.armed(bron="dagger")
    game.fight("bron", "belinda", "dagger", "buckler", dice={"attack": "W"})


def test_a_power_forbids_by_its_content_alone(added: Adding) -> None:
    game = Game("belinda", "bron", play=added('forbids = ["craft"]'))
    assert game.refused("Craft", "belinda") == ("new",)
    assert [offer.id for offer in game.offers("belinda")] == ["pass"]
    game.move("Pass", "belinda")
    game.craft("bron", "MMMWWWAAA")
    game.armed(belinda="dagger")
    assert [offer.id for offer in game.offers("belinda")] == ["challenge:bron"]
    assert game.refused("Pass", "belinda") == ("no_passing",)
    for bot in (*game.play.bots, random_bot(game.play)):
        assert type(bot.move(game.state, "belinda", lambda count: 0)).__name__ == "Challenge"


@pytest.mark.parametrize(("what", "left"), [("hurt", 0), ("fought", 1)])
def test_a_power_ends_at_once_by_what_its_content_names(added: Adding, what: str, left: int) -> None:
    """Until its bearer is hurt, it is hurt that ends it; in the middle of a combat nobody has fought yet."""
    game = Game("bron", "belinda", play=added(f'ends = ["{what}"]'))
    game.armed(bron="dagger", belinda="buckler")
    game.fight("bron", "belinda", "dagger", "buckler", dice={"attack": "A", "defence": "A"})
    assert game.asked() == {"bron": "fury"}
    game.move("Decline", "bron")
    assert game.asked() == {"belinda": "block"}
    assert [it.kind for it in game.state.fighter("belinda").effects].count(NEW) == left
    game.block("belinda", "die-1")
    assert [it.kind for it in game.state.fighter("belinda").effects].count(NEW) == 0


# A power that is one function


def stone_skin(_turn: GameTurn, effect: Effect, wounded: Wounded) -> Wounded | None:
    """One less of every blow that lands on its bearer."""
    if (wounded.fighter, wounded.wound) != (effect.bearer, Wound.HIT):
        return None
    return replace(wounded, damage=wounded.damage - 1)


def test_a_power_acts_by_one_function_in_one_window(added: Adding) -> None:
    windows = own_windows()
    windows.acts(NEW, Wounded, stone_skin)
    game = Game("bron", "belinda", play=added("", windows=windows))
    game.armed(bron="longsword hatchet")
    taken = game.fight("bron", "belinda", "longsword", dice={"attack": "MMW"})
    assert [event for one in taken for event in one.events if isinstance(event, Hurt)] == [
        Hurt(fighter="belinda", damage=1, wound=Wound.HIT)
    ]
    game.craft("belinda", "MMMWWWAAA")
    before = game.left("belinda")
    taken = game.fight("bron", "belinda", "hatchet", dice={"attack": "MW"})
    assert not [event for one in taken for event in one.events if isinstance(event, Hurt)]
    assert game.left("belinda") == before


def thorns(turn: GameTurn, effect: Effect, struck: Struck) -> Step[None]:
    """Whoever was struck lets a die fall: on Metal the attacker may not challenge in their next two turns."""
    if effect.bearer != struck.defender:
        return
    ((face,),) = yield from turn.roll(replace(dice.rebuke_roll(turn.state, effect.bearer), id="thorns"))
    if dice.shown(turn.state, (face,))[0].name == "METAL":
        lasts = Duration(Until.TURNS, struck.attacker, 2, fresh=True)
        rattled = Effect(id="rattled", kind=RATTLED, bearer=struck.attacker, cause=NEW, lasts=lasts)
        turn.happen(EffectBegan(fighter=struck.attacker, effect=rattled))


def test_a_power_lays_on_others_what_is_counted_shown_and_ends(
    added: Adding,
) -> None:
    windows = own_windows()
    windows.acts(NEW, Struck, thorns)
    entry = '[rattled]\nname = "rattled"\nkind = "passive"\ntext = "Too shaken."\nforbids = ["challenge"]\n'
    game = Game("bron", "belinda", play=added("", others=entry, windows=windows))
    game.armed(bron="dagger dagger")
    taken = game.fight("bron", "belinda", "dagger", dice={"attack": "W", "thorns": "M"})
    begun = next(event for one in taken for event in one.events if isinstance(event, EffectBegan))
    assert game.play.tell(game.state, begun) == "Bron Steelshaper is rattled."
    for _ in range(2):
        game.craft("belinda", "MMMWWWAAA")
        assert "rattled" in conditions(game, "bron")
        assert game.refused("Challenge", "bron", target="belinda") == ("rattled",)
        game.craft("bron", "MMMWWWAAA")
    game.craft("belinda", "MMMWWWAAA")
    assert "rattled" not in conditions(game, "bron")
    assert "challenge:belinda" in [offer.id for offer in game.offers("bron")]


def test_an_active_power_asks_those_who_have_it_once(added: Adding) -> None:
    """It has the question and the answer of any power; its function says what its use comes to."""

    def bellow(turn: GameTurn, lie: DiceLie, answer: UsePower) -> DiceLie:
        foe = lie.attacker if answer.actor == lie.defender else lie.defender
        turn.happen(Hurt(fighter=foe, damage=1, wound=Wound.REBUKE))
        return lie

    windows = own_windows()
    windows.reacts(DiceLie, answering(NEW, both, bellow))
    game = Game("bron", "belinda", play=added("", kind="active", windows=windows))
    game.armed(bron="dagger dagger")
    game.fight("bron", "belinda", "dagger", dice={"attack": "W"})
    assert game.asked() == {"belinda": "use"}
    assert [offer.label for offer in game.offers("belinda")] == ["New Power", "Do not use it"]
    assert position(game.play, *game.at.form()).asks[0].question == "New Power: use it?"
    declined = game.move("Decline", "belinda")
    assert "does not use New Power" in game.play.tell(game.state, declined.events[0])
    game.craft("belinda", "MMMWWWAAA")
    game.fight("bron", "belinda", "dagger", dice={"attack": "W"})
    used = game.move("UsePower", "belinda", power=NEW)
    assert used.events[0] == PowerUsed(fighter="belinda", power=NEW)
    assert game.left("bron") == 5
    assert not game.state.fighter("belinda").power_left
    assert conditions(game, "belinda") == ("power spent",)
    game.craft("belinda", "MMMWWWAAA", "dagger")
    game.armed(bron="dagger")
    game.fight("bron", "belinda", "dagger", dice={"attack": "W"})
    assert game.asked() == {}


def test_bots_play_a_game_with_new_powers_to_its_end(added: Adding) -> None:
    windows = own_windows()
    windows.acts(NEW, Wounded, stone_skin)
    windows.acts(NEW, Struck, thorns)
    windows.reacts(DiceLie, answering(NEW, both, lambda turn, lie, answer: lie))
    entry = '[rattled]\nname = "rattled"\nkind = "passive"\ntext = "Too shaken."\nforbids = ["*"]\n'
    play = added("adds = { attack_dice = 1 }", others=entry, kind="active", windows=windows)
    state, throw = Game("bron", "belinda", play=play).state, thrower(named_stream("new powers"))
    for _ in range(400):
        move = play.bot(state, state.turn)
        made = make(play, state, move, throw, play.reply)
        assert isinstance(made, Made), str(made)
        state = made.state
        if play.outcome(state).ended:
            return
    raise AssertionError("the game does not end")
