/**
 * Live streams of events: how many one account and one network may have at a time, and how they end.
 *
 * Every operation has an `ending`, an AbortController. Whoever knows that the operation is over aborts it: the
 * transport when its client has gone, the stream when it has run out, the house when the key has ended. The
 * request to the subgraph listens to it, because the generators in between do not hear of an end before the
 * next event.
 */
import { setMaxListeners } from 'node:events';
import { GraphQLError } from 'graphql';
import { codedError } from './errors.mjs';

/** All keys and all transports together. */
export const MAX_PER_ACCOUNT = 100;
export const MAX_PER_NETWORK = 500;
const RETRY_AFTER_S = 5;

/** The ending of an operation that begins. */
export function createEnding() {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal); // one for each subgraph request under way
  return ending;
}

/** Counts live streams. */
export function createStreams() {
  const byOwner = new Map();
  const byNetwork = new Map();

  return {
    /**
     * Count a stream that begins, until its operation ends.
     * @param {import('./graphql.mjs').Session} session
     * @returns {GraphQLError | undefined} why it may not begin
     */
    open({ owner, network, ending: { signal } }) {
      if (signal.aborted) return undefined; // its client has gone already, and with it the stream
      if ((byOwner.get(owner) ?? 0) >= MAX_PER_ACCOUNT) return tooMany('account', MAX_PER_ACCOUNT);
      if ((byNetwork.get(network) ?? 0) >= MAX_PER_NETWORK) return tooMany('network', MAX_PER_NETWORK);
      add(byOwner, owner, 1);
      add(byNetwork, network, 1);
      signal.addEventListener(
        'abort',
        () => {
          add(byOwner, owner, -1);
          add(byNetwork, network, -1);
        },
        { once: true },
      );
      return undefined;
    },
  };
}

const tooMany = (whose, allowed) =>
  codedError('TOO_MANY_STREAMS', `One ${whose} may have ${allowed} subscriptions at a time.`, {
    status: 429,
    headers: { 'retry-after': String(RETRY_AFTER_S) },
    retryAfter: RETRY_AFTER_S,
    allowed,
  });

/**
 * Counts how often a socket was looked at, one time after the other, that had something to send and sent nothing.
 *
 * The kernel takes over what it has room for, and asks for more once a third of that is free: this finds clients
 * that read nothing, while the room may hold all that is sent to one whose network has vanished. Those the kernel
 * itself finds, by the time that it is given where the port is opened (infra/launch/handover.py).
 * @returns {(socket: import('node:net').Socket | null) => number}
 */
export function createUnsent() {
  let looks = 0;
  let before;
  return function look(socket) {
    // Of a write that is under way, only the handle knows how much is left.
    const left = socket?.writableLength ? (socket._handle?.writeQueueSize ?? 0) : 0;
    const now = socket?.writableLength ? `${socket.bytesWritten - socket.writableLength}, ${left} left` : undefined;
    looks = now !== undefined && now === before ? looks + 1 : 0;
    before = now;
    return looks;
  };
}

/**
 * Add to a count, and forget it at zero.
 * @template K
 * @param {Map<K, number>} counts
 * @param {K} key
 * @param {number} change
 */
export function add(counts, key, change) {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/**
 * The events of a stream, each shown as `show` has it, until the stream or its operation ends.
 *
 * An iterator by hand: `return()` of an async generator waits for the next event, and a quiet stream would
 * outlive its client for as long as nothing happens.
 * @template T
 * @param {AsyncIterable<T>} events
 * @param {AbortController} ending  aborted with a GraphQLError, the stream ends by telling it
 * @param {(event: T) => T} show
 * @returns {AsyncGenerator<T>}
 */
export function untilEnded(events, ending, show) {
  const { signal } = ending;
  const source = events[Symbol.asyncIterator]();
  let told = false;

  function last() {
    const reason = told ? undefined : signal.reason;
    told = true;
    return reason instanceof GraphQLError
      ? { done: false, value: show({ errors: [reason] }) }
      : { done: true, value: undefined };
  }
  function end(reason) {
    ending.abort(reason);
    Promise.resolve(source.return?.()).catch(() => {}); // frees what the chain holds; not waited for
  }
  signal.addEventListener('abort', () => end(), { once: true });

  return {
    next() {
      if (signal.aborted) return Promise.resolve(last());
      return new Promise((resolve, reject) => {
        const stop = () => resolve(last());
        signal.addEventListener('abort', stop, { once: true });
        source.next().then(
          ({ done, value }) => {
            signal.removeEventListener('abort', stop);
            if (!done) resolve({ done, value: show(value) });
            else {
              told = true;
              resolve({ done, value });
              ending.abort();
            }
          },
          (error) => {
            signal.removeEventListener('abort', stop);
            reject(error);
            ending.abort();
          },
        );
      });
    },
    return(value) {
      told = true;
      end();
      return Promise.resolve({ done: true, value });
    },
    throw(error) {
      told = true;
      end();
      return Promise.reject(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.asyncDispose]() {
      return this.return();
    },
  };
}
