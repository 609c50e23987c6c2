/**
 * Cost limits: one token bucket per owner of keys (per address for anonymous clients), kept in Redis and
 * shared with the REST face through the same Lua script.
 *
 * While Redis is away every request is let through: a broken limiter must not become an outage.
 *
 * @typedef {object} Charge
 * @property {boolean} allowed
 * @property {number} remaining       points left in the bucket
 * @property {number} retryAfter      whole seconds to wait when it was not allowed
 */
import { readFileSync } from 'node:fs';
import { Redis } from 'iovalkey';
import { ConfigError } from './config.mjs';
import { oncePerSecond } from './log.mjs';

const shared = (name) => readFileSync(new URL(`../../shared/limits/${name}`, import.meta.url), 'utf8');
const LIMITS = JSON.parse(shared('limits.json'));
export const CAPACITY = LIMITS.account.capacity;
export const REFILL_PER_SECOND = LIMITS.account.refillPerSecond;
/** The most that one operation may cost. */
export const MAX_OPERATION_COST = LIMITS.operation;

const SCRIPT = shared('bucket.lua');
const ANSWER_TIMEOUT_MS = 250;
const REST_AFTER_TIMEOUT_MS = 1000;

/**
 * @param {string | undefined} url  `unix:///path?db=0`, `redis://host:port/0`; undefined = no limits
 * @param {import('./log.mjs').Log} log
 */
export function createLimits(url, log) {
  const open = () => ({ allowed: true, remaining: CAPACITY, retryAfter: 0 });
  if (!url) return { charge: async () => open(), state: () => 'no REDIS_URL, limits are open', close() {} };

  const client = new Redis({
    ...connection(url),
    lazyConnect: true,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1000),
  });
  client.defineCommand('charge', { numberOfKeys: 1, lua: SCRIPT });
  const complain = oncePerSecond(log.warning);
  let skipUntil = 0;
  client.on('error', (error) => complain('limits_open', { reason: error.message || error.code }));
  client.connect().catch(() => {}); // reported by the error event; the client keeps trying

  return {
    /**
     * @param {string} owner
     * @param {number} cost
     * @returns {Promise<Charge>}
     */
    async charge(owner, cost) {
      const now = Date.now();
      if (client.status !== 'ready' || now < skipUntil) return open();
      try {
        const [allowed, remaining, wait] = await client.charge(
          `hf:bucket:${owner}`,
          now,
          CAPACITY,
          REFILL_PER_SECOND,
          cost,
        );
        return { allowed: allowed === 1, remaining, retryAfter: Math.ceil(wait / 1000) };
      } catch (error) {
        skipUntil = now + REST_AFTER_TIMEOUT_MS; // a hanging Redis must not slow every request down
        complain('limits_open', { reason: error.message });
        return open();
      }
    },
    /** `ok`, or why limits are open. */
    state: () => (client.status === 'ready' ? 'ok' : `redis is ${client.status}, limits are open`),
    close: () => client.disconnect(),
  };
}

/** Read the two spellings of a Redis address that the Python parts accept too. */
function connection(url) {
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
