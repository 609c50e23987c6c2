// Digs dungeons with rot-js when asked to: one line of JSON in, one out, until the input ends.
//
//   {"look": 51, "seed": 7}          -> {"rooms": 14, "floor": 523}
//   {"side": 51, "seconds": 0.5}     -> {"seconds": 0.48, "done": 431}
//
// The seconds told are those of this thread on a processor; every cell of a dungeon is read. Each dungeon has a seed
// of its own, the same ones in each answer. Whatever goes wrong is {"error": "..."}.
// `node dungeons.mjs [MODULE]` takes another module that exports Map.Digger and RNG.

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const rot = await import(process.argv[2] ? pathToFileURL(process.argv[2]).href : 'rot-js');

function spent() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function dig(side, seed) {
  rot.RNG.setSeed(seed);
  const cells = new Uint8Array(side * side);
  const digger = new rot.Map.Digger(side, side);
  digger.create((x, y, wall) => {
    cells[y * side + x] = wall ? 0 : 1;
  });
  return { rooms: digger.getRooms().length, floor: cells.reduce((sum, cell) => sum + cell, 0) };
}

function measure({ side, seconds }) {
  const end = performance.now() + seconds * 1000;
  const began = spent();
  let done = 0;
  let seen = 0;
  // The system counts a thread's time in ticks: a turn lasts for one at least.
  while (performance.now() < end || done === 0 || spent() === began) {
    done += 1;
    seen += dig(side, done).floor;
  }
  return { seconds: (spent() - began) / 1000, done, seen };
}

for await (const line of createInterface({ input: process.stdin })) {
  let told;
  try {
    const question = JSON.parse(line);
    told = question.look ? dig(question.look, question.seed) : measure(question);
  } catch (error) {
    told = { error: String(error) };
  }
  console.log(JSON.stringify(told));
}
