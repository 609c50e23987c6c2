/**
 * Which replica of a service is asked: each in turn, and one that has just failed after all others.
 *
 * undici's BalancedPool turns from a broken replica too, but fails the requests that it had for it; its RetryAgent
 * asks again without telling what was sent from what was not, and rolls would be rolled twice.
 */

/** A replica that was killed refuses at once, so that asking it again after this time costs nothing. */
const AVOIDED_MS = 1000;
/** Errors before there was a connection: nothing was sent. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Errors of a connection that its server has closed: what was sent may have been done. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** @param {{ code?: string }} error */
export const isUnreached = (error) => UNREACHED.has(error.code);
/** @param {{ code?: string }} error */
export const isBroken = (error) => BROKEN.has(error.code);

/**
 * @param {string[]} addresses
 * @param {() => number} [now]  milliseconds of a clock that only runs forward
 */
export function createReplicas(addresses, now = () => performance.now()) {
  const avoidedUntil = new Map();
  let turn = 0;
  const isAvoided = (address, moment) => (avoidedUntil.get(address) ?? 0) > moment;

  return {
    addresses,
    /** In which order the addresses are tried for the next request, each once. */
    order() {
      if (addresses.length === 1) return addresses;
      const inTurn = [...addresses.slice(turn), ...addresses.slice(0, turn)];
      turn = (turn + 1) % addresses.length;
      const moment = now();
      return [
        ...inTurn.filter((address) => !isAvoided(address, moment)),
        ...inTurn.filter((address) => isAvoided(address, moment)),
      ];
    },
    failed: (address) => avoidedUntil.set(address, now() + AVOIDED_MS),
    answered: (address) => avoidedUntil.delete(address),
  };
}

/** The name of a replica, as infra/up has it: `dice`, `dice-2`. */
export const replicaName = (service, index) => (index === 0 ? service : `${service}-${index + 1}`);
