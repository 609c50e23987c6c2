/**
 * How clients read their answers: at a minimum rate, and none of them in the way of others.
 *
 * An answer that fits into a buffer is taken from the app behind at once, however slowly its client reads. Beyond
 * that the app waits for the client, which has a place among those with long answers from then on: these are few,
 * for each network and in all, and the oldest makes way, since what is old is what trickles. So no slow reader has a
 * place that short answers need, and what all of them hold in memory is bounded.
 */
import { Writable } from 'node:stream';

/** By whom reads slower, all the time that something is left to read, the answer is not wanted. */
export const MIN_BYTES_PER_SECOND = 8 * 1024;

const LIMITS = {
  /** Of one answer, waiting here for its client. */
  bufferBytes: 256 * 1024,
  /** Answers longer than that. */
  longPerNetwork: 16,
  longInAll: 128,
  /** Answers that are whole here, and not yet read. */
  unreadPerNetwork: 64,
  unreadInAll: 512,
};
/** How often a client is looked at in the time that a rate is measured over. */
const LOOKS = 6;

/** Most connections to the app behind that slow readers can hold. */
export const MOST_LONG = LIMITS.longInAll;

/**
 * @param {{ seconds: number, limits?: Partial<typeof LIMITS> }} options  `seconds`: that the rate is measured over
 */
export function createReaders({ seconds, limits: changes = {} }) {
  const limits = { ...LIMITS, ...changes };
  /** Answers under way, oldest first. @type {Set<Reader>} */
  const all = new Set();
  const long = createCrowd(limits.longPerNetwork, limits.longInAll);
  const unread = createCrowd(limits.unreadPerNetwork, limits.unreadInAll);

  const sweep = setInterval(() => {
    for (const reader of all) {
      if (!reader.isExempt() && isTooSlow(reader, seconds)) reader.response.destroy();
    }
  }, (seconds * 1000) / LOOKS).unref();

  function follow(response, network, isExempt = () => false) {
    const reader = { response, network, isExempt, measured: undefined };
    all.add(reader);
    response.once('close', () => {
      all.delete(reader);
      long.remove(reader);
      unread.remove(reader);
    });
    return reader;
  }

  return {
    /**
     * See to it that an answer is read at the minimum rate, until it is over.
     * @param {import('node:http').ServerResponse} response
     * @param {string} network
     * @param {() => boolean} isExempt  whether it is an answer of another kind, a stream of events
     */
    watch(response, network, isExempt) {
      follow(response, network, isExempt);
    },
    /**
     * A stream to write an answer to that comes from the app behind.
     * @param {import('./encoded_response.mjs').EncodedResponse} response
     * @param {string} network
     * @param {() => void} becameLong  called once, when the app has to wait for the client
     * @returns {Writable}
     */
    take(response, network, becameLong) {
      const reader = follow(response, network);
      return new Writable({
        write(chunk, _encoding, done) {
          if (response.destroyed) {
            done(new Error('the client has left'));
            return;
          }
          response.write(chunk);
          if (response.writableLength < limits.bufferBytes) {
            done();
            return;
          }
          long.add(reader);
          becameLong();
          once(response, ['drain', 'close'], done);
        },
        final(done) {
          response.end();
          long.remove(reader);
          // What the kernel takes over at once is gone by then.
          const look = () => {
            if (!response.writableFinished && !response.destroyed) unread.add(reader);
          };
          response.whenEncoded(() => setImmediate(look));
          done();
        },
        destroy(error, done) {
          if (!response.writableEnded) response.destroy();
          done(error);
        },
      });
    },
    close: () => clearInterval(sweep),
  };
}

/**
 * Readers of which there may be so many. The oldest of a network that has its share makes way, else the oldest.
 * @param {number} perNetwork
 * @param {number} inAll
 */
function createCrowd(perNetwork, inAll) {
  /** @type {Set<Reader>} */
  const all = new Set();
  return {
    add(reader) {
      if (all.has(reader)) return;
      const own = [...all].filter(({ network }) => network === reader.network);
      if (own.length >= perNetwork) own[0].response.destroy();
      else if (all.size >= inAll) all.values().next().value.response.destroy();
      all.add(reader);
    },
    remove: (reader) => all.delete(reader),
  };
}

/**
 * Whether a client has had something to read all the time that its rate is measured over, and read too little.
 * @param {Reader} reader
 * @param {number} seconds
 */
function isTooSlow(reader, seconds) {
  const { response } = reader;
  const { socket } = response;
  if (!socket || response.writableLength === 0) {
    reader.measured = undefined;
    return false;
  }
  const now = performance.now();
  const sent = sentBytes(socket);
  reader.measured ??= { since: now, sent };
  if (now - reader.measured.since < seconds * 1000) return false;
  const slow = sent - reader.measured.sent < MIN_BYTES_PER_SECOND * seconds;
  reader.measured = { since: now, sent };
  return slow;
}

/** What the kernel has taken over; of a write that is under way, only the handle knows how much is left. */
function sentBytes(socket) {
  const { writing, writelen } = socket._writableState;
  const underWay = writing ? writelen - (socket._handle?.writeQueueSize ?? 0) : 0;
  return socket.bytesWritten - socket.writableLength + Math.max(0, underWay);
}

/** Call back at the first of several events. */
function once(emitter, events, listener) {
  const hear = () => {
    for (const event of events) emitter.off(event, hear);
    listener();
  };
  for (const event of events) emitter.once(event, hear);
}

/**
 * @typedef {object} Reader
 * @property {import('node:http').ServerResponse} response
 * @property {string} network
 * @property {() => boolean} isExempt
 * @property {{ since: number, sent: number } | undefined} measured  from when on something was left to read
 */
