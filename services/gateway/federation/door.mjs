/**
 * The one public HTTP server: the graph at /graphql, everything else to the Python app behind it.
 */
import { createServer } from 'node:http';
import { answerExtensions } from './graphql.mjs';
import { codedError, rateLimited } from './errors.mjs';
import { clientAddress, networkOf, requestId, traceContext } from './forwarding.mjs';
import { sendGraphiql, wantsGraphiql } from './graphiql.mjs';
import { IdentityUnavailable, KeyRefused } from './identity.mjs';
import { readGraphqlRequest } from './request_guards.mjs';
import { createEnding } from './streams.mjs';
import { sendProblem } from './proxy.mjs';
import { ANONYMOUS } from './tokens.mjs';

const GRAPHQL = '/graphql';
/** What the Python app serves for the house alone. */
const CLOSED = /^\/(internal|metrics|graphql)(\/|$)/;

/** Longer than the usual minute of load balancers, so that they are the ones who let go. */
const KEEP_ALIVE_MS = 65_000;
/** A peer that has vanished is found by probes of TCP: after this, one a second, ten of them. */
const PROBE_AFTER_MS = 5000;
/** A client that reads nothing of a full stream is looked for this often, and let go when found twice. */
const SWEEP_MS = 5000;
/** Nonsense is not free. */
const REFUSAL_COST = 1;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'etag, location, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-request-id',
};
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, x-request-id, idempotency-key, if-none-match, if-match, accept, last-event-id, traceparent, tracestate',
  'access-control-max-age': '7200',
};

/**
 * @param {object} parts
 * @param {ReturnType<import('./graphql.mjs').createGraph>} parts.graph
 * @param {ReturnType<import('./identity.mjs').createIdentity>['identify']} parts.identify
 * @param {ReturnType<import('./keys.mjs').createKeys>} parts.keys
 * @param {ReturnType<import('./limits.mjs').createLimits>} parts.limits
 * @param {ReturnType<import('./proxy.mjs').createProxy>} parts.backend
 * @param {ReturnType<import('./metrics.mjs').createMetrics>} parts.metrics
 * @param {number} parts.trustedProxyHops
 * @param {import('./log.mjs').Log} parts.log
 */
