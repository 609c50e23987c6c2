/**
 * A watch over this process's event loop: a line for whatever holds it longer than 100 ms, as the services write it
 * (services/shared/loop_watch.py). Where it was cannot be told from within: the line has no frames, and what was asked
 * then stands in the lines of requests beside it.
 */

/** How long a step may take. */
const HELD_MS = 100;
/** How often the loop is asked whether it is there; by so much may a step be longer than it is told to be. */
const EVERY_MS = 25;

/** @param {import('./log.mjs').Log} log */
export function watchLoop(log) {
  let asked = performance.now();
  let spent = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.threadCpuUsage(spent);
    const ms = Math.round(now - asked - EVERY_MS);
    if (ms > HELD_MS) {
      log.warning('loop_held', { ms, processor_ms: Math.round((user + system) / 1000), frames: [] });
    }
    asked = now;
    spent = process.threadCpuUsage();
  }, EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
