// Rolls dice with @dice-roller/rpg-dice-roller when asked to: one line of JSON in, one out, until the input ends.
//
//   {"look": ["4d6kh3"], "times": 100}       -> {"totals": [[13, 9, ...]]}
//   {"texts": ["4d6kh3"], "seconds": 0.5}    -> {"seconds": 0.5, "batches": [0.0021, ...], "size": 120}
//   {"texts": ["~d6+#"], "fresh": true, ...} -> the same, with 1 to 12 in place of ~ and a new number in place of #
//
// A batch is milliseconds a roll, the mean of `size` rolls. Whatever goes wrong is {"error": "..."}.
// `node dice.mjs [MODULE]` takes another module that exports DiceRoll.

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const SIZE = 120; // up to six texts all have the same share of it
const MOST_DICE = 12;

const { DiceRoll } = await import(
  process.argv[2] ? pathToFileURL(process.argv[2]).href : '@dice-roller/rpg-dice-roller'
);

/** Reads the total, and the value, the use and the marks of every die; gives what keeps it from being left out. */
function look(roll) {
  let seen = roll.total;
  for (const part of roll.rolls) {
    if (typeof part !== 'object') continue;
    for (const die of part.rolls) {
      if (die.useInTotal) seen += die.value;
      seen += die.modifiers.size;
    }
  }
  return seen;
}

/** Gives rolls of texts in turns; those that were parsed before are rolled anew. */
function* parsed(texts) {
  const rolls = texts.map((text) => new DiceRoll(text));
  for (;;) {
    yield () => {
      let seen = 0;
      for (let done = 0; done < SIZE; done += 1) {
        const roll = rolls[done % rolls.length];
        roll.roll();
        seen += look(roll);
      }
      return seen;
    };
  }
}

let number = 0;

/** Gives rolls of texts that were never seen before; the texts are made before the time is taken. */
function* fresh(templates) {
  for (;;) {
    const texts = Array.from({ length: SIZE }, (_, place) => {
      number += 1;
      const dice = ((number + Math.floor(number / templates.length)) % MOST_DICE) + 1;
      return templates[place % templates.length].replace('~', dice).replace('#', number);
    });
    yield () => texts.reduce((seen, text) => seen + look(new DiceRoll(text)), 0);
  }
}

function measure({ texts, seconds, fresh: anew = false }) {
  const batches = [];
  const end = performance.now() + seconds * 1000;
  let spent = 0;
  let seen = 0;
  for (const batch of anew ? fresh(texts) : parsed(texts)) {
    const began = performance.now();
    seen += batch();
    const now = performance.now();
    spent += now - began;
    batches.push((now - began) / SIZE);
    if (now >= end) break;
  }
  return { seconds: spent / 1000, batches, size: SIZE, seen };
}

function answer(question) {
  if (question.look) {
    return {
      totals: question.look.map((text) =>
        Array.from({ length: question.times }, () => new DiceRoll(text).total),
      ),
    };
  }
  return measure(question);
}

for await (const line of createInterface({ input: process.stdin })) {
  let told;
  try {
    told = answer(JSON.parse(line));
  } catch (error) {
    told = { error: String(error) };
  }
  console.log(JSON.stringify(told));
}
