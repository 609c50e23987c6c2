/**
 * Who is let in where more ask at once than the machine can do: few requests are at work together, and of the networks
 * that wait the one is next that has spent the fewest points lately.
 *
 * A step of one request holds up every other in the same process, so that a small question beside a hundred dear ones
 * would wait for a hundred steps at each of its own. Here it waits for few: whoever has spent much less than each
 * of those inside goes past them at once, as long as there is room for those who do.
 *
 * A place is held for a quarter of a second at most. What takes longer than that waits for a pool of processes as a rule,
 * which has turns of its own.
 */
import { availableParallelism } from 'node:os';
import { CAPACITY, REFILL_PER_SECOND } from './limits.mjs';
import { Refused } from './problems.mjs';

const LIMITS = {
  /** Requests at work together, and as many again for networks that have spent little. */
  places: 2 * availableParallelism(),
  longestMs: 250,
  /** A network goes past others when it has spent less than this share of what each of them has. */
  little: 0.25,
  /** How long a request may wait. */
  patienceMs: 10_000,
};
/** Networks of which it is known what they have spent. */
const REMEMBERED = 10_000;

/** It has waited too long. */
export class Crowded extends Refused {
  constructor() {
    super(503, 'UNAVAILABLE', 'Too many requests are under way.', { 'retry-after': '1' });
  }
}

/**
 * @param {Partial<typeof LIMITS>} [changes]
 * @param {() => number} [now]  milliseconds
 */
export function createAdmission(changes = {}, now = () => performance.now()) {
  const { places, longestMs, little, patienceMs } = { ...LIMITS, ...changes };
  /** The network of each request inside. @type {Set<{ network: string }>} */
  const inside = new Set();
  /** Those that wait, in the order in which they came. @type {Map<string, Set<() => void>>} */
  const queues = new Map();
  /** How many have been sent away. */
  let refused = 0;
  /** What was missing in the emptiest bucket of a network's owners, and when. @type {Map<string, { points: number, at: number }>} */
  const missing = new Map();

  /** What a network has spent that has not been refilled since. */
  function spent(network) {
    const found = missing.get(network);
    return found ? Math.max(0, found.points - ((now() - found.at) * REFILL_PER_SECOND) / 1000) : 0;
  }

  function mayEnter(network) {
    if (inside.size < places) return true;
    if (inside.size >= 2 * places) return false;
    const own = spent(network);
    return [...inside].every((other) => own < little * spent(other.network));
  }

  function enter(network) {
    const request = { network };
    inside.add(request);
    const leave = () => {
      if (!inside.delete(request)) return;
      clearTimeout(longest);
      admitNext();
    };
    const longest = setTimeout(leave, longestMs);
    return leave;
  }

  function admitNext() {
    let next;
    for (const network of queues.keys()) {
      if (next === undefined || spent(network) < spent(next)) next = network;
    }
    if (next === undefined || !mayEnter(next)) return;
    const [admit] = queues.get(next);
    admit();
  }

  return {
    /** How many requests are at work. */
    get inside() {
      return inside.size;
    },
    /** How many wait. */
    get waiting() {
      return [...queues.values()].reduce((sum, queue) => sum + queue.size, 0);
    },
    /** How many have been sent away because they had waited too long. */
    get refused() {
      return refused;
    },
    /**
     * Learn how many points the bucket holds of whoever asked.
     * @param {string} network  where it asked from
     * @param {number} remaining
     */
    count(network, remaining) {
      const points = Math.max(spent(network), CAPACITY - remaining);
      missing.delete(network);
      missing.set(network, { points, at: now() });
      if (missing.size > REMEMBERED) missing.delete(missing.keys().next().value);
    },
    /**
     * Wait until a request may begin.
     * @param {string} network  where it comes from
     * @param {AbortSignal} signal  whoever waits has left
     * @returns {Promise<() => void>} call it when the request is over
     * @throws {Crowded} it has waited too long; the signal's reason when that is aborted
     */
    async enter(network, signal) {
      signal.throwIfAborted();
      if (!queues.has(network) && mayEnter(network)) return enter(network);
      const queue = queues.get(network) ?? new Set();
      queues.set(network, queue);
      return new Promise((resolve, reject) => {
        const settle = (end, value) => {
          clearTimeout(patience);
          signal.removeEventListener('abort', left);
          queue.delete(admit);
          if (queue.size === 0) queues.delete(network);
          end(value);
        };
        const admit = () => settle(resolve, enter(network));
        const left = () => settle(reject, signal.reason);
        const patience = setTimeout(() => {
          refused += 1;
          settle(reject, new Crowded());
        }, patienceMs);
        signal.addEventListener('abort', left, { once: true });
        queue.add(admit);
      });
    },
  };
}
