/**
 * Cost limits: one token bucket per owner of keys (per network for anonymous clients), one for each key that has
 * a limit of its own, and one for all traffic of a network, keyed or not, kept in Redis and shared with the REST
 * face through the same Lua script.
 *
 * While Redis is away every request is let through: a broken limiter must not become an outage.
 *
 * @typedef {object} Charge
 * @property {boolean} allowed
 * @property {number} remaining       points left in the owner's bucket, or in the key's own where those are fewer
 * @property {number} capacity        points of that bucket when it is full
 * @property {number} refillPerSecond points that it gains each second
 * @property {number} ofOwner         points left in the owner's bucket
 * @property {'key' | 'account' | 'network'} [limit]  which limit has refused it
 * @property {number} retryAfter      whole seconds to wait when it was not allowed; then nothing was taken
 */
import { readFileSync } from 'node:fs';
import { Redis } from 'iovalkey';
import { ConfigError, LIMITS } from './config.mjs';
import { oncePerSecond } from './log.mjs';

export const CAPACITY = LIMITS.account.capacity;
export const REFILL_PER_SECOND = LIMITS.account.refillPerSecond;
/** The most that one operation may cost. */
export const MAX_OPERATION_COST = LIMITS.operation;

const SCRIPT = readFileSync(new URL('../../shared/limits/bucket.lua', import.meta.url), 'utf8');
const ANSWER_TIMEOUT_MS = 250;
const REST_AFTER_TIMEOUT_MS = 1000;

/**
 * @param {string | undefined} url  `unix:///path?db=0`, `redis://host:port/0`; undefined = no limits
 * @param {import('./log.mjs').Log} log
 */
export function createLimits(url, log) {
  const open = () => ({ allowed: true, remaining: CAPACITY, ofOwner: CAPACITY, retryAfter: 0, ...LIMITS.account });
  if (!url) {
    const state = () => 'no REDIS_URL, limits are open';
    return { charge: async () => open(), chargeNetwork: async () => open(), state, close() {} };
  }

  const client = new Redis({
    ...connection(url),
    lazyConnect: true,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1000),
  });
  client.defineCommand('charge', { lua: SCRIPT });
  const complain = oncePerSecond(log.warning);
  let skipUntil = 0;
  client.on('error', (error) => complain('limits_open', { reason: error.message || error.code }));
  client.connect().catch(() => {}); // reported by the error event; the client keeps trying

  /** Take points from all of the buckets, or from none. */
  async function take(buckets, cost) {
    if (client.status !== 'ready' || performance.now() < skipUntil) return open();
    const keys = buckets.map(({ owner }) => `hf:bucket:${owner}`);
    const terms = buckets.flatMap(({ rate }) => [rate.capacity, rate.refillPerSecond, cost]);
    try {
      const found = await client.charge(keys.length, ...keys, Date.now(), ...terms);
      const [allowed, ofOwner, wait, slowest, ...others] = found;
      const left = [ofOwner, ...others];
      // What is left in the bucket of a network tells of others there: the own ones alone are shown.
      const { remaining, rate } = buckets
        .map(({ rate, shared }, index) => ({ rate, shared: shared && index > 0, remaining: left[index] }))
        .filter(({ shared }) => !shared)
        .reduce((least, one) => (one.remaining < least.remaining ? one : least));
      const limit = buckets[slowest - 1]?.limit;
      return { allowed: allowed === 1, remaining, ofOwner, retryAfter: Math.ceil(wait / 1000), limit, ...rate };
    } catch (error) {
      skipUntil = performance.now() + REST_AFTER_TIMEOUT_MS; // a hanging Redis must not slow every request down
      complain('limits_open', { reason: error.message });
      return open();
    }
  }

  const ofNetwork = (network) => ({
    owner: `network:${network}`,
    rate: LIMITS.network,
    limit: 'network',
    shared: true,
  });

  function payers({ owner, network, principal }) {
    const limit = principal?.account === owner ? 'account' : 'network';
    const own = { owner, rate: LIMITS.account, limit };
    const ofKey = principal?.limit && { owner: `key:${principal.key}`, rate: principal.limit, limit: 'key' };
    return ofKey ? [own, ofKey, ofNetwork(network)] : [own, ofNetwork(network)];
  }

  return {
    /**
     * Charge an operation: to its owner, to its key where that has a limit, and to the network that it comes from.
     * @param {{ owner: string, network: string, principal?: import('./tokens.mjs').Principal }} session
     * @param {number} cost
     * @returns {Promise<Charge>}
     */
    charge: (session, cost) => take(payers(session), cost),
    /**
     * Charge what comes before it is known whose it is.
     * @param {string} network
     * @param {number} cost
     * @returns {Promise<Charge>}
     */
    chargeNetwork: (network, cost) => take([ofNetwork(network)], cost),
    /** `ok`, or why limits are open. */
    state: () => (client.status === 'ready' ? 'ok' : `redis is ${client.status}, limits are open`),
    close: () => client.disconnect(),
  };
}

/**
 * Read the two spellings of a Redis address that the Python parts accept too.
 * @param {string} url
 * @throws {ConfigError}
 */
export function connection(url) {
  if (!URL.canParse(url)) throw new ConfigError(`REDIS_URL is not an address: "${url}"`);
  const { protocol, hostname, port, pathname, username, password, searchParams } = new URL(url);
  const credentials = {
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
  };
  if (protocol === 'unix:') {
    return { ...credentials, path: decodeURIComponent(pathname), db: Number(searchParams.get('db') ?? 0) };
  }
  if (protocol === 'redis:' || protocol === 'rediss:') {
    const tls = protocol === 'rediss:' ? {} : undefined;
    return {
      ...credentials,
      tls,
      host: hostname,
      port: Number(port || 6379),
      db: Number(pathname.slice(1) || 0),
    };
  }
  throw new ConfigError(`REDIS_URL must begin with unix:// or redis://, not "${protocol}//"`);
}
