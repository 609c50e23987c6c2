"""Scheme VR1: the test vector, the stream, the exact text of statements, and every way to cheat with them."""

import hashlib
import hmac
import json
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.dice.stream import ByteStream
from services.rules.dice.vr1 import (
    Body,
    Chain,
    Check,
    Closing,
    Commitment,
    Entropy,
    Head,
    Link,
    PublishedKey,
    Receipt,
    RollContent,
    RollProof,
    Seeds,
    Statement,
    StatementError,
    Table,
    View,
    Void,
    Vr1Bytes,
    canonical,
    key_id,
    make_statement,
    read_body,
    read_line,
    redraw,
    rewind,
    verify_roll,
    verify_statements,
)
from tests.at_length import part_or_whole
from tests.dice.cheats import INSIDE, OUTSIDE, cut, setting
from tests.dice.exports import SERVER, STRANGER, Export, evening, faces_of, secrets, verifier

EPOCH = bytes(range(16))
CLIENT = bytes.fromhex("00112233445566778899aabbccddeeff")
VECTOR = Seeds(bytes(range(32)), EPOCH, 4)
NOW = datetime(2026, 5, 1, 20, 0, 0, 123_000, tzinfo=UTC)
SIGNED = verifier(SERVER)


# Seeds and bytes


def test_the_vectors_seeds() -> None:
    assert len(VECTOR) == 5
    assert VECTOR[4] == bytes(range(32))
    assert VECTOR[0].hex() == "7561f53c3b109da932b96ba67023d3b4d6cd7ae9db7d9f0a038204fba77a2f52"
    assert VECTOR[1].hex() == "12db9e00dea0d105ec2a2e02f358d57b9d42710a4e98c886e5a0addf74de6719"


def test_the_vectors_first_block() -> None:
    expected = "c4ebf2b1b7e69b282a988eed1c8b533c4160d705aab38d11e3f38075db92351a"
    assert Vr1Bytes(VECTOR[1], EPOCH, 1, CLIENT).read(32).hex() == expected


@pytest.mark.parametrize(
    ("number", "dice", "faces"),
    [
        (1, [10] * 10, [7, 6, 3, 8, 4, 1, 6, 1, 3, 3]),
        (1, [6] * 4, [5, 2, 3, 4]),
        (2, [100] * 3, [100, 47, 27]),
        (2, [1000] * 2, [303, 134]),
        (1, [20] * 20, [17, 16, 18, 4, 11, 16, 1, 3, 13, 3, 18, 9, 20, 4, 1, 6, 17, 16, 6, 11]),
    ],
)
def test_the_vectors_rolls(number: int, dice: list[int], faces: list[int]) -> None:
    def fresh() -> Vr1Bytes:
        return Vr1Bytes(VECTOR[number], EPOCH, number, CLIENT)

    assert redraw(dice, fresh().read) == tuple(faces)
    assert ByteStream(fresh().read).draw_many(dice[0], len(dice)) == faces


def test_the_vectors_twenty_d20_throw_one_byte_away() -> None:
    source = Vr1Bytes(VECTOR[1], EPOCH, 1, CLIENT)
    assert sum(byte >= 240 for byte in source.read(21)) == 1


def test_every_seed_leads_back_to_the_anchor() -> None:
    assert all(rewind(VECTOR[i], EPOCH, i) == VECTOR[0] for i in range(5))
    assert rewind(VECTOR[3], EPOCH, 2) == VECTOR[1]
    for outside in (-1, 5):
        with pytest.raises(IndexError):
            VECTOR[outside]


@given(sizes=st.lists(st.integers(0, 100), max_size=12), client=st.binary(min_size=16, max_size=64))
def test_bytes_do_not_depend_on_how_many_are_asked_for_at_a_time(sizes: list[int], client: bytes) -> None:
    pieces = Vr1Bytes(VECTOR[2], EPOCH, 2, client)
    whole = Vr1Bytes(VECTOR[2], EPOCH, 2, client)
    assert b"".join(pieces.read(size) for size in sizes) == whole.read(sum(sizes))


def test_blocks_are_numbered_and_keyed_by_everything_that_the_scheme_names() -> None:
    prefix = b"VR1-roll" + EPOCH + bytes(7) + b"\x02" + b"\x00\x10" + CLIENT
    second = hmac.new(VECTOR[2], prefix + b"\x00\x00\x00\x01", hashlib.sha256).digest()
    assert Vr1Bytes(VECTOR[2], EPOCH, 2, CLIENT).read(64)[32:] == second


