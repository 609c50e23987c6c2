/**
 * Turns a client's API key into a principal by asking the account app.
 *
 * An answer is believed for one second, so that a revoked key dies within a second; concurrent requests with
 * one key share one question. Refusals are remembered just as long: a client that hammers with a dead key
 * costs the account app one request a second. Each question is charged to the network that it comes from,
 * or guessing at keys would be free.
 *
 * @typedef {import('./tokens.mjs').Principal} Principal
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { rateLimited } from './errors.mjs';
import { ANONYMOUS, TOKEN_HEADER } from './tokens.mjs';

const BELIEVED_MS = 1000;
const LOOKUP_TIMEOUT_MS = 3000;
const LOOKUP_COST = 1;
const LONGEST_CREDENTIAL = 512;
const TICKET = /^[0-9A-Za-z_-]{1,128}$/;

/**
 * The ticket that an address ends with, and the address without it.
 * @param {string} target  path and query
 * @returns {{ ticket: string, address: string } | undefined}
 */
export function ticketOf(target) {
  const found = /^(.*)[?&]ticket=([^&]*)$/s.exec(target);
  return found ? { address: found[1], ticket: found[2] } : undefined;
}

/** The key is unknown, expired, revoked or malformed; `reason` says which. */
export class KeyRefused extends Error {
  name = 'KeyRefused';

  /** @param {string} reason  KEY_UNKNOWN | KEY_EXPIRED | KEY_REVOKED | KEY_MALFORMED
   *  @param {string} message */
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

/** The account app gave no usable answer: callers cannot be told apart. */
export class IdentityUnavailable extends Error {
  name = 'IdentityUnavailable';
}

/**
 * @param {object} options
 * @param {ReturnType<import('./replicas.mjs').createReplicas>} options.replicas  of the account app
 * @param {ReturnType<import('./tokens.mjs').createSigner>} options.sign
 * @param {ReturnType<import('./limits.mjs').createLimits>} options.limits
 */
export function createIdentity({ replicas, sign, limits }) {
  /** @type {LRUCache<string, { principal: Principal } | { refusal: KeyRefused }>} */
  const answers = new LRUCache({ max: 10_000, ttl: BELIEVED_MS, fetchMethod: ask });

  /** Put a question to the account app on the gateway's own behalf; it changes nothing, and may be put twice. */
  async function call(path, init) {
    const token = await sign('account', ANONYMOUS, { service: true });
    const question = {
      ...init,
      headers: { ...init.headers, [TOKEN_HEADER]: token },
      signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MS),
    };
    let reason;
    for (const address of replicas.order()) {
      try {
        const response = await fetch(`${address}/internal/${path}`, question);
        const answer = { status: response.status, body: await response.json() };
        replicas.answered(address);
        return answer;
      } catch (error) {
        replicas.failed(address);
        reason = error.cause?.code ?? error.message;
      }
    }
    throw new IdentityUnavailable(`the account service did not answer: ${reason}`);
  }

  async function ask(authorization, _stale, { context: network }) {
    const charge = await limits.chargeNetwork(network, LOOKUP_COST);
    if (!charge.allowed) throw rateLimited(charge);
    const { status, body } = await call('principal', { headers: { authorization } });
    if (status === 200 && typeof body?.account === 'string' && Array.isArray(body.scopes)) {
      const { account, key = null, scopes, expiresAt = null, limit = null } = body;
      return { principal: Object.freeze({ account, key, scopes, expiresAt, limit }) };
    }
    if (status === 401 && /^(KEY|TICKET)_[A-Z]+$/.test(body?.code)) {
      return { refusal: new KeyRefused(body.code, String(body.message ?? 'The API key is not valid.')) };
    }
    throw new IdentityUnavailable(`the account service answered ${status}`);
  }

  function settle(answer) {
    if ('refusal' in answer) throw answer.refusal;
    return answer.principal;
  }

  /**
   * @param {string | undefined} authorization
   * @param {string} network  pays for the question
   * @returns {Promise<Principal> | Principal}
   * @throws {KeyRefused} or rejects with it
   * @throws {IdentityUnavailable} or rejects with it
   * @throws {import('graphql').GraphQLError} RATE_LIMITED, or rejects with it
   */
  function identify(authorization, network) {
    if (!authorization) return ANONYMOUS;
    const [scheme, credential] = authorization.split(/ +/, 2);
    if (scheme.toLowerCase() !== 'bearer' || !credential || credential.length > LONGEST_CREDENTIAL) {
      const words = /^hf_live_/.test(scheme)
        ? '"Bearer" is missing before the API key: send "Authorization: Bearer hf_live_...".'
        : 'Send the API key as "Authorization: Bearer hf_live_...".';
      throw new KeyRefused('KEY_MALFORMED', words);
    }
    const question = `Bearer ${credential}`;
    const known = answers.get(question);
    return known ? settle(known) : answers.fetch(question, { context: network }).then(settle);
  }

  /**
   * Find whom a ticket speaks for at the address that it came with: its key, reading alone.
   * @param {{ ticket: string, address: string }} found  see `ticketOf`
   * @param {string} network  pays for the question
   * @returns {Promise<Principal> | Principal} or throws, or rejects, as `identify` does
   */
  function identifyTicket({ ticket, address }, network) {
    if (!TICKET.test(ticket)) throw new KeyRefused('TICKET_UNKNOWN', 'This ticket opens nothing here.');
    const question = `Ticket ${ticket}.${createHash('sha256').update(address).digest('hex')}`;
    const known = answers.get(question);
    return known ? settle(known) : answers.fetch(question, { context: network }).then(settle);
  }

  return {
    identify,
    identifyTicket,
    /** Believe nothing of a key any more. */
    forget(key) {
      for (const [question, answer] of answers.entries()) {
        if (answer?.principal?.key === key) answers.delete(question);
      }
    },
    /**
     * Ask which of these keys have ended, in one question.
     * @param {string[]} keys  ids
     * @returns {Promise<Map<string, KeyRefused>>} why, for those that have
     * @throws {IdentityUnavailable}
     */
    async ended(keys) {
      const { status, body } = await call('keys/ended', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ keys }),
      });
      if (status !== 200 || !Array.isArray(body?.ended)) {
        throw new IdentityUnavailable(`the account service answered ${status}`);
      }
      return new Map(body.ended.map(({ key, code, message }) => [key, new KeyRefused(code, message)]));
    },
  };
}
