/**
 * How subgraph requests leave the house: a small fetch over kept-alive connections, made for the runtime's
 * HTTP executor.
 *
 * It exists because of what a general fetch does not do here: time limits by kind of operation (one number
 * would end subscriptions), a bounded wait for a connection, letters of several bytes that are cut between two
 * reads of an event stream, events that end their lines with CRLF (the executor splits at LF only), and no
 * streams or abort signals for the common small answer.
 *
 * Streams have connections of their own, so that however many there are, they silence no query. And a stream
 * ends with its operation: the request to the subgraph is destroyed in the moment its client has gone, whatever
 * the generators between the two are waiting for.
 *
 * A request goes to the next replica of a service where one cannot be reached; where one breaks off, too, unless
 * what was asked for might then be done twice. A stream stays with its replica, and ends with it: its client
 * subscribes again, after the last event that it has.
 */
import { Agent, request as httpRequest } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { isRepeatable } from './repeating.mjs';
import { createReplicas, isBroken, replicaName } from './replicas.mjs';
import { ANONYMOUS, TOKEN_HEADER } from './tokens.mjs';

/** Until the whole answer is there; for subscriptions until the stream begins. */
const TIMEOUT_MS = { query: 10_000, mutation: 30_000, subscription: 10_000 };
/** Until there is a connection: one that is free, or one that is made. */
const CONNECTION_MS = 2000;
/** Far below the time after which services close idle connections: else a request meets a closing socket. */
const IDLE_MS = 4000;
/** A readiness check; the public one waits 2 s for all of its answers. */
const CHECK_MS = 1500;
const MAX_ANSWER_CHARACTERS = 32 * 1024 * 1024;

/**
 * @param {object} parts
 * @param {ReturnType<import('./metrics.mjs').createMetrics>} parts.metrics
 * @param {ReturnType<import('./tokens.mjs').createSigner>} parts.sign
 * @param {Record<string, string[]>} parts.serviceUrls  private base addresses of each subgraph, by replica
 * @param {{ requests: number, streams: number }} parts.connections  the most to one replica of a subgraph
 */