@pytest.mark.parametrize(
    "change",
    [
        {"seed": bytes(31)},
        {"epoch": bytes(15)},
        {"number": 0},
        {"number": 2**20 + 1},
        {"client": bytes(15)},
        {"client": bytes(65)},
    ],
)
def test_a_roll_of_wrong_sizes_has_no_bytes(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="16"):
        Vr1Bytes(**{"seed": bytes(32), "epoch": EPOCH, "number": 1, "client": CLIENT, **change})


@pytest.mark.parametrize(
    ("last", "epoch", "length"),
    [(bytes(31), EPOCH, 4), (bytes(32), bytes(17), 4), (bytes(32), EPOCH, 0), (bytes(32), EPOCH, 2**20 + 1)],
)
def test_a_chain_of_wrong_sizes_is_refused(last: bytes, epoch: bytes, length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Seeds(last, epoch, length)


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 12, 20, 100, 255, 256, 257, 1000])
def test_faces_fall_evenly(sides: int) -> None:
    # Fixed seeds: either this always holds or never. 5 standard deviations of chi-square with so many degrees
    # of freedom, on both sides: a stream that is too even is no better.
    draws = 200 * sides
    faces = Counter(redraw([sides] * draws, Vr1Bytes(VECTOR[3], EPOCH, 3, CLIENT).read))
    chi = sum((faces[face] - 200) ** 2 / 200 for face in range(1, sides + 1))
    assert set(faces) == set(range(1, sides + 1))
    assert abs(chi - (sides - 1)) < 5 * (2 * (sides - 1)) ** 0.5


def test_a_roll_tells_nothing_of_the_next() -> None:
    pairs: Counter[tuple[int, ...]] = Counter()
    long = Seeds(bytes(32), EPOCH, 5001)
    for i in range(1, 5001):
        first = redraw([6], Vr1Bytes(long[i], EPOCH, i, CLIENT).read)
        pairs[first + redraw([6], Vr1Bytes(long[i + 1], EPOCH, i + 1, CLIENT).read)] += 1
    chi = sum((pairs[one, two] - 5000 / 36) ** 2 / (5000 / 36) for one in range(1, 7) for two in range(1, 7))
    assert abs(chi - 35) < 5 * 70**0.5


@given(
    dice=st.lists(st.one_of(st.integers(1, 400), st.sampled_from([2**31 + 1, 2**32])), max_size=40),
    client=st.binary(min_size=16, max_size=64),
    number=st.integers(1, 4),
)
def test_any_roll_replays_to_the_same_faces(dice: list[int], client: bytes, number: int) -> None:
    seed = VECTOR[number]
    body = {
        "dice": dice,
        "client": client.hex(),
        "epoch": EPOCH.hex(),
        "number": number,
        "seed": seed.hex(),
    }
    assert list(redraw(dice, Vr1Bytes(seed, EPOCH, number, client).read)) == faces_of(body)


# Statements

BODIES: list[Body] = [
    Commitment(EPOCH, "cmp_x", Chain.OPEN, 1, bytes(32), 4, None, NOW),
    Commitment(EPOCH, "acc_\u00e9\n\ud800", Chain.SECRET, 2**31 - 1, bytes(32), 2**20, bytes(32), NOW),
    Receipt(
        epoch=EPOCH,
        number=1,
        client=CLIENT,
        entropy=Entropy.CLIENT,
        roll="rol_x",
        expression="2d6 \u00d7 \u2026",
        dice=(6, 2**32),
        faces=(1, 2**32),
        tables={"boon": Table.of([("bo\u00f8n", 1), ("", -3)])},
        total=Fraction(-7, 2),
        seed=bytes(32),
        previous=bytes(32),
        at=NOW,
    ),
    Void(EPOCH, 3, bytes(64), Entropy.SERVER, "TOO_MANY_DICE", bytes(32), bytes(32), NOW),
    Closing(EPOCH, 0, bytes(32), bytes(32), NOW),
    Closing(EPOCH, 3, None, bytes(32), NOW),
    Head(EPOCH, 3, bytes(32), View.REVEALED, NOW),
]


def sign(message: bytes) -> bytes:
    return SERVER.private.sign(message)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.KIND)
