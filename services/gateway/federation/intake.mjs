/**
 * Reads bodies whole before anything behind the door is taken for them: bounded in size, in time, in number for
 * each network, and in what all of them hold in memory together.
 *
 * Where a network (or the door) reads as many bodies as it may, the oldest makes way and is answered 408: an honest
 * body is there within milliseconds, so that what is old is what trickles. Refusing the newest instead would let a
 * few half-sent posts lock out everybody who shares an address with their sender.
 */
import { Refused } from './problems.mjs';

export const MAX_BODY_BYTES = 256 * 1024;
/**
 * What is too large is read up to here and thrown away: who is answered while sending sees a broken connection as
 * a rule, not the answer.
 */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

const LIMITS = {
  /** Bodies being read at once. */
  perNetwork: 32,
  inAll: 1024,
  /** A body may take this long, and longer only while it comes at this rate. */
  graceMs: 10_000,
  bytesPerSecond: 64 * 1024,
  /** Of all bodies, from their first byte until they are answered. */
  heldBytes: 256 * 1024 * 1024,
};

/**
 * @param {Partial<typeof LIMITS>} [changes]
 */
export function createIntake(changes = {}) {
  const limits = { ...LIMITS, ...changes };
  /** Bodies being read, oldest first. @type {Set<Reader>} */
  const reading = new Set();
  /** @type {Map<string, Set<Reader>>} */
  const byNetwork = new Map();
  let heldBytes = 0;

  function makeRoom(network) {
    const own = byNetwork.get(network);
    if (own?.size >= limits.perNetwork) first(own).refuse(tooSlow());
    if (reading.size >= limits.inAll) first(reading).refuse(tooSlow());
  }

  function enter(reader, network) {
    reading.add(reader);
    const own = byNetwork.get(network) ?? new Set();
    byNetwork.set(network, own.add(reader));
  }

  function leave(reader, network) {
    reading.delete(reader);
    const own = byNetwork.get(network);
    own.delete(reader);
    if (own.size === 0) byNetwork.delete(network);
  }

  return {
    /**
     * Read a request's body to its end.
     * @param {import('node:http').IncomingMessage} request
     * @param {import('node:http').ServerResponse} response  while it is open, the body counts as held
     * @param {{ network: string, most?: number }} options  `most`: bytes
     * @returns {Promise<Buffer>}
     * @throws {Refused} 408, 413 or 503; what was not read of the body by then must not be read as a request
     */
    read(request, response, { network, most = MAX_BODY_BYTES }) {
      const declared = Number(request.headers['content-length'] ?? 0);
      const mostRead = Math.max(MAX_DISCARDED_BYTES, most);
      if (declared > mostRead) return Promise.reject(tooLarge(most));
      if (request.destroyed && !request.complete) return Promise.reject(tooSlow());
      makeRoom(network);
      continueIfAsked(request, response);
      return new Promise((resolve, reject) => {
        const began = performance.now();
        let chunks = [];
        let size = 0;
        let own = 0;
        const hold = (bytes) => {
          heldBytes += bytes;
          own += bytes;
        };
        const settle = (end, value) => {
          clearTimeout(timer);
          request.off('data', take).off('end', finish).off('close', broken);
          leave(reader, network);
          end(value);
        };
        const reader = {
          refuse(reason) {
            chunks = [];
            settle(reject, reason);
          },
        };
        const take = (chunk) => {
          size += chunk.length;
          if (size > mostRead) reader.refuse(tooLarge(most));
          else if (size > most) drop();
          else if (heldBytes + chunk.length > limits.heldBytes) reader.refuse(full());
          else {
            hold(chunk.length);
            chunks.push(chunk);
          }
        };
        const drop = () => {
          hold(-own);
          chunks = [];
        };
        const finish = () => {
          if (size > most) reader.refuse(tooLarge(most));
          else settle(resolve, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
        };
        const broken = () => reader.refuse(tooSlow());
        /** Ends what has had its time; what comes at a fair rate has earned more. */
        const check = () => {
          const earned = limits.graceMs + (size / limits.bytesPerSecond) * 1000;
          const left = earned - (performance.now() - began);
          if (left <= 0) reader.refuse(tooSlow());
          else timer = setTimeout(check, left);
        };
        let timer = setTimeout(check, limits.graceMs);
        enter(reader, network);
        response.once('close', drop);
        request.on('data', take).once('end', finish).once('close', broken);
      });
    },
  };
}

/**
 * The client waits for our word before it sends: it has it once its body is wanted, and not before the answers to
 * what it sent earlier on this connection; Node would put it among the bytes of this answer.
 */
function continueIfAsked(request, response) {
  if (request.headers.expect === undefined || request.httpVersion !== '1.1') return;
  const say = () => {
    if (!response.headersSent && !request.complete) response.writeContinue();
  };
  if (response.socket) say();
  else response.once('socket', say);
}

const first = (set) => set.values().next().value;

const tooSlow = () => new Refused(408, 'REQUEST_TIMEOUT', 'The content did not come in time.');
const tooLarge = (most) =>
  new Refused(413, 'BODY_TOO_LARGE', `A request can have ${most.toLocaleString('en-US')} bytes at most here.`);
const full = () =>
  new Refused(503, 'UNAVAILABLE', 'Too much is being sent at the moment.', { 'retry-after': '1' });