export function createUpstream({ metrics, sign, serviceUrls, connections }) {
  const requests = { keepAlive: true, timeout: IDLE_MS, maxSockets: connections.requests };
  const streams = { keepAlive: false, maxSockets: connections.streams };
  const agents = {
    'http:': { requests: new Agent(requests), streams: new Agent(streams) },
    'https:': { requests: new SecureAgent(requests), streams: new SecureAgent(streams) },
  };
  const services = Object.fromEntries(
    Object.entries(serviceUrls).map(([service, addresses]) => [service, createReplicas(addresses)]),
  );
  // The runtime names a request's subgraph by the address of its first replica; the name that stands in the request
  // itself may be that of another one, whose answer it is joined to.
  const subgraphs = new Map(
    Object.entries(serviceUrls).map(([service, [first]]) => [`${first}/graphql`, service]),
  );
  const targets = new Map();

  function targetOf(url) {
    let target = targets.get(url);
    if (!target) {
      const { protocol, hostname, port, pathname, search } = new URL(url);
      target = { protocol, hostname, port, path: pathname + search };
      targets.set(url, target); // as many as there are replicas: every request is a POST to one path
    }
    return target;
  }

  /** Hand a request to its pool. */
  function open(url, { method, headers, body }, pool) {
    const { protocol, hostname, port, path } = targetOf(url);
    return (protocol === 'https:' ? httpsRequest : httpRequest)({
      agent: agents[protocol][pool],
      hostname,
      port,
      path,
      method,
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        'content-length': Buffer.byteLength(body ?? ''),
      },
    });
  }

  /**
   * Ask the first replica of a subgraph that can be reached.
   * @param {{ method: string, headers: object, body?: string, signal?: AbortSignal }} init
   * @param {object} operation
   * @param {keyof typeof TIMEOUT_MS} operation.kind
   * @param {string} operation.subgraph
   * @param {import('./graphql.mjs').Session} [operation.session]
   * @param {() => boolean} operation.repeatable  whether it may be run again though it may have been
   */
  async function send(init, operation) {
    const { subgraph, session } = operation;
    const replicas = services[subgraph];
    const order = replicas.order();
    for (const address of order) {
      const progress = {};
      try {
        const answer = await attempt(address, init, operation, progress);
        replicas.answered(address);
        return answer;
      } catch (error) {
        if (session?.ending.signal.aborted || init.signal?.aborted) throw error;
        replicas.failed(address);
        const again = !progress.connected || (isBroken(error) && operation.repeatable());
        if (!again || address === order.at(-1)) throw error;
      }
    }
    throw new Error(`${subgraph} has no address`);
  }

  /** Ask one replica; whether there was a connection stands in `progress` where it fails. */
  async function attempt(address, init, operation, progress) {
    for (;;) {
      Object.assign(progress, { connected: false, reused: false });
      try {
        return await exchange(`${address}/graphql`, init, operation, progress);
      } catch (error) {
        // An idle connection that its server has just closed: nothing was done, a query may ask again.
        if (!(progress.reused && isBroken(error) && operation.kind === 'query')) throw error;
      }
    }
  }

  function exchange(url, init, { kind, subgraph, session }, progress) {
    const live = kind === 'subscription';
    return new Promise((resolve, reject) => {
      const began = performance.now();
      const request = open(url, init, live ? 'streams' : 'requests');
      const settle = (end, value) => {
        clearTimeout(patience);
        clearTimeout(waiting);
        for (const stop of listening) stop();
        end(value);
      };
      // A request that waits for a connection says nothing when it is destroyed: reject here.
      const fail = (error) => {
        request.destroy(error);
        settle(reject, error);
      };
      const patience = setTimeout(() => fail(new Error('no answer in time')), TIMEOUT_MS[kind]);
      const waiting = setTimeout(() => fail(new Error('no connection in time')), CONNECTION_MS);
      const stopWaiting = whenAborted(session?.ending.signal, fail);
      const listening = [stopWaiting, whenAborted(init.signal, fail)];
      whenConnected(request, () => {
        clearTimeout(waiting);
        progress.connected = true;
        if (!live) stopWaiting(); // what has begun is done to its end: its first half would not be undone
      });
      request.once('error', (error) => {
        progress.reused = request.reusedSocket;
        settle(reject, error);
      });
      request.once('response', (answer) => {
        if (session) metrics.upstream.observe({ subgraph }, (performance.now() - began) / 1000);
        addCharges(session, answer.headers);
        const status = {
          status: answer.statusCode,
          statusText: answer.statusMessage,
          headers: readHeaders(answer),
        };
        if (/^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '')) {
          clearTimeout(patience);
          metrics.streams.inc({ subgraph });
          request.once('close', () => {
            metrics.streams.dec({ subgraph });
            for (const stop of listening) stop();
          });
          resolve({ ...status, body: decodeEvents(answer) });
          return;
        }
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => {
          text += chunk;
          if (text.length > MAX_ANSWER_CHARACTERS) fail(new Error('the answer is too large'));
        });
        answer.once('error', (error) => settle(reject, error));
        answer.once('end', () => {
          addWork(session, text);
          settle(resolve, { ...status, text: () => text });
        });
      });
      request.end(init.body);
    });
  }

  /** Ask a replica the least there is to ask, over the connections that clients' queries use. */
  async function ask(service, address) {
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      [TOKEN_HEADER]: await sign(service, ANONYMOUS),
    };
    const init = {
      method: 'POST',
      headers,
      body: '{"query":"{__typename}"}',
      signal: AbortSignal.timeout(CHECK_MS),
    };
    try {
      const answer = await attempt(address, init, { kind: 'query', subgraph: service }, {});
      if (answer.status !== 200) return `answers ${answer.status}`;
      return JSON.parse(answer.text()).data?.__typename ? 'ok' : 'answers no data';
    } catch (error) {
      return error.code ?? error.message;
    }
  }

  const checkEach = ([service, addresses]) =>
    Promise.all(
      addresses.map(async (address, index) => [replicaName(service, index), await ask(service, address)]),
    );

  return {
    /** The part of fetch that the runtime's executor uses. */
    fetch(url, init, _context, { executionRequest }) {
      const { operationType: kind, context } = executionRequest;
      const [subgraph, session] = [subgraphs.get(url), context?.session];
      return send(init, { kind, subgraph, session, repeatable: () => isRepeatable(executionRequest) });
    },
    /**
     * Ask every replica of every subgraph.
     * @returns {Promise<{ ready: boolean, words: Record<string, string> }>} whether each subgraph has a replica that
     *   answers, and `ok` or what is wrong, for each replica
     */
    async check() {
      const found = await Promise.all(Object.entries(serviceUrls).map(checkEach));
      return {
        ready: found.every((words) => words.some(([, word]) => word === 'ok')),
        words: Object.fromEntries(found.flat()),
      };
    },
    close() {
      for (const pools of Object.values(agents)) for (const agent of Object.values(pools)) agent.destroy();
    },
  };
}

/** Call once when a signal says so, at once if it has; returns how to stop listening. */
function whenAborted(signal, call) {
  if (!signal) return () => {};
  const listener = () => call(signal.reason instanceof Error ? signal.reason : new Error('ended'));
  if (signal.aborted) queueMicrotask(listener);
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

function whenConnected(request, call) {
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', call);
    else call();
  });
}

/** Add what a subgraph says it has charged for work to what the operation costs. */
function addCharges(session, headers) {
  const [charged, remaining] = [headers['x-hearthforge-charged'], headers['x-hearthforge-remaining']].map(Number);
  if (!session?.cost || !Number.isSafeInteger(charged) || !Number.isSafeInteger(remaining)) return;
  session.cost.requested += charged;
  session.cost.remaining = Math.min(session.cost.remaining ?? remaining, remaining);
}

function addWork(session, text) {
  if (!session?.work) return;
  session.work.requests += 1;
  session.work.characters += text.length;
}

function readHeaders(answer) {
  return {
    get: (name) => answer.headers[name.toLowerCase()] ?? null,
    entries: () => Object.entries(answer.headers),
  };
}

/** Bytes to text, whole letters only and lines ending in LF. JSON never holds a bare CR. */
function decodeEvents(answer) {
  return Readable.toWeb(answer)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new TransformStream({ transform: (chunk, out) => out.enqueue(chunk.replaceAll('\r', '')) }));
}