export function createDoor({ graph, identify, keys, limits, backend, metrics, trustedProxyHops, log }) {
  /** Curl offers h2c on plain connections: only WebSockets are worth an upgrade. */
  const options = {
    shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    keepAlive: true,
    keepAliveInitialDelay: PROBE_AFTER_MS,
  };
  const underWay = new Set();
  const server = createServer(options, (request, response) => {
    const id = requestId(request.headers);
    const address = clientAddress(request, trustedProxyHops);
    const network = networkOf(address);
    response.setHeader('x-request-id', id);
    response.setHeader('access-control-allow-origin', CORS['access-control-allow-origin']);
    response.setHeader('access-control-expose-headers', CORS['access-control-expose-headers']);

    const target = readTarget(request.url);
    const route = routeOf(target);
    /** @type {import('./graphql.mjs').Session} */
    const session = {
      requestId: id,
      owner: network,
      network,
      streams: /text\/event-stream|\*\/\*/i.test(request.headers.accept ?? '*/*'),
      ...traceContext(request.headers),
    };
    record(request, response, { route, session, path: target?.url.pathname });

    if (request.method === 'OPTIONS') {
      response.writeHead(204, PREFLIGHT).end();
    } else if (route === 'graphql') {
      // The runtime builds an address of these: give it only what has been read and found sound.
      request.url = target.raw;
      request.headers.host = 'gateway';
      answerGraphql(request, response, target.url, session).catch((error) => {
        log.error('unexpected', { request_id: id, error: error.message, stack: error.stack });
        response.destroy();
      });
    } else if (route === 'proxy') {
      backend.proxy(request, response, { path: target.raw, requestId: id, address });
    } else {
      const [status, code, detail] = target
        ? [404, 'NOT_FOUND', 'There is nothing here.']
        : [400, 'BAD_REQUEST', 'The path is malformed.'];
      sendProblem(response, status, code, detail);
    }
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;

  const sweep = setInterval(() => {
    for (const entry of streams()) {
      const full = entry.response.writableNeedDrain;
      if (full && entry.full) entry.response.destroy();
      entry.full = full;
    }
  }, SWEEP_MS).unref();

  const streams = () => [...underWay].filter(({ session }) => session.operationType === 'subscription');

  return {
    server,
    /** Take nothing new, end what would never end, let the rest finish. Resolves when all are gone. */
    async close() {
      clearInterval(sweep);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const { response } of streams()) response.destroy();
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearInterval(idle);
    },
  };

  async function answerGraphql(request, response, url, session) {
    if (wantsGraphiql(request, url)) {
      await sendGraphiql(request, response);
      return;
    }
    try {
      // The runtime takes a body that is parsed already, as frameworks leave it, and does not read again.
      request.body = await readGraphqlRequest(request, url);
      session.principal = await identify(request.headers.authorization, session.network);
    } catch (error) {
      const { allowed, retryAfter } = await limits.chargeNetwork(session.network, REFUSAL_COST);
      refuse(request, response, session, allowed ? error : rateLimited(retryAfter));
      return;
    }
    if (response.destroyed) return; // gone while its key was looked up: there is no close to come
    if (session.principal !== ANONYMOUS) session.owner = session.principal.account;
    session.ending = createEnding();
    const entry = { response, session, full: false };
    underWay.add(entry);
    const release = keys.hold(session.principal, (reason) => session.ending.abort(publicRefusal(reason)));
    response.once('close', () => {
      underWay.delete(entry);
      release();
      session.ending.abort();
    });
    await graph(request, response, { session });
  }

  function refuse(request, response, session, reason) {
    if (response.destroyed) return;
    const error = publicRefusal(reason);
    const { code, http } = error.extensions;
    if (http.status === 500) {
      log.error('unexpected', { request_id: session.requestId, error: reason.message, stack: reason.stack });
    }
    metrics.refused.inc({ code });
    const { http: _, ...extensions } = error.extensions;
    const body = JSON.stringify({
      errors: [{ message: error.message, extensions }],
      extensions: answerExtensions(session),
    });
    const modern = /application\/graphql-response\+json/i.test(request.headers.accept ?? '');
    const unread = !request.complete;
    response.writeHead(http.status, {
      'content-type': `application/${modern ? 'graphql-response+json' : 'json'}; charset=utf-8`,
      'content-length': Buffer.byteLength(body),
      ...http.headers,
      ...(unread ? { connection: 'close' } : {}),
    });
    response.end(body);
    // Drain the rest of a refused body: closing at once would reset the answer away before it is read.
    if (unread) request.resume();
  }

  function record(request, response, { route, session, path }) {
    const began = performance.now();
    response.once('close', () => {
      const seconds = (performance.now() - began) / 1000;
      metrics.requests.inc({ route, method: request.method, status: response.statusCode });
      metrics.duration.observe({ route }, seconds);
      if (session.operationType) metrics.operations.inc({ type: session.operationType, transport: 'http' });
      log.info('request', {
        method: request.method,
        path,
        status: response.statusCode,
        ms: Math.round(seconds * 1e4) / 10,
        request_id: session.requestId,
        ...(session.operationType ? { operation: session.operation, type: session.operationType } : {}),
        ...(response.writableFinished ? {} : { aborted: true }),
      });
    });
  }
}

/** What a client may know of why its request was not even tried. */
function publicRefusal(reason) {
  if (reason instanceof KeyRefused) {
    return codedError('UNAUTHENTICATED', reason.message, {
      reason: reason.reason,
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  if (reason instanceof IdentityUnavailable) {
    return codedError('IDENTITY_UNAVAILABLE', 'API keys cannot be checked at the moment.', {
      status: 503,
      headers: { 'retry-after': '1' },
    });
  }
  return reason.extensions?.http
    ? reason
    : codedError('INTERNAL_SERVER_ERROR', 'Unexpected error.', { status: 500 });
}

/**
 * A request target as it came and as the app behind will understand it.
 * @param {string} raw  path and query, or an absolute address
 * @returns {{ raw: string, url: URL } | undefined} undefined when it is malformed
 */
function readTarget(raw) {
  const path = /^https?:\/\//i.test(raw) ? raw.replace(/^https?:\/\/[^/?#]*/i, '') || '/' : raw;
  if (!path.startsWith('/') || !URL.canParse(`http://gateway${path}`)) return undefined;
  return { raw: path, url: new URL(`http://gateway${path}`) };
}

function routeOf(target) {
  if (!target) return 'closed';
  const path = target.raw.split(/[?#]/, 1)[0];
  if (path === GRAPHQL) return 'graphql';
  let decoded;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return 'closed';
  }
  // The app behind decodes once, and servers differ about "//", "." and "\": judge the plainest reading.
  const plain = new URL(`http://gateway${decoded.replace(/[\\/]+/g, '/').replace(/[?#]/g, '_')}`).pathname;
  return CLOSED.test(decodeURI(plain).toLowerCase()) ? 'closed' : 'proxy';
}
