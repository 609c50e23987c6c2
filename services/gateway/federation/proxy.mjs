/**
 * Passes requests on to the Python app behind the door.
 *
 * undici writes and reads the messages: it takes a body as bytes and states their number itself, refuses headers
 * that would frame anything else, and drops a connection on which anything is left over. What is sent is whole
 * before a connection is taken, and a client that goes away ends the request behind it.
 */
import { Pool } from 'undici';
import { answerHeaders, requestHeaders } from './forwarding.mjs';
import { NOSNIFF, Refused, sendProblem } from './problems.mjs';
import { MOST_LONG } from './readers.mjs';
import { createReplicas, isBroken, isUnreached } from './replicas.mjs';
import { createTurns } from './turns.mjs';

/** Requests whose answers have not come. */
const PLACES = 256;
/** One network's part of them; the rest of its requests wait for their turn. */
const SHARE = 64;
const TURNS = { places: PLACES, share: SHARE, waiting: 512, patienceMs: 10_000 };

const FIRST_BYTE_TIMEOUT_MS = 60_000;
/** Far below the time after which services close idle connections: else a request meets a closing socket. */
const IDLE_MS = 4000;
const READING = new Set(['GET', 'HEAD']);
/** After so long it is worth asking again for what is away. */
const RETRY_AFTER_S = '1';
/** What may lie in a socket's buffer when the app answers early; a connection that took more is not used again. */
const REUSABLE_BODY_BYTES = 256 * 1024;

/**
 * @param {object} options
 * @param {string[]} options.accountUrls  by replica
 * @param {URL} options.publicUrl
 * @param {ReturnType<import('./admission.mjs').createAdmission>} options.admission
 * @param {ReturnType<import('./readers.mjs').createReaders>} options.readers
 * @param {import('./log.mjs').Log} options.log
 */
export function createProxy({ accountUrls, publicUrl, admission, readers, log }) {
  const replicas = createReplicas(accountUrls);
  const apps = new Map(accountUrls.map((address) => [address, openApp(address)]));
  const turns = createTurns(TURNS);

  /**
   * Answer a request with what the app answers.
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   * @param {{ path: string, body?: Buffer, requestId: string, address: string, network: string }} hop
   *   `body`: whole, where the request has one
   */
  async function forward(request, response, { path, body, requestId, address, network }) {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const places = [];
    const leave = () => places.splice(0).forEach((end) => end());
    try {
      places.push(await turns.take(network, left.signal));
      places.push(await admission.enter(network, left.signal));
      const question = {
        path,
        method: request.method,
        headers: requestHeaders(request.headers, { requestId, address, publicUrl }),
        body,
        signal: left.signal,
        ...(body?.length > REUSABLE_BODY_BYTES ? { reset: true } : {}),
      };
      await ask(question, ({ statusCode, headers }) => {
        const remaining = Number(headers['x-ratelimit-remaining'] ?? Number.NaN);
        if (Number.isFinite(remaining)) admission.count(network, remaining);
        response.writeHead(statusCode, { ...NOSNIFF, ...answerHeaders(headers), 'x-request-id': requestId });
        return readers.take(response, network, leave);
      });
    } catch (error) {
      explain(response, error, requestId);
    } finally {
      leave();
    }
  }

  /** Put a question to the first replica that can be reached, and hand its answer on. */
  async function ask(question, answer) {
    const order = replicas.order();
    for (const address of order) {
      const { pool, base } = apps.get(address);
      let begun = false;
      try {
        await pool.stream({ ...question, path: base + question.path }, (told) => {
          begun = true;
          replicas.answered(address);
          return answer(told);
        });
        return;
      } catch (error) {
        const failed = isUnreached(error) || isBroken(error);
        if (failed) replicas.failed(address);
        const again = isUnreached(error) || (isBroken(error) && !begun && isRepeatable(question));
        if (!again || address === order.at(-1)) throw error;
      }
    }
  }

  function explain(response, error, requestId) {
    if (response.destroyed || response.writableFinished) return;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof Refused) {
      sendProblem(response, error.status, error.code, error.message, error.headers);
      return;
    }
    log.warning('upstream_failed', { request_id: requestId, reason: error.code ?? error.message });
    const late = error.code === 'UND_ERR_HEADERS_TIMEOUT';
    sendProblem(
      response,
      late ? 504 : 502,
      late ? 'GATEWAY_TIMEOUT' : 'BAD_GATEWAY',
      'The service behind this path does not answer.',
      { 'retry-after': RETRY_AFTER_S },
    );
  }

  return {
    forward,
    close() {
      for (const { pool } of apps.values()) pool.destroy();
    },
  };
}

/** The connections to one replica of the app, and what its paths begin with. */
function openApp(address) {
  const { origin, pathname } = new URL(address);
  const pool = new Pool(origin, {
    connections: PLACES + MOST_LONG,
    pipelining: 1,
    allowH2: false,
    connectTimeout: 5000,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    headersTimeout: FIRST_BYTE_TIMEOUT_MS,
    bodyTimeout: 0, // streams may be silent; their clients' leaving ends them
  });
  return { pool, base: pathname.replace(/\/$/, '') };
}

/** Whether a request may be sent again though it may have been heard. */
const isRepeatable = ({ method, headers }) => READING.has(method) || headers['idempotency-key'] !== undefined;
