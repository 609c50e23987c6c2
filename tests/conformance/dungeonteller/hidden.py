"""Cases about what stays hidden: each plays it, and looks who may know of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.content import content_id
from services.rules.engine.grid import Square
from services.rules.engine.play import GM, Audience, Viewer
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.catalog import SLUG
from services.rules.systems.dungeonteller.play.facts import Arrived, Event, Happened
from services.rules.systems.dungeonteller.play.moves import AddCreature, LookOut, Try, UsePower
from services.rules.systems.dungeonteller.play.state import Scene, Side
from services.rules.systems.dungeonteller.powers import Light
from tests.conformance.dungeonteller.reading import Answer, Given, own_power
from tests.conformance.dungeonteller.stage import (
    FOE,
    MIDDLE,
    USER,
    WIN,
    Stage,
    move,
    person,
    scene_of,
    user_of,
)

FRIEND = "friend"
OTHER = "other"
NEAR = Square(MIDDLE.x + 2, MIDDLE.y)


def hidden(given: Given) -> Answer:
    """Whether a being at the table may know of what happened in secret (Actions / Notice, Sneak)."""
    played = HIDDEN.get(given["event"])
    if played is None:
        raise UnsupportedCaseError(f"no event is called {given['event']!r}")
    viewers = VIEWERS.get(given["viewer"])
    if viewers is None:
        raise UnsupportedCaseError(f"nobody is called {given['viewer']!r}")
    return {"visible": any(viewers.may_know(audience) for audience in played())}


VIEWERS: Mapping[str, Viewer] = {
    "gm": Viewer(gm=True),
    "game_master": Viewer(gm=True),
    **dict.fromkeys(
        (
            "caster",
            "maker",
            "user",
            "sender",
            "self",
            "owner",
            "paladin",
            "player",
            "roller",
            "rogue",
            "dwarf",
        ),
        Viewer(actors=frozenset({USER})),
    ),
    **dict.fromkeys(
        ("chosen_friend", "friend", "receiver", "recipient", "target"), Viewer(actors=frozenset({FRIEND}))
    ),
    **dict.fromkeys(
        ("other_player", "other_friend", "other", "others", "ally", "players", "party", "another_player"),
        Viewer(actors=frozenset({OTHER})),
    ),
    **dict.fromkeys(("foe", "enemy", "opponent"), Viewer(actors=frozenset({FOE}))),
    **dict.fromkeys(("spectator", "watcher", "onlooker"), Viewer()),
}


def _table(slug: str = "") -> Scene:
    """The user, a friend who is spoken to, another player, and a foe nobody has found."""
    given: Given = {"luck": 10, "dice": [WIN]}
    user = user_of(slug, given) if slug else person(USER, MIDDLE)
    other = person(OTHER, Square(MIDDLE.x, MIDDLE.y + 2))
    foe = person(FOE, Square(MIDDLE.x + 6, MIDDLE.y), Side.FOES, hidden=2, tags=("living", "malicious"))
    return scene_of(user, person(FRIEND, NEAR), other, foe, light=Light.BRIGHT)


def _is(event: Event, code: str) -> bool:
    return isinstance(event, Happened) and event.code == code


def _used(slug: str, *codes: str, **how: Any) -> tuple[Audience, ...]:
    """Who may know what a power did: of the events with these codes, or of what it laid or set."""
    desk = move(_table(slug), UsePower(actor=USER, power=own_power(slug).id, **how), {"power": (WIN, WIN)})
    assert isinstance(desk, Stage)
    return tuple(event.audience for event in desk.events if any(_is(event, code) for code in codes))


def _rune(slug: str) -> tuple[Audience, ...]:
    desk = move(
        _table(slug), UsePower(actor=USER, power=own_power(slug).id, squares=(MIDDLE,)), {"power": (WIN,)}
    )
    assert isinstance(desk, Stage)
    return tuple(area.audience for area in desk.scene.areas)


def _notice_by_gm() -> tuple[Audience, ...]:
    desk = move(_table(), LookOut(actor=GM, being=USER), {"notice": (WIN,)})
    assert isinstance(desk, Stage)
    return tuple(event.audience for event in desk.events)


def _message() -> tuple[Audience, ...]:
    return _used("secret-message", "power.secret-message.words", targets=(FRIEND,), words="Psst!")


def _malice() -> tuple[Audience, ...]:
    return _used("sense-malice", "power.sense-malice.presence")


def _hidden_foe() -> tuple[Audience, ...]:
    orc = content_id(SLUG, "monster", "orc")
    desk = move(_table(), AddCreature(actor=GM, monster=orc, hidden=2))
    assert isinstance(desk, Stage)
    return tuple(event.audience for event in desk.events if isinstance(event, Arrived))


def _sneaks() -> tuple[Audience, ...]:
    """Watchers' Notice against a being who sneaks."""
    desk = move(
        scene_of(person(USER, MIDDLE, ratings=Ratings(sneak=2)), person(FOE, NEAR, Side.FOES)),
        Try(actor=USER, action=Action.SNEAK),
    )
    assert isinstance(desk, Stage)
    return tuple(event.audience for event in desk.events if getattr(event, "roll", "") == f"against:{FOE}")


HIDDEN = {
    **dict.fromkeys(
        ("notice_roll_by_gm", "notice_roll", "secret_notice_roll", "gm_notice_roll"), _notice_by_gm
    ),
    **dict.fromkeys(("secret_message", "whisper"), _message),
    **dict.fromkeys(("sense_malice", "sense_malice_answer"), _malice),
    **dict.fromkeys(("sentinel_rune", "sentinel_rune_made"), lambda: _rune("sentinel-rune")),
    **dict.fromkeys(("trap_rune", "trap_rune_made"), lambda: _rune("trap-rune")),
    **dict.fromkeys(("hearth_rune", "hearth_rune_made"), lambda: _rune("hearth-rune")),
    **dict.fromkeys(("hidden_foe", "hidden_creature", "hidden_monster"), _hidden_foe),
    **dict.fromkeys(("watcher_notice", "notice_against_sneak"), _sneaks),
}
"""Who may know of each thing that happens in secret."""
