"""Who is let in at the door where more ask at once than the machine can do."""

import subprocess
from pathlib import Path

import orjson
import pytest

from infra.launch.bootstrap import node_binary

FEDERATION = Path("services/gateway/federation").resolve()

SCRIPT = """
import { Crowded, createAdmission } from './admission.mjs';
const moment = { ms: 0 };
const admission = (changes) => createAdmission({ places: 2, longestMs: 60_000, ...changes }, () => moment.ms);
const gone = () => new AbortController();
const told = [];
/** Ask to be let in; its name is told when it is. */
function ask(door, network, name = network, leaving = gone()) {
  const asked = { leave: () => {} };
  asked.done = door.enter(network, leaving.signal).then(
    (leave) => { told.push(name); asked.leave = leave; },
    (reason) => told.push(`${name}: ${reason instanceof Crowded ? 'crowded' : reason.message}`),
  );
  return asked;
}
const calm = () => new Promise((resolve) => setImmediate(resolve));
BODY
process.stdout.write(JSON.stringify(told), () => process.exit());
"""


def told(body: str) -> list[str]:
    """Run a script beside an admission; returns what it told, in order."""
    run = subprocess.run(
        [str(node_binary()), "--input-type=module", "-e", SCRIPT.replace("BODY", body)],
        cwd=FEDERATION,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found: list[str] = orjson.loads(run.stdout)
    return found


def test_as_many_as_there_are_places_are_let_in_and_the_rest_in_the_order_in_which_they_came() -> None:
    assert told("""
    const door = admission();
    const all = ['a', 'b', 'c', 'd'].map((each) => ask(door, each));
    await calm(); told.push('-');
    all[1].leave(); await calm(); told.push('-');
    all[1].leave(); await calm(); told.push('once');
    all[0].leave(); await calm();
    """) == ["a", "b", "-", "c", "-", "once", "d"]


def test_of_those_that_wait_the_one_that_has_spent_least_is_next() -> None:
    assert told("""
    const door = admission();
    door.count('much', 500); door.count('some', 1500);
    const inside = [ask(door, 'some', 'first'), ask(door, 'some', 'second')];
    await calm();
    ask(door, 'much'); ask(door, 'some');
    await calm();
    inside[0].leave(); await calm(); inside[1].leave(); await calm();
    """) == ["first", "second", "some", "much"]


def test_who_has_spent_little_goes_past_those_inside_but_not_past_others_like_it() -> None:
    assert told("""
    const door = admission();
    for (const each of ['x', 'y', 'z']) door.count(each, 1000);
    door.count('small', 1900);
    ask(door, 'x'); ask(door, 'y'); await calm();
    ask(door, 'z'); await calm(); told.push('-');
    ask(door, 'small'); await calm(); told.push('-');
    ask(door, 'small', 'again'); await calm(); told.push('waits');
    """) == ["x", "y", "-", "small", "-", "waits"]


def test_what_was_spent_is_refilled() -> None:
    assert told("""
    const door = admission();
    for (const each of ['x', 'y']) door.count(each, 1000);
    ask(door, 'x'); ask(door, 'y'); await calm();
    moment.ms = 9_900;
    ask(door, 'new'); await calm(); told.push('-');
    moment.ms = 20_000;
    ask(door, 'other'); await calm(); told.push('waits');
    """) == ["x", "y", "new", "-", "waits"]


def test_a_place_is_left_to_others_after_a_second_by_whoever_is_not_done() -> None:
    assert told("""
    const door = admission({ longestMs: 20 });
    ask(door, 'a'); ask(door, 'b'); const third = ask(door, 'c');
    await third.done;
    """)[:3] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("end", "said"),
    [("leaving.abort(new Error('has gone'))", "c: has gone"), ("/* nothing */", "c: crowded")],
)
def test_who_waits_too_long_or_goes_leaves_no_gap(end: str, said: str) -> None:
    assert told(f"""
    const door = admission({{ patienceMs: 50 }});
    const all = [ask(door, 'a'), ask(door, 'b')];
    const leaving = gone();
    const third = ask(door, 'c', 'c', leaving);
    await calm();
    {end};
    await third.done;
    ask(door, 'd'); await calm();
    all[0].leave(); await calm();
    """) == ["a", "b", said, "d"]


def test_who_is_inside_who_waits_and_who_was_sent_away_is_counted() -> None:
    assert told("""
    const door = admission({ patienceMs: 20 });
    const say = () => told.push(`${door.inside} ${door.waiting} ${door.refused}`);
    const all = ['a', 'b', 'c', 'c'].map((each) => ask(door, each, ''));
    await calm(); told.length = 0; say();
    await Promise.all(all.map(({ done }) => done)); say();
    all[0].leave(); say();
    """) == ["2 2 0", ": crowded", ": crowded", "2 0 2", "1 0 2"]
