/**
 * Signs the internal tokens by which subgraphs know who asks.
 *
 * A token lives 60 s and is reused for 20 s per principal, network and audience: signing for every subgraph
 * request would cost more than the request's own work.
 *
 * @typedef {object} Principal
 * @property {string} account    account id, or `anonymous`
 * @property {string | null} key id of the API key
 * @property {string[]} scopes
 * @property {string | null} expiresAt  when the key ends, an ISO date; null for never
 * @property {{ capacity: number, refillPerSecond: number } | null} limit  the key's own, beside its account's
 */
import { LRUCache } from 'lru-cache';
import { SignJWT } from 'jose';

/** The one header by which the parts of the house trust each other; never taken from a client. */
export const TOKEN_HEADER = 'x-hearthforge-token';

/** @type {Principal} */
export const ANONYMOUS = Object.freeze({ account: 'anonymous', key: null, scopes: [], expiresAt: null, limit: null });

const LIFETIME_S = 60;
const REUSE_MS = 20_000;

/**
 * @param {import('node:crypto').KeyObject} key  the gateway's private Ed25519 key
 * @returns {(audience: string, principal: Principal, options?: { service?: boolean, network?: string }) =>
 *   Promise<string> | string}  `network` pays for heavy work beside the account
 */
export function createSigner(key) {
  const signed = new LRUCache({ max: 10_000, ttl: REUSE_MS });

  return function sign(audience, principal, { service = false, network } = {}) {
    // By the clock's own time, in which a token expires: one that is set must not leave us with tokens of another time.
    const slot = Math.floor(Date.now() / REUSE_MS);
    const id = `${slot}|${audience}|${service}|${principal.account}|${principal.key}|${principal.scopes}|${network}`;
    const known = signed.get(id);
    if (known) return known;
    const now = Math.floor(Date.now() / 1000);
    const { scopes, key: keyId, limit } = principal;
    const lim = limit && [limit.capacity, limit.refillPerSecond];
    const token = new SignJWT({ scopes, key: keyId, svc: service, net: network ?? null, lim })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
      .setIssuer('gateway')
      .setAudience(audience)
      .setSubject(principal.account)
      .setIssuedAt(now)
      .setExpirationTime(now + LIFETIME_S)
      .sign(key);
    return token.then((text) => {
      signed.set(id, text);
      return text;
    });
  };
}
