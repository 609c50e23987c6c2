"""The published JSON Schemas of moves and setups: they allow what is lawful, and all that codecs read."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from services.campaign.scenes.forms import as_published
from services.campaign.scenes.games import games
from services.campaign.scenes.schemas import move_schema, published, setup_schema
from services.rules.engine.codec import Codec, CodecError
from services.rules.engine.forms import published as published_form
from services.rules.engine.sampling import Choose, complete
from services.rules.engine.spelling import PUBLISHED
from tests.at_length import part_or_whole
from tests.house import ROOT
from tests.rules.test_play_conformance import ALL, played_at_random, stream

GAMES = {slug: game for slug, game in games().items() if game.play is not None}
EXAMPLES = part_or_whole(100, 400)
OTHERS: list[Any] = [None, True, 7, -1, 2.5, "", "gm", [], ["x"], {}, {"x": 1}]
"""What stands in the place of something in a spoiled form."""


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@cache
def moves_of(slug: str) -> tuple[dict[str, Any], ...]:
    """Return moves of a game as they are published: those made at random, and offers that were filled in."""
    game = GAMES[slug]
    assert game.play is not None
    found = []
    for setup in game.play.setups:
        scene, choose = played_at_random(slug, setup, 0), _chooser("forms", slug, setup)
        kind = game.play.move_codec.type
        found += [published_form(kind, game.play.move_codec.dump(made.move)["data"]) for made in scene.made]
        for at in scene.some_positions():
            offers = [offer for actor in scene.actors(at.state) for offer in at.legal(actor, ALL)]
            found += [complete(offer, choose) for offer in as_published(game.play, offers)]
    return tuple({json.dumps(form, sort_keys=True): form for form in found}.values())


def _chooser(*name: object) -> Choose:
    chance = stream(*name)
    return lambda count: chance.draw(count) - 1


@cache
def setups_of(slug: str) -> tuple[dict[str, Any], ...]:
    game = GAMES[slug]
    assert game.play is not None
    codec = game.play.setup_codec
    return tuple(published_form(codec.type, codec.dump(setup)["data"]) for setup in game.play.setups.values())


def places(form: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of everything within a form."""
    members = form.items() if isinstance(form, dict) else enumerate(form) if isinstance(form, list) else ()
    for name, value in members:
        yield (*path, name)
        yield from places(value, (*path, name))


def spoiled(form: Any, draw: Any) -> Any:
    """Return a form in which something is left out, something else, or more than there should be."""
    made = json.loads(json.dumps(form))
    *above, name = draw(st.sampled_from(list(places(made))))
    owner = made
    for step in above:
        owner = owner[step]
    match draw(st.sampled_from(["out", "other", "more"])):
        case "out":
            del owner[name]
        case "other":
            owner[name] = copy.deepcopy(draw(st.sampled_from(OTHERS)))
        case _ if isinstance(owner, dict):
            owner["unheard_of"] = 1
        case _:
            owner.append(copy.deepcopy(draw(st.sampled_from(OTHERS))))
    return made


def reads(codec: Codec[Any], form: Any) -> bool:
    try:
        codec.read(form, PUBLISHED)
    except CodecError:
        return False
    return True


@pytest.mark.parametrize("slug", GAMES)
def test_every_lawful_move_and_every_setup_fits_its_schema(slug: str) -> None:
    game = GAMES[slug]
    moves, setups = validator(move_schema(game)), validator(setup_schema(game))
    assert len(moves_of(slug)) > 20 and setups_of(slug)
    assert game.play is not None
    for form in moves_of(slug):
        assert moves.is_valid(form), form
        assert reads(game.play.move_codec, form), form
    for form in setups_of(slug):
        assert setups.is_valid(form), form
        assert reads(game.play.setup_codec, form), form


@pytest.mark.parametrize("what", ["moves", "setup"])
@pytest.mark.parametrize("slug", GAMES)
def test_what_a_schema_refuses_its_codec_refuses_too(slug: str, what: str) -> None:
    game = GAMES[slug]
    assert game.play is not None
    forms = moves_of(slug) if what == "moves" else setups_of(slug)
    codec: Codec[Any] = game.play.move_codec if what == "moves" else game.play.setup_codec
    schema = validator(move_schema(game) if what == "moves" else setup_schema(game))
    refused = 0

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None)
    @given(st.data())
    def compare(data: st.DataObject) -> None:
        nonlocal refused
        form = spoiled(data.draw(st.sampled_from(forms)), data.draw)
        if not schema.is_valid(form):
            refused += 1
            assert not reads(codec, form), form

    compare()
    assert refused > EXAMPLES / 4


def test_the_schemas_of_all_games_are_published() -> None:
    made = published(games())
    assert len(made) == 2 * len(GAMES)
    for name, schema in made.items():
        assert json.loads((ROOT / "schema" / name).read_text("utf-8")) == schema
