"""DungeonTeller's scenes: what is told of several who hide, who may bear the same names as those in view."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, GM_ONLY, Viewer
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.facts import LuckChanged
from services.rules.systems.dungeonteller.play.moves import AddThing, Attack, Give, Try, UsePower
from services.rules.systems.dungeonteller.play.state import Effect, EffectKind, Scene, Thing
from tests.rules.dungeonteller_play import (
    GM,
    PLAY,
    WATCHER,
    Played,
    begun,
    being,
    changed,
    creature,
    eyes,
    play,
    turn_of,
)
from tests.rules.dungeonteller_scenes import power

ORC, ZOMBIE, OTHER = "hidden-1", "hidden-2", "hidden-3"
ELF, PALADIN = eyes("elf"), eyes("paladin")
PLAYERS = (ELF, PALADIN, WATCHER)
LONGBOW = "dungeonteller:weapon/longbow"


def lair() -> Scene:
    """Two hidden orcs of one name with a hidden zombie between them, and an Orc chief in plain view."""
    return begun(
        {"elf": "elf", "paladin": "paladin"},
        creature("orc", (8, 5), hidden=1),
        creature("zombie", (9, 5), hidden=3),
        creature("orc", (8, 6), hidden=3),
        creature("orc-captain", (12, 5), name="Orc chief"),
        at={"elf": (0, 5), "paladin": (0, 0)},
        things=(Thing(id="key", name="a key", holder=ORC),),
    )


def noticed(now: Scene, hidden: str, *by: str) -> Scene:
    """Exactly these have found somebody hidden, who has turns from then on."""
    known = changed(now, hidden, found_by=by)
    return replace(known, turn=replace(known.turn, order=(*known.turn.order, hidden)))


def veiled(now: Scene, hidden: str) -> Scene:
    """Somebody hidden is invisible as well, and so stays hidden whatever they do."""
    unseen = Effect(id="invisible-s1", kind=EffectKind.INVISIBLE, bearer=hidden, audience=GM_ONLY)
    return replace(now, effects=(unseen,))


def betrayed(made: Played, viewer: Viewer, hidden: str) -> bool:
    """Whether what a viewer gets of a move has the id of somebody hidden anywhere."""
    seen = [event for event in (PLAY.sees(one, viewer) for one in made.events) if event is not None]
    return hidden in repr((seen, PLAY.view(made.scene, viewer)))


class TestSeveralWhoHide:
    def test_who_found_one_alone_is_not_told_what_it_gives_to_the_other(self) -> None:
        now = turn_of(noticed(lair(), ORC, "elf"), ORC)
        given = play(now, Give(actor=ORC, thing="key", to=ZOMBIE))
        assert given.told(GM) == ["Orc gives a key to Zombie."]
        for viewer in PLAYERS:
            assert given.told(viewer) == []
            assert not betrayed(given, viewer, ZOMBIE)

    def test_who_found_one_orc_is_not_told_of_the_other_of_its_name(self) -> None:
        now = turn_of(noticed(lair(), ORC, "elf"), ORC)
        given = play(now, Give(actor=ORC, thing="key", to=OTHER))
        assert given.told(GM) == ["Orc gives a key to Orc."]
        for viewer in PLAYERS:
            assert given.told(viewer) == []
            assert not betrayed(given, viewer, OTHER)

    @pytest.mark.parametrize(
        ("orc_found_by", "zombie_found_by", "told"),
        [
            (("elf",), ("elf",), {"elf"}),
            (("elf", "paladin"), ("paladin",), {"paladin"}),
            (("elf", "paladin"), ("elf", "paladin"), {"elf", "paladin"}),
            (("elf",), ("paladin",), set()),
        ],
    )
    def test_what_two_do_is_told_to_those_who_found_both(
        self, orc_found_by: tuple[str, ...], zombie_found_by: tuple[str, ...], told: set[str]
    ) -> None:
        now = noticed(noticed(lair(), ORC, *orc_found_by), ZOMBIE, *zombie_found_by)
        given = play(turn_of(veiled(now, ORC), ORC), Give(actor=ORC, thing="key", to=ZOMBIE))
        assert {name for name in ("elf", "paladin") if given.told(eyes(name))} == told
        assert given.told(WATCHER) == []

    def test_a_gift_of_the_game_master_to_somebody_hidden_is_told_to_nobody_else(self) -> None:
        gift = play(lair(), AddThing(actor="gm", name="a horn", holder=ZOMBIE))
        assert gift.told(GM) == ["Zombie gets a horn."]
        for viewer in PLAYERS:
            assert gift.told(viewer) == []
            assert not betrayed(gift, viewer, ZOMBIE)

    def test_a_thing_that_one_has_found_is_shot_at_and_broken_for_their_eyes_alone(self) -> None:
        idol = Thing(id="idol", name="an idol", at=Square(4, 5), luck=1, hidden=2, found_by=("elf",))
        now = replace(lair(), things=(idol,))
        for hits in (0, 1):
            shot = play(
                now, Attack(actor="elf", action=Action.SHOOT, target="idol", arm=LONGBOW), attack=hits
            )
            assert "an idol" in " ".join(shot.told(ELF))
            for viewer in (PALADIN, WATCHER):
                assert "idol" not in " ".join(shot.told(viewer))
                assert not betrayed(shot, viewer, "idol")


class TestOneName:
    def test_an_open_orc_chief_is_heard_by_all_though_an_orc_hides(self) -> None:
        now = turn_of(lair(), "orc-captain-1")
        said = play(now, Try(actor="orc-captain-1", action=Action.TALK, words="call every Orc"))
        for viewer in (GM, *PLAYERS):
            assert said.told(viewer) == [
                "call every Orc: 2 dice, 0 successes.",
                "Orc chief, call every Orc: 0 successes.",
            ]

    def test_an_attack_on_an_open_namesake_of_somebody_hidden_is_seen_by_all(self) -> None:
        now = changed(lair(), "orc-captain-1", name="Zombie", armor=0)
        hit = play(
            now, Attack(actor="elf", action=Action.SHOOT, target="orc-captain-1", arm=LONGBOW), attack=2
        )
        for viewer in (GM, *PLAYERS):
            assert hit.told(viewer) == [
                "Shoot against Zombie: 10 dice, 2 successes.",
                "Mallion hits Zombie with Shoot: 2.",
                "Zombie loses 2 Luck (Mallion's Shoot).",
            ]

    def test_a_roll_at_somebody_hidden_is_for_those_who_found_them(self) -> None:
        now = noticed(lair(), ORC, "elf")
        shot = play(now, Attack(actor="elf", action=Action.SHOOT, target=ORC, arm=LONGBOW), attack=1)
        assert [roll.audience.actors for roll in shot.rolls] == [("elf",)]
        assert "Mallion hits Orc with Shoot: 1." in shot.told(ELF)
        for viewer in (PALADIN, WATCHER):
            assert "Orc" not in " ".join(shot.told(viewer))
            assert not betrayed(shot, viewer, ORC)


class TestUnseenCauses:
    def test_luck_lost_to_somebody_unseen_is_told_without_their_name(self) -> None:
        now = turn_of(veiled(changed(noticed(lair(), ORC, "elf"), "paladin", armor=0), ORC), ORC)
        shot = play(now, Attack(actor=ORC, action=Action.SHOOT, target="paladin", arm="bow"), attack=2)
        assert being(shot.scene, ORC).hidden is not None
        for viewer in (GM, ELF):
            assert "Sir Stalwart loses 2 Luck (Orc's Shoot)." in shot.told(viewer)
        for viewer in (PALADIN, WATCHER):
            assert shot.told(viewer) == ["Sir Stalwart loses 2 Luck (something unseen)."]
            assert not betrayed(shot, viewer, ORC)
        [lost] = [event for event in shot.events if isinstance(event, LuckChanged)]
        assert PLAY.sees(lost, GM) == lost
        # Nor does whoever knows of the orc learn who else does.
        assert PLAY.sees(lost, ELF) == replace(lost, cause_for=EVERYONE)

    def test_what_lasts_on_a_hero_does_not_name_whom_its_viewer_does_not_know(self) -> None:
        now = changed(lair(), ZOMBIE, tags=("living", "animal"), at=Square(4, 5))
        known = turn_of(noticed(now, ZOMBIE, "elf"), "elf")
        known = changed(known, ZOMBIE, ratings=replace(being(known, ZOMBIE).ratings, talk=0))
        tried = play(known, UsePower(actor="elf", power=power("tame-animal"), targets=(ZOMBIE,)))
        for viewer, about in ((ELF, ZOMBIE), (PALADIN, ""), (WATCHER, "")):
            assert [effect.about for effect in PLAY.view(tried.scene, viewer).effects] == [about]
            assert betrayed(tried, viewer, ZOMBIE) is (viewer == ELF)
