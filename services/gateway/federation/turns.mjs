/**
 * Places that owners take in turn: no owner holds more than a share, and who waits is served owner by owner, so that
 * a thousand requests of one network stand before one request of another for one turn only.
 */
import { Refused } from './problems.mjs';

/**
 * @param {{ places: number, share: number, waiting: number, patienceMs: number }} limits
 *   places in all and for one owner; how many of one owner may wait, and how long
 */
export function createTurns({ places, share, waiting, patienceMs }) {
  /** @type {Map<string, number>} */
  const held = new Map();
  /** Who waits; the owner whose turn comes next is first. @type {Map<string, Set<() => void>>} */
  const queues = new Map();
  let free = places;

  const isFree = (owner) => free > 0 && (held.get(owner) ?? 0) < share;

  function enter(owner) {
    free -= 1;
    held.set(owner, (held.get(owner) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      free += 1;
      const rest = held.get(owner) - 1;
      if (rest > 0) held.set(owner, rest);
      else held.delete(owner);
      admitNext();
    };
  }

  function admitNext() {
    for (const [owner, queue] of queues) {
      if (!isFree(owner)) continue;
      const [admit] = queue;
      queues.delete(owner);
      queue.delete(admit);
      if (queue.size > 0) queues.set(owner, queue); // to the end of the round
      admit();
      return;
    }
  }

  return {
    /**
     * Take a place, now or when it is this owner's turn.
     * @param {string} owner
     * @param {AbortSignal} signal  whoever waits has left
     * @returns {Promise<() => void>} call it to leave the place
     * @throws {Refused} 503 when too many wait or it takes too long; the signal's reason when it is aborted
     */
    async take(owner, signal) {
      signal.throwIfAborted();
      if (isFree(owner)) return enter(owner);
      const queue = queues.get(owner) ?? new Set();
      if (queue.size >= waiting) throw busy();
      queues.set(owner, queue);
      return new Promise((resolve, reject) => {
        const settle = (end, value) => {
          clearTimeout(patience);
          signal.removeEventListener('abort', leave);
          queue.delete(admit);
          if (queue.size === 0 && queues.get(owner) === queue) queues.delete(owner);
          end(value);
        };
        const admit = () => settle(resolve, enter(owner));
        const leave = () => settle(reject, signal.reason);
        const patience = setTimeout(() => settle(reject, busy()), patienceMs);
        signal.addEventListener('abort', leave, { once: true });
        queue.add(admit);
      });
    },
  };
}

const busy = () =>
  new Refused(503, 'UNAVAILABLE', 'Too many requests wait for the service behind this path.', {
    'retry-after': '1',
  });