def test_a_statement_is_read_as_it_was_made(body: Any) -> None:
    made = make_statement(body, SERVER.name, sign)
    assert made.body.isascii() and made.line().isascii() and "\n" not in made.line()
    assert read_line(made.line()) == made
    assert read_body(made.body) == body
    assert json.loads(made.body)["kind"] == body.KIND


def test_the_text_of_a_receipt_is_exactly_this() -> None:
    body = Receipt(
        EPOCH,
        1,
        CLIENT,
        Entropy.CLIENT,
        "rol_x",
        "1d6",
        (6,),
        (5,),
        {},
        Fraction(5),
        VECTOR[1],
        bytes(32),
        NOW.astimezone(timezone(timedelta(hours=2))),
    )
    assert make_statement(body, SERVER.name, sign).body == (
        '{"at":"2026-05-01T20:00:00.123Z","client":"00112233445566778899aabbccddeeff","dice":[6],'
        '"entropy":"client","epoch":"000102030405060708090a0b0c0d0e0f","expression":"1d6","faces":[5],'
        '"kind":"receipt","number":1,"previous":"' + "0" * 64 + '","roll":"rol_x",'
        '"seed":"12db9e00dea0d105ec2a2e02f358d57b9d42710a4e98c886e5a0addf74de6719","tables":{},"total":5}'
    )


def test_links_and_keys_are_read_as_they_were_written() -> None:
    made = make_statement(BODIES[2], SERVER.name, sign)
    assert read_line(made.link(7).line()) == Link(7, made.hash, made.key, made.signature)
    key = PublishedKey(SERVER.name, SERVER.public, NOW, NOW)
    assert read_line(key.line()) == key
    assert key_id(bytes.fromhex(SERVER.public)) == SERVER.name


def test_what_has_no_place_in_a_statement_cannot_be_written() -> None:
    with pytest.raises(TypeError):
        canonical({"x": object()})
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))


LINE = make_statement(BODIES[2], SERVER.name, sign)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "3",
        "null",
        '"x"',
        "{}",
        "[" * 100_000,
        '{"body": 5}',
        '{"algorithm": "RSA"}',
        LINE.line().replace('"hash"', '"hush"'),
        LINE.line().replace(LINE.hash, LINE.hash.upper()),
        LINE.line().replace(LINE.key, LINE.key[:-2]),
        LINE.link(1).line().replace('"number":1', '"number":true'),
        LINE.link(1).line().replace('"number":1', '"number":0'),
        LINE.link(1).line().replace('"number":1', '"number":1.0'),
        SERVER.line().replace("Ed25519", "ed25519"),
        SERVER.line().replace("null", "0"),
    ],
)
def test_what_is_no_line_of_an_export_is_refused(line: str) -> None:
    with pytest.raises(StatementError):
        read_line(line)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"kind":"receipt"', '"kind":"recipe"'),
        ('"kind":"receipt"', '"kind":["receipt"]'),
        ('"kind":"receipt",', ""),
        ('"number":1', '"number":1,"number":1'),
        ('"number":1', '"number": 1'),
        ('"number":1', '"number":"1"'),
        ('"number":1', '"number":1048577'),
        ('"total":"-7/2"', '"total":"-14/4"'),
        ('"total":"-7/2"', '"total":"3/1"'),
        ('"total":"-7/2"', '"total":-3.5'),
        ('"total":"-7/2"', '"total":true'),
        ('"total":"-7/2"', '"total":' + "9" * 5000),
        ('"entropy":"client"', '"entropy":"gm"'),
        ('"dice":[6,4294967296]', '"dice":6'),
        ('"dice":[6,4294967296]', '"dice":[0,4294967296]'),
        ('"faces":[1,4294967296]', '"faces":["1",4294967296]'),
        ("2026-05-01T20:00:00.123Z", "2026-05-01T20:00:00Z"),
        ("2026-05-01T20:00:00.123Z", "2026-13-01T20:00:00.123Z"),
        ("2026-05-01T20:00:00.123Z", "0001-01-01T00:00:00.000+14:00"),
        ('"tables":{', '"tables":[{'),
        ('"sha256"', '"sha1"'),
        ('["",-3]', '["",-3,0]'),
        ('["",-3]', '["","-3"]'),
        ('["",-3]', "7"),
        ("\\u00d7", "\u00d7"),
        ("0011223344", "00112233zz"),
        ("00112233445566778899aabbccddeeff", "00112233445566778899aabbccddee"),
    ],
)
def test_a_body_in_any_other_form_is_refused(old: str, new: str) -> None:
    assert old in LINE.body
    with pytest.raises(StatementError):
        read_body(LINE.body.replace(old, new, 1))


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_any_json_in_place_of_any_member_is_read_or_refused(value: Any) -> None:
    whole = json.loads(LINE.body)
    for name in whole:
        text = canonical({**whole, name: value})
        try:
            assert make_statement(read_body(text), SERVER.name, sign).body == text
        except StatementError:
            assert canonical(value) != canonical(whole[name])


