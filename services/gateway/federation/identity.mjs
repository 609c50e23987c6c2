/**
 * Turns a client's API key into a principal by asking the account app.
 *
 * An answer is believed for one second, so that a revoked key dies within a second; concurrent requests with
 * one key share one question. Refusals are remembered just as long: a client that hammers with a dead key
 * costs the account app one request a second.
 *
 * @typedef {import('./tokens.mjs').Principal} Principal
 */
import { LRUCache } from 'lru-cache';
import { ANONYMOUS, TOKEN_HEADER } from './tokens.mjs';

const BELIEVED_MS = 1000;
const LOOKUP_TIMEOUT_MS = 3000;
const LONGEST_CREDENTIAL = 512;

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

/** The account app gave no usable answer: nobody can be told apart from anybody. */
export class IdentityUnavailable extends Error {
  name = 'IdentityUnavailable';
}

/**
 * @param {{ accountUrl: string, sign: ReturnType<import('./tokens.mjs').createSigner> }} options
 * @returns {(authorization: string | undefined) => Promise<Principal> | Principal}  rejects or throws
 *   {@link KeyRefused} or {@link IdentityUnavailable}
 */
export function createIdentity({ accountUrl, sign }) {
  /** @type {LRUCache<string, { principal: Principal } | { refusal: KeyRefused }>} */
  const answers = new LRUCache({ max: 10_000, ttl: BELIEVED_MS, fetchMethod: ask });

  async function ask(authorization) {
    let response;
    let body;
    try {
      response = await fetch(`${accountUrl}/internal/principal`, {
        headers: { authorization, [TOKEN_HEADER]: await sign('account', ANONYMOUS, { service: true }) },
        signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MS),
      });
      body = await response.json();
    } catch (error) {
      throw new IdentityUnavailable(
        `the account service did not answer: ${error.cause?.code ?? error.message}`,
      );
    }
    if (response.status === 200 && typeof body?.account === 'string' && Array.isArray(body.scopes)) {
      return {
        principal: Object.freeze({ account: body.account, key: body.key ?? null, scopes: body.scopes }),
      };
    }
    if (response.status === 401 && /^KEY_[A-Z]+$/.test(body?.code)) {
      return { refusal: new KeyRefused(body.code, String(body.message ?? 'The API key is not valid.')) };
    }
    throw new IdentityUnavailable(`the account service answered ${response.status}`);
  }

  function settle(answer) {
    if ('refusal' in answer) throw answer.refusal;
    return answer.principal;
  }

  return function identify(authorization) {
    if (!authorization) return ANONYMOUS;
    const [scheme, credential] = authorization.split(/ +/, 2);
    if (scheme.toLowerCase() !== 'bearer' || !credential || credential.length > LONGEST_CREDENTIAL) {
      throw new KeyRefused('KEY_MALFORMED', 'Send the API key as "Authorization: Bearer hf_live_...".');
    }
    const question = `Bearer ${credential}`;
    const known = answers.get(question);
    return known ? settle(known) : answers.fetch(question).then(settle);
  };
}
