/**
 * How subgraph requests leave the house: a small fetch over kept-alive connections, made for the runtime's
 * HTTP executor.
 *
 * It exists because of what a general fetch does not do here: time limits by kind of operation (one number
 * would end subscriptions), letters of several bytes that are cut between two reads of an event stream, events
 * that end their lines with CRLF (the executor splits at LF only), and no streams or abort signals for the
 * common small answer.
 */
import { Agent, request as httpRequest } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';

/** Until the whole answer is there; for subscriptions until the stream begins. */
const TIMEOUT_MS = { query: 10_000, mutation: 30_000, subscription: 10_000 };
/** Uvicorn closes idle connections after 5 s: let go of them earlier, or a request meets a closing socket. */
const IDLE_MS = 4000;
const MAX_ANSWER_CHARACTERS = 32 * 1024 * 1024;

/**
 * @param {ReturnType<import('./metrics.mjs').createMetrics>} metrics
 */
export function createUpstream(metrics) {
  const options = { keepAlive: true, timeout: IDLE_MS, maxSockets: 512 };
  const agents = { 'http:': new Agent(options), 'https:': new SecureAgent(options) };
  const targets = new Map();

  function targetOf(url) {
    let target = targets.get(url);
    if (!target) {
      const { protocol, hostname, port, pathname, search } = new URL(url);
      target = { protocol, hostname, port, path: pathname + search };
      targets.set(url, target); // as many as there are subgraphs: every request is a POST to one address
    }
    return target;
  }

  function send(url, { method, headers, body, signal }, kind, subgraph) {
    const { protocol, hostname, port, path } = targetOf(url);
    return new Promise((resolve, reject) => {
      const began = performance.now();
      const request = (protocol === 'https:' ? httpsRequest : httpRequest)({
        agent: agents[protocol],
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
      const patience = setTimeout(() => request.destroy(new Error('no answer in time')), TIMEOUT_MS[kind]);
      const abort = () => request.destroy(signal.reason);
      const settle = (end, value) => {
        clearTimeout(patience);
        signal?.removeEventListener('abort', abort);
        end(value);
      };
      signal?.addEventListener('abort', abort, { once: true });
      request.once('error', (error) => {
        // An idle connection that its server has just closed: nothing was done, a query may ask again.
        const stale = request.reusedSocket && error.code === 'ECONNRESET' && kind === 'query';
        if (stale) settle(resolve, send(url, { method, headers, body, signal }, kind, subgraph));
        else settle(reject, error);
      });
      request.once('response', (answer) => {
        metrics.upstream.observe({ subgraph }, (performance.now() - began) / 1000);
        const status = {
          status: answer.statusCode,
          statusText: answer.statusMessage,
          headers: readHeaders(answer),
        };
        if (/^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '')) {
          clearTimeout(patience);
          resolve({ ...status, body: decodeEvents(answer) });
          return;
        }
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => {
          text += chunk;
          if (text.length > MAX_ANSWER_CHARACTERS) request.destroy(new Error('the answer is too large'));
        });
        answer.once('error', (error) => settle(reject, error));
        answer.once('end', () => settle(resolve, { ...status, text: () => text }));
      });
      request.end(body);
    });
  }

  return {
    /** The part of fetch that the runtime's executor uses. */
    fetch(url, init, _context, info) {
      const { operationType = 'query', subgraphName = 'unknown' } = info?.executionRequest ?? {};
      return send(url, init, operationType, subgraphName.toLowerCase());
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
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