# Whole exports


def checked(lines: list[str], **more: Any) -> Check | None:
    """Verify an export; give the check that failed."""
    report = verify_statements(lines, SIGNED, **more)
    assert report.ok == all(step.ok for step in report.steps)
    assert report.steps or report.fault
    return None if report.fault is None else report.fault.check


def test_an_honest_evening_holds() -> None:
    report = verify_statements([*evening().lines(), "", *secrets().lines()], SIGNED, lambda _: None)
    assert report.ok
    assert (report.rolls, report.voids, report.hidden, report.epochs) == (8, 1, 2, 3)
    assert {step.name for step in report.steps} == set(Check) - {Check.RECEIPT}
    assert report.unchecked == (
        "hidden rolls that may follow behind number 4 of epoch 1 of the secret chain of "
        "cmp_01jd8x6m3v5q7r9t0w2y4z6a8c",
        "hidden rolls, beyond their place in the chain",
    )


def test_what_is_not_checked_is_said() -> None:
    report = verify_statements(evening().lines(), None)
    assert report.ok and report.unchecked == ("signatures", "how expressions lead to their totals")
    assert Check.SIGNATURE not in {step.name for step in report.steps}


def test_a_later_epoch_alone_holds_and_says_what_is_not_there() -> None:
    lines = evening().lines()
    at = next(place for place, line in enumerate(lines) if '\\"ordinal\\":2' in line)
    report = verify_statements([lines[0], *lines[at:]], SIGNED)
    assert report.ok and report.rolls == 2
    assert report.unchecked[0].startswith("what came before epoch 2")


def test_a_closed_epoch_alone_holds() -> None:
    assert checked(Export().begin().roll(6).close().head().lines()) is None
    assert checked(Export("secret").begin().roll(6, hidden=True).close(seed=False).head().lines()) is None


def test_an_epoch_without_a_roll_holds() -> None:
    report = verify_statements(Export().begin().head().lines(), SIGNED)
    assert report.ok and report.rolls == 0


@pytest.mark.parametrize("name", OUTSIDE)
def test_whoever_changes_an_export_is_caught(name: str) -> None:
    change, found = OUTSIDE[name]
    lines = evening().lines()
    change(lines)
    assert checked(lines) is found


def test_dropping_the_beginning_is_no_fault_but_is_said() -> None:
    lines = evening().lines()
    cut(1, 2, 3, 4, 5, 6, 7)(lines)
    assert checked(lines) is None
    assert "what came before epoch 2" in verify_statements(lines, SIGNED).unchecked[0]


def test_an_export_signed_by_a_stranger_throughout_is_caught_by_its_first_statement() -> None:
    report = verify_statements(evening().lines(STRANGER), SIGNED)
    assert report.fault is not None
    assert (report.fault.check, report.fault.line) == (Check.SIGNATURE, 2)


def test_a_hidden_roll_cannot_be_exchanged_for_another() -> None:
    lines = secrets().lines()
    other = Export("secret").begin().roll(20, hidden=True, client=bytes(16)).lines()
    lines[2] = other[2]
    assert checked(lines) is Check.LINK


LINES = evening().lines()


@settings(max_examples=part_or_whole(100, 300))
@given(data=st.data())
def test_no_character_of_a_statement_can_be_changed(data: st.DataObject) -> None:
    line = data.draw(st.integers(1, len(LINES) - 1))
    place = data.draw(st.integers(0, len(LINES[line]) - 1))
    other = data.draw(st.characters(min_codepoint=32, max_codepoint=126))
    changed = LINES[line][:place] + other + LINES[line][place + 1 :]
    lines = [*LINES[:line], changed, *LINES[line + 1 :]]
    assert (checked(lines) is None) == (changed == LINES[line])


# What a dishonest server could sign


@pytest.mark.parametrize("name", INSIDE)
def test_a_server_that_cheats_is_caught(name: str) -> None:
    change, found = INSIDE[name]
    assert checked(evening().changed(change)) is found


