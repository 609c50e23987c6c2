/**
 * Ends what a key holds open when the key ends: WebSockets, and operations under way.
 *
 * The account service publishes `key.revoked`; one connection waits for it here, so that nothing outlives its
 * key for longer than the news travel. In case they do not (Redis is away, or its memory lost), the account
 * service is asked every second, in one question for all keys that hold anything. Keys that expire do so by
 * the clock.
 */
import { Redis } from 'iovalkey';
import { KeyRefused } from './identity.mjs';
import { connection } from './limits.mjs';
import { oncePerSecond } from './log.mjs';

const EVENTS = 'hf:events:account';
const BLOCK_MS = 2000;
const PAUSE_MS = 500;
const ASK_MS = 1000;
/** As many keys as one question may name. */
const QUESTION = 1000;

/**
 * @param {object} parts
 * @param {string | undefined} parts.redisUrl
 * @param {ReturnType<import('./identity.mjs').createIdentity>} parts.identity
 * @param {import('./log.mjs').Log} parts.log
 */
export function createKeys({ redisUrl, identity, log }) {
  /** @type {Map<string, { expiresAt: number, ends: Set<(reason: KeyRefused) => void> }>} */
  const held = new Map();
  const complain = oncePerSecond(log.warning);

  function end(key, reason) {
    identity.forget(key);
    const holding = held.get(key);
    held.delete(key);
    for (const stop of holding?.ends ?? []) stop(reason);
  }

  const listener = redisUrl ? listen(redisUrl, complain, (key) => end(key, revoked())) : undefined;

  async function ask() {
    const now = Date.now();
    for (const [key, { expiresAt }] of held) if (expiresAt <= now) end(key, expired());
    const keys = [...held.keys()];
    for (let first = 0; first < keys.length; first += QUESTION) {
      const ended = await identity.ended(keys.slice(first, first + QUESTION));
      for (const [key, reason] of ended) end(key, reason);
    }
  }
  let asking = false;
  const timer = setInterval(async () => {
    if (asking || held.size === 0) return;
    asking = true;
    try {
      await ask();
    } catch (error) {
      complain('keys_unchecked', { reason: error.message });
    } finally {
      asking = false;
    }
  }, ASK_MS);

  return {
    /**
     * Call `stop` when the key of a principal ends.
     * @param {import('./tokens.mjs').Principal} principal
     * @param {(reason: KeyRefused) => void} stop
     * @returns {() => void} to be called when there is nothing to stop any more
     */
    hold({ key, expiresAt }, stop) {
      if (key === null) return () => {};
      const until = expiresAt === null ? Infinity : Date.parse(expiresAt);
      const holding = held.get(key) ?? { expiresAt: until, ends: new Set() };
      held.set(key, holding);
      holding.ends.add(stop);
      return () => {
        holding.ends.delete(stop);
        if (holding.ends.size === 0 && held.get(key) === holding) held.delete(key);
      };
    },
    close() {
      clearInterval(timer);
      listener?.close();
    },
  };
}

const revoked = () => new KeyRefused('KEY_REVOKED', 'This API key was revoked.');
const expired = () => new KeyRefused('KEY_EXPIRED', 'This API key has expired; make a new one.');

/** Read the account service's events from now on, over a connection of its own, for it blocks. */
function listen(url, complain, onRevoked) {
  const client = new Redis({
    ...connection(url),
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1000),
  });
  client.on('error', (error) => complain('keys_unheard', { reason: error.message || error.code }));
  let closed = false;
  let position;

  async function read() {
    position ??= (await client.xrevrange(EVENTS, '+', '-', 'COUNT', 1))[0]?.[0] ?? '0-0';
    const found = await client.xread('COUNT', 500, 'BLOCK', BLOCK_MS, 'STREAMS', EVENTS, position);
    for (const [id, fields] of found?.[0]?.[1] ?? []) {
      position = id;
      const kind = fields[fields.indexOf('kind') + 1];
      if (kind === 'key.revoked') onRevoked(JSON.parse(fields[fields.indexOf('payload') + 1]).id);
    }
  }

  async function run() {
    while (!closed) {
      try {
        if (client.status === 'wait') await client.connect();
        await read();
      } catch (error) {
        if (closed) return;
        complain('keys_unheard', { reason: error.message });
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }
  run();

  return {
    close() {
      closed = true;
      client.disconnect();
    },
  };
}