def test_a_link_without_its_place_in_the_chain_is_caught() -> None:
    export = evening()
    export.bodies[8]["previous"] = bytes(32).hex()
    assert checked(export.lines()) is Check.LINK
    export = evening()
    export.bodies[7]["previous"] = None
    assert checked(export.lines()) is Check.COMMITMENT
    export = evening()
    export.bodies[6]["previous"] = bytes(32).hex()
    assert checked(export.lines()) is Check.LINK
    export = evening()
    export.bodies[10]["head"] = bytes(32).hex()
    assert checked(export.lines()) is Check.HEAD


def test_a_total_that_the_expression_does_not_lead_to_is_caught_by_evaluating_it() -> None:
    def replay(content: RollContent) -> str | None:
        return None if content.total == sum(content.faces) else f"the total is {sum(content.faces)}"

    assert checked(evening().lines(), replay=replay) is None
    lines = evening().changed(setting(8, total=100))
    assert checked(lines, replay=replay) is Check.ROLL
    assert checked(lines) is None


def test_seeds_behind_hidden_rolls_lead_back_over_them() -> None:
    export = secrets()
    assert checked(export.lines()) is None
    export.bodies[4]["seed"] = bytes(32).hex()
    export.bodies[4]["faces"] = faces_of(export.bodies[4])
    assert checked(export.lines()) is Check.SEED


# One roll


def proof_of(lines: list[str], place: int) -> tuple[RollProof, RollContent]:
    statements = [line for line in map(read_line, lines) if isinstance(line, Statement)]
    receipt = read_body(statements[place].body)
    assert isinstance(receipt, Receipt)
    return RollProof(statements[0], statements[place - 1].hash, statements[place]), receipt.content


def failed(proof: RollProof, kept: RollContent) -> set[Check]:
    return {step.name for step in verify_roll(proof, kept, SIGNED) if not step.ok}


def test_an_honest_roll_holds_in_every_step() -> None:
    steps = verify_roll(*proof_of(evening().lines(), 3), SIGNED)
    assert all(step.ok and step.detail.endswith(".") for step in steps)
    assert [step.name for step in steps] == [
        Check.HASH,
        Check.SIGNATURE,
        Check.COMMITMENT,
        Check.LINK,
        Check.SEED,
        Check.FACES,
        Check.TABLE,
        Check.ROLL,
    ]
    without = verify_roll(*proof_of(evening().lines(), 3), None)
    assert [step.name for step in without] == [step.name for step in steps if step.name != Check.SIGNATURE]


def test_a_step_that_fails_keeps_no_other_from_being_taken() -> None:
    honest, kept = proof_of(evening().lines(), 3)
    other = RollContent(kept.roll, kept.expression, kept.dice, kept.faces, kept.tables, 99)
    assert failed(honest, other) == {Check.ROLL}
    assert failed(RollProof(honest.commitment, "00" * 32, honest.receipt), kept) == {Check.LINK}
    forged, _ = proof_of(evening().lines(STRANGER), 3)
    assert failed(RollProof(honest.commitment, forged.before, forged.receipt), kept) == {Check.SIGNATURE}
    text = honest.receipt.body.replace('"faces":[', '"faces":[3,', 1)
    changed = Statement(text, honest.receipt.hash, honest.receipt.key, honest.receipt.signature)
    assert failed(RollProof(honest.commitment, honest.before, changed), kept) == {
        Check.HASH,
        Check.FACES,
        Check.ROLL,
    }
    cheat, _ = proof_of(evening().changed(setting(3, seed=bytes(32).hex())), 3)
    assert failed(cheat, kept) == {Check.SEED, Check.FACES}
    elsewhere, _ = proof_of(evening().changed(setting(3, epoch=bytes(16).hex())), 3)
    assert Check.COMMITMENT in failed(elsewhere, kept)
    die, _ = proof_of(
        evening().changed(lambda bodies: bodies[3]["tables"]["boon"].update(faces=[["x", 2]])), 3
    )
    assert failed(die, kept) == {Check.TABLE, Check.ROLL}


def test_what_is_no_proof_fails_as_such() -> None:
    honest, kept = proof_of(evening().lines(), 3)
    assert failed(RollProof(honest.receipt, honest.before, honest.commitment), kept) == {Check.FORM}
    broken = Statement("{}", honest.receipt.hash, honest.receipt.key, honest.receipt.signature)
    assert failed(RollProof(honest.commitment, honest.before, broken), kept) == {Check.FORM}
